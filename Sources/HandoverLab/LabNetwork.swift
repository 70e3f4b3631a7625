public import HandoverBackend
public import HandoverCore
public import HandoverLinux

/// Derives the flags of a lab's device from the kernel.
public protocol LabFlags: Sendable {
  /// Returns the current flags of the kernel.
  func readFlags() throws(BackendError) -> ReachabilityFlags

  /// Calls the handler for every change of the flags; see ``HandoverBackend/LiveNetwork``.
  func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, _ seenAt: Int64) -> Void
  ) throws(BackendError)

  /// Stops calling the handler.
  ///
  /// No call follows after this function returns.
  func stop()
}

/// A lab as the network of a backend with real sockets.
public final class LabNetwork: LiveNetwork {
  /// The lab.
  public let lab: DeviceLab
  private let flags: any LabFlags

  /// Creates a lab and an object that derives the flags of its device.
  ///
  /// - Parameters:
  ///   - plan: the paths and hosts.
  ///   - home: the namespace that serves as the device.
  ///   - makeFlags: a closure that creates the object for the namespace of the device.
  /// - Throws: ``HandoverBackend/BackendError`` if the lab cannot be created.
  public init(
    _ plan: LivePlan, home: DeviceLab.Home,
    makeFlags: (NetworkNamespace) throws(BackendError) -> any LabFlags
  ) throws(BackendError) {
    // A plan with too many networks is unsupported on every machine.
    _ = try Self.translated(.unsupported) { () throws(LinuxError) in
      try DeviceLab.networks(plan)
    }
    lab = try Self.translated(.cannotStart) { () throws(LinuxError) in
      try DeviceLab(plan, home: home)
    }
    lab.watchDatagrams()
    flags = try makeFlags(lab.device)
  }

  private static func translated<Value>(
    _ code: BackendError.Code, _ body: () throws(LinuxError) -> Value
  ) throws(BackendError) -> Value {
    do throws(LinuxError) {
      return try body()
    } catch {
      throw BackendError(code, error.description)
    }
  }

  private func doing<Value>(
    _ body: () throws(LinuxError) -> Value
  ) throws(BackendError) -> Value {
    try Self.translated(.backendFailed, body)
  }

  /// Runs a closure on a thread of the device.
  public func onDevice<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value {
    try doing { () throws(LinuxError) in try lab.device.run(body) }
  }

  /// Runs a closure on a thread of the servers.
  public func onServers<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value {
    try doing { () throws(LinuxError) in try lab.servers.run(body) }
  }

  /// Returns the address at which the server of a host listens.
  public func address(of host: Int) -> LiveAddress { lab.address(of: host) }

  /// Returns the addresses that a host lists.
  public func ownAddresses(of host: Int) -> [LiveAddress] { lab.ownAddresses(of: host) }

  /// Moves the device to its new state.
  public func apply(_ device: Device) throws(BackendError) {
    try doing { () throws(LinuxError) in try lab.apply(device) }
  }

  /// Executes a command of the device's timeline.
  public func perform(_ command: NetworkCommand) throws(BackendError) {
    try doing { () throws(LinuxError) in try lab.perform(command) }
  }

  /// Sets the quality of a path.
  public func setQuality(_ quality: LinkQuality, of path: PathIndex) {
    lab.setQuality(quality, of: path)
  }

  /// Returns the connections of the device to the hosts.
  public func flows(to hosts: HostSelector) throws(BackendError) -> [LiveFlow] {
    try doing { () throws(LinuxError) in try lab.flows(to: hosts) }
  }

  /// Ends connections of the device.
  public func abort(_ flows: [LiveFlow]) throws(BackendError) {
    try doing { () throws(LinuxError) in _ = try lab.abort(flows) }
  }

  /// Drops the packets of connections at the routers from now on.
  public func drop(_ flows: [LiveFlow]) throws(BackendError) {
    try doing { () throws(LinuxError) in try lab.drop(flows) }
  }

  /// Drops the packets to a host from now on, except those of some existing connections.
  public func dropNewConnections(to host: Int, except flows: [LiveFlow]) throws(BackendError) {
    try doing { () throws(LinuxError) in try lab.dropNewConnections(to: host, except: flows) }
  }

  /// Lets the packets from and to a host pass again.
  public func stopDropping(host: Int) throws(BackendError) {
    try doing { () throws(LinuxError) in try lab.stopDropping(host: host) }
  }

  /// Drops all packets from and to an address of a host at the routers, or stops doing so.
  public func setReachable(
    _ isReachable: Bool, address position: Int, host: Int
  ) throws(BackendError) {
    try doing { () throws(LinuxError) in
      _ = try lab.setReachable(isReachable, address: position, host: host)
    }
  }

  /// Applies a transport fault to the UDP flows to a host.
  public func applyFault(_ fault: ConnectionFault, toDatagramsOf host: Int) -> Int? {
    lab.applyFaultToDatagrams(fault, to: host)
  }

  /// Returns what the device has sent so far.
  public func traffic() throws(BackendError) -> LiveTraffic {
    try doing { () throws(LinuxError) in try lab.traffic() }
  }

  /// Returns the current flags of the kernel.
  public func readFlags() throws(BackendError) -> ReachabilityFlags { try flags.readFlags() }

  /// Calls the handler for every change of the flags.
  public func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, _ seenAt: Int64) -> Void
  ) throws(BackendError) {
    try flags.watchFlags(handler)
  }

  /// Stops calling the handler.
  public func stopWatching() { flags.stop() }

  /// Takes the device off every network, and returns descriptions of everything that should have
  /// been closed earlier.
  public func close() -> [String] {
    stopWatching()
    return lab.close()
  }
}
