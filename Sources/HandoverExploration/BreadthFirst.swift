import HandoverMachines
import Synchronization

/// What finds the successors of states, for one worker.
///
/// What it finds depends on the states alone, never on what it has done before.
protocol Expander: AnyObject, SendableMetatype {
  associatedtype Breach
  associatedtype Growth: GrowthRecord

  /// Finds the first states.
  func begin(into box: ExpansionBox<Self>)

  /// Finds what follows the states of a segment.
  ///
  /// - Parameters:
  ///   - segment: the states.
  ///   - filter: knows what was seen.
  ///   - box: is empty, and takes what was found.
  func expand(_ segment: FrontierSegment, _ filter: SeenFilter, into box: ExpansionBox<Self>)
}

/// The largest of what states have of each thing that might grow for ever.
protocol GrowthRecord {
  /// How large each of them was at the most.
  var sizes: [Int] { get set }

  init()

  /// Takes in what another one has seen.
  mutating func see(_ other: Self)
}

/// What one worker has found in one segment.
final class ExpansionBox<Worker: Expander>: @unchecked Sendable {
  // Sound to send: it is changed by the one worker that has its segment, and looked at by others
  // once that has said that it is ready.

  private let before = Apart()
  var found = SuccessorBatch()
  var breaches: [BrokenRule<Worker.Breach>] = []
  var growth = Worker.Growth()
  fileprivate let isReady = Atomic<Bool>(false)
  private let behind = Apart()

  fileprivate func removeAll() {
    found.removeAll()
    breaches.removeAll(keepingCapacity: true)
    growth = Worker.Growth()
    isReady.store(false, ordering: .relaxed)
  }
}

/// Room that keeps what one worker changes all the time out of the lines of a cache that another
/// one has.
struct Apart: BitwiseCopyable {
  private var lines: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
  private var more: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
}

/// Where a worker works, with what is its own.
private final class Seat<Worker: Expander>: @unchecked Sendable {
  // Sound to send: only the worker who has the seat changes it, and the team waits for it.

  private let before = Apart()
  private let makeWorker: () -> Worker
  private let visited: VisitedStates
  private(set) var worker: Worker?
  private(set) var filter: SeenFilter?
  private let behind = Apart()

  init(_ visited: VisitedStates, _ makeWorker: @escaping () -> Worker) {
    self.visited = visited
    self.makeWorker = makeWorker
  }

  /// Makes the worker, where it will work: its memory is then that of its thread, and lies beside
  /// nobody else's.
  func take() {
    guard worker == nil else { return }
    worker = makeWorker()
    filter = SeenFilter(visited)
  }
}

/// Walks a space of states breadth first, with as many workers as there are.
///
/// The states of one depth stand in segments. In each *round* the workers take segments one by one,
/// find what follows, and drop what they know to be seen. What is left is taken up in the order of
/// the segments, by whichever worker comes by when the next one is ready; whether a state is new is
/// decided there and nowhere else. So the same states, numbers and counterexamples come out whoever
/// works, and however fast.
struct BreadthFirst<Worker: Expander>: ~Copyable {
  /// Why it ended.
  enum End {
    /// Every state was looked at.
    case closed
    /// Whoever judges broken rules wants no more.
    case decided
    case stopped(ExplorationVerdict.Stop)
  }

  /// How many segments a round has, which is how much is done between two looks at the limits: for
  /// one worker, and for several, who are hired anew for each.
  private static var sizeAlone: Int { 16 }
  private static var sizeTogether: Int { 128 }

  let ledger = Ledger()
  /// The largest of what the states had that were looked at.
  var growth = Worker.Growth()
  private let makeWorker: () -> Worker
  private var seats: ContiguousArray<Seat<Worker>> = []
  private var boxes: ContiguousArray<ExpansionBox<Worker>> = []
  /// How many states the last round has found.
  private var lately = 0

  /// - Parameter makeWorker: makes one that shares nothing with the others.
  init(_ makeWorker: @escaping () -> Worker) {
    self.makeWorker = makeWorker
  }

  /// Says how much of its frontier stays in memory; without it, all does.
  func limitFrontier(to room: FrontierRoom) {
    ledger.level.room = room
    ledger.next.room = room
  }

