package import HandoverCore
package import HandoverEngine
package import HandoverScenario

/// Reduces a failing scenario to a minimal one: removing any single part would make it pass.
///
/// Parts are timeline entries with their dependents, hosts, settings and everything else that is
/// optional. Times become whole seconds with gaps of one second, if the scenario still fails.
package struct Shrinker {
  /// Whether the reduction is complete.
  package enum Outcome: Hashable, Sendable {
    case minimal
    case stopped
  }

  /// The size of a scenario.
  package struct Size: Hashable, Sendable {
    package var entries: Int
    package var calls: Int
    package var hosts: Int
  }

  /// Runs a scenario, and returns the case of the failing profile.
  package typealias Play = (Scenario) -> CaseResult?

  /// The failure that must be preserved.
  package let failure: FailureSignature
  /// The number of smaller scenarios tried.
  package private(set) var tries = 0
  private(set) var tree: JSONTree
  private let play: Play
  private let reference: Play?
  /// The scenario with all its profiles, or `nil` if it has only one or does not contain the
  /// failing profile.
  private var unreduced: JSONTree?
  private let profile: Profile
  private let traces: ScenarioReader.TraceSource?
  private let keepsID: Bool
  /// The number of last entries that must stay, unless an entry that they depend on is removed.
  private var keptEntries: Int
  private var rejected: Set<StateDigest> = []  // lookup only
  private var isStopped = false
  private var shouldContinue: (Int) -> Bool = { _ in true }

  /// Creates a shrinker for a failing scenario.
  ///
  /// - Parameters:
  ///   - document: The file of the scenario.
  ///   - scenario: The scenario read from the file.
  ///   - profile: The profile on which it fails.
  ///   - finding: The failure to preserve.
  ///   - traces: Returns the bytes of the trace files that the scenario names.
  ///   - keepsID: Whether the smaller scenario has the same ID.
  ///   - keptEntries: The number of last entries that must stay, together with all settings; used
  ///     only if no reference defines the correct result.
  ///   - play: Runs a scenario on the client under test.
  ///   - reference: Runs a scenario on a correct client, which must meet the expectation.
  package init(
    _ document: JSONDocument, _ scenario: Scenario, on profile: Profile, failingOf finding: Finding,
    traces: ScenarioReader.TraceSource? = nil, keepsID: Bool = false, keptEntries: Int = 0,
    play: @escaping Play, reference: Play? = nil
  ) {
    failure = FailureSignature(finding)
    tree = JSONTree(document.root).withoutComments
    self.play = play
    self.profile = profile
    self.traces = traces
    self.keepsID = keepsID
    self.reference = failure.isExpected ? reference : nil
    self.keptEntries = failure.isExpected && reference == nil ? keptEntries : 0
    prepare(scenario, profile, finding)
  }

  /// Removes all other expectations and profiles, and makes times absolute.
  private mutating func prepare(_ scenario: Scenario, _ profile: Profile, _ finding: Finding) {
    tree["source"] = nil
    var timeline = tree["timeline"]?.children ?? []
    for (index, entry) in scenario.script.entries.enumerated() where index < timeline.count {
      timeline[index]["at"] = .text(entry.at.text)
    }
    tree["timeline"] = .array(timeline)
    var expectations = tree["expect"]?.children ?? []
    let broken = scenario.expectations.firstIndex { $0.position == finding.position }
    if failure.isExpected, let broken, broken < expectations.count {
      expectations = [expectations[broken]]
    } else if case .invariant = failure.kind {
      expectations = []
    }
    for index in expectations.indices { expectations[index]["shows"] = nil }
    tree["expect"] = .array(expectations)
    if case .invariant(let number) = failure.kind, let rule = RuleIdentifier(rawValue: number) {
      tree["title"] = .text("Invariant \(number) is violated: \(rule.sentence)")
    }
    if !keepsID {
      tree["id"] = .text(String((tree["id"]?.asText ?? "found").prefix(190)) + "-minimal")
    }
    if scenario.profiles.count > 1, scenario.profiles.contains(profile) { unreduced = tree }
    tree = onOneProfile(tree)
  }

  /// Returns the scenario with the failing profile only.
  private func onOneProfile(_ tree: JSONTree) -> JSONTree {
    var tree = tree
    tree["profiles"] = .array([.text(profile.name)])
    // On a profile without callbacks, a callback fault is an error.
    if !profile.policy.monitorsReachability {
      tree["timeline"] = .array((tree["timeline"]?.children ?? []).filter { $0["monitor"] == nil })
    }
    tree["expect"] = .array(
      (tree["expect"]?.children ?? []).map { expectation in
        var expectation = expectation
        expectation["profiles"] = nil
        return expectation
      })
    return tree
  }

  /// Restores all profiles if the scenario is invalid or does not fail with only one.
  ///
  /// For example, a setting of threads requires `url-dispatcher` in the list.
  private mutating func takeAllProfiles() -> Bool {
    guard !isStopped, let unreduced, fails(unreduced) else { return false }
    tree = unreduced
    return true
  }

  /// Reduces the scenario until no further part can be removed.
  ///
  /// - Parameter shouldContinue: Called before each try with the number of tries so far; returns
  ///   `false` to stop.
  /// - Returns: The outcome, or `nil` if the scenario does not have the failure on the profile.
  package mutating func run(while shouldContinue: @escaping (Int) -> Bool = { _ in true })
    -> Outcome?
  {
    self.shouldContinue = shouldContinue
    defer { self.shouldContinue = { _ in true } }
    guard fails(tree) || takeAllProfiles() else { return isStopped ? .stopped : nil }
    var before: JSONTree
    repeat {
      before = tree
      dropEntries()
      if keptEntries == 0 { dropParts() }
      mergeHosts()
      simplifyTimes()
      if (tree["profiles"]?.children.count ?? 0) > 1 { _ = take(onOneProfile(tree)) }
    } while tree != before && !isStopped
    return isStopped ? .stopped : .minimal
  }

  /// The current scenario file.
  package var text: [UInt8] {
    let bytes = Array(tree.line.utf8)
    guard let document = try? JSONReader.read(bytes) else { return bytes }
    return CanonicalText.of(document)
  }

  /// The size of the current scenario.
  package var size: Size { Self.size(of: tree) }

  /// Returns the size of a scenario.
  package static func size(of tree: JSONTree) -> Size {
    let timeline = tree["timeline"]?.children ?? []
    return Size(
      entries: timeline.count, calls: timeline.count { made(by: $0) != nil },
      hosts: tree["hosts"]?.children.count ?? 0)
  }

  // MARK: Tries

  /// Replaces the scenario by a smaller one if that has the same failure.
  ///
  /// - Returns: Whether the scenario was replaced.
  mutating func take(_ smaller: JSONTree) -> Bool {
    guard smaller != tree, fails(smaller) else { return false }
    tree = smaller
    return true
  }

  private mutating func fails(_ tree: JSONTree) -> Bool {
    let bytes = Array(tree.line.utf8)
    let digest = Self.digest(bytes)
    guard !isStopped, !rejected.contains(digest) else { return false }
    guard shouldContinue(tries) else {
      isStopped = true
      return false
    }
    let reading = ScenarioReader.read(file: "scenario", bytes: bytes, traces: traces)
    guard let scenario = reading.scenario else { return reject(digest) }
    tries += 1
    guard let result = play(scenario), failure.isMet(by: result) else { return reject(digest) }
    if let reference {
      guard let right = reference(scenario), FailureSignature.isAsExpected(right) else {
        return reject(digest)
      }
    }
    return true
  }

  private static func digest(_ bytes: [UInt8]) -> StateDigest {
    var digest = StateDigest(at: .zero)
    for byte in bytes { digest.combine(UInt64(byte)) }
    return digest
  }

  private mutating func reject(_ digest: StateDigest) -> Bool {
    rejected.insert(digest)
    return false
  }

  // MARK: Entries

  /// Removes sequences of entries, long ones first.
  private mutating func dropEntries() {
    var length = max(1, (tree["timeline"]?.children.count ?? 0) / 2)
    while true {
      var start = 0
      while let count = tree["timeline"]?.children.count, start < count - keptEntries {
        let (smaller, kept) = without(start..<min(start + length, count - keptEntries))
        if take(smaller) {
          keptEntries = kept
        } else {
          start += length
        }
      }
      guard length > 1 else { return }
      length /= 2
    }
  }

  /// Returns the scenario without some entries and without their dependents.
  ///
  /// An entry is dependent if it names a call or request that a removed entry makes. The second
  /// result is the number of remaining entries among those that must stay.
  private func without(_ positions: Range<Int>) -> (JSONTree, kept: Int) {
    let entries = tree["timeline"]?.children ?? []
    let gone = positions.compactMap { Self.made(by: entries[$0]) }
    let left = entries.indices.filter { position in
      !positions.contains(position) && !gone.contains { Self.names($0, entries[position]) }
    }
    var smaller = tree
    smaller["timeline"] = .array(left.map { entries[$0] })
    return (smaller, left.count { $0 >= entries.count - keptEntries })
  }

  /// Returns the ID of the call or request that an entry makes, or `nil` if it makes none.
  private static func made(by entry: JSONTree) -> String? {
    ["call", "request", "ask"].lazy.compactMap { entry[$0]?["id"]?.asText }.first
  }

  /// Returns whether an entry refers to a call or request that was made before.
  private static func names(_ id: String, _ entry: JSONTree) -> Bool {
    ["cancel", "start", "finish"].contains { entry[$0]?.asText == id }
      || ["send", "receive", "interceptor"].contains { entry[$0]?["call"]?.asText == id }
  }

  // MARK: Everything else

  /// Removes members of objects and elements of arrays.
  private mutating func dropParts() {
    var paths = tree.paths
    var next = 0
    while next < paths.count {
      if mayBeDropped(paths[next]), take(tree.without(paths[next])) {
        paths = tree.paths
      } else {
        next += 1
      }
    }
  }

  private func mayBeDropped(_ path: [Int]) -> Bool {
    if path.count == 1 {
      let key = tree.key(at: path[...]) ?? ""
      return !["format", "id", "title", "profiles", "initial", "timeline"].contains(key)
    }
    switch tree.key(at: path.prefix(1)) {
    case "profiles": return false
    // Entries are removed together with their dependents in another step.
    case "timeline" where path.count == 2: return false
    default: return tree.key(at: path[...]) != "at" || tree.key(at: path.prefix(1)) != "timeline"
    }
  }

  /// Redirects everything from one host to another, and removes the host.
  private mutating func mergeHosts() {
    var position = 0
    while let hosts = tree["hosts"]?.keys, position < hosts.count {
      let isMerged = hosts.contains { other in
        guard other != hosts[position] else { return false }
        var smaller = tree.mappingTexts { $0 == hosts[position] ? other : $0 }
        smaller["hosts"]?[hosts[position]] = nil
        return take(smaller)
      }
      if !isMerged { position += 1 }
    }
  }
}
