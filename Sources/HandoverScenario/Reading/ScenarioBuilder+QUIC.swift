import HandoverCore

extension ScenarioBuilder {
  /// Reports settings of QUIC that no profile uses.
  mutating func judgeHasQUIC(at key: JSONValue) {
    guard !profiles.contains(where: { $0.transport.migration != nil }) else { return }
    let wanted = Profile.known.filter { $0.transport.migration != nil }.map(\.name)
    report(
      .noQUIC, at: key, "none of the scenario's profiles has QUIC",
      hint: "add \(Excerpt.alternatives(wanted)) to \"profiles\", or remove the key")
  }
}
