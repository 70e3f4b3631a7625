import ArgumentParser
import HandoverCore
import HandoverEngine
import HandoverJSON
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a scenario in plain sentences, an item, or a code.",
    discussion: """
      First what is played on all profiles; then, for each profile, what happens,
      what was expected, and whether it held. Rules of the documents are named, such
      as (D8a); `handover spec` lists them, and an item is explained by its name.
      So is the code of a complaint, which stands in brackets behind it.

      Examples:
        handover explain Scenarios/stalls/killed.json
        handover explain stalls/killed     the bundled scenario of that id
        handover explain my.json --profile sockets --profile cfstream
        handover explain D8a               an item of the documents
        handover explain in-background     a code of a complaint

      Repetitions are summarized, and what a long run has beyond that is counted.

      Exit status: as with run. 1 if something expected was not seen.
      """)

  @Argument(
    help: "The scenario file, a bundled scenario's id, an item of the documents, or a code.",
    completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this profile; may be repeated. One of: "
        + Profile.known.map(\.name).joined(separator: ", ") + ".", valueName: "name"),
    completion: .list(Profile.known.map(\.name)))
  var profile: [String] = []

  func validate() throws {
    try PlannedScenario.validate(profiles: profile)
  }

  func run() throws {
    var file = file
    if file != "-", unsafe access(file, F_OK) != 0 {
      if try explainWord() { return }
      let bundled = "\(BundledFiles.scenarios)/\(file).json"
      let isBundled =
        unsafe access(bundled, F_OK) == 0
        || BundledFiles.mayBeMeant(bundled) && BundledFiles.bytes(of: bundled) != nil
      if isBundled { file = bundled }
    }
    try ScenarioFiles.refuseFolder(file)
    let reading = Reading([file])
    reading.showComplaints()
    if reading.errorCount > 0 { throw Leave(.badInput) }
    guard let scenario = reading.scenarios.first else {
      printError("\(file): error: there is no scenario here\n    hint: name a scenario file")
      throw Leave(.nothingRan)
    }
    guard reading.scenarios.count == 1 else {
      printError(
        "\(file): error: there are \(reading.scenarios.count) scenarios here\n"
          + "    hint: name one of them, such as \(scenario.file)")
      throw Leave(.badInput)
    }
    let plan = PlannedScenario.plan([scenario], profiles: profile, only: [], seed: nil)
    guard !plan.isEmpty else {
      printError(
        "\(file): error: the scenario is not replayed on \(profile.joined(separator: ", "))\n"
          + "    hint: its profiles are "
          + scenario.profiles.map(\.name).joined(separator: ", "))
      throw Leave(.nothingRan)
    }
    var summary = Summary()
    let stories = Mutex<[String: [String]]>([:])  // lookup only
    try ParallelRun.simulate(
      plan, keeps: .traces,
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
    if status == .nothingRan { printError(PlannedScenario.expectationsMissing(on: profile)) }
    throw Leave(status)
  }

  /// Explains a requirement of the specifications, or a code.
  ///
  /// - Returns: Whether the argument is one of them.
  private func explainWord() throws -> Bool {
    let width = StandardStream.output.columnCount
    if let code = DiagnosticCode(rawValue: file) {
      StandardStream.output.show(Lookup.text(of: code, width: width))
      return true
    }
    if let code = FileCode(rawValue: file) {
      let text = Lookup.text(
        ofCode: code.rawValue, code.severity, meaning: code.meaning, width: width)
      StandardStream.output.show(text)
      return true
    }
    let catalogue = try Documents.items(BundledFiles.items)
    let items = catalogue.filter { $0.id.lowercased() == file.lowercased() }
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
  static func items(_ file: String) throws -> [ItemCatalogue.Item] {
    try read(file, ItemCatalogue.items)
  }

  /// Returns the reasons in a file.
  static func reasons(_ file: String) throws -> [ItemCatalogue.Reason] {
    try read(file, ItemCatalogue.reasons)
  }

  private static func read<Row>(
    _ file: String, _ parse: (String, [UInt8]) throws(CatalogueError) -> [Row]
  ) throws -> [Row] {
    let bytes =
      try InputFile.bytes(of: file) ?? BundledFiles.bytes(of: file)
      ?? InputFile.bytes(of: file, hint: "check the spelling and its permissions")
    do throws(CatalogueError) {
      return try parse(file, bytes)
    } catch {
      printError(error.description)
      throw Leave(.badInput)
    }
  }
}
