import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("The interceptors of a chain")
struct StructureTests {
  static let unary: [ChainRequest] = [
    .start(ChainWorld.start), .write(Message("hello")), .finish,
  ]

  @Test("I1, I33: The user's interceptors come first, then the global one, then the transport's")
  func order() throws {
    let log = Log()
    var configuration = CallChains.Configuration.laterCode
    configuration.global = Recording("global", log)
    configuration.transports = TransportRegistry()
    configuration.transports.register(
      TransportFactory(.coreSecure, interceptorFactories: [Recording("transport", log)]))
    var world = ChainWorld(configuration)
    let call = try world.open([Recording("first", log), Recording("second", log)]) {
      $0.transport = .coreSecure
    }
    world.ask(call, .start(ChainWorld.start))
    world.send(call, .ended(.ok, trailers: nil))
    let down = ["first", "second", "global", "transport"]
    #expect(world.made == down)
    #expect(log.all.map(\.link) == down + down.reversed())
  }

  @Test("I2: If no transport is named, the transport's own interceptors are skipped")
  func transportLinks() throws {
    var configuration = CallChains.Configuration.laterCode
    configuration.transports = TransportRegistry()
    configuration.transports.register(
      TransportFactory(.coreSecure, interceptorFactories: [Plain("transport")]))
    var world = ChainWorld(configuration)
    let call = try world.open([Plain("first")])
    world.askUnary(call)
    #expect(world.made == ["first"])
    #expect(world.orders.count == 3)
  }

  @Test("I3: An interceptor that changes the list of factories has no effect")
  func changedFactories() throws {
    var world = ChainWorld()
    let changing = Hooked("changing") { hook in
      hook.start = { start, manager in
        var start = start
        start.options.interceptorFactories = [Plain("stranger"), Plain("stranger")]
        manager.startNextInterceptor(start)
      }
    }
    let call = try world.open([changing, Plain("second")])
    world.askUnary(call)
    #expect(world.made == ["changing", "second"])
  }

  private static var lazy: CallChains.Configuration {
    var configuration = CallChains.Configuration.laterCode
    configuration.creation = .lazy
    return configuration
  }

  @Test(
    "I4: Opening makes the first interceptor, and the first forwarded request makes the next",
    arguments: [
      ChainRequest.start(ChainWorld.start), .write(Message("early")), .cancel,
      .receiveNextMessages(1),
    ])
  func lazyCreation(request: ChainRequest) throws {
    var world = ChainWorld(Self.lazy)
    let call = try world.open([Plain("first"), Plain("second")])
    #expect(world.made == ["first"])
    #expect(world.attempts.isEmpty)
    world.ask(call, request)
    #expect(world.made == ["first", "second"])
    #expect(world.attempts.count == 1)
  }

  @Test("I4: A forwarded finish makes the next interceptor too")
  func lazyCreationByFinish() throws {
    var world = ChainWorld(Self.lazy)
    let swallowing = Hooked("swallowing") { $0.start = { _, _ in } }
    let call = try world.open([swallowing, Plain("second")])
    world.ask(call, .start(ChainWorld.start))
    #expect(world.made == ["swallowing"])
    world.ask(call, .write(Message("hello")), .finish)
    #expect(world.made == ["swallowing", "second"])
  }

  private struct Noticing: InterceptorFactory {
    var name: String
    var order: SharedState<[String]>

