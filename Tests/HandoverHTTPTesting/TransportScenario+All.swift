import Foundation
import HandoverCore
import HandoverURLDispatcher

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportScenario {
  /// All scenarios.
  public static let all = answers + delegates + streams + ends

  // MARK: Answers

  private static let answers = [
    TransportScenario(
      "A short request gets an answer, and its delegate receives the events in order"
    ) { stage in
      let record = try await stage.short("short").recorder.ended()
      try check(record.statuses == [200] && record.error == nil, "it was \(record)")
      try check(String(decoding: record.body, as: UTF8.self) == "short", "the body is wrong")
      try check(record.byMainThread == 0, "the main thread called the delegate")
    },
    TransportScenario("U58: An HTTP error status does not fail the request") { stage in
      let answer = try await stage.dispatcher.answer(to: URLRequest(stage.server.url("missing")))
      try check(answer.status == 404, "the status is \(answer.status)")
    },
    TransportScenario("U14: A thread can block until the response arrives") { stage in
      let request = URLRequest(stage.server.url("short"))
      let dispatcher = stage.dispatcher
      let answer = try await onThread { try dispatcher.performSynchronously(request) }
      try check(answer.body.count == 5 && answer.status == 200, "it was \(answer)")
    },
    TransportScenario(
      "U38: A delegate can use the slot of the request whose end it receives", total: 1, long: 1
    ) {
      stage in
      let next = URLRequest(stage.server.url("short"))
      let dispatcher = stage.dispatcher
      let recorder = Recorder { event, _ in
        guard case .finished = event else { return }
        let answer = try dispatcher.performSynchronously(next)
        try check(answer.status == 200, "the second was not answered")
      }
      try dispatcher.startShort(URLRequest(stage.server.url("short")), delegate: recorder)
      try await recorder.ended()
      try check(dispatcher.statistics.finished == 2, "\(dispatcher.statistics)")
      try check(dispatcher.statistics.delegateErrors == 0, "\(dispatcher.statistics)")
    },
    TransportScenario("U33: A hundred short requests run four at a time, in order of arrival") {
      stage in
      let all = try (0..<100).map { try stage.short("short?\($0)").recorder }
      for recorder in all {
        let record = try await recorder.ended()
        try check(record.error == nil && record.ends == 1, "one ended with \(record)")
      }
      let figures = stage.server.figures.value
      try check(figures.mostOpen <= 4, "\(figures.mostOpen) connections were open at once")
      let order = figures.paths.compactMap { Int($0.dropFirst("short?".count)) }
      try check(order.sorted() == Array(0..<100), "not all arrived")
      // Four requests run concurrently, and these may overtake each other between two machines.
      let overtaking = zip(order, 0...).filter { $0 > $1 + 3 }
      try check(overtaking.isEmpty, "came too early: \(overtaking)")
    },
    TransportScenario(
      "U33: With one slot, requests run exactly in order of arrival", total: 1, long: 1
    ) { stage in
      let all = try (0..<20).map { try stage.short("short?\($0)").recorder }
      for recorder in all { try await recorder.ended() }
      let order = stage.server.figures.value.paths
      try check(order == (0..<20).map { "short?\($0)" }, "the order was \(order)")
    },
    TransportScenario("U6: A redirected request keeps its slot of the first host name") { stage in
      let elsewhere = stage.server.url("stream", host: "localhost")
      let recorder = Recorder()
      let request = URLRequest(stage.server.url("redirect?\(elsewhere.absoluteString)"))
      let operation = try stage.dispatcher.startLong(request, delegate: recorder)
      try await recorder.record.wait(for: "a line") { $0.body.starts(with: Data("PROBE".utf8)) }
      try check(
        try stage.dispatcher.usage(of: elsewhere).running == 0,
        "the request occupies a slot of the other name")
      try check(
        try stage.dispatcher.usage(of: stage.server.url("")).running == 1,
        "the request occupies no slot")
      operation.cancel()
      try await recorder.ended()
    },
  ]

  // MARK: Streams

  private static let streams = [
    TransportScenario(
      "The fourth stream is refused in advance, and a short request still gets an answer"
    ) {
      stage in
      _ = try await stage.openStreams(3)
      let url = stage.server.url("stream")
      guard case .refused(let reason) = try stage.dispatcher.prediction(for: .long, to: url)
      else { throw ScenarioFailure("the prediction is wrong") }
      try check(reason.code == .longLimitReached && reason.number == -1_702, "\(reason)")
      do {
        try stage.dispatcher.startLong(URLRequest(url), delegate: Recorder())
        throw ScenarioFailure("the fourth stream was accepted")
      } catch let error as URLDispatcherError {
        try check(error.code == .longLimitReached, "\(error)")
      }
      let short = try stage.short("short")
      guard case .startsNow = short.operation.admission
      else { throw ScenarioFailure("the short request waits") }
      try check(try await short.recorder.ended().statuses == [200], "it was not answered")
      try check(stage.server.figures.value.mostOpen <= 4, "too many connections")
    },
    TransportScenario("Streams continue while short requests start and end") { stage in
      let streams = try await stage.openStreams(3)
      for round in 1...5 {
        stage.server.probe()
        for stream in streams {
          try await stream.recorder.record.wait(for: "line \(round)") {
            $0.body.count >= 7 * (round + 1)
          }
        }
        try await stage.short("short").recorder.ended()
      }
      try check(stage.server.figures.value.mostOpen <= 4, "too many connections")
    },
    TransportScenario("U3: Two names of one machine are two endpoints", total: 2, long: 1) {
      stage in
      _ = try await stage.openStreams(1)
      let recorder = Recorder()
      let other = stage.server.url("stream", host: "localhost")
      let operation = try stage.dispatcher.startLong(URLRequest(other), delegate: recorder)
      guard case .startsNow = operation.admission
      else { throw ScenarioFailure("the other name is held back") }
      try await recorder.responded()
    },
    TransportScenario(
      "An exempt request gets a connection although all slots are taken", total: 2, long: 2
    ) {
      stage in
      let sockets = [try stage.exempt("stream"), try stage.exempt("stream")]
      let streams = try await stage.openStreams(2)
      let late = try stage.exempt("short")
      try check(try await late.recorder.ended().statuses == [200], "it was not answered")
      for socket in sockets { try await socket.recorder.responded() }
      streams[0].operation.cancel()
      let record = try await stage.short("short").recorder.ended()
      try check(record.statuses == [200], "the short request ended with \(record)")
      try check(sockets.allSatisfy { $0.operation.state == .running }, "a socket has ended")
    },
    TransportScenario("A queued stream starts when another is cancelled", policy: .enqueue) {
      stage in
      let streams = try await stage.openStreams(3)
      let recorder = Recorder()
      let waiting = try stage.dispatcher.startLong(
        URLRequest(stage.server.url("stream")), delegate: recorder)
      guard case .waits(position: 1, let holders) = waiting.admission, holders.count == 3
      else { throw ScenarioFailure("it does not wait: \(waiting.admission)") }
      try check(waiting.state == .waiting(position: 1), "its state is \(waiting.state)")
      streams[1].operation.cancel()
      let record = try await streams[1].recorder.ended()
      try check(record.code == .cancelled && record.ends == 1, "it ended with \(record)")
      try await recorder.responded()
      try check(waiting.state == .running, "its state is \(waiting.state)")
    },
    TransportScenario(
      "A stream that ignores the limit freezes and leaves the spare slot free", total: 3, long: 2,
      policy: .ignore
    ) { stage in
      _ = try await stage.openStreams(2)
      let recorder = Recorder()
      let request = URLRequest(stage.server.url("stream"), timeout: 1)
      let operation = try stage.dispatcher.startLong(request, delegate: recorder)
      try check(operation.state == .frozen, "its state is \(operation.state)")
      let answer = try await stage.dispatcher.answer(to: URLRequest(stage.server.url("short")))
      try check(answer.status == 200, "the short one was answered with \(answer.status)")
      stage.clock.advance(by: .seconds(1))
      let record = try await recorder.ended()
      try check(record.code == .frozen && record.error?.number == -1_001, "\(record)")
      try check(stage.server.figures.value.mostOpen <= 3, "too many connections")
    },
    TransportScenario(
      "A stream freezes once the spare slot is taken, and its error says so", total: 2,
      long: 2, policy: .takeSpare
    ) { stage in
      _ = try await stage.openStreams(2)
      let recorder = Recorder()
      let request = URLRequest(stage.server.url("stream"), timeout: 1)
      let operation = try stage.dispatcher.startLong(request, delegate: recorder)
      // The timeout is in real time, so its state may change at any moment.
      guard case .freezes(let holders) = operation.admission, holders.count == 2
      else { throw ScenarioFailure("it does not freeze: \(operation.admission)") }
      let record = try await recorder.ended()
      try check(record.code == .frozen && record.error?.number == -1_001, "\(record)")
      try check(stage.server.figures.value.mostOpen == 2, "too many connections")
    },
    TransportScenario(
      "A stream beyond the limit is replaced by polling", total: 2, long: 1,
      policy: .poll(every: .seconds(1))
    ) { stage in
      _ = try await stage.openStreams(1)
      let recorder = Recorder()
      let options = URLDispatcher.Options(poll: URLRequest(stage.server.url("short")))
      let operation = try stage.dispatcher.startLong(
        URLRequest(stage.server.url("stream")), options: options, delegate: recorder)
      for round in 1...3 {
        try await recorder.record.wait(for: "poll \(round)") { $0.answered == round }
        try check(operation.state == .resting, "its state is \(operation.state)")
        stage.clock.advance(by: .seconds(1))
      }
      operation.cancel()
      try check(try await recorder.ended().code == .cancelled, "it was not cancelled")
    },
    TransportScenario("Of many downloads, four run at a time, and each is cancelled") {
      stage in
      let all = try (0..<20).map { _ in
        let recorder = Recorder()
        let request = URLRequest(stage.server.url("big"))
        return (try stage.dispatcher.startShort(request, delegate: recorder), recorder)
      }
      for (operation, recorder) in all {
        try await recorder.record.wait(for: "10,000 bytes") { $0.body.count >= 10_000 }
        operation.cancel()
        let record = try await recorder.ended()
        try check(record.code == .cancelled && record.ends == 1, "it ended with \(record.ends)")
      }
      // The transport never has more requests than the limit. The number of connections that a
      // server sees is not reliable: it may see the next one before the end of the last.
      try check(stage.mostWithTransport == 4, "the transport had \(stage.mostWithTransport)")
      try check(stage.dispatcher.statistics.failed == 20, "\(stage.dispatcher.statistics)")
    },
  ]

  // MARK: Ends

  private static let ends = [
    TransportScenario(
      "U44: If the server never answers, the dispatcher's timeout fails the request"
    ) { stage in
      let silent = try stage.short("never", timeout: 10)
      try await stage.server.figures.wait(for: "the request") { $0.running == 1 }
      stage.clock.advance(by: .seconds(10))
      let record = try await silent.recorder.ended()
      try check(record.code == .timedOut && record.error?.number == -1_001, "\(record)")
      try await stage.server.figures.wait(for: "the connection's end") { $0.open == 0 }
    },
    TransportScenario(
      "U42, U43: A timeout limits a whole short request, but only the start of a long one"
    ) {
      stage in
      let short = try stage.short("held", timeout: 10)
      let long = Recorder()
      let request = URLRequest(stage.server.url("held"), timeout: 10)
      let stream = try stage.dispatcher.startLong(request, delegate: long)
      try await short.recorder.responded()
      try await long.responded()
      stage.clock.advance(by: .seconds(10))
      try check(
        try await short.recorder.ended().code == .timedOut, "the short request did not time out")
      try check(stream.state == .running, "the state of the long request is \(stream.state)")
      stage.server.release()
      try check(try await long.ended().error == nil, "the long request failed")
    },
    TransportScenario("A truncated body is a failure, not a timeout") { stage in
      let record = try await stage.short("broken").recorder.ended()
      try check(record.statuses == [200], "the response is missing")
      let isBroken = record.code == .connectionLost || record.code == .transportFailed
      try check(isBroken, "it ended with \(record)")
    },
    TransportScenario("A refused connection is a failure of the transport") { stage in
      let recorder = Recorder()
      guard let nobody = URL(string: "http://127.0.0.1:1/") else { return }
      try stage.dispatcher.startShort(URLRequest(nobody), delegate: recorder)
      try check(try await recorder.ended().code == .transportFailed, "\(recorder.record.value)")
    },
    TransportScenario("A deadline expires while the request is queued", total: 1, long: 1) {
      stage in
      _ = try await stage.openStreams(1)
      let waiting = try stage.short(
        "short", options: URLDispatcher.Options(deadline: .seconds(5)))
      try check(waiting.operation.position == 1, "it does not wait")
      stage.clock.advance(by: .seconds(5))
      let record = try await waiting.recorder.ended()
      try check(record.code == .queueTimeout && record.error?.number == -1_703, "\(record)")
      try check(
        stage.server.figures.value.paths == ["stream"], "the server received the queued request")
    },
    TransportScenario("U82: A queued request is cancelled", total: 1, long: 1) { stage in
      let streams = try await stage.openStreams(1)
      let waiting = try stage.short("short")
      waiting.operation.cancel()
      try check(try await waiting.recorder.ended().code == .cancelled, "it was not cancelled")
      streams[0].operation.cancel()
      try await stage.short("missing").recorder.ended()
      try check(
        stage.server.figures.value.paths == ["stream", "missing"],
        "the server received the queued request")
    },
    TransportScenario("A request can be cancelled at each moment of its start") { stage in
      for round in 0..<1_000 {
        let (operation, recorder) = try stage.short("short?\(round)")
        // A client does more work with each pause, and none before the first.
        for _ in 0..<round % 20 { await Task.yield() }
        operation.cancel()
        let record = try await recorder.ended()
        let isExpected = record.code == .cancelled || record.statuses == [200]
        try check(isExpected && record.ends == 1, "request \(round) ended with \(record)")
      }
      try check(try await stage.short("short").recorder.ended().statuses == [200], "no answer")
    },
    TransportScenario(
      "U65: Closing immediately ends running and queued requests", total: 2, long: 2
    ) { stage in
      let streams = try await stage.openStreams(2)
      let waiting = try stage.short("short")
      stage.dispatcher.close(.immediate)
      try await stage.closed()
      for recorder in streams.map(\.recorder) + [waiting.recorder] {
        let record = recorder.record.value
        try check(record.code == .closed && record.ends == 1, "it ended with \(record)")
      }
      try await stage.server.figures.wait(for: "the connections' end") { $0.open == 0 }
      try check(stage.server.figures.value.paths.count == 2, "the queued request was sent")
    },
    TransportScenario("U65: An orderly closing lets all requests finish", total: 1, long: 1) {
      stage in
      let held = try stage.short("held")
      let waiting = try stage.short("short")
      try await held.recorder.responded()
      stage.dispatcher.close(.orderly)
      do {
        _ = try stage.short("short")
        throw ScenarioFailure("a closed dispatcher accepts")
      } catch let error as URLDispatcherError {
        try check(error.code == .closed, "\(error)")
      }
      stage.server.release()
      try await stage.closed()
      for recorder in [held.recorder, waiting.recorder] {
        try check(recorder.record.value.error == nil, "\(recorder.record.value)")
      }
    },
  ]
}

/// Runs a blocking closure on a separate thread.
public func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { task in
    Thread.detachNewThread { task.resume(with: Swift.Result(catching: body)) }
  }
}
