import HandoverCore
import Synchronization

/// Finds the successors of states for one worker.
///
/// The result depends only on the states, never on earlier work.
protocol Expander: AnyObject, SendableMetatype {
  associatedtype Violation
  associatedtype Growth: GrowthRecord

  /// Finds the initial states.
  func begin(into box: ExpansionBatch<Self>)

  /// Finds the successors of all states in a segment.
  ///
  /// - Parameters:
  ///   - segment: The states.
  ///   - filter: The filter that recognizes visited states.
  ///   - box: Receives the result; must be empty.
  func expand(_ segment: FrontierSegment, _ filter: SeenFilter, into box: ExpansionBatch<Self>)
}

/// The maximum of each quantity that might grow without bound.
protocol GrowthRecord {
  /// The maximum of each quantity.
  var sizes: [Int] { get set }

  init()

  /// Merges the maxima of another record.
  mutating func merge(_ other: Self)
}

/// The result of one worker for one segment.
final class ExpansionBatch<Worker: Expander>: @unchecked Sendable {
  // Sound to send: only the worker that expands the segment changes the box. Other threads read it
  // after that worker has set `isReady`.

  private let before = CacheLinePadding()
  var found = SuccessorBatch()
  var violations: [BrokenRule<Worker.Violation>] = []
  var growth = Worker.Growth()
  fileprivate let isReady = Atomic<Bool>(false)
  private let behind = CacheLinePadding()

  fileprivate func removeAll() {
    found.removeAll()
    violations.removeAll(keepingCapacity: true)
    growth = Worker.Growth()
    isReady.store(false, ordering: .relaxed)
  }
}

/// Padding that keeps data of different workers in separate cache lines.
struct CacheLinePadding: BitwiseCopyable {
  private var lines: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
  private var more: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
}

/// The slot in which one worker runs, with the worker's private data.
private final class WorkerSlot<Worker: Expander>: @unchecked Sendable {
  // Sound to send: only the worker in this slot changes it, and the team waits until that is done.

  private let before = CacheLinePadding()
  private let makeWorker: () -> Worker
  private let visited: VisitedStates
  private(set) var worker: Worker?
  private(set) var filter: SeenFilter?
  private let behind = CacheLinePadding()

  init(_ visited: VisitedStates, _ makeWorker: @escaping () -> Worker) {
    self.visited = visited
    self.makeWorker = makeWorker
  }

  /// Creates the worker on the thread that will run it.
  ///
  /// The memory of the worker is then local to that thread and does not share cache lines with the
  /// memory of other workers.
  func take() {
    guard worker == nil else { return }
    worker = makeWorker()
    filter = SeenFilter(visited)
  }
}

/// A breadth-first search of a state space with any number of workers.
///
/// The states of one depth are stored in segments. In each *round* the workers take segments one by
/// one, find the successors, and drop those that they know to be visited. The remaining successors
/// are merged in the order of the segments; whichever worker is free merges the next finished
/// segment. Only the merge decides whether a state is new. States, figures and counterexamples are
/// therefore independent of the number and the speed of the workers.
struct BreadthFirst<Worker: Expander>: ~Copyable {
  /// The reason why the search ended.
  enum End {
    /// The state space is exhausted.
    case closed
    /// The caller's `judge` closure wants no further violations.
    case decided
    case stopped(ExplorationVerdict.Stop)
  }

  /// The number of segments of a round, for one worker and for several.
  ///
  /// The limits are checked between rounds. Several workers need larger rounds because the team
  /// starts all of them again for each round.
  private static var segmentsOfOneWorker: Int { 16 }
  private static var segmentsOfSeveralWorkers: Int { 128 }

  let exploration = ExplorationState()
  /// The maxima over all states that were expanded.
  var growth = Worker.Growth()
  private let makeWorker: () -> Worker
  private var workerSlots: ContiguousArray<WorkerSlot<Worker>> = []
  private var boxes: ContiguousArray<ExpansionBatch<Worker>> = []
  /// The number of states that the last round found.
  private var lately = 0

  /// - Parameter makeWorker: Creates a worker that shares no state with other workers.
  init(_ makeWorker: @escaping () -> Worker) {
    self.makeWorker = makeWorker
  }

  /// Limits how much of the frontier stays in memory; by default, all of it does.
  func limitFrontier(to room: FrontierRoom) {
    exploration.level.room = room
    exploration.next.room = room
  }

