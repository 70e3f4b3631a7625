// JSON is in a separate module now. Importers of this module keep access to it for one more
// version.
@_exported public import HandoverJSON
