import HandoverMachines
import Synchronization

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
///
/// The zones of one turn are looked at in rounds, by as many workers as there are. What follows
/// them is taken up between two rounds, in their order, so that the same zones, numbers and
/// counterexamples come out whoever works.
package struct ZoneExplorer: ~Copyable {
  /// How many zones a round has at the most, and how many a worker takes at once.
  ///
  /// More find less of each other: what lies within a zone of the same round is looked at alone.
  private static var roundSize: Int { 512 }
  private static var chunkSize: Int { 8 }

  let setup: ExplorationSetup
  private var workers: [ZoneWorker] = []
  private let boxes = (0..<roundSize / chunkSize).map { _ in ZoneBox() }
  private var zones = ZoneTable()
  private(set) var ways = Ways()
  private var queue = ZoneQueue()
  private var growth = GrowthWatch()
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
  }

  /// Explores until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// - Parameters:
  ///   - limits: where it is left; zones count as states do.
  ///   - team: who works.
  ///   - goesOn: is asked every few thousand transitions whether to go on.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some Team = Alone(),
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> ExplorationVerdict {
    if workers.count < team.count { hire(team) }
    if limits.depth != nil { isBreadthFirst = true }
    if ways.count == 0 { begin() }
    while true {
      let verdict = walk(limits, team, goesOn)
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
    _ limits: ExplorationLimits, _ team: some Team, _ goesOn: (ExplorationFigures) -> Bool
  ) -> ExplorationVerdict {
    while let turn = queue.nextTurn() {
      if isBreadthFirst, turn > figures.depth || figures.frontier == 0 {
        figures.depth = turn
        figures.frontier = queue.count
        if let depth = limits.depth, turn >= depth { return stopped(.depth) }
      }
      figures.widest = max(figures.widest, queue.count)
      if playRound(turn, team), let shortest { return .broken(shortest, playable: playable) }
      if figures.zones > limits.states { return stopped(.states) }
      if !isBreadthFirst { figures.frontier = queue.count }
      if growth.isEndless(setup) { return stopped(.growth) }
      if !goesOn(figures) { return stopped(.fromOutside) }
    }
    return shortest.map { .broken($0, playable: nil) } ?? .closed
  }

  private func stopped(_ why: ExplorationVerdict.Stop) -> ExplorationVerdict {
    if let shortest { return .broken(shortest, playable: nil) }
    return .stopped(why, growing: growth.beyond(setup))
  }

  /// Makes each worker where it will work: its memory is then that of its thread, and lies beside
  /// nobody else's.
  private mutating func hire(_ team: some Team) {
    let (setup, count) = (setup, team.count)
    let hired = Mutex<[ZoneWorker?]>(Array(repeating: nil, count: count))
    team.work { place in
      let worker = ZoneWorker(setup)
      hired.withLock { $0[place] = worker }
    }
    workers = hired.withLock { $0.compactMap(\.self) }
  }

  private mutating func begin() {
    for worker in workers { worker.forget() }
    let box = boxes[0]
    box.found.value.removeAll()
    workers[0].begin(into: &box.found.value)
    _ = takeUp(&box.found.value)
  }

  // MARK: A round

  /// Looks at the next zones of a turn.
  ///
  /// - Returns: whether that is decided which is sought.
  private mutating func playRound(_ turn: Int, _ team: some Team) -> Bool {
    var nodes: [ZoneQueue.Node] = []
    while nodes.count < Self.roundSize, let node = queue.take(turn) {
      // One that was found to lie within another is looked at with that.
      if zones.isAlive(node.record) { nodes.append(node) }
    }
    let chunkCount = (nodes.count + Self.chunkSize - 1) / Self.chunkSize
    play(nodes, of: queue.turn(turn), chunkCount, team)
    for worker in workers { growth.see(worker.growth) }
    for box in boxes.prefix(chunkCount) where takeUp(&box.found.value) { return true }
    return false
  }

  private func play(
    _ nodes: [ZoneQueue.Node], of turn: ZoneQueue.Turn, _ chunkCount: Int, _ team: some Team
  ) {
    let (workers, boxes, seen) = (workers, boxes, zones.seen)
    let expand: @Sendable (Int, ZoneWorker) -> Void = { chunk, worker in
      boxes[chunk].found.value.removeAll()
      let first = chunk * Self.chunkSize
      for node in nodes[first..<min(first + Self.chunkSize, nodes.count)] {
        worker.expand(node, turn.forms.value, seen, into: &boxes[chunk].found.value)
      }
    }
    guard team.count > 1, chunkCount > 1 else {
      for chunk in 0..<chunkCount { expand(chunk, workers[0]) }
      return
    }
    let next = Atomic<Int>(0)
    team.work { place in
      while true {
        let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard chunk < chunkCount else { return }
        expand(chunk, workers[place])
        team.pause(place)
      }
    }
  }

  /// Takes up what was found in some zones.
  ///
  /// - Returns: whether that is decided which is sought.
  private mutating func takeUp(_ box: inout ZoneSuccessors) -> Bool {
    let before = figures.transitions
    var place = 0
    for broken in box.breaches {
      takeUp(&box, from: &place, to: broken.place)
      figures.transitions = before + broken.transitions
      note(broken)
      if !isBreadthFirst || playable != nil || sequencesTried >= Explorer.sequencesToTry {
        return true
      }
    }
    takeUp(&box, from: &place, to: box.successors.count)
    figures.transitions = before + box.transitions
    return false
  }

  private mutating func takeUp(_ box: inout ZoneSuccessors, from place: inout Int, to end: Int) {
    while place < end {
      takeUp(box.successors[place], &box)
      place += 1
    }
  }

  /// Keeps a zone, unless it lies within one that was kept meanwhile.
  private mutating func takeUp(_ one: ZoneSuccessors.Successor, _ box: inout ZoneSuccessors) {
    // Without the shortest ways first nobody asks the table for turns.
    guard
      let record = zones.insert(
        one.state.digest, box.bounds, at: one.bounds, size: one.size, turn: one.depth,
        keepsEarlier: isBreadthFirst)
    else { return }
    let number = UInt32(truncatingIfNeeded: ways.count)
    let place = isBreadthFirst ? Int(one.depth) : one.turn
    let turn = queue.turn(place)
    let start = turn.forms.value.count
    turn.forms.value.append(box.forms, from: Int(one.state.start), count: Int(one.state.length))
    ways.append(Ways.Way(parent: one.state.parent, act: one.state.act))
    queue.append(
      ZoneQueue.Node(number: number, record: record, depth: one.depth, form: start), turn: place)
    figures.states = zones.stateCount
    figures.zones = ways.count
  }

  private mutating func note(_ broken: ZoneSuccessors.Broken) {
    let found = Counterexample(ways, to: broken.parent, broken.act, broken.breach)
    shortest = shortest ?? found
    sequencesTried += 1
    if isBreadthFirst, PlayedPath(found, setup).obstacle == nil { playable = found }
  }
}