  /// How many bytes of states are given to a worker at once.
  var segmentSize: Int {
    get { ledger.next.segmentSize }
    nonmutating set {
      ledger.level.segmentSize = newValue
      ledger.next.segmentSize = newValue
    }
  }

  /// Goes on until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// - Parameters:
  ///   - limits: where it is left.
  ///   - team: who works.
  ///   - isEndless: whether something has grown so far that nobody waits for its end.
  ///   - judge: is given each broken rule in order, and says whether no further one is sought.
  ///   - goesOn: is asked between rounds whether to go on.
  /// - Returns: why it ended.
  mutating func run(
    _ limits: ExplorationLimits, _ team: some Team, isEndless: (Worker.Growth) -> Bool,
    judge: (BrokenRule<Worker.Breach>) -> Bool, goesOn: (ExplorationFigures) -> Bool
  ) -> End {
    hire(team)
    ledger.problem = nil
    if ledger.ways.count == 0, begin(judge) { return .decided }
    while true {
      if let depth = limits.depth, ledger.figures.depth >= depth { return .stopped(.depth) }
      while !ledger.level.isEmpty {
        if playRound(team, limits.states, judge) { return .decided }
        if let problem = ledger.problem { return .stopped(.frontier(problem)) }
        if ledger.figures.states > limits.states { return .stopped(.states) }
        if !ledger.level.isEmpty, !goesOn(ledger.figures) { return .stopped(.fromOutside) }
      }
      guard !ledger.next.isEmpty else { return .closed }
      ledger.goDeeper()
      ledger.figures.depth += 1
      noteFrontier()
      if isEndless(growth) { return .stopped(.growth) }
      if !goesOn(ledger.figures) { return .stopped(.fromOutside) }
    }
  }

  private func noteFrontier() {
    ledger.figures.frontier = ledger.level.count
    ledger.figures.widest = max(ledger.figures.widest, ledger.figures.frontier)
  }

  private mutating func hire(_ team: some Team) {
    while seats.count < team.count { seats.append(Seat(ledger.visited, makeWorker)) }
    seats[0].take()
    let seats = seats
    if team.count > 1 { team.work { seats[$0].take() } }
    let size = team.count == 1 ? 1 : Self.sizeTogether
    while boxes.count < size { boxes.append(ExpansionBox()) }
  }

  private mutating func begin(_ judge: (BrokenRule<Worker.Breach>) -> Bool) -> Bool {
    boxes[0].removeAll()
    seats[0].worker?.begin(into: boxes[0])
    if takeUp(boxes[0], judge) { return true }
    ledger.goDeeper()
    noteFrontier()
    return false
  }

  // MARK: A round

  /// Looks at the next segments of the level, or at fewer where a limit is reached.
  ///
  /// - Returns: whether that is decided which is sought.
  private mutating func playRound(
    _ team: some Team, _ limit: Int, _ judge: (BrokenRule<Worker.Breach>) -> Bool
  ) -> Bool {
    let segments: ArraySlice<FrontierSegment>
    do throws(FrontierProblem) {
      segments = try ledger.level.next(team.count == 1 ? Self.sizeAlone : Self.sizeTogether)
    } catch {
      ledger.problem = error
      return false
    }
    guard team.count > 1, segments.count > 1 else {
      guard let worker = seats[0].worker, let filter = seats[0].filter else {
        preconditionFailure("whoever works has a seat")
      }
      filter.forget()
      for segment in segments {
        boxes[0].removeAll()
        worker.expand(segment, filter, into: boxes[0])
        ledger.level.pass(1)
        if takeUp(boxes[0], judge) { return true }
        if ledger.problem != nil || ledger.figures.states > limit { return false }
      }
      return false
    }
    let before = ledger.figures.states
    let round = Round(seats, boxes, Array(segments), ledger, limit)
    // Twice as many as the last time find room without a table that stands there twice.
    round.makeRoom(for: lately / VisitedStates.partCount * 2 + 16, team)
    round.play(team)
    growth.see(round.growth)
    defer { lately = ledger.figures.states - before }
    ledger.level.pass(round.taken)
    // Whatever was found behind a broken rule is taken up by whoever judges.
    while let box = round.nextBox() {
      ledger.level.pass(1)
      if takeUp(box, judge) { return true }
    }
    return false
  }

