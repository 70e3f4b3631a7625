// This module re-exports its former parts, which are now separate modules. A client that uses only
// calls needs HandoverMachines. Requests additionally need HandoverDispatcher.
@_exported public import HandoverDispatcher
@_exported public import HandoverMachines
@_exported public import HandoverScript
