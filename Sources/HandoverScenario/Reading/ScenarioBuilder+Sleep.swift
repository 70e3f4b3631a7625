import HandoverCore

extension ScenarioBuilder {
  /// Reads a change of the device's power state.
  mutating func power(
    _ value: JSONValue, address: JSONValue?, addressKey: JSONValue?
  ) -> ScriptAction? {
    let keyword: PowerKeyword? = keyword(value, "\"device\"")
    let address: AddressKeyword? = address.flatMap { self.keyword($0, "\"address\"") }
    guard let keyword else { return nil }
    if keyword != .wake, let addressKey {
      report(
        .keyOutOfPlace, at: addressKey,
        "\"address\" has no effect here: it requires \"device\": \"wake\"",
        hint: "remove \"address\", or move it to the entry with \"wake\"")
    }
    switch keyword {
    case .sleep:
      guard stateAfterWake == nil else { return powerUnchanged("asleep", at: value) }
      stateAfterWake = app
      app = .background
      return .power(.sleep)
    case .wake:
      guard let before = stateAfterWake else { return powerUnchanged("awake", at: value) }
      app = before
      stateAfterWake = nil
      return .power(.wake(newAddress: address == .new))
    case .airplane, .airplaneOff:
      return airplaneMode(isOn: keyword == .airplane, at: value)
    }
  }

  private mutating func airplaneMode(isOn: Bool, at location: JSONValue) -> ScriptAction? {
    guard !script.networks.isEmpty else {
      report(
        .keyOutOfPlace, at: location,
        "airplane mode has no effect here: the scenario declares no networks",
        hint: isOn
          ? "write \"flags\": [] for a device without a network, or declare \"networks\""
          : "write the \"flags\" of the network that returns, or declare \"networks\"")
      return nil
    }
    guard stateAfterWake == nil else {
      report(
        .deviceAsleep, at: location, "airplane mode changes while the device sleeps",
        hint: "add an earlier entry with \"device\": \"wake\"")
      return nil
    }
    networks.advance(to: now)
    guard isOn == (networks.airplane == nil) else {
      report(
        .networkUnchanged, at: location,
        "airplane mode is already \(isOn ? "on" : "off") at \(now.text)",
        hint: "remove the entry, or change the order of the entries")
      return nil
    }
    if isOn { networks.enterAirplaneMode(script.networks) } else { networks.leaveAirplaneMode() }
    return .power(.airplane(isOn: isOn))
  }

  private mutating func powerUnchanged(_ state: String, at location: JSONValue) -> ScriptAction? {
    report(
      .deviceAsleep, at: location, "the device is already \(state) at \(now.text)",
      hint: "remove the entry, or change the order of the entries")
    return nil
  }

  /// Returns whether the application's state can change; it cannot while the device sleeps.
  mutating func appCanMove(at location: JSONValue) -> Bool {
    guard stateAfterWake != nil else { return true }
    report(
      .deviceAsleep, at: location, "the application state changes while the device sleeps",
      hint: "add an earlier entry with \"device\": \"wake\"")
    return false
  }
}
