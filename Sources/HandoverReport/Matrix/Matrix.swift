public import HandoverCore
public import HandoverEngine
public import HandoverScenario

/// What came out of scenarios on several backends: a row for each scenario, a column for each
/// backend and profile.
public struct Matrix: Sendable {
  /// A backend of the matrix.
  public struct Backend: Hashable, Sendable {
    /// What it calls itself.
    public var name: String
    /// What chooses it on the command line, such as `exec:COMMAND`.
    public var argument: String
    /// Its version; nil where it names none.
    public var version: String?

    /// Makes a backend.
    public init(name: String, argument: String, version: String? = nil) {
      self.name = name
      self.argument = argument
      self.version = version
    }
  }

  /// A scenario that is going to be run, and its profiles.
  public struct Planned: Sendable {
    /// The scenario.
    public var scenario: Scenario
    /// Which profiles it is run on.
    public var profiles: [Profile]

    /// Makes an entry of a plan.
    public init(scenario: Scenario, profiles: [Profile]) {
      self.scenario = scenario
      self.profiles = profiles
    }
  }

  /// How a matrix was made, for its foot.
  public struct Provenance: Hashable, Sendable {
    /// The command that makes the same matrix; empty where it is not told.
    public var command = ""
    /// The date that it is given; nil where none is.
    public var date: String?
    /// The seed of all runs; nil where each scenario has its own.
    public var seed: UInt64?

    /// Tells nothing.
    public init() {}
  }

  /// One backend on one profile.
  struct Column: Hashable, Sendable {
    var backend: Int
    var profile: String
    var summary = Summary()
  }

  /// One scenario.
  struct Row: Sendable {
    var id: String
    var title: String?
    var file: String
    /// The further items that it verifies, beside that of its group.
    var otherItems: [String]
    /// One for each column; nil where the scenario is not about the profile.
    var cells: [Cell?]
  }

  /// What is in a cell.
  enum Cell: Sendable {
    /// The run was interrupted before it.
    case notRun
    case run(Case)
  }

  /// What came out of one case.
  struct Case: Sendable {
    var verdict: Verdict
    /// How much of what was expected the backend shows.
    var sight: Sight
    /// What was not as it should be.
    var findings: [Finding]
    var changeToEnd: [Interval]
    var neverEnded: Int
    /// The calls that hung for longer than the matrix tells of.
    var hangs: Summary.Hangs
    var endedAt: Instant
    /// The command that repeats it, word by word.
    var command: [String]
    /// What the backend wrote for people, where something went wrong.
    var log: String
    /// The place of its story among ``Matrix/stories``.
    var story: Int
  }

  /// Rows that verify one item, or lie in one folder.
  struct Group: Hashable, Sendable {
    /// The item, or the folder.
    var name: String
    /// The document; nil for a folder.
    var document: String?
    /// What the item says, where that is known.
    var sentence: String?
    /// The rows, by their places.
    var rows: [Int]
  }

  /// The backends, in the order they were named.
  public let backends: [Backend]
  private(set) var columns: [Column] = []
  private(set) var rows: [Row] = []
  private(set) var groups: [Group] = []
  private(set) var stories: [CaseStory] = []
  /// Everything in sum.
  public private(set) var summary = Summary()
  /// Whether the run was interrupted, so that some cells are empty.
  public var wasInterrupted = false
  /// What each case was to keep besides what its scenario expects.
  public var gates = Gates()
  /// What made the matrix; nil where that is not told.
  public var harness: Harness?
  /// How it was made.
  public var provenance = Provenance()
  /// Which changes of the network the scenarios had; nil where nobody counts them.
  package var space: SpaceCoverage?
  /// The seeds of the scenarios, and how many have each, from the lowest.
  private(set) var seeds: [(seed: UInt64, count: Int)] = []

  private var storyPlaces: [CaseStory: Int] = [:]  // lookup only
  private var rowPlaces: [String: Int] = [:]  // lookup only

