import Foundation
import HandoverCore
import HandoverHTTPTesting
import HandoverURLDispatcher
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The life of a dispatched request")
struct SerialQueueTests {
  @Test("U33: Requests start in the order of dispatch")
  func order() async throws {
    let rig = try Rig(total: 1, long: 1)
    for number in 0..<20 { _ = try rig.dispatch(.short, "\(number)") }
    for number in 0..<20 { try await rig.transport.begun(number).onEvent(.finished) }
    #expect(rig.transport.paths == (0..<20).map(String.init))
  }

  @Test("U38: Slot and long count are freed before the delegate is notified")
  func releasedFirst() async throws {
    let rig = try Rig(total: 1, long: 1)
    let seen = Watched<[String]>([])
    let recorder = Recorder { event, operation in
      guard case .finished = event else { return }
      let usage = try rig.usage
      let state = operation.state
      seen.change { $0 += ["\(usage.running) \(usage.long) \(state)"] }
      _ = try rig.dispatch(.long, "second")
    }
    _ = try rig.dispatch(.long, "first", to: recorder)
    try await rig.transport.begun(0).onEvent(.finished)
    _ = try await rig.transport.begun(1)
    #expect(seen.value == ["0 0 ended"])
    #expect(rig.dispatcher.statistics.delegateErrors == 0)
  }

  @Test("U38: A delegate that handles an end slowly delays no other start")
  func slowEnd() async throws {
    let rig = try Rig(total: 1, long: 1)
    let gate = DispatchSemaphore(value: 0)
    let slow = Recorder { event, _ in
      if case .finished = event { gate.wait() }
    }
    _ = try rig.dispatch(.short, "slow", to: slow)
    try await rig.transport.begun(0).onEvent(.finished)
    let quick = try rig.dispatch(.short, "quick")
    try await rig.transport.begun(1).onEvent(.finished)
    try await quick.recorder.ended()
    #expect(!slow.record.value.hasEnded)
    gate.signal()
    try await slow.ended()
  }

  @Test("A slow delegate delays only its own request")
  func slowDelegates() async throws {
    let rig = try Rig(total: 1, long: 1)
    let gate = DispatchSemaphore(value: 0)
    let blocked = Watched(0)
    // Far more requests than the endpoint has slots.
    for number in 0..<100 {
      let slow = Recorder { event, _ in
        guard case .data = event else { return }
        blocked.change { $0 += 1 }
        gate.wait()
      }
      let request = try rig.dispatch(.short, "slow", to: slow)
      try await rig.transport.begun(number).onEvent(.data(Data([1])))
      try await blocked.wait(for: "delegate \(number)") { $0 == number + 1 }
      request.operation.cancel()
    }
    let quick = try rig.dispatch(.short, "quick")
    try await rig.transport.begun(100).onEvent(.finished)
    #expect(try await quick.recorder.ended().error == nil)
    for _ in 0..<100 { gate.signal() }
  }

  @Test("U53: Events that pile up during a slow delegate call arrive in order")
  func piledUp() async throws {
    let rig = try Rig()
    let gate = DispatchSemaphore(value: 0)
    let isFirst = Mutex(true)
    let slow = Recorder { _, _ in
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if waits { gate.wait() }
    }
    _ = try rig.dispatch(.long, "a", to: slow)
    let exchange = try await rig.transport.begun(0)
    let pieces = (0..<1_000).map { Data([UInt8($0 % 251)]) }
    for (number, piece) in pieces.enumerated() {
      if number == 500 { gate.signal() }
      exchange.onEvent(.data(piece))
    }
    exchange.onEvent(.finished)
    #expect(try await slow.ended().body == pieces.reduce(Data(), +))
  }

  @Test("U54: An error that a delegate throws is counted and does not affect the request")
  func throwing() async throws {
    struct Mishap: Error {}
    let rig = try Rig()
    let thrower = Recorder { _, _ in throw Mishap() }
    _ = try rig.dispatch(.short, "a", to: thrower)
    let exchange = try await rig.transport.begun(0)
    exchange.respond()
    exchange.onEvent(.data(Data([1, 2])))
    exchange.onEvent(.finished)
    let record = try await thrower.ended()
    #expect(record.statuses == [200] && record.body.count == 2 && record.error == nil)
    rig.dispatcher.close()
    await rig.dispatcher.waitUntilClosed()
    #expect(rig.dispatcher.statistics.delegateErrors == 3)
  }

