import HandoverCore

// MARK: - Entries

extension ScenarioBuilder {
  mutating func readTimeline(_ value: JSONValue) {
    guard has(value, .array, "\"timeline\"") else { return }
    for (index, element) in value.elements.enumerated() {
      guard index < ScenarioLimits.entries else {
        report(
          .tooManyEntries, at: element,
          "the timeline has more than \(ScenarioLimits.entries) entries",
          hint: "split the scenario into several")
        break
      }
      readEntry(element)
    }
    judgeCallsNotYetStarted()
  }

  private mutating func readEntry(_ value: JSONValue) {
    guard let fields = fields(value, EntryKey.self) else { return }
    readInstant(fields)
    guard let key = action(fields) else { return }
    if !app.runs, EntryKey.ofApplication.contains(key), let member = fields.member(key) {
      report(
        .inBackground, at: member.key,
        "\"\(key.rawValue)\" happens while the application is suspended",
        hint:
          "move the entry to a time at which the application runs; to run in the background, write "
          + "\"app\": \"\(AppState.backgroundRunning.rawValue)\"")
    }
    if work.hasCalls, EntryKey.ofRequests.contains(key), let member = fields.member(key) {
      judgeProfiles(profiles, take: .requests, key.rawValue, at: member.key)
    }
    if work.hasRequests, EntryKey.ofCalls.contains(key), let member = fields.member(key) {
      judgeProfiles(profiles, take: .calls, key.rawValue, at: member.key)
    }
    guard let action = self.action(key, fields) else { return }
    script.entries.append(ScriptEntry(at: now, action: action))
    entryPositions.append(cursor.position(at: value.offset))
  }

  /// Reads the instant of an entry; if it is invalid, the previous instant is kept.
  private mutating func readInstant(_ fields: Fields<EntryKey>) {
    guard let value = fields[.at],
      let time = time(value, "\"at\"")
    else { return }
    let instant = time.isRelative ? now + time.interval : .zero + time.interval
    guard instant >= now else {
      report(
        .timeBackwards, at: value,
        "\(instant.text) is earlier than the entry before, at \(now.text)",
        hint: "sort the entries by time, or write a relative time such as \"+1s\"")
      return
    }
    guard instant <= .zero + ScenarioLimits.longestTime else {
      report(
        .timeOutOfRange, at: value,
        "the entry is later than \(ScenarioLimits.longestTime.text)",
        hint: "write an earlier time")
      return
    }
    now = instant
    if let until = script.configuration.until, now > until, !hasReportedEntryAfterUntil {
      hasReportedEntryAfterUntil = true
      report(
        .entryAfterUntil, at: value,
        "the run ends at \(until.text), before this entry and the entries after it",
        hint: "increase \"until\" in \"config\", or remove the entries")
    }
  }

  /// Returns the single action of an entry.
  private mutating func action(_ fields: Fields<EntryKey>) -> EntryKey? {
    let hasFlags = fields[.flags] != nil
    if !hasFlags {
      refuse(
        .links, fields, "it requires \"flags\"",
        hint: "add \"flags\" for the network change, or remove \"links\"")
    }
    if fields[.device] == nil {
      refuse(
        .address, fields, "it requires \"device\"",
        hint: "add \"device\": \"wake\", or remove \"address\"")
    }
    var first: EntryKey?
    let hasNetwork = fields[.network] != nil
    fields.forEachPresent(among: EntryKey.actions) { key in
      guard key != .path || !hasFlags, key != .flags || !hasNetwork else { return }
      guard let first else {
        first = key
        return
      }
      guard let member = fields.member(key) else { return }
      report(
        .severalActions, at: member.key,
        "an entry can do only one thing; this one has both \"\(first.rawValue)\" and "
          + "\"\(key.rawValue)\"",
        hint: "write a separate entry for each; both entries may have the same time")
    }
    if first == nil {
      report(
        .missingAction, at: fields.object, "the entry does nothing",
        hint: "add one of \(Excerpt.alternatives(EntryKey.actions.map(\.rawValue)))")
    }
    return first
  }
}

// MARK: - The device

extension ScenarioBuilder {
  /// Reports keys about paths beside `flags`, if the scenario declares networks.
  mutating func refusePaths(_ fields: Fields<EntryKey>) {
    refuse(
      [.path, .links], fields, "if the scenario declares networks, \"flags\" are only a callback",
      hint: "write a \"network\" entry to change a network")
  }

