// What this module was made of stands in modules of its own; whoever imports it has them all, as
// before. Calls alone need HandoverMachines, requests HandoverDispatcher beside it.
@_exported public import HandoverDispatcher
@_exported public import HandoverMachines
@_exported public import HandoverScript