  @Test("U81: A request that the transport cannot start fails with -1701, and its slot is free")
  func notStarted() async throws {
    let rig = try Rig(total: 1, long: 1, refusing: ["bad"])
    let bad = try rig.dispatch(.long, "bad")
    let record = try await bad.recorder.ended()
    #expect(record.code == .notStarted && record.error?.number == -1_701)
    #expect(record.error?.cause is ScriptedTransport.Mishap)
    #expect(try rig.usage.long == 0)
    _ = try rig.dispatch(.long, "good")
    #expect(try await rig.transport.begun(0).path == "good")
  }

  @Test("U46, U47, U49: A cancelled request ends once, and later events are dropped")
  func cancelled() async throws {
    let rig = try Rig()
    let request = try rig.dispatch(.long, "a")
    let exchange = try await rig.transport.begun(0)
    exchange.respond()
    try await request.recorder.responded()
    request.operation.cancel()
    request.operation.cancel()
    exchange.onEvent(.data(Data([1])))
    exchange.onEvent(.finished)
    let record = try await request.recorder.ended()
    #expect(record.code == .cancelled && record.body.isEmpty)
    rig.dispatcher.close()
    await rig.dispatcher.waitUntilClosed()
    #expect(request.recorder.record.value.ends == 1)
    #expect(request.recorder.record.value.afterEnd == 0)
    #expect(exchange.cancels == 1)
    #expect(rig.transport.shutDowns == 1)
  }

  @Test("The next request starts when the transport has released the one before")
  func lettingGo() async throws {
    let rig = try Rig(total: 1, long: 1, lettingGo: false)
    let first = try rig.dispatch(.long, "first")
    let exchange = try await rig.transport.begun(0)
    first.operation.cancel()
    // The delegate does not wait for that.
    #expect(try await first.recorder.ended().code == .cancelled)
    let second = try rig.dispatch(.long, "second")
    #expect(second.operation.state == .running)
    let third = try rig.dispatch(.exempt, "third")
    #expect(try await rig.transport.begun(1).path == "third")
    exchange.onEvent(.failed(code: -999, cause: nil))
    let begun = try await rig.transport.begun(2)
    #expect(begun.path == "second")
    begun.onEvent(.finished)
    #expect(try await second.recorder.ended().error == nil)
    third.operation.cancel()
  }

  @Test("A request that is cancelled before its start does not delay others", arguments: 0..<20)
  func cancelledEarly(_ round: Int) async throws {
    let rig = try Rig(total: 1, long: 1)
    for number in 0...round { try rig.dispatch(.short, "\(number)").operation.cancel() }
    let last = try rig.dispatch(.short, "last")
    try await rig.transport.begun.wait(for: "the last") { $0.last?.path == "last" }
    rig.transport.begun.value.last?.onEvent(.finished)
    #expect(try await last.recorder.ended().error == nil)
  }

  @Test(
    "U59: The transport's failures differ from each other and from the dispatcher's timeout",
    arguments: [
      (Int32(-1_001), URLDispatcherError.Code.timedOutByTransport), (-1_005, .connectionLost),
      (-1_004, .transportFailed), (-999, .transportFailed),
    ])
  func failures(_ number: Int32, _ code: URLDispatcherError.Code) async throws {
    let rig = try Rig()
    let request = try rig.dispatch(.short, "a")
    try await rig.transport.begun(0).onEvent(
      .failed(code: number, cause: ScriptedTransport.Mishap()))
    let error = try await request.recorder.ended().error
    #expect(error?.code == code)
    #expect(error?.number == Int(number))
    #expect(error?.cause is ScriptedTransport.Mishap)
  }

