import HandoverCore

extension Scenario {
  /// The scenario as a file in the canonical layout.
  ///
  /// Keys with default values are omitted. Reading the text gives an equal scenario, except for
  /// positions in the file and the contents of traces.
  package var text: String {
    guard let document = try? JSONReader.read(Array(line.utf8)) else {
      preconditionFailure("an encoded scenario is not valid JSON: \(line)")
    }
    return String(decoding: CanonicalText.of(document), as: UTF8.self)
  }

  /// The text of the scenario on one line, which takes less time to write.
  package var line: String { ScenarioEncoder(self).json.line }
}

/// Encodes a scenario; the functions are ordered like the format.
struct ScenarioEncoder {
  /// An encoder of values that belong to no scenario.
  static let ofDefaults = ScenarioEncoder(
    Scenario(
      file: "", id: "", title: nil, sources: [], profiles: [], script: Script(),
      expectations: [], entryPositions: []))

  let scenario: Scenario
  let script: Script
  /// The calls that are created by one entry and started by another.
  let madeCalls: Set<Int>  // lookup only

  init(_ scenario: Scenario) {
    self.scenario = scenario
    script = scenario.script
    madeCalls = Set(  // lookup only
      scenario.script.entries.compactMap { entry in
        if case .makeCall(let call) = entry.action { call } else { nil }
      })
  }

  var json: JSONTree {
    var object = EncodedObject<ScenarioKey>()
    object[.format] = .integer(ScenarioReader.format)
    object[.id] = .text(scenario.id)
    object[.title] = scenario.title.map(JSONTree.text)
    object[.source] = nonempty(scenario.sources.map { json($0, ScenarioFormat.source) })
    let defaultValue = Profile.all
    if scenario.profiles != defaultValue { object[.profiles] = profiles(scenario.profiles) }
    object[.initial] = initial
    object[.networks] = nonempty(
      script.networks.map { .init(path($0.path), json($0, ScenarioFormat.network)) })
    object[.hosts] = nonempty(
      script.hosts.map { .init($0.written, json($0, ScenarioFormat.host)) })
    let config = json(script.configuration, ScenarioFormat.config)
    if !config.members.isEmpty { object[.config] = config }
    object[.timeline] = .array(script.entries.map(entry))
    object[.expect] = nonempty(scenario.expectations.map(expectation))
    return object.json
  }

  // MARK: The device

  private var initial: JSONTree {
    guard !script.networks.isEmpty else { return json(script.initial, ScenarioFormat.initial) }
    // The networks specify the flags and the path.
    var initial = script.initial
    (initial.flags, initial.path) = (ScenarioFormat.initial.defaultValue.flags, nil)
    return json(initial, ScenarioFormat.initial)
  }

  /// Returns the answer of a network's name server for a host.
  func names(_ names: NetworkNames) -> JSONTree.Member {
    .init(
      script.hosts[names.host].written,
      names.fault.map { keyword($0) } ?? addresses(names.addresses ?? [], of: names.host))
  }

  /// Returns addresses of a host, given by their indices.
  func addresses(_ locations: [Int], of host: Int) -> JSONTree {
    .texts(locations.map { script.address($0, of: host) })
  }

  /// Returns an address of a host, in the short form if possible.
  func address(_ address: ScriptAddress) -> JSONTree {
    let object = json(
      (text: address.text, connect: address.connect, answer: address.answer),
      ScenarioFormat.address)
    return object.members.count == 1 ? object.members[0].value : object
  }

  // MARK: Parts

  func keyword<Keyword: FormatKeyword>(_ keyword: Keyword) -> JSONTree { .text(keyword.rawValue) }
  func time(_ interval: Interval) -> JSONTree { .text(interval.text) }
  func time(_ instant: Instant) -> JSONTree { .text(instant.text) }
  func path(_ path: PathIndex) -> String { script.paths[Int(path.index)] }
  func host(named index: Int) -> JSONTree { .text(script.hosts[index].written) }
  func header(_ header: ScriptHeader) -> JSONTree.Member { .init(header.key, .text(header.value)) }
  func link(_ index: Int) -> JSONTree { .text(script.configuration.chain.links[index].name) }
  func pool(_ index: Int) -> JSONTree { .text(script.pools[index]) }

  func profiles(_ profiles: [Profile]) -> JSONTree { .texts(profiles.map(\.name)) }

  func host(_ selector: HostSelector) -> JSONTree {
    switch selector {
    case .one(let index): host(named: index)
    case .all: .text("*")
    }
  }

  func flags(_ flags: ReachabilityFlags) -> JSONTree {
    guard ReachabilityFlags.all.contains(flags) else { return .integer(flags.rawValue) }
    return .texts(ReachabilityFlags.names.filter { flags.contains($0.flag) }.map(\.name))
  }

  func nonempty(_ elements: [JSONTree]) -> JSONTree? { elements.isEmpty ? nil : .array(elements) }
  func nonempty(_ members: [JSONTree.Member]) -> JSONTree? {
    members.isEmpty ? nil : .object(members)
  }

  /// Returns the options of a call.
  func options(
    _ options: ChannelOptions, _ hasFlowControl: Bool?, token: Interval?
  ) -> [JSONTree.Member] {
    CallOption.all.compactMap { name, option in
      switch option {
      case .time(let path):
        return options[keyPath: path].map { .init(name, time($0)) }
      case .other:
        let value = options.others.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        return value.map { .init(name, .text(String($0))) }
      case .ignored: return nil
      case .flowControl: return hasFlowControl.map { .init(name, .boolean($0)) }
      case .token: return token.map { .init(name, time($0)) }
      }
    }
  }
}

/// The members of an object that is encoded.
struct EncodedObject<Key: FieldKey> {
  private var members: [Key: JSONTree] = [:]  // lookup only

  /// The object, with its keys in canonical order.
  var json: JSONTree {
    .object(
      Key.allCases.compactMap { key in
        members[key].map { JSONTree.Member(key.rawValue, $0) }
      })
  }

  subscript(_ key: Key) -> JSONTree? {
    get { members[key] }
    set { members[key] = newValue }
  }

  mutating func set<Keyword: FormatKeyword & Equatable>(
    _ key: Key, _ keyword: Keyword, unless defaultValue: Keyword
  ) {
    if keyword != defaultValue { members[key] = .text(keyword.rawValue) }
  }
}
