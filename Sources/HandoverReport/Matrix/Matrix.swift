package import HandoverCore
package import HandoverEngine
package import HandoverScenario

/// The results of scenarios on several backends.
///
/// There is a row for each scenario, and a column for each backend and profile.
package struct Matrix: Sendable {
  /// A backend of the matrix.
  package struct Backend: Hashable, Sendable {
    /// The name that the backend gives itself.
    package var name: String
    /// The option value that selects the backend, such as `exec:COMMAND`.
    package var argument: String
    /// The version, or `nil` if the backend reports none.
    package var version: String?

    /// Creates a backend.
    package init(name: String, argument: String, version: String? = nil) {
      self.name = name
      self.argument = argument
      self.version = version
    }
  }

  /// A scenario that will run, with its profiles.
  package struct Planned: Sendable {
    /// The scenario.
    package var scenario: Scenario
    /// The profiles to run the scenario on.
    package var profiles: [Profile]

    /// Creates an entry of a plan.
    package init(scenario: Scenario, profiles: [Profile]) {
      self.scenario = scenario
      self.profiles = profiles
    }
  }

  /// The origin of a matrix, for the footer of its page.
  package struct Provenance: Hashable, Sendable {
    /// The command that creates the same matrix; empty if it is not shown.
    package var command = ""
    /// The date to show, or `nil` for no date.
    package var date: String?
    /// The seed of all runs, or `nil` if each scenario has its own.
    package var seed: UInt64?

    /// Creates an empty origin.
    package init() {}
  }

  /// A backend on a profile.
  struct Column: Hashable, Sendable {
    var backend: Int
    var profile: String
    var summary = Summary()
  }

  /// A scenario.
  struct Row: Sendable {
    var id: String
    var title: String?
    var file: String
    /// The further requirements that the scenario covers, in addition to that of its group.
    var otherItems: [String]
    /// A cell for each column, or `nil` if the scenario does not run on the profile.
    var cells: [Cell?]
  }

  /// A cell of the table.
  enum Cell: Sendable {
    /// The run was interrupted before this case.
    case notRun
    case run(Case)
  }

  /// The result of a case.
  struct Case: Sendable {
    var verdict: Verdict
    /// The share of the expectations that the backend can show.
    var coverage: ObservedCoverage
    /// The findings.
    var findings: [Finding]
    var changeToEnd: [Interval]
    var neverEnded: Int
    /// The calls that hung for longer than the threshold.
    var hangs: Summary.Hangs
    var endedAt: Instant
    /// The arguments of the command that repeats the case.
    var command: [String]
    /// The log of the backend, if something went wrong.
    var log: String
    /// The index of the details in ``Matrix/stories``.
    var story: Int
  }

  /// The rows of a requirement or of a folder.
  struct Group: Hashable, Sendable {
    /// The requirement or the folder.
    var name: String
    /// The specification, or `nil` for a folder.
    var document: String?
    /// The text of the requirement, or `nil` if it is unknown.
    var sentence: String?
    /// The indices of the rows.
    var rows: [Int]
  }

  /// The backends, in the order in which they were named.
  package let backends: [Backend]
  private(set) var columns: [Column] = []
  private(set) var rows: [Row] = []
  private(set) var groups: [Group] = []
  private(set) var stories: [CaseStory] = []
  /// The summary of all cases.
  package private(set) var summary = Summary()
  /// Whether the run was interrupted, so that some cells are empty.
  package var wasInterrupted = false
  /// The thresholds of each case, in addition to the expectations of its scenario.
  package var gates = Gates()
  /// The program that created the matrix, or `nil` if it is not shown.
  package var harness: Harness?
  /// The origin of the matrix.
  package var provenance = Provenance()
  /// The transition coverage of the scenarios, or `nil` if it is not counted.
  package var space: SpaceCoverage?
  /// The seeds of the scenarios in ascending order, with the number of scenarios for each.
  private(set) var seeds: [(seed: UInt64, count: Int)] = []

  private var storyIndices: [CaseStory: Int] = [:]  // lookup only
  private var rowIndices: [String: Int] = [:]  // lookup only

  /// Creates a matrix without results.
  ///
  /// - Parameters:
  ///   - backends: the backends, each of which gets a column for every profile of the plan.
  ///   - plan: the scenarios, which are the rows.
  ///   - items: the requirements with their texts, in the order of the groups; may be empty.
  package init(backends: [Backend], plan: [Planned], items: [ItemCatalog.Item] = []) {
    self.backends = backends
    let known = Profile.known.filter { profile in
      plan.contains { $0.profiles.contains(profile) }
    }
    for backend in backends.indices {
      columns += known.map { Column(backend: backend, profile: $0.name) }
    }
    for planned in plan {
      let scenario = planned.scenario
      rowIndices[scenario.id] = rows.count
      rows.append(
        Row(
          id: scenario.id, title: scenario.title, file: scenario.file,
          otherItems: scenario.sources.dropFirst().map(\.item),
          cells: columns.map { column in
            planned.profiles.contains { $0.name == column.profile } ? .notRun : nil
          }))
    }
    groups = Self.groups(of: plan, items)
    let all = plan.map(\.scenario.script.configuration.seed).sorted()
    for seed in all {
      if seeds.last?.seed == seed {
        seeds[seeds.count - 1].count += 1
      } else {
        seeds.append((seed, 1))
      }
    }
  }

  /// Adds the result of a scenario on one of the backends.
  ///
  /// - Parameters:
  ///   - result: the result, with the traces of all cases.
  ///   - backend: the index of the backend.
  ///   - run: the description of the run, for the commands that repeat cases.
  package mutating func add(
    _ result: ScenarioResult, of backend: Int, describing run: RunDescription
  ) {
    guard let row = rowIndices[result.scenario.id] else { return }
    summary.add(result)
    space?.add(result)
    for one in result.cases {
      guard
        let column = columns.firstIndex(where: {
          $0.backend == backend && $0.profile == one.profile
        })
      else { continue }
      var part = result
      (part.cases, part.variants) = ([one], [])
      columns[column].summary.add(part)
      rows[row].cells[column] = .run(
        Case(
          verdict: one.verdict, coverage: one.coverage, findings: one.findings,
          changeToEnd: one.changeToEnd, neverEnded: one.neverEnded,
          hangs: Summary.Hangs(one.hangs), endedAt: one.endedAt,
          command: run.arguments(repeating: one), log: one.log,
          story: keep(CaseStory(one, result.scenario))))
    }
  }

  private mutating func keep(_ story: CaseStory) -> Int {
    if let index = storyIndices[story] { return index }
    storyIndices[story] = stories.count
    stories.append(story)
    return stories.count - 1
  }

  // MARK: Groups

  /// Groups the rows; each row belongs to the first requirement that its scenario cites.
  private static func groups(of plan: [Planned], _ items: [ItemCatalog.Item]) -> [Group] {
    var groups = items.map {
      Group(name: $0.id, document: $0.document, sentence: $0.sentence, rows: [])
    }
    var folders: [Group] = []
    for (row, planned) in plan.enumerated() {
      if let source = planned.scenario.sources.first {
        add(row, to: Group(name: source.item, document: source.document, rows: []), in: &groups)
      } else {
        add(row, to: Group(name: folder(of: planned.scenario.id), rows: []), in: &folders)
      }
    }
    return (groups + folders).filter { !$0.rows.isEmpty }
  }

  private static func add(_ row: Int, to group: Group, in groups: inout [Group]) {
    let index = groups.firstIndex { $0.name == group.name && $0.document == group.document }
    if let index {
      groups[index].rows.append(row)
    } else {
      var group = group
      group.rows = [row]
      groups.append(group)
    }
  }

  private static func folder(of id: String) -> String {
    id.lastIndex(of: "/").map { String(id[..<$0]) } ?? "(no folder)"
  }
}

