import ArgumentParser
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Synchronization

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a scenario, requirement, verdict, code or other word.",
    discussion: """
      Of a scenario, the command first describes the timeline, which is the same on
      all profiles. Then it describes for each profile what happens, what was
      expected, and whether the expectation passed. IDs of requirements, such as
      (D8a), are added to the sentences.

      Of a word, the command prints the meaning, an example and a fix. Words are
      requirements, verdicts, statuses, channel states, invariants, profiles, and
      codes of diagnostics.

      Examples:
        handover explain Scenarios/stalls/killed.json
        handover explain stalls/killed     a bundled scenario, by its id
        handover explain my.json --profile sockets --profile cfstream
        handover explain D8a               a requirement
        handover explain HANGS             a verdict
        handover explain in-background     the code of a diagnostic

      Repetitions are summarized. In a long run, only the first steps are described,
      and the rest is counted.

      Exit status: as with run. 1 if an expectation failed.
      """)

  @Argument(
    help: "A scenario file, a bundled scenario's id, or a word of a report or message.",
    completion: .file(extensions: ["json"]))
  var file: String

  @OptionGroup var profiles: ProfileOptions

  func run() throws {
    if file != "-", FileStatus(file) == nil, try explainWord() { return }
    try ScenarioFiles.refuseFolder(file)
    let reading = Reading([file])
    reading.showComplaints()
    if reading.files.isEmpty, !file.contains("/") {
      printError("    hint: or a word as a report or message spells it, such as HANGS or D8a")
    }
    let scenario = try reading.onlyScenario(of: file)
    let plan = [try PlannedScenario(scenario, profiles: profiles.names, of: file)]
    var summary = Summary()
    let stories = Mutex<[String: [String]]>([:])  // lookup only
    try ParallelRun.simulate(
      plan, retaining: .traces,
      takeLongTrace: { scenario, one in
        let story = Explanation.story(of: one, scenario)
        stories.withLock { $0[one.profile] = story }
      }
    ) { result in
      let explanation = Explanation(result, stories: stories.withLock { $0 })
      StandardStream.output.show(explanation.text(width: StandardStream.output.columnCount))
      summary.add(result)
    }
    guard let status = ExitStatus.of(summary) else { return }
    if status == .nothingRan { printError(PlannedScenario.expectationsMissing(on: profiles.names)) }
    throw ExitError(status)
  }

  /// Explains a requirement of the specifications, or a code.
  ///
  /// - Returns: Whether the argument is one of them.
  private func explainWord() throws -> Bool {
    let width = StandardStream.output.columnCount
    let entries =
      Lookup.entries(named: file)
      + FileCode.allCases.filter { $0.rawValue == file }.map {
        Lookup.entry(ofCode: $0.rawValue, $0.severity, $0.explanation)
      }
    guard entries.isEmpty else {
      let texts = entries.map { Lookup.text(of: $0, width: width) }
      StandardStream.output.show(texts.joined(separator: "\n"))
      return true
    }
    let catalog = try Documents.items(BundledFiles.items)
    let items = catalog.filter { $0.id.lowercased() == file.lowercased() }
    guard !items.isEmpty else { return false }
    let reasons = try Documents.reasons(BundledFiles.reasons)
    let scenarios = Reading([BundledFiles.scenarios]).scenarios
    let texts = items.map { item in
      let reason = reasons.first { $0.document == item.document && $0.id == item.id }
      return Lookup.text(of: item, reason, in: scenarios, width: width)
    }
    StandardStream.output.show(texts.joined(separator: "\n"))
    return true
  }
}

/// The requirements of the specifications, read from disk or else from the executable.
enum Documents {
  /// Returns the requirements in a file.
  static func items(_ file: String) throws -> [ItemCatalog.Item] {
    try read(file, ItemCatalog.items)
  }

  /// Returns the reasons in a file.
  static func reasons(_ file: String) throws -> [ItemCatalog.Reason] {
    try read(file, ItemCatalog.reasons)
  }

  private static func read<Row>(
    _ file: String, _ parse: (String, [UInt8]) throws(CatalogError) -> [Row]
  ) throws -> [Row] {
    let bytes =
      try InputFile.bytes(of: file) ?? BundledFiles.bytes(of: file)
      ?? InputFile.bytes(of: file, hint: "check the spelling and its permissions")
    do throws(CatalogError) {
      return try parse(file, bytes)
    } catch {
      throw ExitError(printing: error.description)
    }
  }
}
