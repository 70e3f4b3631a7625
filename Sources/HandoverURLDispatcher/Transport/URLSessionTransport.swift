public import HandoverCore
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A transport over Foundation's HTTP client.
///
/// One session serves all requests that share the connections to a host, and another serves exempt
/// requests. The transport keeps its sessions, with their connections, until it is destroyed.
public final class URLSessionTransport: HTTPTransport {
  private let limited: WatchedSession
  private let exempt: WatchedSession

  /// Creates the sessions.
  ///
  /// - Parameters:
  ///   - connections: The maximum number of connections to one host (U9), which is the dispatcher's
  ///     total. Exempt requests use other connections.
  ///   - configuration: All other settings; the default configuration if not specified. On Linux
  ///     its cache is not used, because Foundation crashes if a request is cancelled while
  ///     Foundation searches the cache.
  public init(connections: Int, configuration: URLSessionConfiguration = .default) {
    limited = WatchedSession(connections: connections, configuration)
    // The limit applies to a whole session, and no value disables it.
    exempt = WatchedSession(connections: Int(Int32.max), configuration)
  }

  /// The default number of connections of a session to one host (U7).
  public static var defaultConnectionCount: Int {
    URLSessionConfiguration.default.httpMaximumConnectionsPerHost
  }

  /// Begins a request.
  public func begin(
    _ request: URLRequest, as kind: RequestKind, timeout: Duration?,
    onEvent: @escaping @Sendable (HTTPTransportEvent) -> Void
  ) -> any HTTPExchange {
    var request = request
    // The system's timeout is not reliable (U40): it restarts with each piece of data, and it runs
    // while a request waits for a connection. A value of zero means no timeout on some systems, and
    // an immediate timeout on others.
    request.timeoutInterval = timeout.map { $0 / .seconds(1) } ?? Self.longTime
    let task = (kind == .exempt ? exempt : limited).start(request, onEvent)
    return Exchange(task: task)
  }

  /// Lets running tasks finish, then releases the sessions.
  public func shutDown() {
    limited.finish()
    exempt.finish()
  }

  /// One week.
  private static let longTime: TimeInterval = 604_800

  private struct Exchange: HTTPExchange {
    let task: URLSessionDataTask

    func cancel() { task.cancel() }
  }
}

/// A session with its delegate; task identifiers are unique only within a session.
private struct WatchedSession: Sendable {
  private let session: URLSession
  private let watcher = SessionWatcher()

  init(connections: Int, _ configuration: URLSessionConfiguration) {
    let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
    configuration.httpMaximumConnectionsPerHost = connections
    #if canImport(FoundationNetworking)
      // On Linux, Foundation looks a request up in the cache on another queue. If the task is
      // cancelled meanwhile, Foundation ends the process: "Trying to access a behaviour for a task
      // that in not in the registry".
      configuration.urlCache = nil
    #endif
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.name = "URLSessionTransport"
    session = URLSession(configuration: configuration, delegate: watcher, delegateQueue: queue)
  }

  func start(
    _ request: URLRequest, _ onEvent: @escaping @Sendable (HTTPTransportEvent) -> Void
  ) -> URLSessionDataTask {
    let task = session.dataTask(with: request)
    watcher.watch(task, onEvent)
    task.resume()
    return task
  }

  func finish() { session.finishTasksAndInvalidate() }
}

/// Forwards the callbacks of a session to the listeners of its tasks.
private final class SessionWatcher: NSObject, URLSessionDataDelegate {
  private typealias EventHandler = @Sendable (HTTPTransportEvent) -> Void

  // lookup only
  private let listeners = Mutex<[Int: EventHandler]>([:])

  func watch(_ task: URLSessionTask, _ onEvent: @escaping @Sendable (HTTPTransportEvent) -> Void) {
    listeners.withLock { $0[task.taskIdentifier] = onEvent }
  }

  private func listener(of task: URLSessionTask) -> EventHandler? {
    listeners.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse {
      listener(of: dataTask)?(.response(response))
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    listener(of: dataTask)?(.data(data))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (
        URLSession.AuthChallengeDisposition, URLCredential?
      ) -> Void
  ) {
    guard let onEvent = listener(of: task) else {
      completionHandler(.cancelAuthenticationChallenge, nil)
      return
    }
    let isProposed = challenge.proposedCredential != nil
    onEvent(
      .challenge(HTTPChallenge(challenge)) { answer in
        switch answer {
        case .use(let user, let password):
          completionHandler(
            .useCredential, URLCredential(user: user, password: password, persistence: .none))
        case .cancel:
          completionHandler(.cancelAuthenticationChallenge, nil)
        case .performDefault where isProposed:
          completionHandler(.performDefaultHandling, nil)
        case .performDefault, .continueWithoutCredential, .reject:
          self.continueWithoutCredential(answer, task, completionHandler)
        }
      })
  }

  /// Answers a challenge without a credential, so that the response of the challenge counts.
  private func continueWithoutCredential(
    _ answer: HTTPChallengeAnswer, _ task: URLSessionTask,
    _ completionHandler: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux, Foundation does not continue a task without a credential, or crashes. The
      // response has already arrived.
      let onEvent = listeners.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      completionHandler(.cancelAuthenticationChallenge, nil)
      onEvent?(.finished)
    #else
      switch answer {
      case .continueWithoutCredential: completionHandler(.useCredential, nil)
      case .reject: completionHandler(.rejectProtectionSpace, nil)
      case .performDefault, .use, .cancel: completionHandler(.performDefaultHandling, nil)
      }
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let onEvent = listeners.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let error else {
      onEvent?(.finished)
      return
    }
    let code = Int32(exactly: (error as NSError).code) ?? Int32(URLError.Code.unknown.rawValue)
    onEvent?(.failed(code: code, cause: error))
  }
}

extension HTTPChallenge {
  fileprivate init(_ challenge: URLAuthenticationChallenge) {
    let space = challenge.protectionSpace
    self.init(
      host: space.host, port: space.port, realm: space.realm, method: space.authenticationMethod,
      failures: challenge.previousFailureCount)
  }
}
