/// The power state of the device and of its radios.
public enum DevicePower: Hashable, Sendable {
  /// The device sleeps: the process is stopped and the radio is off, so nothing is acknowledged.
  case sleep
  /// The device is awake, with its previous address or with a new one.
  case wake(newAddress: Bool)
  /// Airplane mode is on or off; the application continues to run.
  ///
  /// If it is on, every network with a radio goes down. If it is off, these networks come up again.
  case airplane(isOn: Bool)
}

/// The consequences of airplane mode, while it is on.
package struct AirplaneMode: BitwiseCopyable, Hashable, Sendable {
  /// The networks that come up again when airplane mode is off.
  package var networks = PathSet()
  /// The network that is then the default again if there is no other, or `nil` if there was none.
  package var standard: PathIndex?

  /// Creates the consequences for a device.
  ///
  /// A network that lingers never comes up again, because nothing needs it any more.
  ///
  /// - Parameters:
  ///   - ending: The networks that airplane mode takes down.
  ///   - standard: The default network before, or `nil` if there was none.
  ///   - isLingering: Returns whether a network lingers.
  package init(
    ending: [PathIndex], default standard: PathIndex?, isLingering: (PathIndex) -> Bool
  ) {
    for path in ending where !isLingering(path) { networks.insert(PathSet(path)) }
    if let standard, networks.contains(standard) { self.standard = standard }
  }
}

extension [ScriptNetwork] {
  /// Returns the networks that airplane mode takes down, if `up` are up, in the order of the file.
  package func endingInAirplaneMode(up: PathSet) -> [PathIndex] {
    filter { $0.kind.endsInAirplaneMode && up.contains($0.path) }.map(\.path)
  }
}

extension NetworkKind {
  /// Whether airplane mode takes down networks of this kind.
  ///
  /// A VPN has no radio, but goes down together with the networks that carry it.
  fileprivate var endsInAirplaneMode: Bool {
    switch self {
    case .wifi, .cellular, .vpn: true
    case .ethernet: false
    }
  }
}

extension DevicePower {
  /// A sentence about the change, without a capital letter and without its period.
  package var phrase: String {
    switch self {
    case .sleep: "the device falls asleep: the app is stopped, and the radio is off"
    case .wake(newAddress: false): "the device wakes, with the address that it had"
    case .wake(newAddress: true): "the device wakes, with another address"
    case .airplane(isOn: true): "airplane mode is switched on: all radios are off"
    case .airplane(isOn: false): "airplane mode is switched off"
    }
  }

  /// A short description of the device after the change, for a table.
  package var state: String {
    switch self {
    case .sleep: "asleep, with its radio"
    case .wake(newAddress: false): "awake"
    case .wake(newAddress: true): "awake, with another address"
    case .airplane(isOn: true): "airplane mode"
    case .airplane(isOn: false): "airplane mode off"
    }
  }
}
