import HandoverLinux

// livebench category|calls|lab|air|soak|networks [COUNT ...]: one measurement of the live half.
//
// The process enters namespaces of its own before anything else: whatever goes wrong, nothing it
// sends can leave the machine.
switch NamespaceEntry.current {
case .notAsked: fail("\(NamespaceEntry.executeInside(CommandLine.arguments))", status: 3)
case .failed(let error): fail("there is no device lab here: \(error)", status: 3)
case .entered: measure(Array(CommandLine.arguments.dropFirst()))
}
