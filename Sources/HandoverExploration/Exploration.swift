import HandoverMachines

/// Walks the whole state space of a client, breadth first, in a network that may do anything.
///
/// Each state is looked at once, in its ``CanonicalForm``, and from each everything happens that
/// can. When no act leads anywhere new, the rules hold for sequences of any length: the network is
/// more general than every real one, and any timer may fire while it is armed. A broken rule is
/// found by a shortest sequence of acts.
///
/// The states of one depth are expanded in groups of segments, by as many workers as there are.
/// What they find is taken up in the order of the states and of their acts: the same states,
/// numbers and counterexamples come out whoever works.
package struct Explorer: ~Copyable {
  let setup: ExplorationSetup
  private var workers: ContiguousArray<ExplorationWorker> = []
  private var batches: ContiguousArray<BatchBox> = []
  let visited = VisitedStates()
  var ways = Ways()
  var level = Frontier()
  var next = Frontier()
  var growth = GrowthWatch()
  /// From where each cell of the space of transitions is reached, where somebody asks for it.
  var cells: CellWays?
  /// The first sequence that broke a rule, and the first one that can be played in time; they are
  /// not always the same, because here timers fire in orders that no clock allows.
  private var shortest: Counterexample?
  private var playable: Counterexample?
  private var sequencesTried = 0
  static let sequencesToTry = 1_000
  /// How many segments are expanded between two looks at the limits.
  private static let groupSize = 16
  /// How far it has come.
  package internal(set) var figures = ExplorationFigures()

  /// Why it cannot go on.
  private var problem: FrontierProblem?
  /// Reads the states that ``cells`` looks at.
  private var reader: StateReader?

  /// Makes an exploration that has seen nothing.
  package init(_ setup: ExplorationSetup) {
    self.setup = setup
  }

  /// Says how much of its frontier stays in memory; without it, all does.
  package mutating func limitFrontier(to room: FrontierRoom) {
    level.room = room
    next.room = room
  }

  /// Explores until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// Once it was stopped, it goes on where it was.
  ///
  /// - Parameters:
  ///   - limits: where it is left.
  ///   - team: who works.
  ///   - goesOn: is asked every few thousand transitions whether to go on; the way for time, which
  ///     does not pass in here, and for whoever shows how far it has come.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some Team = Alone(),
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> ExplorationVerdict {
    hire(team.count)
    problem = nil
    if ways.count == 0 { begin() }
    while true {
      if let depth = limits.depth, figures.depth >= depth { return stopped(.depth) }
      while !level.isEmpty {
        expandGroup(team)
        if let problem { return stopped(.frontier(problem)) }
        if isDecided, let shortest { return .broken(shortest, playable: playable) }
        if figures.states > limits.states { return stopped(.states) }
        if !level.isEmpty, !goesOn(figures) { return stopped(.fromOutside) }
      }
      guard !next.isEmpty else { break }
      swap(&level, &next)
      next.removeAll()
      figures.depth += 1
      figures.frontier = level.count
      figures.widest = max(figures.widest, figures.frontier)
      if growth.isEndless(setup) { return stopped(.growth) }
      if !goesOn(figures) { return stopped(.fromOutside) }
    }
    return shortest.map { .broken($0, playable: nil) } ?? .closed
  }

  private func stopped(_ why: ExplorationVerdict.Stop) -> ExplorationVerdict {
    if let shortest { return .broken(shortest, playable: nil) }
    return .stopped(why, growing: growth.beyond(setup))
  }

  private mutating func hire(_ count: Int) {
    while workers.count < count { workers.append(ExplorationWorker(setup)) }
    let segments = count == 1 ? 1 : Self.groupSize
    while batches.count < segments { batches.append(BatchBox()) }
  }

  private mutating func begin() {
    batches[0].batch.removeAll()
    workers[0].begin(into: batches[0])
    batches[0].batch.findNew(visited, worker: 0, of: 1, into: &workers[0].places[0])
    takeUp(0, workers: 1)
    swap(&level, &next)
    next.removeAll()
    figures.frontier = level.count
    figures.widest = figures.frontier
  }

  // MARK: Expanding

  /// Tries every act in the next states of the level.
  private mutating func expandGroup(_ team: some Team) {
    let segments: ArraySlice<FrontierSegment>
    do throws(FrontierProblem) {
      segments = try level.take(Self.groupSize)
    } catch {
      problem = error
      return
    }
    let count = team.count
    guard count > 1 else {
      for segment in segments {
        workers[0].expand(segment, into: batches[0])
        workers[0].findNew(batches[0], 0, visited, worker: 0, of: 1)
        takeUp(0, workers: 1)
        if isDecided { return }
      }
      return
    }
    let shared = Shared(
      workers: workers, batches: batches, segments: Array(segments), visited: visited)
    team.work { worker in
      for place in stride(from: worker, to: shared.segments.count, by: count) {
        shared.workers[worker].expand(shared.segments[place], into: shared.batches[place])
      }
    }
    team.work { worker in
      for place in 0..<shared.segments.count {
        shared.workers[worker].findNew(
          shared.batches[place], place, shared.visited, worker: worker, of: count)
      }
    }
    for place in 0..<segments.count {
      takeUp(place, workers: count)
      if isDecided { return }
    }
  }

  private struct Shared: Sendable {
    let workers: ContiguousArray<ExplorationWorker>
    let batches: ContiguousArray<BatchBox>
    let segments: [FrontierSegment]
    let visited: VisitedStates
  }

  // MARK: Taking up

  /// Whether nothing better is sought: a sequence that can be played, or enough tries for one.
  private var isDecided: Bool { playable != nil || sequencesTried >= Self.sequencesToTry }

  /// Keeps what is new of a batch, in its order, up to what decides the exploration.
  private mutating func takeUp(_ place: Int, workers count: Int) {
    let box = batches[place]
    var cursors = ContiguousArray(repeating: 0, count: count)
    for broken in box.batch.breaches {
      takeUpStates(of: box, place, before: broken.place, &cursors)
      note(counterexample(to: broken.parent, broken.act, broken.breach))
      if isDecided { return }
    }
    takeUpStates(of: box, place, before: .max, &cursors)
    figures.transitions += box.batch.transitions
    for worker in workers.prefix(count) { growth.see(worker.growth) }
  }

  /// Merges what the workers found new, each in the tables of its own.
  private mutating func takeUpStates(
    of box: BatchBox, _ place: Int, before end: Int, _ cursors: inout ContiguousArray<Int>
  ) {
    while true {
      var (first, finder) = (end, -1)
      for worker in 0..<cursors.count where cursors[worker] < workers[worker].places[place].count {
        let found = Int(workers[worker].places[place][cursors[worker]])
        if found < first { (first, finder) = (found, worker) }
      }
      guard finder >= 0 else { return }
      cursors[finder] += 1
      let one = box.batch.successors[first]
      let number = UInt32(truncatingIfNeeded: ways.count)
      if let found = next.append(
        box.batch.forms, from: Int(one.start), count: Int(one.length), numbered: number)
      {
        problem = problem ?? found
      }
      ways.append(Ways.Way(parent: one.parent, act: one.act))
      figures.states += 1
      if cells != nil { lookForCells(box.batch.forms, at: Int(one.start), number: Int(number)) }
    }
  }

  private mutating func lookForCells(
    _ forms: borrowing FormBytes, at start: Int, number: Int
  ) {
    let reader = reader ?? StateReader(setup)
    self.reader = reader
    reader.read(forms, at: start)
    cells?.see(reader.state.value, number: number)
  }

  // MARK: Broken rules

  private mutating func note(_ counterexample: Counterexample) {
    shortest = shortest ?? counterexample
    sequencesTried += 1
    if PlayedPath(counterexample, setup).obstacle == nil { playable = counterexample }
  }

  func counterexample(
    to state: UInt32, _ last: Act, _ breach: Breach
  ) -> Counterexample {
    let (read, acts) = ways.path(to: state)
    return Counterexample(initialRead: read, acts: acts + [last], breach: breach)
  }
}

