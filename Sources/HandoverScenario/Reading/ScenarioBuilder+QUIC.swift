import HandoverCore
import HandoverJSON

private enum QUICKey: String, FieldKey {
  case migration, idleTimeout, connectionIds, maxMigrations

  static let vocabulary = Vocabulary<Self>()
}

extension ScenarioBuilder {
  /// Reads the settings of QUIC connections.
  mutating func readQUIC(_ member: JSONMember) {
    guard let fields = fields(member.value, "\"quic\"", QUICKey.self) else { return }
    if !profiles.contains(where: { $0.transport.migration != nil }) {
      let wanted = Profile.known.filter { $0.transport.migration != nil }.map(\.name)
      report(
        .noQUIC, at: member.key, "none of the scenario's profiles has QUIC",
        hint: "add \(Excerpt.alternatives(wanted)) to \"profiles\", or remove the key")
    }
    if let migration = fields[.migration] {
      script.configuration.quic.migration =
        word(migration, "\"migration\"") ?? script.configuration.quic.migration
    }
    if let timeout = interval(fields[.idleTimeout], "\"idleTimeout\"", mustPass: true) {
      script.configuration.quic.idleTimeout = timeout
    }
    if let count = fields[.connectionIds].flatMap({
      self.integer($0, "\"connectionIds\"", 0...ScenarioLimits.connectionIDs)
    }) {
      script.configuration.quic.connectionIDs = count
    }
    if let count = fields[.maxMigrations].flatMap({
      self.integer($0, "\"maxMigrations\"", 0...ScenarioLimits.migrations)
    }) {
      script.configuration.quic.maximumMigrations = count
    }
  }
}
