import HandoverCore
import HandoverSimulation

/// Finds the successors of worlds, and checks for each new one that it recovers.
final class WorldExpander: Expander {
  typealias Violation = WorldViolation
  typealias Growth = WorldGrowth

  private var stepper: WorldStepper

  init(_ setup: WorldSetup) {
    stepper = WorldStepper(setup)
  }

  func begin(into box: ExpansionBatch<WorldExpander>) {
    stepper.begin(into: &box.found)
    box.growth = stepper.growth
  }

  func expand(
    _ segment: FrontierSegment, _ filter: SeenFilter, into box: ExpansionBatch<WorldExpander>
  ) {
    stepper.growth = WorldGrowth()
    var cursor = FrontierSegment.Cursor()
    while let state = cursor.next(in: segment) {
      stepper.expand(
        segment.bytes, at: state.start, numbered: state.number, filter, into: &box.found,
        &box.violations)
    }
    box.growth = stepper.growth
  }
}

/// A world in which each action is performed, with the buffers for it.
private struct WorldStepper: ~Copyable {
  private let setup: WorldSetup
  private let form: WorldForm
  private let alphabet: WorldAlphabet
  private let healing: WorldHealing
  private var rules: WorldRules
  private var world: ExploredWorld
  private var base = WorldState()
  private var after = WorldState()
  private var scratch = WorldSurvey()
  private var actions: ContiguousArray<WorldAction> = []
  /// The maxima over the states that were found.
  var growth = WorldGrowth()

  init(_ setup: WorldSetup) {
    self.setup = setup
    form = WorldForm(setup)
    alphabet = WorldAlphabet(setup)
    healing = WorldHealing(setup)
    rules = WorldRules(setup)
    world = setup.makeWorld(setup.initialReads[0])
    base.expected = rules.initial
    after.expected = rules.initial
  }

  /// Adds the initial worlds, each with the read that leads to it.
  mutating func begin(into found: inout SuccessorBatch) {
    for read in setup.initialReads {
      world = setup.makeWorld(read)
      world.survey(into: &after.survey)
      after.expected = rules.initial
      after.lostCalls = 0
      growth.observe(after.survey)
      let start = found.forms.count
      form.write(after, into: &found.forms)
      found.add(
        formFrom: start, from: .max, by: WorldAction(.flags, Int(read.rawValue)).code)
    }
    world = setup.makeWorld(setup.initialReads[0])
  }

  /// Tries every action in a state.
  mutating func expand(
    _ bytes: borrowing FormBytes, at start: Int, numbered number: UInt32, _ filter: SeenFilter,
    into found: inout SuccessorBatch, _ violations: inout [BrokenRule<WorldViolation>]
  ) {
    form.read(bytes, from: start, into: &base)
    alphabet.list(base.survey, into: &actions)
    rules.setBase(base)
    for index in 0..<actions.count {
      let action = actions[index]
      found.transitions &+= 1
      world.restore(base.survey)
      setup.perform(action, on: &world, seen: base.survey)
      world.survey(into: &after.survey)
      if let violation = rules.checkStep(action, base, &after, world.records) {
        violations.append(BrokenRule(after: found, parent: number, action.code, violation))
        continue
      }
      let first = found.forms.count
      form.write(after, into: &found.forms)
      found.add(formFrom: first, from: number, by: action.code)
      guard found.keepsLast(filter) else { continue }
      growth.observe(after.survey)
      if let violation = healing.heal(&world, after, &scratch) {
        violations.append(
          BrokenRule(after: found, concernsSuccessor: true, parent: number, action.code, violation))
      }
    }
  }
}

extension WorldAction {
  var code: ActionCode { ActionCode(kind: kind.rawValue, first: subject, second: detail) }

  /// Creates the stored action, or `nil` if the code denotes none.
  init?(_ code: ActionCode) {
    guard let kind = Kind(rawValue: code.kind) else { return nil }
    self.init(kind, Int(code.first), Int(code.second))
  }
}
