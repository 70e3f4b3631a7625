import HandoverCore

/// Finds the successors of client states.
final class ClientExpander: Expander {
  typealias Violation = HandoverExploration.Violation
  typealias Growth = GrowthWatch

  private var finder: SuccessorFinder

  init(_ setup: ExplorationSetup) {
    finder = SuccessorFinder(setup)
  }

  func begin(into box: ExpansionBatch<ClientExpander>) {
    finder.begin(into: &box.found)
  }

  func expand(
    _ segment: FrontierSegment, _ filter: SeenFilter, into box: ExpansionBatch<ClientExpander>
  ) {
    finder.growth = GrowthWatch()
    var cursor = FrontierSegment.Cursor()
    while let state = cursor.next(in: segment) {
      finder.find(
        from: segment.bytes, at: state.start, count: state.length, numbered: state.number, filter,
        into: &box.found, &box.violations)
    }
    box.growth = finder.growth
  }
}

extension GrowthWatch: GrowthRecord {
  var sizes: [Int] {
    get { [calls, connections, queued, lateSends, Int(mean.microseconds)] }
    set {
      (calls, connections, queued, lateSends) = (newValue[0], newValue[1], newValue[2], newValue[3])
      mean = Interval(microseconds: Int64(newValue[4]))
    }
  }
}

/// Restores client states from their canonical forms for callers that inspect them.
final class StateReader {
  let state = Fixed(ClientSurvey())
  private let form: CanonicalForm
  private let hosts: Int
  private var expected: ExpectedDelays

  init(_ setup: ExplorationSetup) {
    form = CanonicalForm(setup)
    hosts = setup.hosts
    expected = ExpectedDelays(setup.configuration.backoff.firstDelay)
  }

  func read(_ forms: borrowing FormBytes, at start: Int) {
    form.read(forms, from: start, hosts: hosts, into: &state.value, &expected)
  }
}
