package import HandoverCore
package import HandoverEngine
package import HandoverJSON
package import HandoverScenario

/// Makes a scenario that fails as small as it can be: from what is left, no single part can be
/// taken out without healing it.
///
/// Parts are entries of the timeline with what depends on them, hosts, settings and everything else
/// that may be left out. Times become whole seconds, one apart, wherever it fails all the same.
package struct Shrinker {
  /// Whether nothing more can be taken out.
  package enum Outcome: Hashable, Sendable {
    case minimal
    case stopped
  }

  /// How much a scenario says.
  package struct Size: Hashable, Sendable {
    package var entries: Int
    package var calls: Int
    package var hosts: Int
  }

  /// Runs a scenario, and returns the case of the profile that fails.
  package typealias Play = (Scenario) -> CaseResult?

  /// What it fails of.
  package let failure: FailureSignature
  /// How often a smaller scenario was tried.
  package private(set) var tries = 0
  private(set) var tree: ScenarioTree
  private let play: Play
  private let reference: Play?
  /// The scenario with all its profiles; nil if it has one, or the failing profile is another.
  private var unreduced: ScenarioTree?
  private let profile: Profile
  private let traces: ScenarioReader.TraceSource?
  private let keepsID: Bool
  /// How many of the last entries stay, as far as what they are about does.
  private var keptEntries: Int
  private var rejected: Set<StateDigest> = []  // lookup only
  private var isStopped = false
  private var goesOn: (Int) -> Bool = { _ in true }

  /// Takes up a scenario that fails.
  ///
  /// - Parameters:
  ///   - document: its file.
  ///   - scenario: what was read from it.
  ///   - profile: the profile that it fails on.
  ///   - finding: what it fails of.
  ///   - traces: gives the bytes of the traces that it names.
  ///   - keepsID: whether the small scenario has the same id.
  ///   - keptEntries: how many of the last entries stay, with all settings, where nobody else says
  ///     what is right to expect.
  ///   - play: plays a scenario on what is under test.
  ///   - reference: plays it on a client that is right, and keeps what this one expects.
  package init(
    _ document: JSONDocument, _ scenario: Scenario, on profile: Profile, failingOf finding: Finding,
    traces: ScenarioReader.TraceSource? = nil, keepsID: Bool = false, keptEntries: Int = 0,
    play: @escaping Play, reference: Play? = nil
  ) {
    failure = FailureSignature(finding)
    tree = ScenarioTree(document.root)
    self.play = play
    self.profile = profile
    self.traces = traces
    self.keepsID = keepsID
    self.reference = failure.isExpected ? reference : nil
    self.keptEntries = failure.isExpected && reference == nil ? keptEntries : 0
    prepare(scenario, profile, finding)
  }

  /// Leaves one expectation and one profile, and lets times count from the beginning.
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
      tree["title"] = .text("Rule \(number) is broken: \(rule.sentence)")
    }
    if !keepsID {
      tree["id"] = .text(String((tree["id"]?.asText ?? "found").prefix(190)) + "-minimal")
    }
    if scenario.profiles.count > 1, scenario.profiles.contains(profile) { unreduced = tree }
    tree = onOneProfile(tree)
  }

  /// The scenario with the failing profile alone.
  private func onOneProfile(_ tree: ScenarioTree) -> ScenarioTree {
    var tree = tree
    tree["profiles"] = .array([.text(profile.name)])
    // A fault of callbacks is an error on a profile without callbacks.
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

  /// Returns to all profiles if the scenario cannot be read, or does not fail, with one: for
  /// example, a setting of threads needs `url-dispatcher` in the list.
  private mutating func takeAllProfiles() -> Bool {
    guard !isStopped, let unreduced, fails(unreduced) else { return false }
    tree = unreduced
    return true
  }

  /// Makes it smaller until nothing more can be taken out.
  ///
  /// - Parameter goesOn: is asked before each try, with how many there were.
  /// - Returns: what came of it; nil where the scenario does not fail of this on the one profile.
  package mutating func run(while goesOn: @escaping (Int) -> Bool = { _ in true }) -> Outcome? {
    self.goesOn = goesOn
    defer { self.goesOn = { _ in true } }
    guard fails(tree) || takeAllProfiles() else { return isStopped ? .stopped : nil }
    var before: ScenarioTree
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

  /// The scenario as it is now, as a file.
  package var text: [UInt8] {
    let bytes = tree.bytes
    guard let document = try? JSONReader.read(bytes) else { return bytes }
    return CanonicalText.of(document)
  }

  /// How much it says now.
  package var size: Size { Self.size(of: tree) }

  /// How much a scenario says.
  package static func size(of tree: ScenarioTree) -> Size {
    let timeline = tree["timeline"]?.children ?? []
    return Size(
      entries: timeline.count, calls: timeline.count { made(by: $0) != nil },
      hosts: tree["hosts"]?.children.count ?? 0)
  }

  // MARK: Tries

  /// Takes a smaller scenario where it fails of the same.
  ///
  /// - Returns: whether it does.
  mutating func take(_ smaller: ScenarioTree) -> Bool {
    guard smaller != tree, fails(smaller) else { return false }
    tree = smaller
    return true
  }

  private mutating func fails(_ tree: ScenarioTree) -> Bool {
    let bytes = tree.bytes
    let digest = Self.digest(bytes)
    guard !isStopped, !rejected.contains(digest) else { return false }
    guard goesOn(tries) else {
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

  /// Takes out runs of entries, long ones first.
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

  /// The scenario without some entries, and without those that name a call or a request of theirs;
  /// and how many of those that are to stay are left.
  private func without(_ places: Range<Int>) -> (ScenarioTree, kept: Int) {
    let entries = tree["timeline"]?.children ?? []
    let gone = places.compactMap { Self.made(by: entries[$0]) }
    let left = entries.indices.filter { place in
      !places.contains(place) && !gone.contains { Self.names($0, entries[place]) }
    }
    var smaller = tree
    smaller["timeline"] = .array(left.map { entries[$0] })
    return (smaller, left.count { $0 >= entries.count - keptEntries })
  }

  /// The id of the call or request that an entry makes.
  private static func made(by entry: ScenarioTree) -> String? {
    ["call", "request", "ask"].lazy.compactMap { entry[$0]?["id"]?.asText }.first
  }

  /// Whether an entry is about a call or a request that was made before.
  private static func names(_ id: String, _ entry: ScenarioTree) -> Bool {
    ["cancel", "start", "finish"].contains { entry[$0]?.asText == id }
      || ["send", "receive", "interceptor"].contains { entry[$0]?["call"]?.asText == id }
  }

  // MARK: Everything else

  /// Takes out members of objects and elements of lists.
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
    // Entries are taken out with what depends on them.
    case "timeline" where path.count == 2: return false
    default: return tree.key(at: path[...]) != "at" || tree.key(at: path.prefix(1)) != "timeline"
    }
  }

  /// Lets what goes to one host go to another one.
  private mutating func mergeHosts() {
    var place = 0
    while let hosts = tree["hosts"]?.keys, place < hosts.count {
      let isMerged = hosts.contains { other in
        guard other != hosts[place] else { return false }
        var smaller = tree.mappingTexts { $0 == hosts[place] ? other : $0 }
        smaller["hosts"]?[hosts[place]] = nil
        return take(smaller)
      }
      if !isMerged { place += 1 }
    }
  }
}