  /// Makes a matrix in which nothing was run yet.
  ///
  /// - Parameters:
  ///   - backends: the columns, each with all profiles of the plan.
  ///   - plan: the rows.
  ///   - items: what the documents' items say, and in which order; may be empty.
  public init(backends: [Backend], plan: [Planned], items: [ItemCatalogue.Item] = []) {
    self.backends = backends
    let known = Profile.known.filter { profile in
      plan.contains { $0.profiles.contains(profile) }
    }
    for backend in backends.indices {
      columns += known.map { Column(backend: backend, profile: $0.name) }
    }
    for planned in plan {
      let scenario = planned.scenario
      rowPlaces[scenario.id] = rows.count
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

  /// Takes what came out of a scenario on one of the backends.
  ///
  /// - Parameters:
  ///   - result: the result, with the traces of all cases.
  ///   - backend: the place of the backend.
  ///   - run: how the run is repeated.
  public mutating func add(
    _ result: ScenarioResult, of backend: Int, describing run: RunDescription
  ) {
    guard let row = rowPlaces[result.scenario.id] else { return }
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
          verdict: one.verdict, sight: one.sight, findings: one.findings,
          changeToEnd: one.changeToEnd, neverEnded: one.neverEnded,
          hangs: Summary.Hangs(one.hangs), endedAt: one.endedAt,
          command: run.words(repeating: one), log: one.log,
          story: keep(CaseStory(one, result.scenario))))
    }
  }

  private mutating func keep(_ story: CaseStory) -> Int {
    if let index = storyPlaces[story] { return index }
    storyPlaces[story] = stories.count
    stories.append(story)
    return stories.count - 1
  }

  // MARK: Groups

  /// Each row stands once, under the first item that its scenario cites: the one it is about.
  private static func groups(of plan: [Planned], _ items: [ItemCatalogue.Item]) -> [Group] {
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

// What the writers of all kinds say in the same words.
extension Matrix {
  /// What a backend is called in its columns: its own name, with a number where several have it.
  func label(of backend: Int) -> String {
    let name = backends[backend].name
    guard backends.count(where: { $0.name == name }) > 1 else { return name }
    return "\(name) (\(backends[...backend].count { $0.name == name }))"
  }

  /// The name of a column; of a matrix with one backend, the profile alone.
  func name(of column: Column) -> String {
    backends.count > 1 ? "\(label(of: column.backend)) / \(column.profile)" : column.profile
  }

  /// All of it on one line.
  var headline: String {
    let backends = VisibleText.counted(self.backends.count, "backend")
    let profiles = VisibleText.counted(
      self.backends.isEmpty ? 0 : columns.count / self.backends.count, "profile")
    return "\(VisibleText.counted(rows.count, "scenario")) on \(backends) and \(profiles): "
      + VisibleText.counted(summary.cases, "case")
  }

  /// Whether not all columns of a row came to the same verdict.
  func differs(_ row: Row) -> Bool {
    let verdicts = row.verdicts
    return verdicts.contains { $0 != verdicts.first }
  }
}

extension Matrix.Row {
  /// The verdicts of what was run.
  var verdicts: [Verdict] {
    cells.compactMap { cell in
      if case .run(let one) = cell { return one.verdict }
      return nil
    }
  }
}

extension Matrix.Case {
  /// The symbol and the word, with how much was seen where that is not all.
  var label: String {
    verdict == .asFarAsSeen ? "\(verdict.label) (\(sight.text))" : verdict.label
  }

  /// The longest time from a change to the end of a call, in a word; nil where no call was touched.
  var longestText: String? {
    if neverEnded > 0 { return "never" }
    return changeToEnd.max()?.measured
  }
}

extension Summary {
  /// How many cases came to a verdict.
  func count(_ verdict: Verdict) -> Int {
    switch verdict {
    case .passed: passed
    case .asFarAsSeen: asFarAsSeen
    case .nonStrict: nonStrict
    case .unsupported: unsupported
    case .failedAsExpected: failedAsExpected
    case .failed: failed
    case .error: errors
    }
  }
}

extension Verdict {
  /// The symbol and the word.
  var label: String { "\(Style.plain.symbol(of: self)) \(name)" }

  /// What the verdict means, in one sentence.
  var meaning: String {
    switch self {
    case .passed: "Everything that must happen was seen, and no rule was broken."
    case .asFarAsSeen:
      "Everything expected that the backend shows was seen; the rest it does not show."
    case .nonStrict: "All that must happen was seen, but not all that is recommended."
    case .unsupported:
      "The backend said beforehand that it cannot play this, or show anything of it."
    case .failedAsExpected: "The case failed, and somebody wrote down that it does."
    case .failed: "Something that must happen was not seen, or a rule was broken."
    case .error: "The backend or the harness broke, so there is no verdict."
    }
  }
}
