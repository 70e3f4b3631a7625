import Foundation
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverExploration

/// An exploration against the model finds mutants that violate no invariant.
@Suite("An exploration against the model")
struct ModelExplorationTests {
  /// A mutant that an exploration finds.
  struct Found: CustomTestStringConvertible, Sendable {
    var fault: Mutant
    var bound: Int
    var profile: Profile
    var groups: [ModelGroup]

    var testDescription: String { "\(fault.name), \(bound) acts" }

    init?(_ fault: Mutant) {
      guard case .actions(let bound, let walk) = fault.depth, case .model(let groups) = walk.judge,
        let profile = Profile.named(walk.profile)
      else { return nil }
      (self.fault, self.bound, self.profile, self.groups) = (fault, bound, profile, groups)
    }

    func difference() throws -> ModelDifference {
      var explorer = ModelExplorer(profile, groups, against: FaultyBackend([fault]))
      guard case .differs(let found) = explorer.run(depth: bound) else { throw NotFound() }
      return found
    }
  }

  struct NotFound: Error {}

  static let found = Mutant.all.compactMap(Found.init)

  /// Selects a sample of the mutants that can be found quickly.
  ///
  /// HANDOVER_FAULT_SEED selects another sample, and `handover selftest --explore` searches for
  /// all.
  private static let seed =
    ProcessInfo.processInfo.environment["HANDOVER_FAULT_SEED"].flatMap(UInt64.init) ?? 1

  static let drawn: [Found] = {
    var draw = SeededGenerator(seed: seed)
    print("faults of seed \(seed); HANDOVER_FAULT_SEED=\(seed) looks for the same ones")
    var cheap = found.filter { $0.bound <= 2 }
    for last in cheap.indices.reversed() {
      cheap.swapAt(last, Int(draw.next(upToAndIncluding: UInt64(last))))
    }
    return Array(cheap.prefix(40))
  }()

  @Test(
    "A mutant is found within the stated length, with a file that other clients pass",
    arguments: drawn)
  func files(_ one: Found) throws {
    let found = try one.difference()
    #expect(found.actions.count == one.bound, "\(found.actions)")
    let reading = ScenarioReader.read(file: "found.json", bytes: [UInt8](found.text.utf8))
    let scenario = try #require(reading.scenario, "\(reading.diagnostics)\n\(found.text)")
    var wrong = Worker(FaultyBackend([one.fault]))
    #expect(wrong.run(scenario).cases.map(\.verdict) == [.failed], "\(found.text)")
    var right = Worker(SimulatedBackend())
    #expect(right.run(scenario).cases.map(\.verdict) == [.passed], "\(found.text)")
  }

  @Test("A client without a mutant shows no difference", arguments: Profile.known)
  func same(_ profile: Profile) {
    var explorer = ModelExplorer(
      profile, ModelGroup.allCases, against: FaultyBackend([.canary]))
    guard case .same(actions: 1) = explorer.run(depth: 1) else {
      Issue.record("it differs from itself")
      return
    }
    #expect(explorer.sequences > 30)
  }

  @Test(
    "The exploration stops after exactly the permitted number of sequences", arguments: [1, 10])
  func stops(_ permitted: Int) {
    var explorer = ModelExplorer(
      .sockets, ModelGroup.allCases, against: FaultyBackend([.canary]))
    let verdict = explorer.run { _, sequences in sequences < permitted }
    guard case .stopped(actions: 1) = verdict else {
      Issue.record("it does not stop: \(verdict)")
      return
    }
    #expect(explorer.sequences == permitted)
  }

  @Test("The verdict states the length that was tried, even if less is requested")
  func triedLength() {
    var explorer = ModelExplorer(.sockets, [.flags], against: FaultyBackend([.canary]))
    guard case .same(actions: 1) = explorer.run(depth: 0) else {
      Issue.record("the length is wrong")
      return
    }
  }

  @Test("The sequences are all scenarios of some profile")
  func actions() throws {
    for (position, action) in ModelAction.all.enumerated() {
      let isPossible = Profile.known.contains { profile in
        guard action.isAvailable(for: profile) else { return false }
        return Self.beginnings.contains { beginning in
          ModelSequence(actions: beginning + [UInt8(position)]).scenario(profile) != nil
        }
      }
      #expect(isPossible, "\(action.sentence)")
    }
    #expect(Set(ModelAction.all.map(\.sentence)).count == ModelAction.all.count)
  }

  /// Sequences that an action may need before it.
  private static let beginnings: [[UInt8]] = {
    let all = ModelAction.all
    func positions(_ isAvailable: (ModelAction) -> Bool) -> [UInt8] {
      all.indices.filter { isAvailable(all[$0]) }.map(UInt8.init)
    }
    let gates = positions { $0.text.contains(#""kind": "gate""#) }
    let calls = positions { $0.part == .call }
    return [[]] + calls.map { [$0] } + gates.flatMap { gate in calls.prefix(1).map { [gate, $0] } }
      + positions { $0.part == .request }.prefix(2).map { [$0, $0] }
      + positions { $0.text == #""app": "background""# }.map { [$0] }
  }()

  @Test("Every mutant in the table exists, and at least 150 mutants have a known bound")
  func table() {
    let names = Set(Mutant.all.map(\.name))
    for name in KnownKills.names { #expect(names.contains(name), "\(name)") }
    let bounds = Mutant.all.compactMap { fault -> Int? in
      if case .actions(let bound, _) = fault.depth { bound } else { nil }
    }
    #expect(bounds.count >= 150)
    for fault in Mutant.all {
      if case .unseen(let reason) = fault.depth {
        #expect(reason != .canary, "\(fault.name)")
        #expect(KnownKills.names.contains(fault.name), "\(fault.name) has no line")
      }
    }
  }
}
