import Foundation
import HandoverCore
import HandoverHTTPTesting
import HandoverURLDispatcher
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The dispatcher over Foundation's session", .serialized)
struct URLSessionTests {
  @Test("The scenarios for every transport pass", arguments: TransportScenario.all)
  func holds(_ scenario: TransportScenario) async throws {
    try await scenario.run { URLSessionTransport(connections: $0) }
  }

  @Test("The article's experiment: without a dispatcher the fifth stream freezes, and times out")
  func experiment() async throws {
    try await TestServer.run { server in
      let configuration = URLSessionConfiguration.default
      configuration.httpMaximumConnectionsPerHost = 4
      let reader = StreamReader()
      let session = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
      for _ in 0..<4 { session.dataTask(with: URLRequest(server.url("stream"))).resume() }
      try await reader.record.wait(for: "four streams") { $0.bytes.count == 4 }
      session.dataTask(with: URLRequest(server.url("stream"), timeout: 1)).resume()
      try await reader.record.wait(for: "an error") { !$0.errors.isEmpty }
      #expect(reader.record.value.errors == [-1_001])
      #expect(reader.record.value.bytes.count == 4)
      #expect(server.figures.value.paths.count == 4)
      #expect(server.figures.value.mostOpen == 4)
      session.invalidateAndCancel()
      try await reader.record.wait(for: "the end") { $0.errors.count == 5 }
    }
  }

  @Test("U61: A server that requires credentials gets them, however long the user takes")
  func members() async throws {
    try await TestServer.run { server in
      let dispatcher = try URLDispatcher(.init(limits: ConnectionLimits(total: 1, long: 1)))
      let asked = Watched<[HTTPChallenge]>([])
      let gate = Watched(false)
      let options = URLDispatcher.Options { challenge in
        asked.change { $0.append(challenge) }
        try? await gate.wait(for: "the user") { $0 }
        return .use(user: "member", password: "secret")
      }
      let request = URLRequest(server.url("private"))
      async let answer = dispatcher.answer(to: request, options: options)
      try await asked.wait(for: "the challenge") { $0.count == 1 }
      gate.change { $0 = true }
      #expect(try await answer.status == 200)
      #expect(asked.value.first?.realm == "club")
      // Without credentials the response is the server's.
      #expect(try await dispatcher.answer(to: request).status == 401)
      dispatcher.close()
      await dispatcher.waitUntilClosed()
    }
  }

  @Test(
    "U62: Without credentials the response is the server's",
    arguments: [HTTPChallengeAnswer.continueWithoutCredential, .reject, .performDefault])
  func nobody(_ answer: HTTPChallengeAnswer) async throws {
    try await TestServer.run { server in
      let dispatcher = try URLDispatcher(.init(limits: ConnectionLimits(total: 1, long: 1)))
      let options = URLDispatcher.Options { _ in answer }
      let response = try await dispatcher.answer(
        to: URLRequest(server.url("private")), options: options)
      #expect(response.status == 401)
      #expect(response.body == Data("who".utf8))
      // The connection of the first request is free again.
      let next = try await dispatcher.answer(to: URLRequest(server.url("short")))
      #expect(next.status == 200)
      dispatcher.close()
      await dispatcher.waitUntilClosed()
    }
  }

  @Test("U62: A user with wrong credentials is asked again, and may give up")
  func givingUp() async throws {
    try await TestServer.run { server in
      let dispatcher = try URLDispatcher(.init(limits: ConnectionLimits(total: 1, long: 1)))
      let failures = Watched<[Int]>([])
      let options = URLDispatcher.Options { challenge in
        failures.change { $0.append(challenge.failures) }
        return challenge.failures == 0 ? .use(user: "member", password: "wrong") : .cancel
      }
      let request = URLRequest(server.url("private"))
      let error = await #expect(throws: URLDispatcherError.self) {
        _ = try await dispatcher.answer(to: request, options: options)
      }
      #expect(error?.code == .transportFailed)
      #expect(failures.value == [0, 1])
      let next = try await dispatcher.answer(to: URLRequest(server.url("short")))
      #expect(next.status == 200)
      dispatcher.close()
      await dispatcher.waitUntilClosed()
    }
  }

  @Test("U52: A second response discards the data of the first")
  func secondResponse() async throws {
    try await TestServer.run { server in
      let dispatcher = try URLDispatcher(.init(limits: ConnectionLimits(total: 1, long: 1)))
      let options = URLDispatcher.Options { _ in .use(user: "member", password: "secret") }
      let recorder = Recorder()
      let request = URLRequest(server.url("private"))
      try dispatcher.startShort(request, options: options, delegate: recorder)
      let record = try await recorder.ended()
      #expect(record.statuses == [401, 200])
      #expect(record.body == Data("who".utf8))
      dispatcher.close()
      await dispatcher.waitUntilClosed()
    }
  }

  /// Records what the tasks of a session receive and how they end.
  private final class StreamReader: NSObject, URLSessionDataDelegate {
    struct Record: Sendable {
      /// The number of bytes of each task.
      var bytes: [Int: Int] = [:]
      var errors: [Int] = []
    }

    let record = Watched(Record())

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      record.change { $0.bytes[dataTask.taskIdentifier, default: 0] += data.count }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      record.change { $0.errors.append((error as NSError?)?.code ?? 0) }
    }
  }
}