/// What one worker has for itself.
final class ExplorationWorker: @unchecked Sendable {
  // Sound to send: only one thread works with it at a time, and the team waits for all of them.

  private var finder: SuccessorFinder
  /// The places of what it found new, for each batch of a group.
  fileprivate var places: ContiguousArray<Rows<UInt32>> = []
  private var touched: UInt64 = 0

  init(_ setup: ExplorationSetup) {
    finder = SuccessorFinder(setup)
    places.append(Rows())
  }

  var growth: GrowthWatch { finder.growth }

  func begin(into box: BatchBox) {
    finder.begin(into: &box.batch)
  }

  func expand(_ segment: FrontierSegment, into box: BatchBox) {
    box.batch.removeAll()
    segment.findSuccessors(&finder, into: &box.batch)
  }

  func findNew(
    _ box: BatchBox, _ place: Int, _ visited: VisitedStates, worker: Int, of count: Int
  ) {
    while places.count <= place { places.append(Rows()) }
    places[place].removeAll()
    touched &+= box.batch.findNew(visited, worker: worker, of: count, into: &places[place])
  }
}

/// A batch that one worker fills, and then all look at.
final class BatchBox: @unchecked Sendable {
  // Sound to send: it is changed by one worker, and by nobody while several look at it.

  var batch = SuccessorBatch()
}

/// Makes states of their forms again, for whoever looks at what is in them.
private final class StateReader {
  let state = Fixed(ClientSurvey())
  private let form: CanonicalForm
  private let hosts: Int
  private var expected: ExpectedDelays

  init(_ setup: ExplorationSetup) {
    form = CanonicalForm(setup)
    hosts = setup.hosts
    expected = ExpectedDelays(setup.configuration.backoff.initial)
  }

  func read(_ forms: borrowing FormBytes, at start: Int) {
    form.read(forms, from: start, hosts: hosts, into: &state.value, &expected)
  }
}