  /// The number of bytes of states that a worker takes at a time.
  var segmentSize: Int {
    get { exploration.next.segmentSize }
    nonmutating set {
      exploration.level.segmentSize = newValue
      exploration.next.segmentSize = newValue
    }
  }

  /// Runs until the state space is exhausted, `judge` ends the search, or a limit is reached.
  ///
  /// - Parameters:
  ///   - limits: The limits at which the search stops.
  ///   - team: The workers.
  ///   - isEndless: Whether a quantity has grown so much that the state space is considered
  ///     infinite.
  ///   - judge: Called with each violation in order; returns whether to end the search.
  ///   - shouldContinue: Called between rounds; returns whether to continue.
  /// - Returns: The reason why the search ended.
  mutating func run(
    _ limits: ExplorationLimits, _ team: some WorkerPool, isEndless: (Worker.Growth) -> Bool,
    judge: (BrokenRule<Worker.Violation>) -> Bool, shouldContinue: (ExplorationFigures) -> Bool
  ) -> End {
    startWorkers(team)
    exploration.problem = nil
    if exploration.ways.count == 0, begin(judge) { return .decided }
    while true {
      if let depth = limits.depth, exploration.figures.depth >= depth { return .stopped(.depth) }
      while !exploration.level.isEmpty {
        if playRound(team, limits.states, judge) { return .decided }
        if let problem = exploration.problem { return .stopped(.frontier(problem)) }
        if exploration.figures.states > limits.states { return .stopped(.states) }
        if !exploration.level.isEmpty, !shouldContinue(exploration.figures) {
          return .stopped(.fromOutside)
        }
      }
      guard !exploration.next.isEmpty else { return .closed }
      exploration.beginNextDepth()
      exploration.figures.depth += 1
      noteFrontier()
      if isEndless(growth) { return .stopped(.growth) }
      if !shouldContinue(exploration.figures) { return .stopped(.fromOutside) }
    }
  }

  private func noteFrontier() {
    exploration.figures.frontier = exploration.level.count
    exploration.figures.widest = max(exploration.figures.widest, exploration.figures.frontier)
  }

  private mutating func startWorkers(_ team: some WorkerPool) {
    while workerSlots.count < team.count {
      workerSlots.append(WorkerSlot(exploration.visited, makeWorker))
    }
    workerSlots[0].take()
    let workerSlots = workerSlots
    if team.count > 1 { team.work { workerSlots[$0].take() } }
    let size = team.count == 1 ? 1 : Self.segmentsOfSeveralWorkers
    while boxes.count < size { boxes.append(ExpansionBatch()) }
  }

  private mutating func begin(_ judge: (BrokenRule<Worker.Violation>) -> Bool) -> Bool {
    boxes[0].removeAll()
    workerSlots[0].worker?.begin(into: boxes[0])
    if merge(boxes[0], judge) { return true }
    exploration.beginNextDepth()
    noteFrontier()
    return false
  }

  // MARK: A round

  /// Expands the next segments of the level, or fewer if a limit is reached.
  ///
  /// - Returns: Whether `judge` ended the search.
  private mutating func playRound(
    _ team: some WorkerPool, _ limit: Int, _ judge: (BrokenRule<Worker.Violation>) -> Bool
  ) -> Bool {
    let segments: ArraySlice<FrontierSegment>
    do throws(FrontierProblem) {
      segments = try exploration.level.next(
        team.count == 1 ? Self.segmentsOfOneWorker : Self.segmentsOfSeveralWorkers)
    } catch {
      exploration.problem = error
      return false
    }
    guard team.count > 1, segments.count > 1 else {
      guard let worker = workerSlots[0].worker, let filter = workerSlots[0].filter else {
        preconditionFailure("the worker has no slot")
      }
      filter.forget()
      for segment in segments {
        boxes[0].removeAll()
        worker.expand(segment, filter, into: boxes[0])
        exploration.level.pass(1)
        if merge(boxes[0], judge) { return true }
        if exploration.problem != nil || exploration.figures.states > limit { return false }
      }
      return false
    }
    let before = exploration.figures.states
    let round = Round(workerSlots, boxes, Array(segments), exploration, limit)
    // Reserves room for twice the last round's states. A table that grows during a round is in
    // memory twice.
    round.makeRoom(for: lately / VisitedStates.partCount * 2 + 16, team)
    round.play(team)
    growth.merge(round.growth)
    defer { lately = exploration.figures.states - before }
    exploration.level.pass(round.taken)
    // Merges in order the segments from the first violation on, because only this loop calls
    // `judge`.
    while let box = round.nextBox() {
      exploration.level.pass(1)
      if merge(box, judge) { return true }
    }
    return false
  }

