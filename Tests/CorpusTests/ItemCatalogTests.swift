import Foundation
import HandoverScenario
import Testing

@Suite("The requirements of the specifications")
struct ItemCatalogTests {
  @Test(
    "A test that is named for a requirement exists, and names that requirement or one in its reason"
  )
  func tests() throws {
    let file = "Fixtures/Documents/reasons.json"
    let bytes = [UInt8](try Data(contentsOf: Repository.root.appending(path: file)))
    let reasons = try ItemCatalog.reasons(file: file, bytes: bytes)
    #expect(reasons.contains { $0.test != nil })
    for reason in reasons {
      guard let test = reason.test else { continue }
      let text = try String(contentsOf: Repository.root.appending(path: test), encoding: .utf8)
      let words = Set(text.split { !$0.isLetter && !$0.isNumber })
      let names = [reason.id] + reason.reason.matches(of: /[A-Z][0-9]+/).map { String($0.output) }
      #expect(names.contains { words.contains(Substring($0)) }, "\(reason.id) in \(test)")
    }
  }

  @Test("The sentences of the four specifications are requirements, and restored ones are marked")
  func texts() throws {
    let file = "Fixtures/Documents/items.json"
    let bytes = [UInt8](try Data(contentsOf: Repository.root.appending(path: file)))
    let items = try ItemCatalog.items(file: file, bytes: bytes)
    let texts = Set(items.flatMap(\.places).compactMap { $0.split(separator: ",").first })
    #expect(
      texts == [
        "network-transitions-1.26", "network-transitions-2017", "connection-parallelism", "L50",
      ])
    let restored = items.filter(\.isRestored).map(\.id)
    #expect(
      restored == ["D1", "D2", "D3a", "D3b", "D3c", "D4", "D5a", "D5b", "D5c", "D6", "D7"])
  }
}
