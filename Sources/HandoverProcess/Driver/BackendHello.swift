import HandoverCore

/// The handshake in which a backend describes itself.
public struct BackendHello: Hashable, Sendable {
  /// The version of the protocol that the harness uses.
  public static let version = 1

  /// A feature that a backend supports or makes observable; see the page about the protocol.
  public enum Capability: String, Hashable, Sendable, CaseIterable {
    case streaming
    case halfDuplex = "half-duplex"
    case background
    case tokens
    case keepalive
    case options
    case channels
    case monitor
    case batch
    case disconnect
    case observers
    case digest
    case servers
    case names
    case faults
    case reads
    case effects
  }

  /// The part of a run that a backend implements; the harness provides the rest.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// A whole client, with its own channels.
    case client
    /// A transport, with the network and the servers behind it.
    case transport

    /// The capabilities that a backend of this role may declare.
    public var capabilities: [Capability] {
      switch self {
      case .client:
        [
          .streaming, .halfDuplex, .background, .tokens, .keepalive, .options, .channels,
          .monitor, .batch, .disconnect, .observers, .digest,
        ]
      case .transport:
        [
          .streaming, .halfDuplex, .background, .keepalive, .servers, .names, .faults, .reads,
          .effects,
        ]
      }
    }
  }

  /// The source of a backend's time.
  public enum Time: String, Hashable, Sendable {
    /// The harness controls time and sends the current time to the backend.
    case virtual
    /// The kernel controls time.
    case real

    /// The prefix with which `--backend` selects a backend in this time.
    fileprivate var prefix: String {
      switch self {
      case .virtual: "exec:"
      case .real: "lab:"
      }
    }
  }

  /// The backend's name in reports.
  public var name: String
  /// The backend's role.
  public var role: Role
  /// The source of the backend's time.
  public var time: Time
  /// The declared capabilities.
  public var capabilities: Set<Capability>  // lookup only
  /// The names of the supported profiles, or `nil` for all profiles that have calls.
  public var profiles: [String]?

  /// Creates a handshake from the answer to `start`.
  ///
  /// - Throws: ``AnswerError`` if the line is not a handshake with this version and kind of time.
  public init(_ line: [UInt8], in wanted: Time = .virtual) throws(AnswerError) {
    let fields = try AnswerFields(line: line)
    name = try Self.name(fields)
    role = try fields.keyword("role", Role.self)
    try Self.check(try fields.text("time"), is: wanted)
    time = wanted
    capabilities = []
    for value in try fields.elements("capabilities") ?? [] {
      guard let text = value.text else { throw AnswerError("a capability must be a string") }
      // A capability of a later version is unknown here and has no effect.
      if let capability = Capability(rawValue: text) { capabilities.insert(capability) }
    }
    profiles = try fields.elements("profiles")?.map { value throws(AnswerError) in
      guard let text = value.text else { throw AnswerError("a profile must be a string") }
      return text
    }
  }

  /// Returns the name from a handshake of this version.
  static func name(_ fields: AnswerFields) throws(AnswerError) -> String {
    let version = try fields.number("version")
    guard version == Self.version else {
      throw AnswerError(
        "its protocol version is \(version), and this harness needs version \(Self.version)")
    }
    let name = try fields.text("name")
    guard !name.isEmpty, name.utf8.count <= 100, !name.utf8.contains(where: { $0 < 0x20 }) else {
      throw AnswerError("its name must be one line of at most 100 bytes")
    }
    return name
  }

  private static func check(_ text: String, is wanted: Time) throws(AnswerError) {
    guard let time = Time(rawValue: text) else {
      throw AnswerError("its time must be \"virtual\" or \"real\", found \"\(text)\"")
    }
    guard time == wanted else {
      throw AnswerError(
        "its time is \"\(text)\", and \(wanted.prefix) runs in \"\(wanted.rawValue)\" time; write "
          + "--backend '\(time.prefix)COMMAND'" + (time == .real ? " --server 'COMMAND'" : ""))
    }
  }

  /// Returns why the backend cannot run a script, as it declared, or `nil` if it can.
  func obstacle(_ script: Script, _ profile: Profile) -> String? {
    if let obstacle = profile.client.protocolObstacle { return obstacle }
    if let profiles, !profiles.contains(profile.name) {
      return "it declares no profile \"\(profile.name)\""
    }
    if role == .client, !script.configuration.chain.links.isEmpty {
      return "only the built-in client supports interceptors"
    }
    let needs = Needs(script, in: time).capabilities.filter(role.capabilities.contains)
    return needs.first { !has($0) }.map {
      let either = $0 == .halfDuplex ? "\"\(Capability.streaming.rawValue)\" or " : ""
      return "it does not declare \(either)\"\($0.rawValue)\", which the scenario needs"
    }
  }

  /// Returns whether the backend declares a capability, or one that includes it.
  private func has(_ capability: Capability) -> Bool {
    capabilities.contains(capability)
      || capability == .halfDuplex && capabilities.contains(.streaming)
  }
}

/// The capabilities that a script requires of a backend, whatever its role.
private struct Needs {
  var capabilities: [BackendHello.Capability] = []

  init(_ script: Script, in time: BackendHello.Time) {
    addCalls(script, in: time)
    // In real time, other programs implement the servers, the names and the faults.
    if time == .virtual { addNetwork(script) }
  }

  private mutating func addNetwork(_ script: Script) {
    if script.hosts.contains(where: { $0.server != .accept }) { capabilities.append(.servers) }
    if script.hosts.contains(where: { $0.names != .resolve }) { capabilities.append(.names) }
    for entry in script.entries {
      switch entry.action {
      case .server: capabilities.append(.servers)
      case .names, .answer: capabilities.append(.names)
      case .transport: capabilities.append(.faults)
      default: continue
      }
    }
  }

  private mutating func addCalls(_ script: Script, in time: BackendHello.Time) {
    let usesMessages = script.entries.contains {
      switch $0.action {
      case .send, .finish: true
      default: false
      }
    }
    if script.calls.contains(where: { $0.kind == .bidi }) {
      capabilities.append(.streaming)
    } else if usesMessages || script.calls.contains(where: { $0.kind != .unary }) {
      capabilities.append(.halfDuplex)
    }
    let usesBackground = script.entries.contains {
      switch $0.action {
      // A device that sleeps suspends the application too.
      case .app, .power(.sleep): true
      default: false
      }
    }
    let disconnects = script.entries.contains {
      if case .disconnect = $0.action { true } else { false }
    }
    switch time {
    case .virtual:
      if usesBackground || script.initial.app.isInBackground { capabilities.append(.background) }
    case .real:
      // The kernel can stop any process. Only the client itself can disconnect its channels.
      if disconnects { capabilities.append(.disconnect) }
    }
    if script.calls.contains(where: { $0.tokenDelay != nil }) { capabilities.append(.tokens) }
    if script.configuration.keepalive != nil
      || script.calls.contains(where: { $0.options.keepaliveInterval != nil })
    {
      capabilities.append(.keepalive)
    }
    if script.calls.contains(where: { $0.options != ChannelOptions() }) {
      capabilities.append(.options)
    }
    // If the order is random, any behavior of the client is possible.
    if script.configuration.order.observers == .calls { capabilities.append(.observers) }
  }
}
