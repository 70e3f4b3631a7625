public import HandoverCore

/// A command to the networks of a device.
///
/// ``DeviceTimeline`` derives the commands from timeline entries. A world executes the commands on
/// simulated connections or in the kernel.
@frozen
public enum NetworkCommand: BitwiseCopyable, Hashable, Sendable {
  /// The network is up again: connections that were made on it continue.
  case restore(PathIndex)
  /// The network ends its connections in this way, and goes down next.
  case end(PathIndex, NetworkEnding)
  /// The obstacle blocks the network from now on.
  case obstruct(PathIndex, NetworkObstacle)
  /// The obstacle no longer blocks the network.
  case clear(PathIndex, NetworkObstacle)
  /// The router of the network forgets its flows, or maps them to other ports or addresses.
  case translate(PathIndex, NATChange, UnknownFlows)
  /// The device gets new addresses on the networks.
  case renewAddresses(PathSet)
  /// The radio and the monotonic clock of the device run or stop.
  case setRadio(isOn: Bool)

  /// Whether the command removes something that a program was using.
  package var takesAway: Bool {
    switch self {
    case .end, .translate, .renewAddresses: true
    case .obstruct(_, let obstacle): obstacle != .takenOver
    case .restore, .clear, .setRadio: false
    }
  }
}

/// A reason why data does not pass a network that is up.
@frozen
public enum NetworkObstacle: BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// A captive portal is in front of all servers.
  case portal
  /// The router has no uplink.
  case uplinkDown
  /// The packets that the device sends are lost.
  case requestsLost
  /// The packets to the device are lost.
  case answersLost
  /// A VPN that takes all traffic is the default network.
  case takenOver
}
