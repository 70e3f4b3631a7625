import HandoverCore
import HandoverScenario
import Testing

@Suite("The settings of QUIC in a scenario")
struct QUICReadingTests {
  private static func text(_ quic: String, profiles: String = #""quic""#) -> String {
    Sample.text(more: "\"profiles\": [\(profiles)], \"config\": {\"quic\": \(quic)}")
  }

  private static func settings(_ quic: String) throws -> QUICConfiguration {
    try Sample.scenario(text(quic)).script.configuration.quic
  }

  @Test("The defaults are those of RFC 9000 and of Cronet")
  func defaults() throws {
    let usual = try Self.settings("{}")
    #expect(usual == QUICConfiguration())
    #expect(usual.migration == .allowed)
    #expect(usual.idleTimeout == .seconds(30))
    #expect(usual.connectionIDs == 1)
    #expect(usual.maximumMigrations == 5)
  }

  @Test("All settings are read")
  func read() throws {
    let settings = try Self.settings(
      """
      {"migration": "refused", "idleTimeout": "5s", "connectionIds": 0, "maxMigrations": 1000000}
      """)
    #expect(settings.migration == .refused)
    #expect(settings.idleTimeout == .seconds(5))
    #expect(settings.connectionIDs == 0)
    #expect(settings.maximumMigrations == 1_000_000)
  }

  static let nonsense: [(String, DiagnosticCode)] = [
    (#"{"migration": "never"}"#, .unknownKeyword), (#"{"migration": true}"#, .wrongType),
    (#"{"idleTimeout": "0s"}"#, .timeNotPositive), (#"{"idleTimeout": 30}"#, .timeWithoutUnit),
    (#"{"idleTimeout": "+3s"}"#, .relativeTime), (#"{"connectionIds": -1}"#, .numberOutOfRange),
    (#"{"connectionIds": 1001}"#, .numberOutOfRange),
    (#"{"connectionIds": 1.5}"#, .notAnInteger),
    (#"{"maxMigrations": 1000001}"#, .numberOutOfRange), (#"{"timeout": "3s"}"#, .unknownKey),
    ("[]", .wrongType),
  ]

  @Test("An invalid setting is reported with its position", arguments: nonsense)
  func wrong(quic: String, code: DiagnosticCode) {
    #expect(Sample.codes(Self.text(quic)) == [code])
  }

  @Test("Settings without a profile with QUIC give a warning, and the file is read")
  func noQUIC() throws {
    let text = Self.text("{}", profiles: #""sockets", "linux-sockets""#)
    let reading = Sample.read(text)
    #expect(reading.diagnostics.map(\.code) == [.noQUIC])
    #expect(reading.diagnostics.first?.severity == .warning)
    #expect(reading.scenario != nil)
    #expect(Sample.codes(Self.text("{}", profiles: #""sockets", "quic-stays""#)) == [])
  }
}
