import HandoverCore
import HandoverJSON

extension ScenarioBuilder {
  /// Flags in any of their four notations.
  mutating func flags(_ value: JSONValue) -> ReachabilityFlags? {
    switch value.kind {
    case .array: return flagNames(value)
    case .object: return flagTable(value)
    case .text: return flagsOfLog(value)
    case .number: return rawFlags(value)
    case .null, .true, .false:
      wrongType(
        value, "the flags", wanted: "an array of names",
        hint: "write [\"Reachable\"], {\"Reachable\": 1}, \"-R -------\" or 2; no flags are []")
      return nil
    }
  }

  private mutating func flagNames(_ value: JSONValue) -> ReachabilityFlags {
    var flags: ReachabilityFlags = []
    for element in value.elements {
      guard has(element, .text, "a flag"), let flag = flag(element) else { continue }
      guard !flags.contains(flag) else {
        report(
          .duplicateFlag, at: element,
          "the flag \(Excerpt.quoted(element.text ?? "")) is named twice",
          hint: "remove one of the two")
        continue
      }
      flags.insert(flag)
    }
    return flags
  }

  private mutating func flagTable(_ value: JSONValue) -> ReachabilityFlags {
    var flags: ReachabilityFlags = []
    for member in value.members where !FreeKeys.contains(member.key.text ?? "") {
      guard let flag = flag(member.key) else { continue }
      let isSet: Bool?
      if member.value.kind == .number {
        isSet = integer(member.value, "a flag", 0...1).map { $0 == 1 }
      } else {
        isSet = boolean(member.value, "a flag")
      }
      if isSet == true { flags.insert(flag) }
    }
    return flags
  }

  /// The flag that a text or a key names.
  private mutating func flag(_ name: JSONValue) -> ReachabilityFlags? {
    let text = name.text ?? ""
    let names = ReachabilityFlags.names
    if let flag = names.first(where: { $0.name == text })?.flag { return flag }
    reportUnknown(
      .unknownFlag, at: name, "there is no flag \(Excerpt.quoted(text))", text,
      names: names.map(\.name))
    return nil
  }

  private mutating func flagsOfLog(_ value: JSONValue) -> ReachabilityFlags? {
    // Nine places and a space; the quotes and some escapes are allowed for.
    let text = value.byteCount <= 64 ? value.text ?? "" : ""
    if let flags = ReachabilityFlags(logText: text) { return flags }
    if let flag = ReachabilityFlags.names.first(where: { $0.name == text })?.name {
      report(
        .invalidFlagsText, at: value, "one flag stands here without a list",
        hint: "write [\"\(flag)\"]")
      return nil
    }
    if let meant = Self.networks.first(where: { $0.names.contains(text.lowercased()) }) {
      report(
        .invalidFlagsText, at: value, "flags are what the device reports, and no network",
        hint: "write \(meant.flags)")
      return nil
    }
    report(
      .invalidFlagsText, at: value, "the flags are not the nine places of a device's log",
      hint: "write each place of \"\(ReachabilityFlags.all.logText)\" as its letter or as -, "
        + "with the space, or an array of names")
    return nil
  }

  /// Names of networks that people write where flags belong, and the flags that mean them.
  private static let networks: [(names: [String], flags: String)] = [
    (["wifi", "wi-fi", "wlan", "ethernet"], "[\"Reachable\"], which is WiFi"),
    (
      ["cellular", "wwan", "mobile", "lte", "4g", "5g", "3g"],
      "[\"Reachable\", \"IsWWAN\"], which is cellular"
    ),
    (["none", "offline", "off", "disconnected", "no network"], "[], which is no network"),
  ]

  private mutating func rawFlags(_ value: JSONValue) -> ReachabilityFlags? {
    guard let bits: UInt32 = integer(value, "the raw flags", 0...UInt32.max) else { return nil }
    let flags = ReachabilityFlags(rawValue: bits)
    let unnamed = flags.subtracting(.all)
    if !unnamed.isEmpty {
      report(
        .unnamedFlagBits, at: value,
        "the raw flags set bits without a name: \(unnamed.rawValue)",
        hint: "they decide nothing; write \(flags.intersection(.all).rawValue) to leave them out")
    }
    return flags
  }
}