  /// Takes up what was found in a segment.
  ///
  /// - Returns: whether that is decided which is sought.
  private mutating func takeUp(
    _ box: ExpansionBox<Worker>, _ judge: (BrokenRule<Worker.Breach>) -> Bool
  ) -> Bool {
    var place = 0
    for broken in box.breaches {
      // Several may be of one successor.
      let isNew = ledger.takeUp(box.found, from: &place, to: broken.place)
      if broken.isOfSuccessor, !isNew { continue }
      if judge(broken) {
        ledger.figures.transitions += broken.transitions
        return true
      }
    }
    ledger.takeUp(box.found, from: &place, to: box.found.successors.count)
    ledger.figures.transitions += box.found.transitions
    growth.see(box.growth)
    return false
  }
}

/// Some segments that several workers look at together.
private final class Round<Worker: Expander>: @unchecked Sendable {
  // Sound to send: each worker has its own seat, segments are given out one by one with boxes,
  // and what was taken up is changed under the lock.

  private let seats: ContiguousArray<Seat<Worker>>
  private let boxes: ContiguousArray<ExpansionBox<Worker>>
  private let segments: [FrontierSegment]
  private let ledger: Ledger
  private let limit: Int
  /// The next segment that is given out.
  private let next = Atomic<Int>(0)
  /// Whether no further segment is given out.
  private let isOver = Atomic<Bool>(false)
  private let lock = Mutex(())
  /// How many segments were taken up.
  private(set) var taken = 0
  /// What grew in these.
  private(set) var growth = Worker.Growth()

  init(
    _ seats: ContiguousArray<Seat<Worker>>, _ boxes: ContiguousArray<ExpansionBox<Worker>>,
    _ segments: [FrontierSegment], _ ledger: Ledger, _ limit: Int
  ) {
    self.seats = seats
    self.boxes = boxes
    self.segments = segments
    self.ledger = ledger
    self.limit = limit
  }

  func makeRoom(for more: Int, _ team: some Team) {
    let visited = ledger.visited
    guard visited.needsRoom(for: more) else { return }
    let count = team.count
    team.work { visited.makeRoom(for: more, worker: $0, of: count) }
  }

  func play(_ team: some Team) {
    for place in segments.indices { boxes[place].removeAll() }
    ledger.visited.letIn()
    team.work { place in
      guard let worker = self.seats[place].worker, let filter = self.seats[place].filter else {
        return
      }
      filter.forget()
      while !self.isOver.load(ordering: .relaxed) {
        let next = self.next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard next < self.segments.count else { return }
        worker.expand(self.segments[next], filter, into: self.boxes[next])
        team.pause(place)
        self.boxes[next].isReady.store(true, ordering: .releasing)
        self.takeUpReady()
        team.pause(place)
      }
    }
    // Whoever came by while the lock was held has left what it found.
    takeUpReady()
    ledger.visited.letOut()
  }

  /// Takes up what is ready, in order, unless somebody else does just now.
  private func takeUpReady() {
    _ = lock.withLockIfAvailable { _ in
      while let box = firstBox(), box.breaches.isEmpty {
        var place = 0
        ledger.takeUp(box.found, from: &place, to: box.found.successors.count)
        ledger.figures.transitions += box.found.transitions
        growth.see(box.growth)
        taken += 1
      }
      if firstBox() != nil || isAtLimit { isOver.store(true, ordering: .relaxed) }
    }
  }

  private var isAtLimit: Bool { ledger.problem != nil || ledger.figures.states > limit }

  /// The next box that is to be taken up, where it is ready.
  private func firstBox() -> ExpansionBox<Worker>? {
    guard taken < segments.count, !isAtLimit, boxes[taken].isReady.load(ordering: .acquiring) else {
      return nil
    }
    return boxes[taken]
  }

  /// Likewise, once nobody works any more; it counts as taken up.
  func nextBox() -> ExpansionBox<Worker>? {
    guard let box = firstBox() else { return nil }
    taken += 1
    return box
  }
}
