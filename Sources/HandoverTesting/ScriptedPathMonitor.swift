public import Dispatch
import Synchronization

/// A path monitor in the form of `NWPathMonitor`, driven by a ``ScriptedNetwork``.
///
/// Let your code depend on a protocol with the members that it uses, and conform both this type and
/// `NWPathMonitor` to it. A started monitor gets the current path at once, and then each change.
public final class ScriptedPathMonitor: Sendable {
  /// A function that receives a path.
  public typealias Handler = @Sendable (NetworkPath) -> Void

  private struct State {
    var handler: Handler?
    var path: NetworkPath
    var queue: DispatchQueue?
    var isStarted = false
    var isCancelled = false
  }

  private let network: ScriptedNetwork
  private let state: Mutex<State>

  init(_ network: ScriptedNetwork) {
    self.network = network
    state = Mutex(State(path: network.path))
  }

  /// The function that receives the paths, or `nil`.
  public var pathUpdateHandler: Handler? {
    get { state.withLock { $0.handler } }
    set { state.withLock { $0.handler = newValue } }
  }

  /// The path that the monitor got last.
  public var currentPath: NetworkPath { state.withLock { $0.path } }

  /// Starts the monitor; a second start, and a start after ``cancel()``, have no effect.
  ///
  /// - Parameter queue: The queue of the handler, as in `NWPathMonitor`. If it is `nil`, the
  ///   handler is called before ``ScriptedNetwork/advance()`` returns, so that a test need not
  ///   wait.
  public func start(queue: DispatchQueue? = nil) {
    let isFirst = state.withLock {
      guard !$0.isStarted, !$0.isCancelled else { return false }
      ($0.isStarted, $0.queue) = (true, queue)
      return true
    }
    if isFirst { notify(network.add(self)) }
  }

  /// Ends the updates.
  public func cancel() {
    state.withLock { $0.isCancelled = true }
    network.remove(self)
  }

  /// The paths from now on, until the monitor is cancelled.
  ///
  /// The sequence starts the monitor and takes the place of its handler.
  public var paths: AsyncStream<NetworkPath> {
    AsyncStream { continuation in
      pathUpdateHandler = { continuation.yield($0) }
      continuation.onTermination = { _ in self.cancel() }
      start()
    }
  }

  func notify(_ path: NetworkPath) {
    let (handler, queue) = state.withLock { state -> (Handler?, DispatchQueue?) in
      guard !state.isCancelled else { return (nil, nil) }
      state.path = path
      return (state.handler, state.queue)
    }
    guard let handler else { return }
    guard let queue else { return handler(path) }
    queue.async { if !self.state.withLock({ $0.isCancelled }) { handler(path) } }
  }
}
