import HandoverLinux

// livebench category|calls|lab|air|soak|networks [COUNT ...]: runs one measurement on real sockets.
//
// The process enters its own namespaces first, so that nothing it sends can leave the machine even
// if something fails.
switch NamespaceEntry.current {
case .notRequested: fail("\(NamespaceEntry.executeInside(CommandLine.arguments))", status: 3)
case .failed(let error): fail("cannot create a device lab on this machine: \(error)", status: 3)
case .entered: measure(Array(CommandLine.arguments.dropFirst()))
}
