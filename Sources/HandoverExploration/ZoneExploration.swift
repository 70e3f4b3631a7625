import HandoverMachines

/// Walks the whole state space of a client in real time: not single states but zones of them,
/// which differ in how long their timers have left.
///
/// Only what can be the first timer to fall due does, with the documents' constants; the deadlines
/// of calls and the waits of keepalive, which users choose, may be of any length. A zone that lies
/// within one that was seen is not looked at again. That is exact but for boundary instants, where
/// two timers fall due together: they do in either order. Whenever a timer fires, a client with
/// real instants is asked: it must sleep until then and not longer, do nothing a microsecond
/// before, and then the same.
///
/// The order decides nothing but the work. Zones after many failures come first, because their
/// backoffs are the longest, and what is seen with a long one need not be seen with a short one.
/// Once a rule is broken, all begins anew breadth first, so that the shortest sequence is found.
package struct ZoneExplorer: ~Copyable {
  let setup: ExplorationSetup
  private var stepper: ZoneStepper
  private var zones = ZoneTable()
  private var ways = Ways()
  private var queue = ZoneQueue()
  private var form = FormBytes()
  /// The mean delays after so many failures.
  private let means: [Interval]
  /// Whether the shortest ways come first.
  private var isBreadthFirst = false
  private var shortest: Counterexample?
  private var playable: Counterexample?
  private var sequencesTried = 0
  /// How far it has come; without a depth unless the shortest ways come first.
  package private(set) var figures = ExplorationFigures()

  /// Makes an exploration that has seen nothing.
  package init(_ setup: ExplorationSetup) {
    self.setup = setup
    stepper = ZoneStepper(setup)
    let backoff = setup.configuration.backoff
    var means = [backoff.initial]
    while let last = means.last, last < backoff.maximum, means.count < 64 {
      means.append(min(last.scaled(by: backoff.multiplier), backoff.maximum))
    }
    self.means = means
  }

  /// Explores until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// - Parameters:
  ///   - limits: where it is left; zones count as states do.
  ///   - goesOn: is asked every few thousand transitions whether to go on.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(),
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> ExplorationVerdict {
    if limits.depth != nil { isBreadthFirst = true }
    if ways.count == 0 { begin() }
    while true {
      let verdict = walk(limits, goesOn)
      guard case .broken = verdict, !isBreadthFirst else { return verdict }
      isBreadthFirst = true
      (shortest, playable, sequencesTried) = (nil, nil, 0)
      zones = ZoneTable()
      ways = Ways()
      queue = ZoneQueue()
      figures = ExplorationFigures()
      begin()
    }
  }

  private mutating func walk(
    _ limits: ExplorationLimits, _ goesOn: (ExplorationFigures) -> Bool
  ) -> ExplorationVerdict {
    var looked = 0
    while let turn = queue.nextTurn() {
      if isBreadthFirst, turn > figures.depth || figures.frontier == 0 {
        figures.depth = turn
        figures.frontier = queue.count
        if let depth = limits.depth, turn >= depth { return stopped(.depth) }
      }
      figures.widest = max(figures.widest, queue.count)
      expand(turn)
      if !isBreadthFirst, let shortest { return .broken(shortest, playable: nil) }
      if playable != nil || sequencesTried >= Explorer.sequencesToTry, let shortest {
        return .broken(shortest, playable: playable)
      }
      if figures.zones > limits.states { return stopped(.states) }
      looked += 1
      guard looked & 1_023 == 0 else { continue }
      if !isBreadthFirst { figures.frontier = queue.count }
      if stepper.finder.growth.isEndless(setup) { return stopped(.growth) }
      if !goesOn(figures) { return stopped(.fromOutside) }
    }
    return shortest.map { .broken($0, playable: nil) } ?? .closed
  }

  private func stopped(_ why: ExplorationVerdict.Stop) -> ExplorationVerdict {
    if let shortest { return .broken(shortest, playable: nil) }
    return .stopped(why, growing: stepper.finder.growth.beyond(setup))
  }

  private mutating func begin() {
    var first = SuccessorBatch()
    stepper.finder.begin(into: &first)
    for place in 0..<first.successors.count {
      let one = first.successors[place]
      form.removeAll()
      form.append(first.forms, from: Int(one.start), count: Int(one.length))
      takeUp(turn: 0, depth: 0, from: .max, by: Act(one.act) ?? Act(.callback))
    }
  }

  // MARK: One zone

  private mutating func expand(_ turn: Int) {
    let (node, forms) = queue.take(turn)
    // One that was found to lie within another is looked at with that.
    guard zones.isAlive(node.record) else { return }
    stepper.read(forms.forms, at: node.form)
    zones.read(node.record, size: stepper.timers.count + 1, into: &stepper.zone)
    for index in 0..<stepper.finder.acts.count {
      let act = stepper.finder.acts[index]
      switch stepper.happen(act) {
      case .impossible: continue
      case .broken(let breach):
        figures.transitions += 1
        note(act, node.number, breach)
        if playable != nil || !isBreadthFirst { return }
      case .led:
        figures.transitions += 1
        form.removeAll()
        stepper.finder.writeForm(into: &form)
        takeUp(
          turn: isBreadthFirst ? Int(node.depth) + 1 : turnAfterFailures(),
          depth: node.depth + 1, from: node.number, by: act)
      }
    }
  }

  /// The turn of the state that the stepper has led to: the more failures, the earlier.
  private func turnAfterFailures() -> Int {
    var turn = setup.hosts * means.count
    for host in 0..<stepper.finder.after.value.hosts.count {
      let mean = stepper.finder.after.value.hosts[host].mean
      var failures = 0
      while failures + 1 < means.count, means[failures] < mean { failures += 1 }
      turn -= failures
    }
    return turn
  }

  /// Keeps the zone that the stepper has led to, of the form that stands in `form`, where it is a
  /// new one.
  private mutating func takeUp(turn place: Int, depth: UInt32, from parent: UInt32, by act: Act) {
    form.clearSlack()
    let number = UInt32(truncatingIfNeeded: ways.count)
    guard
      let record = zones.insert(
        StateDigest(of: form, from: 0), stepper.after, turn: UInt32(truncatingIfNeeded: place),
        keepsEarlier: isBreadthFirst)
    else { return }
    let turn = queue.turn(place)
    let start = turn.forms.count
    turn.forms.append(form, from: 0, count: form.count)
    ways.append(Ways.Way(parent: parent, act: act.code))
    queue.append(
      ZoneQueue.Node(number: number, record: record, depth: depth, form: start), turn: place)
    figures.states = zones.stateCount
    figures.zones = ways.count
  }

  private mutating func note(_ act: Act, _ parent: UInt32, _ breach: Breach) {
    let found = Counterexample(ways, to: parent, act, breach)
    shortest = shortest ?? found
    sequencesTried += 1
    if isBreadthFirst, PlayedPath(found, setup).obstacle == nil { playable = found }
  }
}