// Texts that all output formats share.
extension Matrix {
  /// The number of words in `handover run FILE`, which are equal for all cases of a row.
  static let wordsOfRow = 3

  /// Returns the label of a backend: its name, with a number if several backends have the same
  /// name.
  func label(of backend: Int) -> String {
    let name = backends[backend].name
    guard backends.count(where: { $0.name == name }) > 1 else { return name }
    return "\(name) (\(backends[...backend].count { $0.name == name }))"
  }

  /// Returns the name of a column, which is only the profile if there is one backend.
  func name(of column: Column) -> String {
    backends.count > 1 ? "\(label(of: column.backend)) / \(column.profile)" : column.profile
  }

  /// The size of the matrix, in one line.
  var headline: String {
    let backends = counted(self.backends.count, "backend")
    let profiles = counted(
      self.backends.isEmpty ? 0 : columns.count / self.backends.count, "profile")
    return "\(counted(rows.count, "scenario")) on \(backends) and \(profiles): "
      + counted(summary.cases, "case")
  }
}

extension Matrix.Case {
  /// The symbol and the name of the verdict, with the observed share if it is incomplete.
  var label: String {
    verdict == .passedPartially
      ? "\(Style.plain.symbol(of: verdict)) \(Verdict.passed.name) (\(coverage.text) observable)"
      : verdict.label
  }

  /// The longest time from a change to the end of a call, or `nil` if the change affected no call.
  var longestText: String? {
    if neverEnded > 0 { return "never" }
    return changeToEnd.max()?.measured
  }
}

extension Summary {
  /// Returns the number of cases with a verdict.
  func count(_ verdict: Verdict) -> Int {
    switch verdict {
    case .passed: passed
    case .passedPartially: passedPartially
    case .nonStrict: nonStrict
    case .unsupported: unsupported
    case .failedAsExpected: failedAsExpected
    case .failed: failed
    case .error: errors
    }
  }
}

extension Verdict {
  /// The symbol and the name.
  var label: String { "\(Style.plain.symbol(of: self)) \(name)" }

  /// The meaning of the verdict, in one sentence.
  var meaning: String {
    switch self {
    case .passed: "All required observations were made, and no invariant was violated."
    case .passedPartially:
      "All observable expectations passed. The backend cannot show the others."
    case .nonStrict: "All required expectations passed, but a recommendation (should) was not met."
    case .unsupported:
      "The backend does not support the scenario, or can show none of its expectations."
    case .failedAsExpected: "The case failed, and a list of known failures contains it."
    case .failed: "A required expectation failed, or an invariant was violated."
    case .error: "The backend or the harness failed, so there is no result."
    }
  }
}