  /// Merges the result of one segment.
  ///
  /// - Returns: Whether `judge` ended the search.
  private mutating func merge(
    _ box: ExpansionBatch<Worker>, _ judge: (BrokenRule<Worker.Violation>) -> Bool
  ) -> Bool {
    var position = 0
    for broken in box.violations {
      // Several violations may belong to the same successor.
      let isNew = exploration.merge(box.found, from: &position, to: broken.position)
      if broken.concernsSuccessor, !isNew { continue }
      if judge(broken) {
        exploration.figures.transitions += broken.transitions
        return true
      }
    }
    exploration.merge(box.found, from: &position, to: box.found.successors.count)
    exploration.figures.transitions += box.found.transitions
    growth.merge(box.growth)
    return false
  }
}

/// A group of segments that several workers expand concurrently.
private final class Round<Worker: Expander>: @unchecked Sendable {
  // Sound to send: each worker has its own slot, each segment and its box belong to one worker, and
  // the merged results are changed only under the lock.

  private let workerSlots: ContiguousArray<WorkerSlot<Worker>>
  private let boxes: ContiguousArray<ExpansionBatch<Worker>>
  private let segments: [FrontierSegment]
  private let exploration: ExplorationState
  private let limit: Int
  /// The next segment to hand out.
  private let next = Atomic<Int>(0)
  /// Whether the round hands out no further segments.
  private let isOver = Atomic<Bool>(false)
  private let lock = Mutex(())
  /// The number of merged segments.
  private(set) var taken = 0
  /// The maxima over the merged segments.
  private(set) var growth = Worker.Growth()

  init(
    _ workerSlots: ContiguousArray<WorkerSlot<Worker>>,
    _ boxes: ContiguousArray<ExpansionBatch<Worker>>,
    _ segments: [FrontierSegment], _ exploration: ExplorationState, _ limit: Int
  ) {
    self.workerSlots = workerSlots
    self.boxes = boxes
    self.segments = segments
    self.exploration = exploration
    self.limit = limit
  }

  func makeRoom(for more: Int, _ team: some WorkerPool) {
    let visited = exploration.visited
    guard visited.needsRoom(for: more) else { return }
    let count = team.count
    team.work { visited.makeRoom(for: more, worker: $0, of: count) }
  }

  func play(_ team: some WorkerPool) {
    for position in segments.indices { boxes[position].removeAll() }
    exploration.visited.beginSharing()
    team.work { position in
      guard let worker = self.workerSlots[position].worker,
        let filter = self.workerSlots[position].filter
      else {
        return
      }
      filter.forget()
      while !self.isOver.load(ordering: .relaxed) {
        let next = self.next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard next < self.segments.count else { return }
        worker.expand(self.segments[next], filter, into: self.boxes[next])
        team.pause(position)
        self.boxes[next].isReady.store(true, ordering: .releasing)
        self.mergeReady()
        team.pause(position)
      }
    }
    // Merges the segments of workers that found the lock taken.
    mergeReady()
    exploration.visited.endSharing()
  }

  /// Merges finished segments in order, unless another worker is merging.
  private func mergeReady() {
    _ = lock.withLockIfAvailable { _ in
      while let box = firstBox(), box.violations.isEmpty {
        var position = 0
        exploration.merge(box.found, from: &position, to: box.found.successors.count)
        exploration.figures.transitions += box.found.transitions
        growth.merge(box.growth)
        taken += 1
      }
      if firstBox() != nil || isAtLimit { isOver.store(true, ordering: .relaxed) }
    }
  }

  private var isAtLimit: Bool { exploration.problem != nil || exploration.figures.states > limit }

  /// The next box to merge, or `nil` if it is not ready.
  private func firstBox() -> ExpansionBatch<Worker>? {
    guard taken < segments.count, !isAtLimit, boxes[taken].isReady.load(ordering: .acquiring) else {
      return nil
    }
    return boxes[taken]
  }

  /// Returns the next box to merge and counts it as merged; call only after all workers have
  /// finished.
  func nextBox() -> ExpansionBatch<Worker>? {
    guard let box = firstBox() else { return nil }
    taken += 1
    return box
  }
}
