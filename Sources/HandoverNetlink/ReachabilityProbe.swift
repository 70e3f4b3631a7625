public import HandoverLinux

/// Reads how an address can be reached, and tells when to read again.
///
/// The kernel's events are nothing but a reason to look: the flags are derived from what the kernel
/// would do with a packet now, because an interface that goes down takes its routes with it without
/// a word. Nothing is polled, and nothing waits for things to settle.
///
/// It may be used from any thread. Whoever has a loop of his own waits until ``descriptor`` can be
/// read, calls ``drain()`` and then ``read()``, in this order, so that no change is missed; whoever
/// has none uses ``follow(until:deadline:_:)``, ``ReachabilityWatcher`` or ``NetlinkReachability``.
public final class ReachabilityProbe: Sendable {
  /// The address whose reachability is read.
  public let target: IPAddress
  /// Which interfaces are cellular.
  public let cellular: CellularRule
  /// What is read where there is no way to the target.
  private let otherTarget: IPAddress?
  private let controller: NetworkController
  private let events: NetworkEvents

  /// An address that means "anywhere", as the zero address does for the documents' monitor (M5).
  ///
  /// It is reachable if a default route leads to it. The address is of a range for documentation
  /// (RFC 5737). A network can use one of these ranges itself, so each of ``everywhere`` needs a
  /// route.
  public static let anywhere = IPAddress(192, 0, 2, 1)
  /// An address of each range for documentation.
  private static let everywhere = [
    anywhere, IPAddress(198, 51, 100, 1), IPAddress(203, 0, 113, 1),
  ]

  /// Listens and looks in a namespace.
  ///
  /// - Parameters:
  ///   - target: the address; usually any at all, which is what a default route leads to.
  ///   - namespace: the namespace; nil is the calling thread's.
  ///   - cellular: which interfaces are cellular.
  /// - Throws: ``LinuxError`` where the kernel cannot be asked.
  public init(
    target: IPAddress = anywhere, in namespace: NetworkNamespace? = nil,
    cellular: CellularRule = CellularRule()
  ) throws(LinuxError) {
    self.target = target
    self.cellular = cellular
    otherTarget = nil
    (events, controller) = try Self.listen(in: namespace)
  }

  /// Listens and looks in a namespace; where there is no way to the target, it reads how another
  /// address can be reached.
  package init(
    target: IPAddress, otherwise otherTarget: IPAddress, in namespace: NetworkNamespace? = nil
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

  /// The descriptor that can be read once there is a reason to look again.
  public var descriptor: Int32 { events.descriptor }

  /// Takes away what waits to be read.
  public func drain() throws(LinuxError) -> NetworkEvents.Drained { try events.drain() }

  /// How the address can be reached now.
  public func read() throws(LinuxError) -> ReachabilityReading {
    var route = target == Self.anywhere ? try defaultRoute() : try controller.route(to: target)
    if route == nil, let otherTarget {
      route = try controller.route(to: otherTarget)
      // The one may have come before the other went.
      if route == nil { route = try controller.route(to: target) }
    }
    return ReachabilityReading(route: route, rule: cellular)
  }

  /// The route to addresses that no network of this machine has; nil if there is none.
  private func defaultRoute() throws(LinuxError) -> Route? {
    var routes: [Route] = []
    for address in Self.everywhere {
      guard let route = try controller.route(to: address) else { return nil }
      routes.append(route)
    }
    // A route without a gateway can be that of a network on one of the ranges.
    return routes.first { $0.gateway != nil } ?? routes.last
  }

  /// Hands over how things stand, and then every change, until told to stop.
  ///
  /// A change of the way without one of the flags is told too: another hotspot, another address.
  /// Where events were lost, the reading is told even if it is the same as before.
  ///
  /// - Parameters:
  ///   - ending: ends it when signalled.
  ///   - deadline: ends it at this time of the monotonic clock, in microseconds.
  ///   - body: takes a change; ends it by answering false.
  /// - Throws: ``LinuxError`` where the kernel cannot be asked any more; never for lost events.
  public func follow(
    until ending: Wakening, deadline: Int64? = nil, _ body: (ReachabilityChange) -> Bool
  ) throws(LinuxError) {
    var seenAt = monotonicMicroseconds()
    _ = try drain()
    var reading = try read()
    guard body(ReachabilityChange(reading, .beginning, seenAt: seenAt)) else { return }
    while true {
      let rest = deadline.map { $0 - monotonicMicroseconds() }
      if let rest, rest <= 0 { return }
      let isReadable = try waitReadable([ending.descriptor, descriptor], atMost: rest)
      seenAt = monotonicMicroseconds()
      if isReadable[0] { return }
      guard isReadable[1] else { continue }
      let wereLost = try drain().wereLost
      let next = try read()
      guard wereLost || next != reading else { continue }
      reading = next
      let cause: ReachabilityChange.Cause = wereLost ? .resynchronised : .event
      guard body(ReachabilityChange(reading, cause, seenAt: seenAt)) else { return }
    }
  }
}
