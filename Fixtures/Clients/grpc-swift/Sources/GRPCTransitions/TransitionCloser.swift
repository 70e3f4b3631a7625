public import HandoverCore
public import HandoverLinux
public import HandoverNetlink
public import NIOCore
import Synchronization

/// Closes the connections of a client whenever the category of the network changes.
///
/// A TCP connection that was established over another network reports no error. For about 15
/// minutes it accepts data without getting an answer, and a gRPC transport is not notified. This
/// class monitors the network as specified. At each change between WiFi, cellular and none, it
/// closes every connection. Their calls end UNAVAILABLE, and the next call opens a new connection.
///
///     let closer = TransitionCloser()
///     let watcher = try closer.follow(try ReachabilityProbe())
///
///     var config = HTTP2ClientTransport.Posix.Config.defaults
///     config.channelDebuggingCallbacks.onCreateTCPConnection = { closer.add($0) }
///
/// It has the same limits as the specified monitor. A change to another hotspot of the same
/// category has no effect, and neither has a change that ended before the application woke up.
/// Keepalive detects both cases, but later.
///
/// Any number of transports may share a closer, from any threads. A closed connection is released.
public final class TransitionCloser: Sendable {
  private struct State {
    var monitor = ConnectivityMonitor()
    var channels: [ObjectIdentifier: any Channel] = [:]
  }
  private let state = Mutex(State())

  /// Creates a closer without a known network and without connections.
  public init() {}

  /// The number of connections that are open or being established.
  public var count: Int { state.withLock { $0.channels.count } }

  /// Adds a connection that a transport has just created.
  ///
  /// The signature matches `onCreateTCPConnection` in the configuration of a transport. The
  /// transport calls this hook for each connection attempt, even for one that fails.
  ///
  /// - Returns: A future that has already succeeded.
  public func add(_ channel: any Channel) -> EventLoopFuture<Void> {
    let key = ObjectIdentifier(channel)
    state.withLock { $0.channels[key] = channel }
    channel.closeFuture.whenComplete { [weak self] _ in
      self?.state.withLock { _ = $0.channels.removeValue(forKey: key) }
    }
    return channel.eventLoop.makeSucceededVoidFuture()
  }

  /// Handles an event of the network, and closes all connections if the category changes.
  ///
  /// The first event is the initial reading, which closes nothing (M7).
  ///
  /// - Returns: The change, or `nil` if the category is the same.
  @discardableResult
  public func observe(_ event: ConnectivityMonitor.Event) -> CategoryChange? {
    let (change, lost) = state.withLock { state in
      guard let change = state.monitor.observe(event) else {
        return (nil as CategoryChange?, [] as [any Channel])
      }
      return (change, Array(state.channels.values))
    }
    // Outside of the lock, because code that is notified of a closed channel may call this object
    // again.
    for channel in lost { channel.close(promise: nil) }
    return change
  }

  /// Follows the network of this host as long as the returned watcher exists.
  ///
  /// - Parameters:
  ///   - probe: The probe to watch, usually of the default route.
  ///   - notify: Receives each change after the connections were closed, or the error that ends the
  ///     watch. It is called on the thread of the watcher.
  /// - Returns: The watcher, which must be retained.
  /// - Throws: `LinuxError` if the kernel cannot be queried.
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
