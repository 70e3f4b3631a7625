/// The power state of the device.
public enum DevicePower: Hashable, Sendable {
  /// The device sleeps: the process is stopped and the radio is off, so nothing is acknowledged.
  case sleep
  /// The device is awake, with its previous address or with a new one.
  case wake(newAddress: Bool)
}

extension DevicePower {
  /// A sentence about the change, without a capital letter and without its period.
  package var phrase: String {
    switch self {
    case .sleep: "the device falls asleep: the app is stopped, and the radio is off"
    case .wake(newAddress: false): "the device wakes, with the address that it had"
    case .wake(newAddress: true): "the device wakes, with another address"
    }
  }

  /// A short description of the device after the change, for a table.
  package var state: String {
    switch self {
    case .sleep: "asleep, with its radio"
    case .wake(newAddress: false): "awake"
    case .wake(newAddress: true): "awake, with another address"
    }
  }
}
