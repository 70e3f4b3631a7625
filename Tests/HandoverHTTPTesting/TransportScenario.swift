import Foundation
import HandoverCore
public import HandoverURLDispatcher

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A property of the dispatcher that holds over any HTTP client, tested against a server on this
/// machine.
public struct TransportScenario: Sendable, CustomStringConvertible {
  /// The property in words.
  public let description: String
  private let total: UInt32
  private let long: UInt32
  private let policy: LongLimitPolicy
  private let body: @Sendable (Stage) async throws -> Void

  init(
    _ description: String, total: UInt32 = 4, long: UInt32 = 3, policy: LongLimitPolicy = .throw,
    _ body: @escaping @Sendable (Stage) async throws -> Void
  ) {
    self.description = description
    self.total = total
    self.long = long
    self.policy = policy
    self.body = body
  }

  /// Runs the scenario.
  ///
  /// - Parameter transport: Creates a transport with the given number of connections to one host.
  /// - Throws: ``ScenarioFailure`` if the property does not hold.
  public func run(over transport: (Int) throws -> any HTTPTransport) async throws {
    try await TestServer.run { server in
      let clock = ManualClock()
      let counter = CountingTransport(try transport(Int(total)))
      let dispatcher = try URLDispatcher(
        URLDispatcher.Configuration(
          limits: ConnectionLimits(total: total, long: long), policy: policy, clock: clock),
        transport: counter)
      let stage = Stage(server: server, dispatcher: dispatcher, clock: clock, counter: counter)
      do {
        try await body(stage)
      } catch {
        dispatcher.close(.immediate)
        throw error
      }
      dispatcher.close(.immediate)
      try await stage.closed()
    }
  }

  /// The environment of a scenario.
  struct Stage: Sendable {
    let server: TestServer
    let dispatcher: URLDispatcher
    let clock: ManualClock
    fileprivate let counter: CountingTransport

    /// The maximum number of requests that the transport had simultaneously.
    var mostWithTransport: Int { counter.most }

    /// Waits until the dispatcher is closed.
    func closed() async throws {
      let isClosed = Watched(false)
      let dispatcher = dispatcher
      Task {
        await dispatcher.waitUntilClosed()
        isClosed.change { $0 = true }
      }
      try await isClosed.wait(for: "the closing of \(dispatcher.statistics)") { $0 }
    }

    /// Opens some streams and waits until each of them has sent a line.
    func openStreams(
      _ count: Int
    ) async throws -> [(operation: URLDispatcherOperation, recorder: Recorder)] {
      var streams: [(operation: URLDispatcherOperation, recorder: Recorder)] = []
      for _ in 0..<count {
        let recorder = Recorder()
        let operation = try dispatcher.startLong(
          URLRequest(server.url("stream")), delegate: recorder)
        streams.append((operation, recorder))
      }
      for stream in streams {
        try await stream.recorder.record.wait(for: "a line") { !$0.body.isEmpty }
      }
      return streams
    }

    /// Dispatches an exempt request.
    func exempt(
      _ path: String
    ) throws -> (operation: URLDispatcherOperation, recorder: Recorder) {
      let recorder = Recorder()
      let request = URLRequest(server.url(path))
      return (try dispatcher.startExempt(request, delegate: recorder), recorder)
    }

    /// Dispatches a short request.
    func short(
      _ path: String, timeout: TimeInterval = 60, host: String = "127.0.0.1",
      options: URLDispatcher.Options = URLDispatcher.Options()
    ) throws -> (operation: URLDispatcherOperation, recorder: Recorder) {
      let recorder = Recorder()
      let request = URLRequest(server.url(path, host: host), timeout: timeout)
      return (try dispatcher.startShort(request, options: options, delegate: recorder), recorder)
    }
  }
}
