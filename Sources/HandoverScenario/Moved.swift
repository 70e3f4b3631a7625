// JSON stands in a module of its own now; for one version whoever imports this one still has it.
@_exported public import HandoverJSON
