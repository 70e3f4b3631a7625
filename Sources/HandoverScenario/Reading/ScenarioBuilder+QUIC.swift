import HandoverCore

extension ScenarioBuilder {
  /// Reports settings of QUIC that no profile uses, and returns that they can be read.
  mutating func judgeHasQUIC(at key: JSONValue) -> Bool {
    guard !profiles.contains(where: { $0.transport.migration != nil }) else { return true }
    let wanted = Profile.known.filter { $0.transport.migration != nil }.map(\.name)
    report(
      .noQUIC, at: key, "none of the scenario's profiles has QUIC",
      hint: "add \(Excerpt.alternatives(wanted)) to \"profiles\", or remove the key")
    return true
  }
}
