// The JSON code is now in `HandoverJSON`. The re-export keeps source compatibility for one version.
@_exported public import HandoverJSON
