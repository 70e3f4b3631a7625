import HandoverCore

/// A change of a network, as an entry of the timeline describes it.
struct NetworkEntry: Sendable {
  var path: PathIndex?
  var become: NetworkTransition?
  var linger: Interval?
  var then: NetworkEnding?
  var nat: NATChange?
  var roam: RoamChange?
  var unknown: UnknownFlows?
  var uplink: UplinkKeyword?
  var loss: DirectionalLoss?
  var quality: LinkQuality?
  var lasts: Interval?
  var every: Interval?

  /// The action, or `nil` if its keyword or a required key is invalid.
  var action: NetworkAction? {
    switch become {
    case .up: return .up
    case .makeDefault: return .makeDefault
    case .losing: return linger.map { .losing(linger: $0, then) }
    case .down: return .down(then)
    case .captive: return .captive
    case .validated: return .validated
    case nil: break
    }
    if let nat { return .nat(nat, unknown ?? nat.defaultAnswer, every: every) }
    if let roam { return .roam(roam, unknown ?? .drop) }
    if let uplink { return .uplink(isUp: uplink == .up, lasts: lasts, every: every) }
    if let loss { return .loss(loss) }
    return quality.map(NetworkAction.quality)
  }
}

extension NetworkEntry {
  init(_ action: NetworkAction, of path: PathIndex) {
    self.path = path
    switch action {
    case .up: become = .up
    case .makeDefault: become = .makeDefault
    case .losing(let linger, let ending): (become, self.linger, then) = (.losing, linger, ending)
    case .down(let ending): (become, then) = (.down, ending)
    case .captive: become = .captive
    case .validated: become = .validated
    case .nat(let change, let answer, let every):
      (nat, self.every) = (change, every)
      if answer != change.defaultAnswer { unknown = answer }
    case .roam(let change, let answer):
      roam = change
      if answer != .drop { unknown = answer }
    case .uplink(let isUp, let lasts, let every):
      (uplink, self.lasts, self.every) = (isUp ? .up : .down, lasts, every)
    case .loss(let loss): self.loss = loss
    case .quality(let quality): self.quality = quality
    }
  }
}

extension ScenarioFormat {
  static let networkChange = ObjectTable<NetworkEntry>(
    "networkChange", owner: "\"network\"", "A change of a network.", NetworkEntry(),
    rules: [
      .one(of: ["become", "nat", "roam", "uplink", "loss", "quality"].map { ($0, nil) }),
      .schema(#"{"if": {"required": ["uplink", "every"]}, "then": {"required": ["for"]}}"#),
    ]
  ) {
    Field("id", \.path, .network, "The name of the network in `networks`.", .required)
    Field("become", \.become, .keyword, "The new state of the network.", as: "a network")
    Field(
      "linger", \.linger, .positiveTime, "The time until the network goes down.",
      example: #""30s""#,
      with: .keywords("become", NetworkTransition.losing), needed: "a network that is being lost")
    Field(
      "then", \.then, .keyword,
      "How the connections of the network end: without any report, or by a reset.",
      .described("that of the transport"), as: "the end of a network",
      with: .keywords("become", NetworkTransition.losing, .down))
    Field(
      "nat", \.nat, .keyword,
      "A router that forgets its flows, or gives each flow another port or address.",
      as: "the translation of addresses")
    Field(
      "roam", \.roam, .keyword, "A move to another access point of the same network.",
      as: "a roam")
    Field(
      "unknown", \.unknown, .keyword,
      "What the router does with packets of a flow that it does not know.",
      .described("`drop`; `reset` with `rebind-port` and `rebind-addr`"),
      as: "the treatment of unknown flows",
      with: .any([.key("nat"), .keywords("roam", RoamChange.newRouter)]).explained(
        "it requires \"nat\" or \"roam\": \"\(RoamChange.newRouter.rawValue)\"",
        hint: "remove \"unknown\""))
    Field(
      "uplink", \.uplink, .keyword, "The connection of the router to the servers.",
      as: "an uplink")
    Field(
      "loss", \.loss, .keyword,
      "The direction in which all packets are lost: from the device, or to it.",
      as: "what a network loses")
    Field(
      "quality", \.quality, .object(quality),
      "The quality of the network from now on: [quality](#quality).",
      example: #"{ "delay": "40ms" }"#
    ).checked { builder, _, entry in builder.setMinimumMTU(of: entry.path) }
    Field(
      "for", \.lasts, .positiveTime, "The duration of the outage.",
      .described("until another entry"), example: #""10s""#,
      with: .keywords("uplink", UplinkKeyword.down))
    Field(
      "every", \.every, .positiveTime,
      "The period with which the entry repeats. With `uplink`, `for` is required.",
      .described("once"), example: #""1min""#,
      with: .any([.key("nat"), .keywords("uplink", UplinkKeyword.down)]).explained(
        "it requires \"nat\" or \"uplink\": \"\(UplinkKeyword.down.rawValue)\"",
        hint: "remove \"every\", because the change does not repeat"))
  } check: { builder, fields, entry in
    builder.judgePeriod(of: entry, fields)
    builder.judgeChange(entry, fields)
  }
}