  @Test("U59: The ends that the dispatcher causes have numbers from the same table")
  func numbers() async throws {
    let rig = try Rig(total: 1, long: 1)
    let running = try rig.dispatch(
      .long, "running", options: URLDispatcher.Options(deadline: .seconds(5)))
    let waiting = try rig.dispatch(
      .short, "waiting", options: URLDispatcher.Options(deadline: .seconds(4)))
    for seconds in [4, 1] { rig.clock.advance(by: .seconds(seconds)) }
    let cancelled = try rig.dispatch(.short, "cancelled")
    let closed = try rig.dispatch(.short, "closed")
    cancelled.operation.cancel()
    rig.dispatcher.close(.immediate)
    let ends: [(recorder: Recorder, code: URLDispatcherError.Code, end: RequestEnd)] = [
      (running.recorder, .deadlineExceeded, .deadlineExceeded),
      (waiting.recorder, .queueTimeout, .queueTimeout),
      (cancelled.recorder, .cancelled, .cancelled), (closed.recorder, .closed, .closed),
    ]
    for (recorder, code, end) in ends {
      let error = try await recorder.ended().error
      #expect(error?.code == code)
      #expect(error?.number == end.errorCode.map(Int.init))
    }
    let refusal = #expect(throws: URLDispatcherError.self) { try rig.dispatch(.short, "late") }
    #expect(refusal?.number == -1_705)
  }

  @Test("U41: Waiting does not count toward the timeout unless configured")
  func charged() async throws {
    for isCharged in [false, true] {
      let rig = try Rig(total: 1, long: 1, chargesWaiting: isCharged)
      _ = try rig.dispatch(.short, "first", timeout: 0)
      let second = try rig.dispatch(.short, "second", timeout: 10)
      rig.clock.advance(by: .seconds(10))
      #expect(second.operation.state == (isCharged ? .ended : .waiting(position: 1)))
      guard !isCharged else {
        #expect(try await second.recorder.ended().code == .queueTimeout)
        continue
      }
      try await rig.transport.begun(0).onEvent(.finished)
      _ = try await rig.transport.begun(1)
      rig.clock.advance(by: .seconds(10))
      #expect(try await second.recorder.ended().code == .timedOut)
    }
  }

  @Test("U87: A thread that blocks for a slot is released at its timeout")
  func blocking() async throws {
    let rig = try Rig(total: 1, long: 1)
    _ = try rig.dispatch(.long, "first")
    let request = rig.request("second", timeout: 5)
    let outcome = Task { try await onThread { try rig.dispatcher.performSynchronously(request) } }
    while try rig.usage.waitingShort == 0 { await Task.yield() }
    rig.clock.advance(by: .seconds(5))
    let error = await #expect(throws: URLDispatcherError.self) { _ = try await outcome.value }
    #expect(error?.code == .queueTimeout)
  }

  @Test("U55: The delegate of a synchronous request receives the same events")
  func synchronousDelegate() async throws {
    let rig = try Rig()
    let recorder = Recorder()
    let request = rig.request("a")
    // Even after a failure no thread stays blocked.
    defer { rig.dispatcher.close(.immediate) }
    async let outcome = onThread {
      try rig.dispatcher.performSynchronously(request, delegate: recorder)
    }
    let exchange = try await rig.transport.begun(0)
    exchange.respond(404)
    exchange.onEvent(.data(Data([1])))
    exchange.respond(200)
    exchange.onEvent(.data(Data([2])))
    exchange.onEvent(.finished)
    #expect(try await outcome.body == Data([2]))
    #expect(try await outcome.status == 200)
    #expect(recorder.record.value.statuses == [404, 200])
    #expect(recorder.record.value.ends == 1)
  }

  @Test("A cancelled task cancels the request whose answer it awaits")
  func cancelledTask() async throws {
    let rig = try Rig()
    let request = rig.request("a")
    let task = Task { try await rig.dispatcher.answer(to: request) }
    let exchange = try await rig.transport.begun(0)
    task.cancel()
    let error = await #expect(throws: URLDispatcherError.self) { _ = try await task.value }
    #expect(error?.code == .cancelled)
    while exchange.cancels == 0 { await Task.yield() }
  }

