import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("The transport's end of a chain")
struct TransportEndTests {
  private static let flowControlled = ChainWorld.start { $0.flowControl = true }

  // MARK: Requests

  @Test("I27: Data that is written before the start is sent after it, in order")
  func earlyWrites() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("first")])
    world.ask(call, .write(Message("one")), .write(Message("two")))
    #expect(world.orders.isEmpty)
    world.ask(call, .start(ChainWorld.start), .finish)
    #expect(
      world.orders == [
        .start(ChainWorld.start), .send(Array("one".utf8)), .send(Array("two".utf8)), .finish,
      ])
  }

  @Test(
    "I17, I27: Requests of the user that are out of order are dropped, and reported as the user's",
    arguments: [0, 1])
  func illegalRequests(links: Int) throws {
    var world = ChainWorld()
    let call = try world.open(Array([Plain("first")].prefix(links)))
    world.ask(
      call, .finish, .start(ChainWorld.start), .start(ChainWorld.start), .finish, .finish,
      .write(Message("late")))
    #expect(world.orders == [.start(ChainWorld.start), .finish])
    #expect(
      world.findings
        == [.finishedBeforeStart, .startedTwice, .finishedTwice, .writtenAfterFinish].map {
          ChainFinding(link: "the user", $0)
        })
    #expect(world.user.isEmpty)
  }

  @Test(
    "I27: Requests of an interceptor that are out of order are dropped, and reported as its own")
  func illegalRequestsOfLink() throws {
    let wrong = Hooked("wrong") { hook in
      hook.start = { start, manager in
        manager.finishNextInterceptor()
        for _ in 0..<2 { manager.startNextInterceptor(start) }
        for _ in 0..<2 { manager.finishNextInterceptor() }
        manager.writeNextInterceptor(Message("late"))
      }
    }
    var world = ChainWorld()
    let call = try world.open([wrong, Plain("behind")])
    world.ask(call, .start(ChainWorld.start))
    #expect(world.orders == [.start(ChainWorld.start), .finish])
    #expect(
      world.findings
        == [.finishedBeforeStart, .startedTwice, .finishedTwice, .writtenAfterFinish].map {
          ChainFinding(link: "wrong", $0)
        })
  }

  @Test("I17: Requests of a user after the end are dropped without a finding")
  func requestsAfterTheEnd() throws {
    let log = Log()
    var world = ChainWorld()
    let staying = Hooked("staying") { hook in
      hook.start = { start, manager in
        manager.startNextInterceptor(start)
        manager.forwardPreviousInterceptorClose(CallClose(.ok))
      }
    }
    let call = try world.open([staying, Recording("behind", log)])
    world.ask(
      call, .start(ChainWorld.start), .write(Message("late")), .finish, .receiveNextMessages(1),
      .start(ChainWorld.start), .cancel)
    #expect(log.counts("behind") == Counts(starts: 1))
    #expect(world.findings.isEmpty)
  }

  @Test("I28: Host, path, verb and options may change; a different transport ends the call")
  func changedTransport() throws {
    let changing = Hooked("changing") { hook in
      hook.start = { start, manager in
        var start = start
        start.options.transport = .coreInsecure
        manager.startNextInterceptor(start)
      }
    }
    var world = ChainWorld()
    let call = try world.open([changing])
    world.askUnary(call)
    #expect(world.findings == [ChainFinding(link: "changing", .transportChanged)])
    guard case .close(let close) = world.user.first else {
      Issue.record("the call did not end")
      return
    }
    #expect(close.status.code == .invalidArgument)
    #expect(world.orders.isEmpty)
  }

  // MARK: Headers

  @Test("I29: Headers come with the first message, never alone, and once")
  func headersWithMessage() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call)
    world.send(call, .headers(["a": "1"]))
    #expect(world.user.isEmpty)
    world.send(call, .message([1]), .message([2]))
    #expect(
      world.user == [.initialMetadata(["a": "1"]), .message(.bytes([1])), .message(.bytes([2]))])
  }

  @Test("I29: Headers come with the close if there is no message")
  func headersWithClose() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call)
    world.send(call, .headers(["a": "1"]), .ended(CallStatus(.notFound), trailers: nil))
    #expect(
      world.user == [.initialMetadata(["a": "1"]), .close(CallClose(CallStatus(.notFound)))])
  }

  @Test("I29: Headers that the server did not send are not reported")
  func noHeaders() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call)
    world.send(call, .ended(CallStatus(.unavailable), trailers: ["b": "2"]))
    #expect(
      world.user == [.close(CallClose(CallStatus(.unavailable), trailers: ["b": "2"]))])
  }

  // MARK: Flow control

  @Test("I36: Without flow control, messages arrive without a request")
  func withoutFlowControl() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call)
    world.ask(call, .receiveNextMessages(1))
    world.send(call, .headers([:]), .message([1]), .message([2]))
    #expect(world.user.suffix(2) == [.message(.bytes([1])), .message(.bytes([2]))])
    #expect(!world.orders.contains(.readMessage))
  }

  @Test("I36, I37: Requested counts add up, before the start too; one read at a time")
  func countsAddUp() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("first")])
    world.ask(call, .receiveNextMessages(1), .receiveNextMessages(0))
    world.askUnary(call, "hello", Self.flowControlled)
    world.ask(call, .receiveNextMessages(1))
    world.forgetOrders()
    world.send(call, .headers([:]))
    #expect(world.orders == [.readMessage])
    world.send(call, .message([1]))
    #expect(world.orders == [.readMessage, .readMessage])
    world.send(call, .message([2]))
    #expect(world.orders == [.readMessage, .readMessage])
    #expect(world.user.suffix(2) == [.message(.bytes([1])), .message(.bytes([2]))])
    world.send(call, .message([3]))
    #expect(world.user.last == .message(.bytes([2])))
  }

  @Test("I36: Zero and negative counts are ignored; the maximum count may be requested twice")
  func extremeCounts() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.ask(call, .start(Self.flowControlled), .receiveNextMessages(0), .receiveNextMessages(-5))
    world.send(call, .headers([:]))
    #expect(!world.orders.contains(.readMessage))
    world.ask(call, .receiveNextMessages(.max), .receiveNextMessages(.max))
    world.send(call, .message([1]))
    #expect(world.user.last == .message(.bytes([1])))
  }

  @Test("I37: Nothing is read before the headers have arrived")
  func readsAfterHeaders() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.ask(call, .start(Self.flowControlled), .receiveNextMessages(1))
    #expect(world.orders == [.start(Self.flowControlled)])
    world.send(call, .headers([:]))
    #expect(world.orders == [.start(Self.flowControlled), .readMessage])
  }

  @Test("I38: A message that was not requested delays the close")
  func closeWithheld() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call, "hello", Self.flowControlled)
    world.send(call, .headers([:]), .message([1]), .ended(.ok, trailers: nil))
    #expect(world.user.isEmpty)
    world.ask(call, .receiveNextMessages(1))
    #expect(
      world.user == [.initialMetadata([:]), .message(.bytes([1])), .close(CallClose(.ok))])
  }

  @Test("I38: A failure without a message closes immediately")
  func failureAtOnce() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call, "hello", Self.flowControlled)
    world.send(call, .ended(CallStatus(.unknown), trailers: nil))
    #expect(world.user == [.close(CallClose(CallStatus(.unknown)))])
  }

  @Test("I38: While the close is delayed, the transport gets no more orders")
  func nothingSentAfterTransportEnded() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.ask(call, .start(Self.flowControlled))
    world.send(call, .headers([:]), .message([1]), .ended(.ok, trailers: nil))
    world.forgetOrders()
    world.ask(call, .write(Message("late")), .finish, .cancel)
    #expect(world.orders.isEmpty)
    #expect(world.user == [.close(CallClose(CallStatus(.cancelled, "Canceled by app")))])
    #expect(world.offences.isEmpty)
  }

  @Test("I39: Writes are confirmed without flow control too, except in the documented mode")
  func writesDone() throws {
    for (tellsEvery, flowControl, count) in [
      (true, false, 1), (true, true, 1), (false, true, 1), (false, false, 0),
    ] {
      var configuration = CallChains.Configuration.laterCode
      configuration.reportsEveryWrite = tellsEvery
      var world = ChainWorld(configuration)
      let call = try world.open([Plain("first")])
      world.askUnary(call, "hello", ChainWorld.start { $0.flowControl = flowControl })
      world.send(call, .written)
      #expect(world.user.count == count)
    }
  }

  @Test("I40: Several writes without waiting are sent in order, and each is confirmed once")
  func severalWrites() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("first"), Plain("second")])
    world.ask(call, .start(Self.flowControlled))
    let texts = ["one", "two", "three"]
    for text in texts { world.ask(call, .write(Message(text))) }
    #expect(world.orders.dropFirst() == ArraySlice(texts.map { .send(Array($0.utf8)) }))
    world.send(call, .written, .written, .written)
    #expect(world.user == [.writeDone, .writeDone, .writeDone])
  }
}
