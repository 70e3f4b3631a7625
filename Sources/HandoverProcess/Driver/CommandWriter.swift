import HandoverCore

/// A writer of the protocol's commands, one line each.
struct CommandWriter {
  private var json = JSONText()

  /// Returns everything written since the previous line as a line.
  private mutating func line() -> [UInt8] {
    json.newline()
    let bytes = json.bytes
    json.removeAll()
    return bytes
  }

  mutating func start() -> [UInt8] {
    json.beginObject()
    json.member("cmd", "start")
    json.member("version", BackendHello.version)
    json.endObject()
    return line()
  }

  /// Returns the command that opens a run; in real time, it contains the addresses of the hosts.
  mutating func open(
    _ script: Script, _ profile: Profile, at hosts: HostAddresses? = nil, seq: Int
  ) -> [UInt8] {
    beginOpen(script, profile, seq: seq)
    write(script.configuration, profile.policy)
    json.key("initial")
    json.beginObject()
    json.flags(script.initial.flags)
    json.member("app", script.initial.app.index)
    if !script.initial.monitorIsReadable { json.member("monitor", "unreadable") }
    json.endObject()
    hosts?.write(to: &json)
    json.endObject()
    return line()
  }

  /// Returns the command that opens a run for the program that runs the servers.
  mutating func openServers(_ hosts: HostAddresses, seq: Int) -> [UInt8] {
    json.beginObject()
    json.member("cmd", "open")
    json.member("seq", seq)
    json.member("now", 0)
    hosts.write(to: &json)
    json.endObject()
    return line()
  }

  /// Writes the first members of `open`, which are the same for all roles.
  private mutating func beginOpen(_ script: Script, _ profile: Profile, seq: Int) {
    json.beginObject()
    json.member("cmd", "open")
    json.member("seq", seq)
    json.member("now", 0)
    json.member("scenario", script.name)
    json.member("profile", profile.name)
  }

  /// Returns the command that opens a run; `body` writes the members for the role.
  mutating func open(
    _ script: Script, _ profile: Profile, seq: Int, _ body: (inout JSONText) -> Void
  ) -> [UInt8] {
    beginOpen(script, profile, seq: seq)
    body(&json)
    json.endObject()
    return line()
  }

  private mutating func write(_ settings: RunConfiguration, _ policy: ClientPolicy) {
    json.key("config")
    json.beginObject()
    json.key("backoff")
    json.beginObject()
    json.member("initial", settings.backoff.initial.microseconds)
    json.decimal("multiplier", settings.backoff.multiplier)
    json.decimal("jitter", settings.backoff.jitter)
    json.member("max", settings.backoff.maximum.microseconds)
    json.member("minConnectTimeout", settings.backoff.minimumConnectTimeout.microseconds)
    json.endObject()
    json.member("idle", (settings.idle ?? policy.unusedChannelLifetime)?.microseconds)
    json.keepalive(settings.keepalive)
    if settings.order.observers != .pool {
      json.member("observers", settings.order.observers.rawValue)
    }
    json.key("seed")
    json.value(settings.seed)
    json.endObject()
  }

  mutating func advance(seq: Int, now: Instant) -> [UInt8] {
    plain("advance", seq, now)
  }

  mutating func close(seq: Int, now: Instant) -> [UInt8] {
    plain("close", seq, now)
  }

  mutating func digest(seq: Int, now: Instant) -> [UInt8] {
    plain("digest", seq, now)
  }

  private mutating func plain(_ command: String, _ seq: Int, _ now: Instant) -> [UInt8] {
    json.beginObject()
    json.member("cmd", command)
    json.member("seq", seq)
    json.member("now", now.microseconds)
    json.endObject()
    return line()
  }

  mutating func event(
    seq: Int, now: Instant, _ body: (inout JSONText) -> Void
  ) -> [UInt8] {
    json.beginObject()
    json.member("cmd", "event")
    json.member("seq", seq)
    json.member("now", now.microseconds)
    json.key("event")
    json.beginObject()
    body(&json)
    json.endObject()
    json.endObject()
    return line()
  }

  /// Returns one command for several events of one instant, numbered from `seq` on.
  mutating func batch(
    _ events: ArraySlice<ClientCore.Event>, seq: Int, now: Instant, _ text: EventText
  ) -> [UInt8] {
    json.beginObject()
    json.member("cmd", "batch")
    json.key("events")
    json.beginArray()
    for (index, event) in events.enumerated() {
      json.beginObject()
      json.member("seq", seq + index)
      json.member("now", now.microseconds)
      json.key("event")
      json.beginObject()
      text.write(event, to: &json)
      json.endObject()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return line()
  }
}

extension AppState {
  /// The state as a value of the protocol.
  ///
  /// The protocol does not distinguish whether the application runs in the background. Which events
  /// it receives shows that.
  var index: String {
    (isInBackground ? AppState.background : .foreground).rawValue
  }
}

extension JSONText {
  /// Writes a ratio as a number with at most three decimals, which is the precision of the input.
  mutating func decimal(_ name: String, _ ratio: Ratio) {
    key(name)
    value(thousandths: UInt64(max(0, ratio.numerator * 1_000 / max(1, ratio.denominator))))
  }

  /// Writes the options in a channel's key.
  mutating func options(_ options: ChannelOptions) {
    key("options")
    beginObject()
    times(of: options)
    for other in options.others {
      let parts = other.split(separator: "=", maxSplits: 1)
      member(String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
    }
    endObject()
  }
}