  @Test("A stream can be iterated to its end, and is cancelled by an early exit")
  func sequence() async throws {
    let rig = try Rig(total: 1, long: 1)
    let stream = try rig.dispatcher.startLong(rig.request("a"))
    let first = try await rig.transport.begun(0)
    first.respond()
    first.onEvent(.data(Data([1])))
    first.onEvent(.finished)
    var words: [String] = []
    for await event in stream { words.append(event.word) }
    #expect(words == ["response", "data", "finished"])
    let second = Task {
      for await _ in try rig.dispatcher.startLong(rig.request("b")) { return }
    }
    try await rig.transport.begun(1).respond()
    try await second.value
    while try rig.usage.running > 0 { await Task.yield() }
    #expect(rig.transport.begun.value[1].cancels == 1)
  }

  @Test("U61, U62: A challenge may be answered later; U63: the default applies without an answer")
  func challenges() async throws {
    let rig = try Rig(total: 2, long: 2)
    let gate = Watched(false)
    let options = URLDispatcher.Options { challenge in
      try? await gate.wait(for: "the user") { $0 }
      return .use(user: challenge.realm ?? "", password: "secret")
    }
    let answers = Watched<[HTTPChallengeAnswer]>([])
    let challenge = HTTPChallenge(host: "a", port: 80, realm: "club", method: "x", failures: 0)
    for (number, options) in [options, URLDispatcher.Options()].enumerated() {
      _ = try rig.dispatch(.short, "\(number)", options: options)
      try await rig.transport.begun(number).onEvent(
        .challenge(challenge) { answer in answers.change { $0.append(answer) } })
    }
    #expect(answers.value == [.performDefault])
    gate.change { $0 = true }
    try await answers.wait(for: "the answer") { $0.count == 2 }
    #expect(answers.value[1] == .use(user: "club", password: "secret"))
  }

  @Test("A waiting request does not start when everything is cancelled")
  func cancelAll() async throws {
    let rig = try Rig(total: 1, long: 1)
    let running = try rig.dispatch(.short, "running")
    _ = try await rig.transport.begun(0)
    let waiting = try rig.dispatch(.short, "waiting")
    rig.dispatcher.cancelAll()
    #expect(try await running.recorder.ended().code == .cancelled)
    #expect(try await waiting.recorder.ended().code == .cancelled)
    #expect(rig.transport.paths == ["running"])
    #expect(rig.dispatcher.statistics.failed == 2)
    #expect(try rig.prediction(.short).word == "starts")
  }

  @Test("A dispatcher without references finishes its requests, and releases its transport")
  func dropped() async throws {
    let transport = ScriptedTransport()
    let recorder = Recorder()
    do {
      let dispatcher = try URLDispatcher(
        URLDispatcher.Configuration(limits: ConnectionLimits(total: 1, long: 1)),
        transport: transport)
      let request = URLRequest(try #require(URL(string: "http://a/b")))
      try dispatcher.startShort(request, delegate: recorder)
    }
    try await transport.begun(0).onEvent(.finished)
    #expect(try await recorder.ended().error == nil)
    while transport.shutDowns == 0 { await Task.yield() }
  }

  @Test("The transport is not shut down while a request begins")
  func closesDuringABeginning() async throws {
    let hasArrived = Watched(false)
    let mayBegin = DispatchSemaphore(value: 0)
    let transport = ScriptedTransport {
      hasArrived.change { $0 = true }
      mayBegin.wait()
    }
    let dispatcher = try URLDispatcher(
      URLDispatcher.Configuration(limits: ConnectionLimits(total: 1, long: 1)),
      transport: transport)
    let recorder = Recorder()
    let request = URLRequest(try #require(URL(string: "http://a/b")))
    try dispatcher.startShort(request, delegate: recorder)
    try await hasArrived.wait(for: "the beginning") { $0 }
    dispatcher.close(.immediate)
    #expect(try await recorder.ended().code == .closed)
    for _ in 0..<1_000 { await Task.yield() }
    #expect(transport.shutDowns == 0)
    mayBegin.signal()
    await dispatcher.waitUntilClosed()
    #expect(transport.begun.value.map(\.cancels) == [1])
    #expect(transport.shutDowns == 1)
  }

  @Test("U64: The shared dispatcher is created again after it was closed")
  func shared() {
    let first = URLDispatcher.shared
    #expect(URLDispatcher.shared === first)
    first.close()
    #expect(URLDispatcher.shared !== first)
  }
}