  mutating func flagsChange(_ value: JSONValue, _ fields: Fields<EntryKey>) -> ScriptAction? {
    let flags = self.flags(value)
    guard script.networks.isEmpty else {
      refusePaths(fields)
      return flags.map(ScriptAction.signal)
    }
    let path = fields[.path].flatMap { self.path($0) }
    var linksUp = PathSet()
    var linksDown = PathSet()
    if let links = fields[.links], has(links, .object, "\"links\"") {
      for member in links.members where !FreeKeys.contains(member.key.text ?? "") {
        let path = self.knownPath(member.key)
        let state: LinkState? = keyword(member.value, "a link")
        guard let path, let state else { continue }
        switch state {
        case .up: linksUp.insert(PathSet(path))
        case .down: linksDown.insert(PathSet(path))
        }
      }
    }
    return flags.map { .flags($0, path: path, linksUp: linksUp, linksDown: linksDown) }
  }
}

// MARK: - Flags

extension ScenarioBuilder {
  /// Reads flags in any of their four notations.
  mutating func flags(_ value: JSONValue) -> ReachabilityFlags? {
    switch value.kind {
    case .array: return flagNames(value)
    case .object: return flagTable(value)
    case .text: return flagsOfLog(value)
    case .number: return rawFlags(value)
    case .null, .true, .false:
      wrongType(
        value, "the flags", wanted: "an array of names",
        hint: "write [\"Reachable\"], {\"Reachable\": 1}, \"-R -------\" or 2; [] means no flags")
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

  /// Reads the name of a flag.
  private mutating func flag(_ name: JSONValue) -> ReachabilityFlags? {
    let text = name.text ?? ""
    let names = ReachabilityFlags.names
    if let flag = names.first(where: { $0.name == text })?.flag { return flag }
    reportUnknown(
      .unknownFlag, at: name, "unknown flag \(Excerpt.quoted(text))", text,
      names: names.map(\.name))
    return nil
  }

  private mutating func flagsOfLog(_ value: JSONValue) -> ReachabilityFlags? {
    // The notation has nine characters and a space; the limit leaves room for quotes and escapes.
    let text = value.byteCount <= 64 ? value.text ?? "" : ""
    if let flags = ReachabilityFlags(logText: text) { return flags }
    if let flag = ReachabilityFlags.names.first(where: { $0.name == text })?.name {
      report(
        .invalidFlagsText, at: value, "a single flag must be in a list",
        hint: "write [\"\(flag)\"]")
      return nil
    }
    if let meant = Self.networks.first(where: { $0.names.contains(text.lowercased()) }) {
      report(
        .invalidFlagsText, at: value, "this is a network, and flags are required",
        hint: "write \(meant.flags)")
      return nil
    }
    report(
      .invalidFlagsText, at: value, "the flags are not nine characters as in a device log",
      hint: "write each character of \"\(ReachabilityFlags.all.logText)\" or - in its place, "
        + "with the space, or an array of names")
    return nil
  }

  /// Names of networks that authors write instead of flags, with the corresponding flags.
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
        "the raw flags set bits that no flag has: \(unnamed.rawValue)",
        hint: "write \(flags.intersection(.all).rawValue), because these bits have no effect")
    }
    return flags
  }
}

// MARK: - Messages and faults

extension ScenarioBuilder {
  mutating func message(_ value: JSONValue) -> ScriptAction? {
    // Messages are the most frequent entries, and the loop over a table takes longer.
    guard let fields = fields(value, ScenarioFormat.send) else { return nil }
    let call = fields["call"].flatMap { self.sendingCall(named: $0, "\"send\"") }
    let bytes = fields["bytes"].flatMap {
      self.integer($0, "\"bytes\"", 1...ScenarioLimits.messageByteCount)
    }
    guard let call, let bytes, hasRoom(forBytes: bytes, of: call, at: fields["bytes"] ?? value)
    else { return nil }
    return .send(call, bytes: bytes)
  }

  mutating func monitorFault(_ value: JSONValue, at key: JSONValue) -> ScriptAction? {
    if !profiles.contains(where: \.policy.monitorsReachability) {
      report(
        .noMonitor, at: key, "none of the scenario's profiles has a monitor",
        hint:
          "add a profile with a monitor to \"profiles\", such as \"\(Profile.socketsMonitor.name)\""
      )
    }
    return read(value, ScenarioFormat.monitorFault).map {
      .monitor($0.fault, by: $0.by, of: $0.network)
    }
  }
}
