import HandoverMachines

/// Which part of an exploration a process has.
package struct Partition: Hashable, Sendable {
  /// Counted from 0.
  package let index: Int
  package let count: Int

  /// Makes a part.
  package init(index: Int, count: Int) {
    precondition(count > 0 && (0..<count).contains(index))
    self.index = index
    self.count = count
  }

  /// The part that a state belongs to: each has a range of digests.
  static func owner(_ digest: StateDigest, of count: Int) -> Int {
    Int(digest.high.multipliedFullWidth(by: UInt64(count)).high)
  }
}

/// A part of an exploration that several processes make together, without a word between them but
/// files.
///
/// Each owns the states whose digests lie in its range. In a round it tries every act in those of
/// one depth, and leaves a file with the states that these lead to, each for its owner. When all
/// files of a round are there, every part takes its states, of several ways to one the first, and
/// knows from the summaries what came of the whole: all parts decide alike, so that nobody has to
/// say it.
///
/// A part that begins anew reads what it got in each round. Only the round in which it was stopped
/// is done again.
package struct PartitionedExplorer: ~Copyable {
  /// What all parts have done together.
  package struct Whole: Hashable, Sendable {
    package var figures = ExplorationFigures()
    /// How many states each depth has.
    package var levels: [Int] = []
  }

  private let setup: ExplorationSetup
  private let partition: Partition
  private let identity: RoundFile.Identity
  private var space: ClientStateSpace
  private var visited = VisitedStates()
  private var frontier = PartFrontier()
  private var slices: [SliceWriter] = []
  private var sent = RecentStates()
  private var summary = RoundSummary()
  private var place = 0
  private var hasFound = false
  private var tried = 0
  /// What this part has tried, and what it has found, in the rounds that are over: some of them
  /// were another process's, which was stopped.
  private var transitionsBefore = 0
  private var triedBefore = 0
  private var growth = GrowthWatch()
  private var search = BreachSearch()
  /// The depth of the states that are looked at.
  package private(set) var round = 0
  /// What this part has done.
  package private(set) var figures = ExplorationFigures()
  /// What each depth has of it.
  package private(set) var levels: [Int] = []
  /// What all parts have done, up to the last round of which every summary was there.
  package private(set) var whole = Whole()

  /// Makes a part that has seen nothing but its first states.
  package init(
    _ setup: ExplorationSetup, _ partition: Partition, _ identity: RoundFile.Identity
  ) {
    self.setup = setup
    self.partition = partition
    self.identity = identity
    space = ClientStateSpace(setup)
    var roots = PartFrontier()
    for number in 0..<space.rootCount {
      space.enterRoot(number)
      guard owner(of: space.encoding) == partition.index else { continue }
      var way = Way()
      way.append(number)
      roots.append(way: way.bytes, encoding: space.encoding)
    }
    keep(roots)
  }

  private func owner(of encoding: ContiguousArray<UInt8>) -> Int {
    Partition.owner(StateDigest(of: encoding), of: partition.count)
  }

  // MARK: A round

  /// Tries every act in the states of this depth.
  ///
  /// - Parameter goesOn: is asked every thousand states whether to go on.
  /// - Returns: the file of the round; nil where it was stopped, and goes on at the next call.
  package mutating func explore(goesOn: (ExplorationFigures) -> Bool) -> [UInt8]? {
    if slices.isEmpty {
      slices = Array(repeating: SliceWriter(), count: partition.count)
      summary = RoundSummary()
      summary.states = frontier.count
      place = 0
    }
    while place < frontier.count, !hasFound {
      expand(place)
      place += 1
      if place & 1_023 == 0, !goesOn(figures) { return nil }
    }
    summary.growth = space.growth
    defer { slices = [] }
    return RoundFile.bytes(
      identity, shard: partition.index, round: round, summary, slices.map(\.bytes))
  }

  private mutating func expand(_ place: Int) {
    space.enter(frontier.encodings[frontier.encoding(place)])
    let way = ContiguousArray(frontier.way(place))
    var next = way
    while space.advance() {
      summary.transitions += 1
      figures.transitions += 1
      next.removeSubrange(way.count...)
      Way.append(space.number, to: &next)
      if space.breach != nil {
        note(Way(next), stateLength: way.count)
        if hasFound { return }
        continue
      }
      let digest = space.digest
      // Whose it is has seen it then, and needs no further way to it.
      guard sent.insert(digest) else { continue }
      slices[Partition.owner(digest, of: partition.count)].append(next, space.encoding)
    }
    if tried >= BreachSearch.sequencesToTry { hasFound = true }
  }

  private mutating func note(_ way: Way, stateLength: Int) {
    tried += 1
    let isPlayable = counterexample(along: way).map { PlayedPath($0, setup).obstacle == nil }
    summary.found.append(
      RoundSummary.Found(way: way, stateLength: stateLength, isPlayable: isPlayable == true))
    if isPlayable == true { hasFound = true }
  }

  /// The sequence of acts of a way.
  package func counterexample(along way: Way) -> Counterexample? {
    var space = ClientStateSpace(setup)
    return space.counterexample(along: way)
  }

  // MARK: Between rounds

  /// Takes in what all parts left of a round, and goes on to the next depth.
  ///
  /// - Parameter files: what each part told, and what it has for this one.
  /// - Returns: what came of it; nil where the next round is to be made.
  /// - Throws: where the states are none of this part's.
  package mutating func receive(
    _ files: [(summary: RoundSummary, slice: [UInt8])]
  ) throws(RoundFileProblem) -> ExplorationVerdict? {
    let states = files.reduce(0) { $0 + $1.summary.states }
    whole.figures.transitions += files.reduce(0) { $0 + $1.summary.transitions }
    if states > 0 { count(states) }
    for file in files { growth.see(file.summary.growth) }
    search.take(files.flatMap(\.summary.found))
    if search.isOver || states == 0 { return end(.closed) }
    figures.transitions = transitionsBefore + files[partition.index].summary.transitions
    transitionsBefore = figures.transitions
    triedBefore += files[partition.index].summary.found.count
    tried = triedBefore
    var received = PartFrontier()
    for file in files { try received.append(slice: file.slice) }
    round += 1
    guard keep(received) else { throw .damaged }
    return nil
  }

  /// Makes the new ones among some states the next frontier.
  ///
  /// - Returns: whether all of them are this part's.
  @discardableResult
  private mutating func keep(_ received: PartFrontier) -> Bool {
    frontier = PartFrontier()
    for index in received.order {
      let encoding = ContiguousArray(received.encodings[received.encoding(index)])
      let digest = StateDigest(of: encoding)
      guard Partition.owner(digest, of: partition.count) == partition.index else { return false }
      guard visited.insert(digest) else { continue }
      frontier.append(way: received.way(index), encoding: encoding)
    }
    figures.states += frontier.count
    figures.depth = round
    figures.frontier = frontier.count
    figures.widest = max(figures.widest, frontier.count)
    levels.append(frontier.count)
    return true
  }

  private mutating func count(_ states: Int) {
    whole.levels.append(states)
    whole.figures.states += states
    whole.figures.depth = whole.levels.count - 1
    whole.figures.frontier = states
    whole.figures.widest = max(whole.figures.widest, states)
  }

  /// Why all parts stop before the states of this depth are looked at; nil where they go on.
  package func limit(_ limits: ExplorationLimits) -> ExplorationVerdict.Stop? {
    if growth.isEndless(setup) { return .growth }
    if let depth = limits.depth, round >= depth { return .depth }
    return whole.figures.states > limits.states ? .states : nil
  }

  /// A file that tells how many states of this depth the part has, and nothing else: what is left
  /// where the exploration is stopped.
  package func levelFile() -> [UInt8] {
    var summary = RoundSummary()
    summary.states = frontier.count
    return RoundFile.bytes(
      identity, shard: partition.index, round: round, summary,
      Array(repeating: [], count: partition.count))
  }

  /// Takes in these files of all parts, after which nothing more comes.
  package mutating func stop(_ why: ExplorationVerdict.Stop, _ files: [RoundSummary])
    -> ExplorationVerdict
  {
    let states = files.reduce(0) { $0 + $1.states }
    if states > 0 { count(states) }
    return end(states == 0 ? .closed : .stopped(why, growing: growth.beyond(setup)))
  }

  private func end(_ verdict: ExplorationVerdict) -> ExplorationVerdict {
    guard let shortest = search.shortest.flatMap({ counterexample(along: $0) }) else {
      return verdict
    }
    return .broken(shortest, playable: search.playable.flatMap { counterexample(along: $0) })
  }
}

/// Digests of states that were sent lately; some of them are forgotten, which does no harm.
private struct RecentStates {
  private var slots = ContiguousArray(repeating: (high: UInt64(0), low: UInt64(0)), count: 1 << 18)

  /// Adds a state.
  ///
  /// - Returns: whether it is not known to be there.
  mutating func insert(_ digest: StateDigest) -> Bool {
    let place = Int(truncatingIfNeeded: digest.low) & (slots.count - 1)
    if slots[place].low == digest.low, slots[place].high == digest.high { return false }
    slots[place] = (digest.high, digest.low)
    return true
  }
}