    func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      order.withValue { $0.append(name) }
      return ForwardingInterceptor()
    }
  }

  @Test("L17, L18: The start of a call makes all interceptors, the last one first, and then runs")
  func eagerCreation() throws {
    let order = SharedState<[String]>([])
    var world = ChainWorld(CallChains.Configuration())
    let call = try world.open(
      ["first", "second", "third"].map { Noticing(name: $0, order: order) })
    #expect(world.made.isEmpty)
    #expect(world.attempts.isEmpty)
    world.ask(call, .start(ChainWorld.start))
    #expect(world.made == ["first", "second", "third"])
    #expect(world.attempts.count == 1)
    #expect(order.withValue { $0 } == ["third", "second", "first"])
    let kinds = world.effects.map { if case .linkMade = $0 { true } else { false } }
    #expect(kinds.lastIndex(of: true) ?? .max < 4)
    world.ask(call, .write(Message("hello")), .finish)
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.made.count == 3)
    #expect(world.user == [.close(CallClose(.ok))])
    #expect(world.findings.isEmpty)
  }

  @Test(
    "I21, L27: A request before the start makes all interceptors too, and the start makes none",
    arguments: [
      ChainRequest.write(Message("early")), .cancel, .receiveNextMessages(1),
    ])
  func creationBeforeTheStart(request: ChainRequest) throws {
    var world = ChainWorld(CallChains.Configuration())
    let call = try world.open([Plain("first"), Plain("second")])
    world.ask(call, request)
    #expect(world.made == ["first", "second"])
    world.askUnary(call)
    #expect(world.made == ["first", "second"])
    #expect(world.attempts.count == 1)
    #expect(world.findings.isEmpty)
  }

  @Test("L17: A call that is removed before its start has no interceptors")
  func neverStarted() throws {
    var world = ChainWorld(CallChains.Configuration())
    let call = try world.open([Plain("first")])
    #expect(world.chains.isSettled(call))
    #expect(world.chains.audit(call).isEmpty)
    world.chains.remove(call)
    world.askUnary(call)
    #expect(world.made.isEmpty)
    #expect(world.effects.isEmpty)
  }

  @Test(
    "I5: A factory that makes no interceptor is skipped",
    arguments: [CallChains.Configuration.Creation.lazy, .eager])
  func skippedFactory(creation: CallChains.Configuration.Creation) throws {
    var configuration = CallChains.Configuration.laterCode
    configuration.creation = creation
    var world = ChainWorld(configuration)
    let call = try world.open([Plain("none", nil), Plain("some"), Plain("nobody", nil)])
    world.askUnary(call)
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.made == ["some"])
    #expect(Set(world.skipped) == ["none", "nobody"])
    #expect(world.user == [.close(CallClose(.ok))])
    #expect(world.findings.isEmpty)
  }

  @Test("I5: If no factory makes an interceptor, the transport is first")
  func nothingButSkipped() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("none", nil), Plain("nobody", nil)])
    #expect(world.made.isEmpty)
    #expect(world.attempts.count == 1)
    world.askUnary(call)
    #expect(world.orders.count == 3)
  }

  @Test("I6: Without interceptors a call is connected directly to the transport's end")
  func noLinks() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.ask(call, .start(ChainWorld.start))
    let hops = world.effects.filter { if case .queueFilled = $0 { true } else { false } }
    #expect(hops.count == 1)
    #expect(world.orders == [.start(ChainWorld.start)])
  }

  @Test("I7: Without an interceptor there is no manager: an empty list makes none")
  func managersComeWithLinks() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call)
    #expect(world.chains.linkNames(of: call).isEmpty)
  }

  @Test("I8: A factory runs before its interceptor is in the chain, and receives only the start")
  func factoryHasNoManager() throws {
    struct Asking: InterceptorFactory {
      var name = "asking"
      var asked: SharedState<[String]>

      func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
        asked.withValue { $0.append(call.request.path) }
        return ForwardingInterceptor()
      }
    }
    let asked = SharedState<[String]>([])
    var world = ChainWorld()
    _ = try world.open([Asking(asked: asked)])
    #expect(asked.withValue { $0 } == ["/a.B/C"])
  }

  /// Counts its own messages, and those of all calls.
  private struct Counting: Interceptor {
    var own = 0
    let all: SharedState<Int>

    mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
      own += 1
      all.withValue { $0 += 1 }
      manager.note(.count("own", own))
      manager.writeNextInterceptor(message)
    }

    struct Factory: InterceptorFactory {
      var name = "counting"
      var all = SharedState(0)

      func makeInterceptor(for call: CallStart) -> (any Interceptor)? { Counting(all: all) }
    }
  }

  @Test("I9: Each call has its own interceptor; shared state comes from the factory")
  func stateOfCalls() throws {
    var world = ChainWorld()
    let factory = Counting.Factory()
    let one = try world.open([factory])
    let other = try world.open([factory])
    world.askUnary(one)
    world.askUnary(other)
    #expect(world.notes == [.count("own", 1), .count("own", 1)])
    #expect(factory.all.withValue { $0 } == 2)
  }

  @Test("L50: Interceptors of one call share no state, not even two of one factory")
  func stateOfLinks() throws {
    var world = ChainWorld()
    let factory = Counting.Factory()
    let call = try world.open([factory, factory])
    world.askUnary(call)
    #expect(world.notes == [.count("own", 1), .count("own", 1)])
    #expect(factory.all.withValue { $0 } == 2)
  }

  @Test("I10: A call without host or path is not opened")
  func emptyHostOrPath() {
    var chains = CallChains(.laterCode)
    var effects: [ChainEffect] = []
    #expect(throws: CallOpenError.emptyHost) {
      try chains.open(CallStart(RequestOptions(host: "", path: "/a.B/C")), into: &effects)
    }
    #expect(throws: CallOpenError.emptyPath) {
      try chains.open(CallStart(RequestOptions(host: "api.example", path: "")), into: &effects)
    }
    #expect(effects.isEmpty)
  }

  @Test("I10: A call without options has the default options")
  func defaultOptions() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.ask(call, .start(CallStart(RequestOptions(host: "api.example", path: "/a.B/C"))))
    guard case .start(let start) = world.orders.first else {
      Issue.record("the call did not start")
      return
    }
    #expect(start.options == CallOptions())
  }

  @Test(
    "I11, R6: If nothing can make the call, the user is notified once, with one finding",
    arguments: [0, 1])
  func nothingToStart(links: Int) throws {
    var configuration = CallChains.Configuration.laterCode
    configuration.transports = .withoutTransports
    var world = ChainWorld(configuration)
    let call = try world.open([Plain("first"), Plain("none", nil)].suffix(2 * links))
    world.askUnary(call)
    #expect(
      world.user
        == [.close(CallClose(CallStatus(CallEnd(.internalError, .noTransport))))])
    let name = links == 0 ? "the call" : "first"
    #expect(world.findings == [ChainFinding(link: name, .nothingToStart)])
    #expect(world.orders.isEmpty)
  }

  @Test(
    "I4: Two requests forwarded in one step call the factories behind them once"
  )
  func requestsAtOnce() throws {
    var configuration = CallChains.Configuration.laterCode
    configuration.transports = .withoutTransports
    var world = ChainWorld(configuration)
    let twice = Hooked("twice") { methods in
      methods.start = { start, manager in
        manager.startNextInterceptor(start)
        manager.writeNextInterceptor(Message("hello"))
      }
    }
    let call = try world.open([twice, Plain("none", nil)])
    world.ask(call, .start(ChainWorld.start))
    #expect(world.skipped == ["none"])
    #expect(world.findings == [ChainFinding(link: "twice", .nothingToStart)])
  }

  @Test("I34: A global factory that makes no interceptor for a call is off for that call")
  func globalTurnedOff() throws {
    struct Sometimes: InterceptorFactory {
      var name = "global"

      func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
        call.options.failsFast ? nil : ForwardingInterceptor()
      }
    }
    var configuration = CallChains.Configuration.laterCode
    configuration.global = Sometimes()
    var world = ChainWorld(configuration)
    _ = try world.open([])
    #expect(world.made == ["global"])
    _ = try world.open([]) { $0.failsFast = true }
    #expect(world.made == ["global"])
    #expect(world.skipped == ["global"])
  }
}
