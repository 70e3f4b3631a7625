import Foundation
import Testing

@testable import HandoverProcess

/// The schemas of the protocol are built from the names and parts of messages; `make golden` writes
/// them.
@Suite("The schemas of the protocol, Golden")
struct ProtocolSchemaGoldenTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/Protocol")

  @Test("The schemas are built from the names and parts with which messages are coded")
  func same() throws {
    for file in ProtocolSchemas.files {
      let made = try ProtocolSchemas.text(of: file)
      let position = Self.folder.appending(path: "\(file).schema.json")
      if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
        try Data(made.utf8).write(to: position)
        continue
      }
      let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
      let kept = try String(contentsOf: position, encoding: .utf8)
      let difference = lines(made).difference(from: lines(kept))
      #expect(difference.isEmpty, "\(file): \(difference); run make golden")
    }
  }

  @Test("The schemas describe exactly the messages of the protocol")
  func described() {
    #expect(ProtocolSchemas.facts.undescribed == [])
    #expect(ProtocolSchemas.orders.undescribed == [])
    #expect(ProtocolSchemas.transportFacts.undescribed == [])
    #expect(ProtocolSchemas.reports.undescribed == [])
  }
}
