import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("The proposal's requirements for interceptors")
struct RequirementTests {
  @Test("An interceptor may change headers, messages and trailers in both directions")
  func modification() throws {
    let changing = Hooked("changing") { hook in
      hook.start = { start, manager in
        var start = start
        start.options.metadata["sent"] = "changed"
        manager.startNextInterceptor(start)
      }
      hook.write = { message, manager in
        manager.writeNextInterceptor(.bytes((message.bytes ?? []) + [0]))
      }
      hook.headers = { headers, manager in
        var headers = headers
        headers?.add("2", for: "a")
        manager.forwardPreviousInterceptor(initialMetadata: headers)
      }
      hook.data = { message, manager in
        manager.forwardPreviousInterceptor(message: .bytes((message.bytes ?? []).reversed()))
      }
      hook.close = { close, manager in
        var close = close
        close.trailers?["b"] = nil
        close.status = CallStatus(.dataLoss, "changed")
        manager.forwardPreviousInterceptorClose(close)
        manager.shutDown()
      }
    }
    var world = ChainWorld()
    let call = try world.open([changing])
    world.ask(call, .start(ChainWorld.start), .write(.bytes([1])))
    #expect(
      world.orders
        == [.start(ChainWorld.start { $0.metadata = ["sent": "changed"] }), .send([1, 0])])
    world.send(
      call, .headers(["a": "1"]), .message([1, 2]), .ended(.ok, trailers: ["b": "1", "c": "1"]))
    #expect(
      world.user == [
        .initialMetadata(["a": "1", "a": "2"]), .message(.bytes([2, 1])),
        .close(CallClose(CallStatus(.dataLoss, "changed"), trailers: ["c": "1"])),
      ])
  }

  @Test("An interceptor may change the destination, the path, the verb and the call's options")
  func destination() throws {
    let changing = Hooked("changing") { hook in
      hook.start = { start, manager in
        var start = start
        start.request = RequestOptions(host: "other.example", path: "/d.E/F", safety: .idempotent)
        start.options.timeout = .seconds(3)
        start.options.accessToken = "secret"
        start.options.flowControl = true
        start.options.failsFast = true
        manager.startNextInterceptor(start)
      }
    }
    var world = ChainWorld()
    let call = try world.open([changing, Plain("second")])
    world.ask(call, .start(ChainWorld.start))
    guard case .start(let start) = world.orders.first else {
      Issue.record("the call did not start")
      return
    }
    #expect(start.request.host == "other.example")
    #expect(start.request.path == "/d.E/F")
    #expect(start.request.safety == .idempotent)
    #expect(start.options.timeout == .seconds(3))
    #expect(start.options.accessToken == "secret")
    #expect(start.options.failsFast)
    world.ask(call, .receiveNextMessages(1))
    world.send(call, .headers([:]))
    #expect(world.orders.last == .readMessage)
  }

  @Test("A bidirectional stream passes through with flow control, one message requested at a time")
  func bidirectionalStreaming() throws {
    let log = Log()
    var world = ChainWorld()
    let call = try world.open([Recording("first", log), Recording("second", log)])
    world.ask(call, .start(ChainWorld.start { $0.flowControl = true }))
    world.send(call, .headers([:]))
    for round in UInt8(0)..<4 {
      world.ask(call, .write(.bytes([round])), .receiveNextMessages(1))
      world.send(call, .written, .message([round + 100]))
      #expect(world.user.last == .message(.bytes([round + 100])))
    }
    world.ask(call, .finish)
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.orders.filter { $0 == .readMessage }.count == 4)
    let expected = Counts(
      starts: 1, writes: 4, finishes: 1, receives: 4, headers: 1, messages: 4, closes: 1,
      writesDone: 4)
    #expect(log.counts("first") == expected)
    #expect(log.counts("second") == expected)
    #expect(world.offences.isEmpty)
  }

  @Test("An interceptor may delay more messages than the user does")
  func ownFlowControl() throws {
    // Reads two messages for each one that the user requests, and joins them into one.
    let joining = Hooked("joining") { hook in
      hook.receive = { count, manager in manager.receiveNextInterceptorMessages(2 * count) }
      hook.data = { message, manager in
        guard message.bytes?.first != 0 else { return }
        manager.forwardPreviousInterceptor(message: message)
      }
    }
    var world = ChainWorld()
    let call = try world.open([joining])
    world.ask(
      call, .start(ChainWorld.start { $0.flowControl = true }), .receiveNextMessages(1))
    world.send(call, .headers([:]), .message([0]), .message([1]))
    #expect(world.user == [.initialMetadata([:]), .message(.bytes([1]))])
    #expect(world.orders.filter { $0 == .readMessage }.count == 2)
  }

  @Test("Interceptors of different calls share only the state of their factory")
  func sharedState() throws {
    let names = SharedState<[String]>([])
    let other = SharedState<[String]>([])
    #expect(names == names)
    #expect(names != other)
    let noting = Hooked("noting") { hook in
      hook.start = { start, manager in
        names.withValue { $0.append(start.request.path) }
        manager.startNextInterceptor(start)
      }
    }
    var world = ChainWorld()
    for _ in 0..<2 { world.askUnary(try world.open([noting])) }
    #expect(names.withValue { $0 } == ["/a.B/C", "/a.B/C"])
    #expect(other.withValue { $0 }.isEmpty)
  }

  @Test("Shared state loses no update if many calls change it simultaneously")
  func concurrentSharing() async {
    let count = SharedState(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { count.withValue { $0 += 1 } } }
      }
    }
    #expect(count.withValue { $0 } == 8_000)
  }
}
