import Foundation
import HandoverScenario

/// The scenarios of this repository, read once.
enum Corpus {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let scenarios: [Scenario] = {
    let folder = root.appending(path: "Scenarios")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
      guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
      return ScenarioReader.read(file: "Scenarios/\(name)", bytes: Array(data)).scenario
    }
  }()

  static func scenario(_ id: String) -> Scenario? { scenarios.first { $0.id == id } }
}
