import HandoverCore
import HandoverInterceptors
import Testing

@Suite("The registry of transports")
struct RegistryTests {
  @Test("R1: The core provides a secure and an insecure transport; secure is the default")
  func coreTransports() throws {
    let registry = TransportRegistry.core
    #expect(TransportIdentifier.coreSecure.text == "io.grpc.transport.core.secure")
    #expect(TransportIdentifier.coreInsecure.text == "io.grpc.transport.core.insecure")
    let secure = try registry.find(.coreSecure)
    let insecure = try registry.find(.coreInsecure)
    #expect(secure.factory != insecure.factory)
    #expect(try registry.find(nil) == secure)
    #expect(!secure.isSubstitute)
  }

  @Test("R2: The first transport with an identifier stays")
  func duplicates() throws {
    var registry = TransportRegistry.core
    let second = TransportFactory(.coreSecure, interceptorFactories: [Plain("second")])
    let isRegistered = registry.register(second)
    #expect(!isRegistered)
    #expect(try registry.find(.coreSecure).factory.interceptorFactories.isEmpty)
  }

  @Test("R3: An unregistered identifier selects the default; without a default there is an error")
  func lookUp() throws {
    let cronet = TransportIdentifier("io.grpc.transport.cronet")
    let found = try TransportRegistry.core.find(cronet)
    #expect(found.factory.identifier == .coreSecure)
    #expect(found.isSubstitute)
    let empty = TransportRegistry()
    #expect(throws: TransportRegistry.NoDefaultTransport.self) { try empty.find(nil) }
    #expect(throws: TransportRegistry.NoDefaultTransport.self) { try empty.find(cronet) }
  }

  @Test("R3: A call cannot be opened without a default transport", arguments: [0, 1])
  func callWithoutDefault(links: Int) {
    var configuration = CallChains.Configuration.laterCode
    configuration.transports = TransportRegistry()
    var world = ChainWorld(configuration)
    #expect(throws: CallOpenError.noDefaultTransport) {
      try world.open(Array([Plain("first")].prefix(links)))
    }
  }

  @Test("R3, I28: A call with an unregistered identifier uses the default transport")
  func substituteMakesCall() throws {
    var world = ChainWorld()
    let cronet = TransportIdentifier("io.grpc.transport.cronet")
    let call = try world.open([Plain("first")]) { $0.transport = cronet }
    let start = ChainWorld.start { $0.transport = cronet }
    world.askUnary(call, "hello", start)
    #expect(world.orders.first == .start(start))
    #expect(world.findings.isEmpty)
    #expect(world.user.isEmpty)
    let substitutes = world.effects.filter {
      if case .transportMade(_, _, .coreSecure, isSubstitute: true) = $0 { true } else { false }
    }
    #expect(substitutes.count == 1)
  }

  @Test("R4: The registry compares strings, and options compare identifiers")
  func identity() throws {
    let twin = TransportIdentifier(TransportIdentifier.coreInsecure.text, origin: 1)
    #expect(twin != .coreInsecure)
    #expect(try TransportRegistry.core.find(twin).factory.identifier == .coreInsecure)
    var options = CallOptions()
    options.transport = .coreInsecure
    var other = options
    other.transport = twin
    #expect(options != other)
  }

  @Test("R5: The core's transports bring no interceptors")
  func coreLinks() throws {
    for identifier in [TransportIdentifier.coreSecure, .coreInsecure] {
      #expect(try TransportRegistry.core.find(identifier).factory.interceptorFactories.isEmpty)
    }
  }

  @Test(
    "testTransportInterceptors: a transport's interceptor can end the call; no transport is needed")
  func transportLinkCloses() throws {
    let closing = Hooked("closing") { hook in
      hook.start = { _, manager in
        manager.forwardPreviousInterceptorClose(CallClose(CallStatus(.cancelled)))
        manager.shutDown()
      }
    }
    var configuration = CallChains.Configuration.laterCode
    configuration.transports = TransportRegistry()
    configuration.transports.register(
      TransportFactory(.coreSecure, interceptorFactories: [closing], makesTransports: false))
    var world = ChainWorld(configuration)
    let call = try world.open([]) { $0.transport = .coreSecure }
    world.ask(call, .start(ChainWorld.start), .receiveNextMessages(1))
    #expect(world.user == [.close(CallClose(CallStatus(.cancelled)))])
    #expect(world.findings.isEmpty)
  }
}
