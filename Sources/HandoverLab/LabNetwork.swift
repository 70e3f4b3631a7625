public import HandoverBackend
public import HandoverCore
public import HandoverLinux

/// The flags of a lab's device, as somebody derives them from the kernel.
public protocol LabFlags: Sendable {
  /// The flags as the kernel shows them now.
  func readFlags() throws(BackendError) -> ReachabilityFlags

  /// Tells of every change from now on; see ``HandoverBackend/LiveNetwork``.
  func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, _ seenAt: Int64) -> Void
  ) throws(BackendError)

  /// Tells of no change any more, once this has come back.
  func stop()
}

/// A lab as the network of a backend with real sockets.
public final class LabNetwork: LiveNetwork {
  /// The lab.
  public let lab: DeviceLab
  private let flags: any LabFlags

  /// Makes a lab and something that derives the flags of its device.
  ///
  /// - Parameters:
  ///   - plan: the paths and hosts.
  ///   - home: which namespace is the device.
  ///   - makeFlags: is given the namespace of the device.
  /// - Throws: ``HandoverBackend/BackendError`` where the lab cannot be had here.
  public init(
    _ plan: LivePlan, home: DeviceLab.Home,
    makeFlags: (NetworkNamespace) throws(BackendError) -> any LabFlags
  ) throws(BackendError) {
    // No lab of this make is large enough for it, wherever it is made.
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
    try Self.translated(.brokeDown, body)
  }

  /// Does work on a thread of the device.
  public func onDevice<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value {
    try doing { () throws(LinuxError) in try lab.device.run(body) }
  }

  /// Does work on a thread of the servers.
  public func onServers<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value {
    try doing { () throws(LinuxError) in try lab.servers.run(body) }
  }

  /// Where the server of a host listens.
  public func address(of host: Int) -> LiveAddress { lab.address(of: host) }

  /// Where a host with addresses of its own is called.
  public func ownAddresses(of host: Int) -> [LiveAddress] { lab.ownAddresses(of: host) }

  /// Brings the device to where it shall be.
  public func place(_ device: Device) throws(BackendError) {
    try doing { () throws(LinuxError) in try lab.place(device) }
  }

  /// Lets something become of a network.
  public func perform(_ deed: NetworkDeed) throws(BackendError) {
    try doing { () throws(LinuxError) in try lab.perform(deed) }
  }

  /// Turns the device's radio on or off.
  public func setRadio(isOn: Bool) { lab.setRadio(isOn: isOn) }

  /// The connections of the device to the hosts.
  public func flows() throws(BackendError) -> [LiveFlow] {
    try doing { () throws(LinuxError) in try lab.flows() }
  }

  /// Ends connections of the device by their local ports.
  public func abort(localPorts ports: [UInt16]) throws(BackendError) {
    try doing { () throws(LinuxError) in
      _ = try lab.abort { ports.contains($0.localPort) }
    }
  }

  /// Lets the packets of a connection vanish at the routers, or no more.
  public func drop(_ areDropped: Bool, localPort: UInt16, host: Int) throws(BackendError) {
    try doing { () throws(LinuxError) in
      try lab.drop(areDropped, localPort: localPort, host: host)
    }
  }

  /// Lets the packets of new connections to a host vanish, or no more.
  public func dropNew(
    _ areDropped: Bool, host: Int, established: [UInt16]
  ) throws(BackendError) {
    try doing { () throws(LinuxError) in
      try lab.dropNew(areDropped, host: host, established: established)
    }
  }

  /// Lets a fault of transports meet the flows of UDP to a host.
  public func treatDatagrams(_ word: TransportWord, host: Int) -> Int? {
    lab.treatDatagrams(word, to: lab.endpoints.first(of: host).address)
  }

  /// What the device has sent so far.
  public func traffic() throws(BackendError) -> LiveTraffic {
    try doing { () throws(LinuxError) in try lab.traffic() }
  }

  /// The flags as the kernel shows them now.
  public func readFlags() throws(BackendError) -> ReachabilityFlags { try flags.readFlags() }

  /// Tells of every change of the flags from now on.
  public func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, _ seenAt: Int64) -> Void
  ) throws(BackendError) {
    try flags.watchFlags(handler)
  }

  /// Tells of no change any more.
  public func stopWatching() { flags.stop() }

  /// Takes the device off every network; says what should have been closed before.
  public func close() -> [String] {
    stopWatching()
    return lab.close()
  }
}
