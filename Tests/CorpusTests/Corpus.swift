import Foundation
import HandoverCore
import HandoverScenario

/// Swift Testing has a type of the same name.
typealias Expectation = HandoverScenario.Expectation

/// The scenarios of this repository, as files.
enum Corpus {
  static let folder = Repository.root.appending(path: "Scenarios")

  /// The paths of the scenarios below the folder, sorted by name.
  static let paths: [String] = jsonFiles(below: folder)

  /// Returns the paths of all JSON files below a directory, sorted.
  static func jsonFiles(below directory: URL) -> [String] {
    let names = FileManager.default.enumerator(atPath: directory.path)
    return (names?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: path)))
  }

  static func reading(_ path: String) throws -> ScenarioReading {
    ScenarioReader.read(file: "Scenarios/\(path)", bytes: try bytes(path))
  }
}
