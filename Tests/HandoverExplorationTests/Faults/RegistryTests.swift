import Foundation
import HandoverCore
import HandoverExploration
import HandoverScenario
import Testing

@Suite("The list of mutants")
struct RegistryTests {
  @Test("The list has each mutant once, with a sentence, and at least a hundred and fifty")
  func list() {
    let names = Mutant.all.map(\.name)
    #expect(names.count >= 150)
    #expect(Set(names).count == names.count)
    for fault in Mutant.all {
      #expect(fault.sentence.hasSuffix(".") && fault.sentence.first?.isUppercase == true)
      #expect(Mutant.named(fault.name)?.sentence == fault.sentence)
      #expect(!fault.scenarios.isEmpty, "\(fault.name)")
      #expect(fault.items.isEmpty == (fault.reasonWithoutItem != nil), "\(fault.name)")
      #expect(Set(fault.items).count == fault.items.count, "\(fault.name)")
    }
    #expect(Mutant.named("no such fault") == nil)
  }

  @Test(
    "The list has every switch of the state machines, including those with bugs of the original")
  func switches() {
    let names = Set(Mutant.all.map(\.name))
    for defect in Defect.allCases { #expect(names.contains(defect.rawValue)) }
    for name in KnownDefects.names { #expect(names.contains(name)) }
    for name in ["P8", "P9", "C9", "C10", "C11", "10302"] { #expect(names.contains(name)) }
    for number in 79...87 { #expect(names.contains("U\(number)")) }
  }

  @Test("The list names existing requirements and scenarios")
  func references() throws {
    let file = "Fixtures/Documents/items.json"
    let bytes = Array(try Data(contentsOf: Corpus.root.appending(path: file)))
    let items = Set(try ItemCatalog.items(file: file, bytes: bytes).map(\.id))
    for fault in Mutant.all {
      for item in fault.items { #expect(items.contains(item), "\(fault.name): \(item)") }
      for id in fault.scenarios {
        #expect(Corpus.scenario(id) != nil, "\(fault.name): \(id)")
      }
    }
  }

  @Test("Each mutant is detected by the scenarios that it names, for its requirements")
  func detections() throws {
    for fault in Mutant.all {
      let scenarios = fault.scenarios.compactMap(Corpus.scenario)
      let kills = Mutant.tried(fault, on: scenarios)
      for one in kills {
        #expect(one.isDetected, "\(fault.name): \(one.scenario) \(one.breakdown ?? "passes")")
      }
      for item in fault.items {
        #expect(kills.contains { $0.shows(item) }, "\(fault.name): \(item)")
      }
    }
  }

  @Test("The canary is detected by nothing, and a client without mutants passes")
  func canary() throws {
    for fault in [Mutant.canary, nil] {
      let kills = Mutant.tried(fault, on: Corpus.scenarios)
      #expect(kills.count == Corpus.scenarios.count)
      #expect(kills.allSatisfy { $0.finding == nil })
    }
  }

  @Test("The hash-order mutant changes the digest of a run, and no verdict")
  func hashOrder() throws {
    let scenario = try #require(
      Corpus.scenarios.max { $0.script.calls.count < $1.script.calls.count })
    // A dictionary has a different order each time, and with some thousand records no order
    // repeats.
    let usual = Mutant.digests(of: scenario, nil)
    let shuffled = Mutant.digests(of: scenario, .hashOrder)
    #expect(shuffled.count == usual.count)
    #expect(shuffled != usual)
    #expect(usual == Mutant.digests(of: scenario, nil))
  }
}
