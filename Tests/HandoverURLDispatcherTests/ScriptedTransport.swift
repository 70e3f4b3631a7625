import Foundation
import HandoverCore
import HandoverHTTPTesting
import HandoverURLDispatcher
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport that does only what the test requests.
final class ScriptedTransport: HTTPTransport {
  struct Mishap: Error {}

  /// A started request.
  final class Begun: HTTPExchange {
    let path: String
    let timeout: Duration?
    let onEvent: @Sendable (HTTPTransportEvent) -> Void
    private let counter = Mutex(0)
    private let letsGo: Bool

    init(
      _ path: String, _ timeout: Duration?, letsGo: Bool,
      _ onEvent: @escaping @Sendable (HTTPTransportEvent) -> Void
    ) {
      self.letsGo = letsGo
      self.path = path
      self.timeout = timeout
      self.onEvent = onEvent
    }

    /// The number of cancels.
    var cancels: Int { counter.withLock { $0 } }

    func cancel() {
      counter.withLock { $0 += 1 }
      if letsGo { onEvent(.failed(code: -999, cause: nil)) }
    }

    /// Delivers a response with a status.
    func respond(_ status: Int = 200) {
      guard let url = URL(string: "http://a/\(path)"),
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: nil, headerFields: nil)
      else { preconditionFailure("\(path) is no path") }
      onEvent(.response(response))
    }
  }

  /// The started requests, in order.
  let begun = Watched<[Begun]>([])
  private let shutdowns = Mutex(0)
  private let refusals: Set<String>
  private let letsGo: Bool
  private let willBegin: @Sendable () -> Void

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - refusals: The paths of requests that cannot start.
  ///   - letsGo: Whether the transport reports the end of a cancelled request immediately, instead
  ///     of leaving that to the test.
  ///   - willBegin: Runs before each request begins, on the thread that passes the request.
  init(
    refusing refusals: Set<String> = [], lettingGo letsGo: Bool = true,
    willBegin: @escaping @Sendable () -> Void = {}
  ) {
    self.refusals = refusals
    self.letsGo = letsGo
    self.willBegin = willBegin
  }

  /// The number of shutdowns.
  var shutDowns: Int { shutdowns.withLock { $0 } }

  func begin(
    _ request: URLRequest, as kind: RequestKind, timeout: Duration?,
    onEvent: @escaping @Sendable (HTTPTransportEvent) -> Void
  ) throws -> any HTTPExchange {
    willBegin()
    let path = request.url?.lastPathComponent ?? ""
    guard !refusals.contains(path) else { throw Mishap() }
    let exchange = Begun(path, timeout, letsGo: letsGo, onEvent)
    begun.change { $0.append(exchange) }
    return exchange
  }

  func shutDown() { shutdowns.withLock { $0 += 1 } }

  /// Returns the request with an index in the order of starts, once it has started.
  func begun(_ number: Int) async throws -> Begun {
    try await begun.wait(for: "the beginning of request \(number)") { $0.count > number }
    return begun.value[number]
  }

  /// The paths of the started requests.
  var paths: [String] { begun.value.map(\.path) }
}

/// A dispatcher over a scripted transport.
struct Rig {
  let transport: ScriptedTransport
  let clock = ManualClock()
  let dispatcher: URLDispatcher
  let limits = Watched<[LongLimitReached]>([])

  init(
    total: UInt32 = 2, long: UInt32 = 1, policy: LongLimitPolicy = .throw,
    chargesWaiting: Bool = false, refusing refusals: Set<String> = [], lettingGo: Bool = true
  ) throws {
    transport = ScriptedTransport(refusing: refusals, lettingGo: lettingGo)
    let limits = limits
    dispatcher = try URLDispatcher(
      URLDispatcher.Configuration(
        limits: ConnectionLimits(total: total, long: long), policy: policy,
        chargesWaiting: chargesWaiting, clock: clock,
        limitReached: { limit in limits.change { $0.append(limit) } }),
      transport: transport)
  }

  /// Returns a request to the endpoint of the rig.
  func request(_ path: String, timeout: TimeInterval = 60, host: String = "a") -> URLRequest {
    guard let url = URL(string: "http://\(host)/\(path)") else {
      preconditionFailure("\(path) is no path")
    }
    return URLRequest(url, timeout: timeout)
  }

  /// Dispatches a request.
  func dispatch(
    _ kind: RequestKind, _ path: String, timeout: TimeInterval = 60,
    options: URLDispatcher.Options = URLDispatcher.Options(), to recorder: Recorder = Recorder()
  ) throws -> (operation: URLDispatcherOperation, recorder: Recorder) {
    let request = request(path, timeout: timeout)
    let operation =
      switch kind {
      case .long: try dispatcher.startLong(request, options: options, delegate: recorder)
      case .exempt: try dispatcher.startExempt(request, options: options, delegate: recorder)
      case .short, .synchronous:
        try dispatcher.startShort(request, options: options, delegate: recorder)
      }
    return (operation, recorder)
  }

  /// The usage of the rig's endpoint.
  var usage: EndpointUsage {
    get throws {
      guard let url = request("").url else { preconditionFailure("it has a URL") }
      return try dispatcher.usage(of: url)
    }
  }

  /// Returns the predicted admission of a request.
  func prediction(
    _ kind: RequestKind, policy: LongLimitPolicy? = nil
  ) throws -> URLDispatcherAdmission {
    guard let url = request("").url else { preconditionFailure("it has a URL") }
    return try dispatcher.prediction(for: kind, to: url, policy: policy)
  }
}

extension URLDispatcherAdmission {
  /// The name of the admission, for comparisons.
  var word: String {
    switch self {
    case .startsNow: "starts"
    case .waits(let position, let holders): "waits at \(position) for \(holders.count)"
    case .freezes(let holders): "freezes beside \(holders.count)"
    case .polls(let position, let holders): "polls at \(position) beside \(holders.count)"
    case .refused(let error): "refused with \(error.number ?? 0)"
    }
  }
}
