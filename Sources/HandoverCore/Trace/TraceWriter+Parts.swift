// Writes the parts of a record.
extension TraceWriter: RecordCoder {
  package mutating func begin(_ keyword: String) {
    json.key(keyword)
    json.beginObject()
  }

  package mutating func call(_ id: CallID) -> CallID {
    json.member("call", name(of: id))
    pair("id", id.index, id.generation)
    return id
  }

  package mutating func connection(_ id: ConnectionID) -> ConnectionID {
    pair("connection", id.index, id.generation)
    return id
  }

  package mutating func channel(_ id: ChannelID) -> ChannelID {
    let endpoint = Int(id.endpoint.index)
    let host = endpoint < endpointHosts.count ? Int(endpointHosts[endpoint]) : .max
    json.member("host", host < script.hosts.count ? script.hosts[host].written : nil)
    pair("channel", id.endpoint.index, id.generation)
    return id
  }

  package mutating func index(of kind: NamedKind, _ index: UInt32) -> UInt32 {
    json.key(kind.rawValue)
    if let name = name(of: kind, Int(index)) { json.value(name) } else { json.value(index) }
    return index
  }

  /// Returns the name that the script gives an object, or `nil` if the script does not define the
  /// object.
  private func name(of kind: NamedKind, _ index: Int) -> String? {
    switch kind {
    case .host: index < script.hosts.count ? script.hosts[index].written : nil
    case .call: index < script.calls.count ? script.calls[index].id : nil
    case .request: index < script.requests.count ? script.requests[index].id : nil
    case .question: index < script.questions.count ? script.questions[index].id : nil
    case .pool: index < script.pools.count ? script.pools[index] : nil
    }
  }

  package mutating func entry(_ index: UInt32) -> UInt32 {
    json.key("entry")
    json.value(index)
    let isKnown = index < script.entries.count
    json.member("action", isKnown ? script.entries[Int(index)].action.traceName : nil)
    return index
  }

  package mutating func path(_ path: PathIndex?) -> PathIndex? {
    json.key("path")
    guard let path else {
      json.null()
      return nil
    }
    let index = Int(path.index)
    if index < script.paths.count { json.value(script.paths[index]) } else { json.value(index) }
    return path
  }

  package mutating func link(_ link: UInt16) -> UInt16 {
    let links = script.configuration.chain.links
    json.member("link", link < links.count ? links[Int(link)].name : nil)
    return link
  }

  package mutating func text(_ index: UInt32) -> UInt32 {
    json.member("text", index < texts.count ? texts[Int(index)] : nil)
    return index
  }

  package mutating func message(of call: CallID, _ end: CallEnd) -> StatusText {
    json.member("message", endTexts.text(of: call, end))
    return end.text
  }

  package mutating func flags(_ flags: ReachabilityFlags) -> ReachabilityFlags {
    json.flags(flags)
    return flags
  }

  package mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ number: Number, in range: ClosedRange<Number>
  ) -> Number {
    json.key(name)
    json.value(Int64(clamping: number))
    return number
  }

  package mutating func flag(_ name: String, _ flag: Bool) -> Bool {
    json.member(name, flag)
    return flag
  }

  package mutating func null(_ name: String, _ isNull: Bool) -> Bool {
    if isNull { json.member(name, nil as String?) }
    return isNull
  }

  package mutating func keyword<Keyword>(
    _ name: String, _ keyword: Keyword, among all: @autoclosure () -> [Keyword],
    spelt: (Keyword) -> String
  ) -> Keyword {
    json.member(name, spelt(keyword))
    return keyword
  }

  private mutating func pair(_ name: String, _ index: UInt32, _ generation: UInt32) {
    json.key(name)
    json.beginArray()
    json.value(index)
    json.value(generation)
    json.endArray()
  }
}

extension JSONText {
  /// Writes the names of flags; bits without a name follow as one number.
  package mutating func flags(_ flags: ReachabilityFlags) {
    key("flags")
    beginArray()
    for (name, flag) in ReachabilityFlags.names where flags.contains(flag) { value(name) }
    let unnamed = flags.subtracting(.all).rawValue
    if unnamed != 0 { value(unnamed) }
    endArray()
  }

  /// Writes the options of a channel's key as a member.
  mutating func write(_ options: ChannelOptions) {
    key("options")
    beginObject()
    times(of: options)
    if !options.others.isEmpty { array("others", of: options.others) { $0.value($1) } }
    endObject()
  }

  /// Writes the times that are set in a channel's key, in microseconds.
  package mutating func times(of options: ChannelOptions) {
    for (name, path) in ChannelOptions.times {
      if let time = options[keyPath: path] { member(name, time.microseconds) }
    }
  }

  /// Writes the keepalive settings of a run, or nothing if the run sends no pings.
  package mutating func keepalive(_ keepalive: KeepaliveConfiguration?) {
    guard let keepalive else { return }
    key("keepalive")
    beginObject()
    member("time", keepalive.time.microseconds)
    member("timeout", keepalive.timeout.microseconds)
    member("withoutCalls", keepalive.withoutCalls)
    if keepalive.overduePing != .close { member("overduePing", keepalive.overduePing.rawValue) }
    endObject()
  }
}

extension ChannelOptions {
  /// The key path of a time in the channel's key.
  package typealias TimePath = any WritableKeyPath<ChannelOptions, Interval?> & Sendable

  /// The times in a channel's key, with their names in traces, in the protocol and in reports.
  package static let times: [(name: String, path: TimePath)] = [
    ("connectMinTimeout", \.connectMinTimeout),
    ("connectInitialBackoff", \.connectInitialBackoff),
    ("connectMaxBackoff", \.connectMaxBackoff),
    ("keepaliveInterval", \.keepaliveInterval),
    ("keepaliveTimeout", \.keepaliveTimeout),
  ]
}
