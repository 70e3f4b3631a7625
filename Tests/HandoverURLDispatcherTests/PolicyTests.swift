import Foundation
import HandoverCore
import HandoverHTTPTesting
import HandoverURLDispatcher
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The dispatch of a request")
struct PolicyTests {
  @Test(
    "U25 to U29: A dispatch does what the prediction says, and a prediction changes nothing",
    arguments: [
      (LongLimitPolicy.throw, "refused with -1702"), (.fail, "refused with -1702"),
      (.enqueue, "waits at 1 for 1"), (.ignore, "freezes beside 1"), (.takeSpare, "starts"),
      (.poll(), "polls at 0 beside 1"),
    ])
  func policies(_ policy: LongLimitPolicy, _ word: String) async throws {
    let rig = try Rig()
    _ = try rig.dispatch(.long, "first")
    let before = try rig.usage
    #expect(try rig.prediction(.long, policy: policy).word == word)
    #expect(try rig.usage == before)
    #expect(rig.dispatcher.statistics.unfinished == 1)
    let options = URLDispatcher.Options(policy: policy)
    if policy == .throw {
      let error = #expect(throws: URLDispatcherError.self) {
        try rig.dispatch(.long, "second", options: options)
      }
      #expect(error?.code == .longLimitReached)
      #expect(error?.endpoint == EndpointKey(host: "a", port: 80))
      #expect(try rig.usage == before)
    } else {
      let second = try rig.dispatch(.long, "second", options: options)
      #expect(second.operation.admission.word == word)
    }
    try await rig.limits.wait(for: "the hook") { $0.count == 1 }
    let limit = try #require(rig.limits.value.first)
    #expect(limit.admission.word == word)
    #expect(limit.count >= 1)
    #expect(limit.request.url?.lastPathComponent == "second")
  }

  @Test("U26: With the policy `fail` the delegate is notified once, and later")
  func fail() async throws {
    let rig = try Rig(policy: .fail)
    _ = try rig.dispatch(.long, "first")
    let second = try rig.dispatch(.long, "second")
    #expect(second.operation.state == .ended)
    #expect(second.operation.error?.number == -1_702)
    let record = try await second.recorder.ended()
    #expect(record.code == .longLimitReached)
    #expect(record.byMainThread == 0)
    #expect(rig.dispatcher.statistics.refused == 1)
    #expect(rig.transport.paths.contains("second") == false)
  }

  @Test("A request that ignores the limit freezes, and a short one gets the spare slot")
  func ignore() async throws {
    let rig = try Rig(total: 2, long: 1, policy: .ignore)
    _ = try rig.dispatch(.long, "first")
    let second = try rig.dispatch(.long, "second", timeout: 7)
    #expect(second.operation.state == .frozen)
    let control = try rig.dispatch(.short, "control")
    #expect(control.operation.admission.word == "starts")
    try await rig.transport.begun.wait(for: "both") { $0.count == 2 }
    #expect(rig.transport.paths.contains("second") == false)
    rig.clock.advance(by: .seconds(7))
    let error = try await second.recorder.ended()
    #expect(error.code == .frozen)
    #expect(second.operation.error?.number == -1_001)
  }

  @Test("A request frozen by `ignore` is handed over when a long one ends")
  func ignoredThaws() async throws {
    let rig = try Rig(total: 2, long: 1, policy: .ignore)
    let first = try rig.dispatch(.long, "first")
    let second = try rig.dispatch(.long, "second")
    first.operation.cancel()
    try await rig.transport.begun.wait(for: "the second") { begun in
      begun.contains { $0.path == "second" }
    }
    #expect(second.operation.state == .running)
    second.operation.cancel()
    #expect(try await second.recorder.ended().code == .cancelled)
  }

  @Test("A cancel of everything starts no frozen request")
  func allAreCancelled() async throws {
    let rig = try Rig(total: 2, long: 1, policy: .ignore)
    let first = try rig.dispatch(.long, "first")
    let second = try rig.dispatch(.long, "second")
    rig.dispatcher.cancelAll()
    #expect(try await first.recorder.ended().code == .cancelled)
    #expect(try await second.recorder.ended().code == .cancelled)
    #expect(rig.transport.paths.contains("second") == false)
  }

  @Test(
    "Without a slot a request that takes spare ones is handed over with its own timeout",
    arguments: [
      (7, .seconds(7)), (.infinity, .seconds(1e9)), (.greatestFiniteMagnitude, .seconds(1e9)),
    ] as [(TimeInterval, Duration)])
  func takeSpare(timeout: TimeInterval, handedOver: Duration) async throws {
    let rig = try Rig(total: 1, long: 1, policy: .takeSpare)
    _ = try rig.dispatch(.long, "first")
    let second = try rig.dispatch(.long, "second", timeout: timeout)
    #expect(second.operation.admission.word == "freezes beside 1")
    #expect(second.operation.state == .frozen)
    try await rig.transport.begun.wait(for: "both") { $0.count == 2 }
    let begun = try #require(rig.transport.begun.value.first { $0.path == "second" })
    #expect(begun.timeout == handedOver)
    begun.onEvent(.failed(code: -1_001, cause: nil))
    #expect(try await second.recorder.ended().code == .frozen)
  }

  @Test("U21: The prediction counts short requests too, and names the holders")
  func shortLoad() async throws {
    let rig = try Rig(total: 2, long: 1)
    _ = try rig.dispatch(.short, "one")
    _ = try rig.dispatch(.short, "two")
    let admission = try rig.prediction(.long)
    #expect(admission.word == "waits at 1 for 2")
    #expect(admission.holders.map(\.request.url?.lastPathComponent) == ["one", "two"])
    #expect(admission.holders.map(\.kind) == [.short, .short])
  }

  @Test("U34: A short request does not wait behind a long one that waits for a long slot")
  func noBlockedHead() async throws {
    let rig = try Rig(total: 2, long: 1, policy: .enqueue)
    _ = try rig.dispatch(.long, "first")
    let long = try rig.dispatch(.long, "second")
    let short = try rig.dispatch(.short, "short")
    #expect(long.operation.state == .waiting(position: 1))
    #expect(short.operation.state == .running)
  }

  @Test("U23: Of racing long requests exactly as many are accepted as there are slots")
  func race() async throws {
    let rig = try Rig(total: 8, long: 4)
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<32 {
        group.addTask { (try? rig.dispatch(.long, "\(number)")) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 4)
    #expect(try rig.usage.long == 4)
    #expect(rig.dispatcher.statistics.refused == 28)
  }

  @Test("U10: The long limit may change while requests run, and never exceeds the total")
  func longLimit() throws {
    let rig = try Rig(total: 2, long: 1)
    _ = try rig.dispatch(.long, "first")
    #expect(throws: ConnectionLimitsError.longAboveTotal) { try rig.dispatcher.setLongLimit(3) }
    #expect(try rig.prediction(.long).word == "refused with -1702")
    try rig.dispatcher.setLongLimit(2)
    #expect(try rig.prediction(.long).word == "starts")
    try rig.dispatcher.setLongLimit(0)
    #expect(try rig.usage.runningLong == 1)
  }

  @Test("U86: Over HTTP/2 streams are counted, up to the number that the server announced")
  func streams() async throws {
    let rig = try Rig(total: 2, long: 1)
    let url = try #require(rig.request("").url)
    try rig.dispatcher.setStreamLimit(100, for: url)
    for number in 0..<99 { _ = try rig.dispatch(.long, "\(number)") }
    #expect(try rig.usage.runningLong == 99)
    #expect(try rig.prediction(.long).word == "refused with -1702")
    #expect(try rig.prediction(.short).word == "starts")
    try await rig.transport.begun.wait(for: "all of them") { $0.count == 99 }
    try rig.dispatcher.setStreamLimit(nil, for: url)
    #expect(try rig.prediction(.short).word == "waits at 1 for 99")
  }

  @Test("An exempt request, such as a WebSocket, always starts")
  func exempt() async throws {
    let rig = try Rig(total: 1, long: 1)
    _ = try rig.dispatch(.long, "first")
    let socket = try rig.dispatch(.exempt, "socket")
    #expect(socket.operation.admission.word == "starts")
    #expect(try rig.usage.exempt == 1)
    try await rig.transport.begun.wait(for: "the socket") { $0.contains { $0.path == "socket" } }
  }

  @Test("A request without a host is invalid", arguments: ["mailto:a", "file:///a", "ftp://a/"])
  func noHost(_ text: String) throws {
    let rig = try Rig()
    let url = try #require(URL(string: text))
    let error = #expect(throws: URLDispatcherError.self) {
      try rig.dispatcher.startShort(URLRequest(url), delegate: Recorder())
    }
    #expect(error?.code == .invalidRequest)
    #expect(throws: URLDispatcherError.self) { try rig.dispatcher.usage(of: url) }
  }

  @Test(
    "A poll for another endpoint than the stream's is invalid",
    arguments: ["http://b/poll", "http://a:81/poll", "mailto:a"])
  func pollsElsewhere(_ text: String) throws {
    let rig = try Rig()
    let poll = URLRequest(try #require(URL(string: text)))
    let error = #expect(throws: URLDispatcherError.self) {
      try rig.dispatch(.long, "a", options: URLDispatcher.Options(policy: .poll(), poll: poll))
    }
    #expect(error?.code == .invalidRequest)
    #expect(rig.dispatcher.statistics.unfinished == 0)
  }

  @Test("U43: The poll's timeout limits each poll, and the stream's own does not")
  func pollTimeout() async throws {
    let rig = try Rig(total: 2, long: 0)
    let options = URLDispatcher.Options(
      policy: .poll(every: .seconds(100)), poll: rig.request("poll", timeout: 20))
    let stream = try rig.dispatch(.long, "stream", timeout: 5, options: options)
    _ = try await rig.transport.begun(0)
    rig.clock.advance(by: .seconds(19))
    try await rig.transport.begun(0).onEvent(.finished)
    rig.clock.advance(by: .seconds(100))
    _ = try await rig.transport.begun(1)
    rig.clock.advance(by: .seconds(19))
    #expect(stream.operation.state == .running)
    rig.clock.advance(by: .seconds(1))
    #expect(try await stream.recorder.ended().code == .timedOut)
    #expect(rig.transport.paths == ["poll", "poll"])
  }

  @Test("More slots than the maximum number of threads of a pool are refused")
  func tooMany() throws {
    let error = #expect(throws: URLDispatcherError.self) { try Rig(total: 1_025, long: 1) }
    #expect(error?.code == .invalidConfiguration)
  }
}
