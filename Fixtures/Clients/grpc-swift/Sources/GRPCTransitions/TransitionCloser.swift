public import HandoverCore
public import HandoverLinux
public import HandoverNetlink
public import NIOCore
import Synchronization

/// Closes the connections of a client whenever the category of the network changes.
///
/// A TCP connection that was made over another network says nothing: it takes what is written and
/// gives nothing back, for a quarter of an hour. Nobody tells a gRPC transport of it. This piece
/// does: it watches the network as the documents' monitor does, and at each change between WiFi,
/// cellular and none it closes every connection. Their calls end UNAVAILABLE, and the next call
/// makes a new connection.
///
///     let closer = TransitionCloser()
///     let watcher = try closer.follow(try ReachabilityProbe())
///
///     var config = HTTP2ClientTransport.Posix.Config.defaults
///     config.channelDebuggingCallbacks.onCreateTCPConnection = { closer.add($0) }
///
/// It is as blind as that monitor: another hotspot of the same category changes nothing, and a
/// change that was over before an application woke up was none. Keepalive sees both, later.
///
/// Any number of transports may share a closer, from any threads. A connection that is closed, by
/// whomever, is held no longer.
public final class TransitionCloser: Sendable {
  private struct State {
    var monitor = ConnectivityMonitor()
    var channels: [ObjectIdentifier: any Channel] = [:]
  }
  private let state = Mutex(State())

  /// Makes a closer that knows of no network and no connection.
  public init() {}

  /// How many connections are open, or about to be.
  public var count: Int { state.withLock { $0.channels.count } }

  /// Takes a connection that a transport has just made.
  ///
  /// It does what `onCreateTCPConnection` of a transport's configuration asks for. That hook runs
  /// for each attempt to connect, also for those that fail.
  ///
  /// - Returns: a future that has succeeded.
  public func add(_ channel: any Channel) -> EventLoopFuture<Void> {
    let key = ObjectIdentifier(channel)
    state.withLock { $0.channels[key] = channel }
    channel.closeFuture.whenComplete { [weak self] _ in
      self?.state.withLock { _ = $0.channels.removeValue(forKey: key) }
    }
    return channel.eventLoop.makeSucceededVoidFuture()
  }

  /// Takes what was read or heard of the network, and closes all connections if that is a change.
  ///
  /// The first event is the reading with which all begins; it closes nothing (M7).
  ///
  /// - Returns: the change; nil where the category is what it was.
  @discardableResult
  public func observe(_ event: ConnectivityMonitor.Event) -> CategoryChange? {
    let (change, lost) = state.withLock { state in
      guard let change = state.monitor.observe(event) else {
        return (nil as CategoryChange?, [] as [any Channel])
      }
      return (change, Array(state.channels.values))
    }
    // Without the lock: who is told that a channel closes may come back here at once.
    for channel in lost { channel.close(promise: nil) }
    return change
  }

  /// Follows the network of this host, for as long as somebody holds the watcher.
  ///
  /// - Parameters:
  ///   - probe: what is watched; usually the default route.
  ///   - notify: hears of each change, after the connections were closed, or why nothing can be
  ///     watched any more. It runs on the watcher's thread.
  /// - Returns: the watcher; without it nobody watches.
  /// - Throws: `LinuxError` where the kernel cannot be asked.
  public func follow(
    _ probe: ReachabilityProbe,
    notify: @escaping @Sendable (Result<CategoryChange, LinuxError>) -> Void = { _ in }
  ) throws(LinuxError) -> ReachabilityWatcher {
    try ReachabilityWatcher(probe) { news in
      switch news {
      case .success(let news):
        if let change = self.observe(news.event) { notify(.success(change)) }
      case .failure(let error): notify(.failure(error))
      }
    }
  }
}
