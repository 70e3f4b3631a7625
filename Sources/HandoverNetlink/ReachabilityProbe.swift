public import HandoverLinux

/// Reads the reachability of an address, and signals when to read it again.
///
/// The kernel's events only trigger a new reading. The flags are derived from the route that the
/// kernel would use for a packet now. Events are not sufficient, because the kernel silently
/// removes the routes of an interface that goes down. The probe never polls, and does not debounce
/// changes.
///
/// All methods may be called from any thread. A caller with its own event loop waits until
/// ``descriptor`` is readable, and then calls ``drain()`` and ``read()``. It must keep this order
/// so that it misses no change. Other callers use ``follow(until:deadline:_:)``,
/// ``ReachabilityWatcher`` or ``NetlinkReachability``.
public final class ReachabilityProbe: Sendable {
  /// The address whose reachability is read.
  public let target: IPAddress
  /// The rule that decides which interfaces are cellular.
  public let cellular: CellularRule
  /// The address that is read if there is no route to the target.
  private let otherTarget: IPAddress?
  private let controller: NetworkController
  private let events: NetworkEvents

  /// An address that represents any address, like the zero address of the specified monitor (M5).
  ///
  /// It is reachable if a default route leads to it. The address is from a range for documentation
  /// (RFC 5737). A network can use one of these ranges itself, so each address of ``everywhere``
  /// needs a route.
  public static let anywhere = IPAddress(192, 0, 2, 1)
  /// One address of each range for documentation.
  private static let everywhere = [
    anywhere, IPAddress(198, 51, 100, 1), IPAddress(203, 0, 113, 1),
  ]

  /// Creates a probe and subscribes to changes in a namespace.
  ///
  /// - Parameters:
  ///   - target: The address; the default represents any address that a default route leads to.
  ///   - namespace: The network namespace, or `nil` for that of the calling thread.
  ///   - cellular: The rule that decides which interfaces are cellular.
  /// - Throws: ``LinuxError`` if the kernel cannot be queried.
  public init(
    target: IPAddress = anywhere, in namespace: NetworkNamespace? = nil,
    cellular: CellularRule = CellularRule()
  ) throws(LinuxError) {
    self.target = target
    self.cellular = cellular
    otherTarget = nil
    (events, controller) = try Self.listen(in: namespace)
  }

  /// Creates a probe that reads another address if there is no route to the target.
  package init(
    target: IPAddress, fallback otherTarget: IPAddress, in namespace: NetworkNamespace? = nil
  ) throws(LinuxError) {
    self.target = target
    cellular = CellularRule()
    self.otherTarget = otherTarget
    (events, controller) = try Self.listen(in: namespace)
  }

  private static func listen(
    in namespace: NetworkNamespace?
  ) throws(LinuxError) -> (NetworkEvents, NetworkController) {
    let namespace =
      if let namespace { namespace } else { try NetworkNamespace.current(name: "this namespace") }
    return (try NetworkEvents(in: namespace), try NetworkController(in: namespace))
  }

  /// The descriptor that becomes readable when the reachability may have changed.
  public var descriptor: Int32 { events.descriptor }

  /// Reads and discards all waiting events.
  public func drain() throws(LinuxError) -> NetworkEvents.Summary { try events.drain() }

  /// Returns the current reachability of the address.
  public func read() throws(LinuxError) -> ReachabilityReading {
    var route = target == Self.anywhere ? try defaultRoute() : try controller.route(to: target)
    if route == nil, let otherTarget {
      route = try controller.route(to: otherTarget)
      // The target's route may have appeared before the other route disappeared.
      if route == nil { route = try controller.route(to: target) }
    }
    return ReachabilityReading(route: route, rule: cellular)
  }

  /// Returns the default route, or `nil` if there is none.
  private func defaultRoute() throws(LinuxError) -> Route? {
    var routes: [Route] = []
    for address in Self.everywhere {
      guard let route = try controller.route(to: address) else { return nil }
      routes.append(route)
    }
    // A route without a gateway may belong to a local network that uses one of the ranges.
    return routes.first { $0.gateway != nil } ?? routes.last
  }

  /// Calls a closure with the current reachability, and then with every change.
  ///
  /// A new route with the same flags is a change as well, for example another hotspot or source
  /// address. If events were lost, the closure is called even if the reading is unchanged.
  ///
  /// - Parameters:
  ///   - ending: Ends the method when it is signaled.
  ///   - deadline: The time of the monotonic clock, in microseconds, at which the method returns.
  ///   - body: Receives a change, and returns `false` to end the method.
  /// - Throws: ``LinuxError`` if the kernel can no longer be queried; lost events are not an error.
  public func follow(
    until ending: WakeupPipe, deadline: Int64? = nil, _ body: (ReachabilityChange) -> Bool
  ) throws(LinuxError) {
    _ = try drain()
    var reading = try read()
    // The time is taken after the reading, which may contain changes that follow the event. Thus no
    // change has a time before it happened.
    guard body(ReachabilityChange(reading, .initial, seenAt: monotonicMicroseconds())) else {
      return
    }
    while true {
      let rest = deadline.map { $0 - monotonicMicroseconds() }
      if let rest, rest <= 0 { return }
      let isReadable = try waitReadable([ending.descriptor, descriptor], atMost: rest)
      if isReadable[0] { return }
      guard isReadable[1] else { continue }
      let wereLost = try drain().wereLost
      let next = try read()
      let seenAt = monotonicMicroseconds()
      guard wereLost || next != reading else { continue }
      reading = next
      let cause: ReachabilityChange.Cause = wereLost ? .resynchronized : .event
      guard body(ReachabilityChange(reading, cause, seenAt: seenAt)) else { return }
    }
  }
}
