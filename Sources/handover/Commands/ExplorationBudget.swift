import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverScenario

/// The limit of an exploration: a number of states or a time.
struct ExplorationBudget: ExpressibleByArgument {
  static let standard = ExplorationBudget(states: ExplorationLimits().states, time: nil)

  var states: Int
  var time: Duration?

  init(states: Int, time: Duration?) {
    self.states = states
    self.time = time
  }

  init?(argument: String) {
    if let states = Int(argument) {
      guard (1...1_000_000_000_000).contains(states) else { return nil }
      self.init(states: states, time: nil)
      return
    }
    guard let length = TimeNotation.interval(argument), length > .zero else { return nil }
    self.init(states: Self.standard.states, time: .microseconds(length.microseconds))
  }

  var defaultValueDescription: String { "\(states)" }
}
