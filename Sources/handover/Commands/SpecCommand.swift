import ArgumentParser
import HandoverScenario

struct SpecCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract: "List the items of the documents with the scenarios that verify them.",
    usage: "handover spec [<options>] [<paths> ...]",
    discussion: """
      With --uncovered, only the items that no scenario verifies, each with its
      reason. Exit status 0 when each of them has one, else 1.

      Examples:
        handover spec
        handover spec --uncovered
      """)

  @Argument(
    help: "Files, or directories that are walked for *.json.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  @Flag(help: "Only what no scenario verifies.")
  var uncovered = false

  @Option(
    help: ArgumentHelp("The items of the documents.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var items = "Fixtures/Documents/items.json"

  @Option(
    help: ArgumentHelp("Why some items have no scenario.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var reasons = "Fixtures/Documents/uncovered.json"

  func run() throws {
    let reading = Reading(paths)
    for complaint in reading.complaints { printError(complaint) }
    let coverage = try Coverage(
      items: read(items, ItemCatalogue.items), reasons: read(reasons, ItemCatalogue.reasons),
      scenarios: reading.scenarios)
    if uncovered { printUncovered(coverage) } else { printAll(coverage) }
    for problem in coverage.problems { printError(problem) }
    if reading.errorCount > 0 { throw Leave(.badInput) }
    if !coverage.problems.isEmpty || !coverage.unexplained.isEmpty { throw Leave(.failure) }
  }

  private func read<Row>(
    _ file: String, _ parse: (String, [UInt8]) throws(CatalogueError) -> [Row]
  ) throws -> [Row] {
    guard let bytes = ScenarioFiles.bytes(of: file) else {
      printError(
        "\(file): error: the file cannot be read\n"
          + "    hint: run this in the project's directory, or name the file with an option")
      throw Leave(.badInput)
    }
    do throws(CatalogueError) {
      return try parse(file, bytes)
    } catch {
      printError(error.description)
      throw Leave(.badInput)
    }
  }

  private func printAll(_ coverage: Coverage) {
    for row in coverage.rows {
      print("\(row.item.document) \(row.item.id)  \(row.item.sentence)")
      for scenario in row.scenarios { print("    \(scenario)") }
      if row.scenarios.isEmpty { print("    no scenario: \(row.reason ?? "no reason is given")") }
    }
    printTotals(coverage)
  }

  private func printUncovered(_ coverage: Coverage) {
    for row in coverage.rows where row.scenarios.isEmpty {
      print("\(row.item.document) \(row.item.id)  \(row.item.sentence)")
      print("    \(row.reason ?? "NO REASON: add a scenario that cites it, or a reason")")
    }
    printTotals(coverage)
  }

  private func printTotals(_ coverage: Coverage) {
    let covered = coverage.rows.count { !$0.scenarios.isEmpty }
    print(
      "\n\(coverage.rows.count) items: \(covered) verified by scenarios, "
        + "\(coverage.rows.count - covered - coverage.unexplained.count) with a reason why not, "
        + "\(coverage.unexplained.count) open")
  }
}

/// Which items of the documents are verified by which scenarios.
struct Coverage {
  struct Row {
    var item: ItemCatalogue.Item
    var scenarios: [String]
    var reason: String?
  }

  private(set) var rows: [Row] = []
  /// What does not fit together: citations of no item, reasons for what is verified.
  private(set) var problems: [String] = []

  /// The items with neither a scenario nor a reason.
  var unexplained: [Row] { rows.filter { $0.scenarios.isEmpty && $0.reason == nil } }

  init(
    items: [ItemCatalogue.Item], reasons: [ItemCatalogue.Reason], scenarios: [Scenario]
  ) {
    var places: [String: Int] = [:]
    for item in items {
      let key = "\(item.document) \(item.id)"
      if places.updateValue(rows.count, forKey: key) != nil {
        problems.append("error: the item \(key) stands in the catalogue twice")
      }
      rows.append(Row(item: item, scenarios: [], reason: nil))
    }
    for scenario in scenarios {
      for source in scenario.sources {
        if let place = places["\(source.document) \(source.item)"] {
          rows[place].scenarios.append(scenario.id)
        } else {
          problems.append(
            "\(scenario.file):\(source.position.line):\(source.position.column): error: "
              + "there is no item \(source.item) of \(source.document)")
        }
      }
    }
    for reason in reasons {
      let key = "\(reason.document) \(reason.id)"
      guard let place = places[key] else {
        problems.append("error: a reason is given for \(key), which is no item")
        continue
      }
      if !rows[place].scenarios.isEmpty {
        problems.append("error: a reason is given for \(key), which scenarios verify")
      }
      rows[place].reason = reason.reason
    }
  }
}
