import HandoverCore
import Synchronization

/// Explores the whole state space of a client in real time, with zones instead of single states.
///
/// A zone is a set of states that differ only in the remaining times of their timers. With the
/// constants of the specifications, only a timer that can be the first one fires. The deadlines of
/// calls and the keepalive times may have any length, because users choose them. A zone that is
/// subsumed by a visited one is not expanded. This is exact except at boundary instants, when two
/// timers are due together: they fire in either order. Whenever a timer fires, a client with real
/// instants confirms the result. The client must sleep exactly until then, do nothing one
/// microsecond earlier, and then behave identically.
///
/// The order of the zones affects only the amount of work. Zones after many failures come first,
/// because their backoffs are the longest, and a zone with a long backoff can subsume one with a
/// short backoff. When an invariant is violated, the exploration restarts breadth first to find the
/// shortest sequence. If a limit stops this second search, the first sequence is the result.
///
/// The workers expand the zones of one priority in rounds. Their results are merged between rounds,
/// in the order of the zones. Zones, figures and counterexamples are therefore independent of the
/// number of workers.
package struct ZoneExplorer: ~Copyable {
  /// The maximum number of zones of a round, and the number that a worker takes at a time.
  ///
  /// In larger rounds, more zones are expanded although another zone of the same round subsumes
  /// them.
  private static var roundSize: Int { 512 }
  private static var chunkSize: Int { 8 }

  let setup: ExplorationSetup
  private var workers: [ZoneWorker] = []
  private let boxes = (0..<roundSize / chunkSize).map { _ in ZoneBatch() }
  private var zones = ZoneTable()
  private(set) var ways = ParentLinks()
  private var queue = ZoneQueue()
  private var growth = GrowthWatch()
  /// Whether zones are expanded in the order of their depth.
  private var isBreadthFirst = false
  /// The violation that the search before the restart has found.
  private var first: Counterexample?
  private var shortest: Counterexample?
  private var playable: Counterexample?
  private var sequencesTried = 0
  /// The progress so far; the depth is set only if the search is breadth first.
  package private(set) var figures = ExplorationFigures()

  /// Creates an exploration that has not visited any zone.
  package init(_ setup: ExplorationSetup) {
    self.setup = setup
  }

  /// Explores until the state space is exhausted, an invariant is violated, or a limit is reached.
  ///
  /// - Parameters:
  ///   - limits: The limits at which the exploration stops; zones count as states.
  ///   - team: The workers.
  ///   - shouldContinue: Called every few thousand transitions; returns whether to continue.
  /// - Returns: The verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some WorkerPool = SingleWorker(),
    shouldContinue: (ExplorationFigures) -> Bool = { _ in true }
  ) -> ExplorationVerdict {
    if workers.count < team.count { startWorkers(team) }
    if limits.depth != nil { isBreadthFirst = true }
    if ways.count == 0 { begin() }
    while true {
      let verdict = walk(limits, team, shouldContinue)
      guard case .broken = verdict, !isBreadthFirst else { return verdict }
      isBreadthFirst = true
      first = shortest
      (shortest, playable, sequencesTried) = (nil, nil, 0)
      zones = ZoneTable()
      ways = ParentLinks()
      queue = ZoneQueue()
      figures = ExplorationFigures()
      // New workers, because each worker keeps recent zones and maxima of the first search.
      growth = GrowthWatch()
      startWorkers(team)
      begin()
    }
  }

  private mutating func walk(
    _ limits: ExplorationLimits, _ team: some WorkerPool,
    _ shouldContinue: (ExplorationFigures) -> Bool
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
      if !shouldContinue(figures) { return stopped(.fromOutside) }
    }
    return shortest.map { .broken($0, playable: nil) } ?? .closed
  }

  private func stopped(_ why: ExplorationVerdict.Stop) -> ExplorationVerdict {
    if let shortest { return .broken(shortest, playable: nil) }
    if let first {
      return .broken(first, playable: PlayedPath(first, setup).obstacle == nil ? first : nil)
    }
    return .stopped(why, growing: growth.beyond(setup))
  }

  /// Creates each worker on the thread that will run it.
  ///
  /// The memory of a worker is then local to that thread and does not share cache lines with the
  /// memory of other workers.
  private mutating func startWorkers(_ team: some WorkerPool) {
    let (setup, count) = (setup, team.count)
    let started = Mutex<[ZoneWorker?]>(Array(repeating: nil, count: count))
    team.work { position in
      let worker = ZoneWorker(setup)
      started.withLock { $0[position] = worker }
    }
    workers = started.withLock { $0.compactMap(\.self) }
  }

  private mutating func begin() {
    let box = boxes[0]
    box.found.value.removeAll()
    workers[0].begin(into: &box.found.value)
    _ = merge(&box.found.value)
  }

  // MARK: A round

  /// Expands the next zones of one priority.
  ///
  /// - Returns: Whether the search has ended with a violation.
  private mutating func playRound(_ turn: Int, _ team: some WorkerPool) -> Bool {
    var nodes: [ZoneQueue.Node] = []
    while nodes.count < Self.roundSize, let node = queue.take(turn) {
      // A zone that another one subsumes is covered when that one is expanded.
      if zones.isAlive(node.record) { nodes.append(node) }
    }
    let chunkCount = (nodes.count + Self.chunkSize - 1) / Self.chunkSize
    play(nodes, of: queue.turn(turn), chunkCount, team)
    for worker in workers { growth.merge(worker.growth) }
    for box in boxes.prefix(chunkCount) where merge(&box.found.value) { return true }
    return false
  }

  private func play(
    _ nodes: [ZoneQueue.Node], of turn: ZoneQueue.Turn, _ chunkCount: Int, _ team: some WorkerPool
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
    team.work { position in
      while true {
        let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard chunk < chunkCount else { return }
        expand(chunk, workers[position])
        team.pause(position)
      }
    }
  }

  /// Merges the results for some zones.
  ///
  /// - Returns: Whether the search has ended with a violation.
  private mutating func merge(_ box: inout ZoneSuccessors) -> Bool {
    let before = figures.transitions
    var position = 0
    for broken in box.violations {
      merge(&box, from: &position, to: broken.position)
      figures.transitions = before + broken.transitions
      note(broken)
      if !isBreadthFirst || playable != nil || sequencesTried >= Explorer.sequencesToTry {
        return true
      }
    }
    merge(&box, from: &position, to: box.successors.count)
    figures.transitions = before + box.transitions
    return false
  }

  private mutating func merge(_ box: inout ZoneSuccessors, from position: inout Int, to end: Int) {
    while position < end {
      merge(box.successors[position], &box)
      position += 1
    }
  }

  /// Keeps a zone, unless another kept zone subsumes it.
  private mutating func merge(_ one: ZoneSuccessors.Successor, _ box: inout ZoneSuccessors) {
    // Unless the search is breadth first, the table ignores `turn`.
    guard
      let record = zones.insert(
        one.state.digest, box.bounds, at: one.bounds, size: one.size, turn: one.depth,
        keepsEarlier: isBreadthFirst)
    else { return }
    let number = UInt32(truncatingIfNeeded: ways.count)
    let position = isBreadthFirst ? Int(one.depth) : one.turn
    let turn = queue.turn(position)
    let start = turn.forms.value.count
    turn.forms.value.append(box.forms, from: Int(one.state.start), count: Int(one.state.length))
    ways.append(ParentLinks.Link(parent: one.state.parent, action: one.state.action))
    queue.append(
      ZoneQueue.Node(number: number, record: record, depth: one.depth, form: start), turn: position)
    figures.states = zones.stateCount
    figures.zones = ways.count
  }

  private mutating func note(_ broken: ZoneSuccessors.Broken) {
    let found = Counterexample(ways, to: broken.parent, broken.action, broken.violation)
    shortest = shortest ?? found
    sequencesTried += 1
    if isBreadthFirst, PlayedPath(found, setup).obstacle == nil { playable = found }
  }
}
