import HandoverCore
public import HandoverEngine
import HandoverJSON
public import HandoverScenario

/// What becomes of each item of the documents: which expectation shows it, and what is said of
/// those that none shows.
public struct Coverage: Sendable {
  /// How an item stands.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// An expectation that was decided, and held, shows it.
    case kept
    /// What is done is something else, on purpose.
    case otherwise
    /// A scenario is about it, or a test holds it, and no expectation shows it.
    case cited
    /// No scenario can say it.
    case inexpressible
    /// Nothing is known of it.
    case open
  }

  /// An expectation that was decided and held wherever it counts.
  public struct Witness: Hashable, Sendable {
    /// The scenario's id.
    public var scenario: String
    /// Where the expectation stands in the scenario's file.
    public var position: TextPosition
    /// The profiles it was decided on.
    public var profiles: [String]
    /// What it expects, in words.
    public var words: String
  }

  /// A planted fault against an item, and the scenario that convicts it of that.
  public struct Conviction: Hashable, Sendable {
    /// The fault's name.
    public var fault: String
    /// The scenario's id.
    public var scenario: String

    /// Makes one.
    public init(fault: String, scenario: String) {
      self.fault = fault
      self.scenario = scenario
    }
  }

  /// An item, and what is known of it.
  public struct Row: Sendable {
    /// The item.
    public var item: ItemCatalogue.Item
    /// The expectations that show it, or what is done instead.
    public internal(set) var witnesses: [Witness] = []
    /// The ids of the scenarios that are about it.
    public internal(set) var scenarios: [String] = []
    /// The faults that are against it and were convicted of it, in the order of their list.
    public internal(set) var convictions: [Conviction] = []
    /// Why it is not kept, or not as a whole.
    public internal(set) var reason: ItemCatalogue.Reason?

    /// How it stands.
    public var state: State {
      switch reason?.kind {
      case .otherwise: .otherwise
      case .cited: .cited
      case .inexpressible: .inexpressible
      case .partly, nil: witnesses.isEmpty ? scenarios.isEmpty ? .open : .cited : .kept
      }
    }

    /// Whether it is kept, and a fault against it was convicted.
    public var isConvicted: Bool { state == .kept && !convictions.isEmpty }

    /// Whether only a part of it is kept.
    public var isPartial: Bool { reason?.kind == .partly }
  }

  /// The items, in the order of the catalogue.
  public private(set) var rows: [Row] = []
  /// What does not fit together, each in one line.
  public private(set) var problems: [String] = []
  private var places: [String: Int] = [:]  // lookup only

  /// Makes the table of some items, of which no scenario is known yet.
  public init(items: [ItemCatalogue.Item], reasons: [ItemCatalogue.Reason]) {
    var ids: Set<String> = []  // lookup only
    for item in items {
      if !ids.insert(item.id).inserted {
        problems.append("error: the item \(item.id) stands in the catalogue twice")
      }
      places[Self.key(item.document, item.id)] = rows.count
      rows.append(Row(item: item))
    }
    for reason in reasons {
      let name = "\(reason.document) \(reason.id)"
      guard let index = places[Self.key(reason.document, reason.id)] else {
        problems.append("error: a reason is given for \(name), which is no item")
        continue
      }
      if rows[index].reason != nil {
        problems.append("error: two reasons are given for \(name)")
      }
      rows[index].reason = reason
    }
  }

  /// Takes up a scenario that was run on all its profiles, with the decisions kept.
  public mutating func add(_ result: ScenarioResult) {
    let scenario = result.scenario
    for source in scenario.sources {
      if let index = places[Self.key(source.document, source.item)] {
        rows[index].scenarios.append(scenario.id)
      } else {
        complain(
          scenario, source.position, "there is no item \(source.item) of \(source.document)")
      }
    }
    let words = ExpectationWords(scenario.script)
    for (index, expectation) in scenario.expectations.enumerated() where !expectation.shows.isEmpty
    {
      if let flaw = Self.flaw(of: expectation, at: index, in: result) {
        complain(scenario, expectation.position, flaw)
        continue
      }
      let witness = Witness(
        scenario: scenario.id, position: expectation.position,
        profiles: expectation.profiles.map(\.name), words: words.text(of: expectation))
      for source in expectation.shows {
        let reference = scenario.sources[source]
        guard let index = places[Self.key(reference.document, reference.item)] else { continue }
        rows[index].witnesses.append(witness)
      }
    }
  }

  /// Takes up that a scenario convicts a fault.
  ///
  /// - Parameters:
  ///   - fault: the fault's name.
  ///   - items: the ids of the items that it is against.
  ///   - shown: what the scenario showed to be broken, as `document id`.
  ///   - scenario: the scenario's id.
  public mutating func convict(
    _ fault: String, of items: [String], showing shown: [String], by scenario: String
  ) {
    for key in shown {
      guard let index = places[key], items.contains(rows[index].item.id),
        !rows[index].convictions.contains(where: { $0.fault == fault })
      else { continue }
      rows[index].convictions.append(Conviction(fault: fault, scenario: scenario))
    }
  }

  /// The items that are kept and that no fault was convicted of breaking.
  public var unconvicted: [Row] { rows.filter { $0.state == .kept && $0.convictions.isEmpty } }

  /// Looks for items of which two things are said that cannot both be; call it when everything
  /// was added.
  public mutating func finish() {
    for row in rows {
      let name = "\(row.item.document) \(row.item.id)"
      switch row.reason?.kind {
      case .partly where row.witnesses.isEmpty:
        problems.append("error: \(name) is said to be kept in part, and nothing shows it")
      case .cited where !row.witnesses.isEmpty:
        problems.append(
          "error: \(name) is said to be cited only, and \(row.witnesses[0].scenario) shows it")
      case .inexpressible where !row.scenarios.isEmpty:
        problems.append(
          "error: \(name) is said not to be expressible, and \(row.scenarios[0]) is about it")
      case .partly, .cited, .inexpressible, .otherwise, nil:
        break
      }
    }
  }

  /// How many items stand so.
  public func count(_ state: State) -> Int { rows.count { $0.state == state } }

  /// Why an expectation shows nothing; nil where it was decided and held on all its profiles.
  private static func flaw(
    of expectation: Expectation, at index: Int, in result: ScenarioResult
  ) -> String? {
    guard expectation.level == .must else { return "what is only recommended shows no item" }
    for profile in expectation.profiles {
      guard let played = result.cases.first(where: { $0.profile == profile.name }) else {
        return "it shows items, and was not run on \(profile.name)"
      }
      guard played.held.contains(index) else {
        return "it shows items, and did not hold on \(profile.name)"
      }
      guard played.verdict < .failed else {
        return "it shows items, and its scenario failed on \(profile.name)"
      }
    }
    return nil
  }

  private mutating func complain(
    _ scenario: Scenario, _ position: TextPosition, _ problem: String
  ) {
    problems.append("\(scenario.file):\(position.line):\(position.column): error: \(problem)")
  }

  private static func key(_ document: String, _ id: String) -> String { "\(document) \(id)" }
}
