import HandoverCore
import HandoverJSON

private enum EntryKey: String, FieldKey {
  case at, flags, path, links, app, call, start, cancel, finish, send, disconnect
  case server, names, transport, monitor, receive, interceptor
  case request, ask, dispatcher, network, device, address

  static let vocabulary = Vocabulary<Self>()

  /// The possible actions of an entry; `path` is an action only without `flags`.
  static let actions: [EntryKey] = [
    .network, .flags, .path, .app, .call, .start, .cancel, .finish, .send, .disconnect, .server,
    .names,
    .transport, .monitor, .receive, .interceptor, .request, .ask, .dispatcher, .device,
  ]

  /// The actions of the application, which it cannot perform while it is suspended.
  static let ofApplication: [EntryKey] = [
    .call, .start, .cancel, .finish, .send, .disconnect, .receive, .interceptor, .request, .ask,
    .dispatcher,
  ]

  /// The actions on calls, which request profiles do not have.
  static let ofCalls: [EntryKey] = [
    .call, .start, .finish, .send, .disconnect, .receive, .interceptor,
  ]

  /// The actions of request profiles.
  static let ofRequests: [EntryKey] = [.request, .ask, .dispatcher]
}

private enum SendKey: String, FieldKey {
  case call, bytes

  static let vocabulary = Vocabulary<Self>()
}

private enum ServerKey: String, FieldKey {
  case host, `do`

  static let vocabulary = Vocabulary<Self>()
}

private enum TransportKey: String, FieldKey {
  case host, become

  static let vocabulary = Vocabulary<Self>()
}

private enum MonitorKey: String, FieldKey {
  case `do`, by, network

  static let vocabulary = Vocabulary<Self>()
}

private enum LinkState: String, CaseIterable {
  case up, down
}

// MARK: - Entries

extension ScenarioBuilder {
  mutating func readTimeline(_ value: JSONValue) {
    guard has(value, .array, "\"timeline\"") else { return }
    // Reserving avoids repeated copies while the table grows.
    let count = min(value.elementCount, ScenarioLimits.entries)
    script.entries.reserveCapacity(count)
    entryPositions.reserveCapacity(count)
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
    guard let fields = fields(value, "an entry of the timeline", EntryKey.self) else { return }
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
    if sorts.someMakeCalls, EntryKey.ofRequests.contains(key), let member = fields.member(key) {
      judgeProfiles(profiles, makeRequests: true, key.rawValue, at: member.key)
    }
    if sorts.someMakeRequests, EntryKey.ofCalls.contains(key), let member = fields.member(key) {
      judgeProfiles(profiles, makeRequests: false, key.rawValue, at: member.key)
    }
    guard let action = self.action(key, fields) else { return }
    script.entries.append(ScriptEntry(at: now, action: action))
    entryPositions.append(cursor.position(at: value.offset))
  }

  /// Reads the instant of an entry; if it is invalid, the previous instant is kept.
  private mutating func readInstant(_ fields: Fields<EntryKey>) {
    guard let value = required(.at, fields, "an entry of the timeline"),
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

  private mutating func action(_ key: EntryKey, _ fields: Fields<EntryKey>) -> ScriptAction? {
    guard let value = fields[key] else { return nil }
    switch key {
    case .flags:
      return flagsChange(value, fields)
    case .path:
      return move(value, at: fields.member(.path)?.key ?? value)
    case .app:
      guard let state: AppState = word(value, "\"app\""), appCanMove(at: value) else { return nil }
      app = state
      return .app(state)
    case .call:
      return madeCall(value)
    case .start:
      return startOfCall(named: value)
    case .cancel:
      return cancellation(value)
    case .finish:
      return sendingCall(named: value, "\"finish\"").map(ScriptAction.finish)
    case .send:
      return message(value)
    case .disconnect:
      return hostSelector(value, "\"disconnect\"").map(ScriptAction.disconnect)
    case .server:
      return server(value)
    case .names:
      return names(value)
    case .transport:
      return transport(value)
    case .monitor:
      return monitorFault(value, at: fields.member(.monitor)?.key ?? value)
    case .receive:
      return receive(value)
    case .interceptor:
      return interceptorCommand(value)
    case .request:
      return request(value)
    case .ask:
      return ask(value, at: fields.member(.ask)?.key ?? value)
    case .dispatcher:
      return dispatcherCommand(value, at: fields.member(.dispatcher)?.key ?? value)
    case .network:
      let signal = fields[.flags].flatMap { self.flags($0) }
      return networkChange(value, at: fields.member(.network)?.key ?? value, signal)
    case .device:
      return power(
        value, address: fields[.address], addressKey: fields.member(.address)?.key)
    case .at, .links, .address:
      return nil
    }
  }
}

// MARK: - The device

extension ScenarioBuilder {
  private mutating func flagsChange(_ value: JSONValue, _ fields: Fields<EntryKey>) -> ScriptAction?
  {
    let flags = self.flags(value)
    guard script.networks.isEmpty else {
      refuse(
        [.path, .links], fields, "if the scenario declares networks, \"flags\" are only a callback",
        hint: "write a \"network\" entry to change a network")
      return flags.map(ScriptAction.signal)
    }
    let path = fields[.path].flatMap { self.path($0) }
    var linksUp = PathSet()
    var linksDown = PathSet()
    if let links = fields[.links], has(links, .object, "\"links\"") {
      for member in links.members where !FreeKeys.contains(member.key.text ?? "") {
        let path = self.knownPath(member.key)
        let state: LinkState? = word(member.value, "a link")
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
  private mutating func message(_ value: JSONValue) -> ScriptAction? {
    let owner = "\"send\""
    guard let fields = fields(value, owner, SendKey.self) else { return nil }
    let call = required(.call, fields, owner).flatMap { self.sendingCall(named: $0, owner) }
    let bytes = required(.bytes, fields, owner).flatMap {
      self.integer($0, "\"bytes\"", 1...ScenarioLimits.messageByteCount)
    }
    guard let call, let bytes else { return nil }
    guard hasRoom(forBytes: bytes, of: call, at: fields[.bytes] ?? value) else { return nil }
    return .send(call, bytes: bytes)
  }

  private mutating func server(_ value: JSONValue) -> ScriptAction? {
    let owner = "\"server\""
    guard let fields = fields(value, owner, ServerKey.self) else { return nil }
    let host = required(.host, fields, owner).flatMap { self.host($0, "the host") }
    let word: ServerFault? = required(.do, fields, owner).flatMap { self.word($0, "a server") }
    guard let host, let word else { return nil }
    return .server(host, word)
  }

  private mutating func names(_ value: JSONValue) -> ScriptAction? {
    let owner = "\"names\""
    guard let fields = fields(value, owner, ServerKey.self) else { return nil }
    let host = required(.host, fields, owner).flatMap { self.host($0, "the host") }
    let word: DNSFault? = required(.do, fields, owner).flatMap {
      self.word($0, "name lookup")
    }
    guard let host, let word else { return nil }
    return .names(host, word)
  }

  private mutating func transport(_ value: JSONValue) -> ScriptAction? {
    let owner = "\"transport\""
    guard let fields = fields(value, owner, TransportKey.self) else { return nil }
    let host = required(.host, fields, owner).flatMap { self.hostSelector($0, "the host") }
    let word: ConnectionFault? = required(.become, fields, owner).flatMap {
      self.word($0, "a connection")
    }
    guard let host, let word else { return nil }
    return .transport(host, word)
  }

  private mutating func monitorFault(_ value: JSONValue, at key: JSONValue) -> ScriptAction? {
    if !profiles.contains(where: \.policy.monitorsReachability) {
      report(
        .noMonitor, at: key, "none of the scenario's profiles has a monitor",
        hint:
          "add a profile with a monitor to \"profiles\", such as \"\(Profile.socketsMonitor.name)\""
      )
    }
    let owner = "\"monitor\""
    guard let fields = fields(value, owner, MonitorKey.self) else { return nil }
    guard
      let word: MonitorFault = required(.do, fields, owner).flatMap({ self.word($0, "a callback") })
    else { return nil }
    let network = fields[.network].flatMap { self.declaredNetwork($0) }
    switch word {
    case .delay:
      _ = required(.by, fields, "a delay")
      return interval(fields[.by], "\"by\"").map { .monitor(word, by: $0, of: network) }
    case .miss:
      refuse(
        .by, fields, "it requires \"do\": \"delay\"",
        hint: "remove \"by\", or write \"do\": \"delay\"")
      return .monitor(word, by: .zero, of: network)
    case .duplicate, .overrun:
      refuse(
        .by, fields, "it requires \"do\": \"delay\"",
        hint: "remove \"by\", or write \"do\": \"delay\"")
      refuse(
        .network, fields, "it requires \"do\": \"delay\" or \"miss\"",
        hint: "remove \"network\", because the entry does not apply to a single network")
      return .monitor(word, by: .zero)
    }
  }
}
