import HandoverCore

/// The shard of an exploration that a process explores.
package struct Partition: Hashable, Sendable {
  /// The index of the shard, counted from 0.
  package let index: Int
  package let count: Int

  /// Creates a shard.
  package init(index: Int, count: Int) {
    precondition(count > 0 && (0..<count).contains(index))
    self.index = index
    self.count = count
  }

  /// Returns the shard that owns a state; each shard has a range of digests.
  static func owner(_ digest: StateDigest, of count: Int) -> Int {
    Int(digest.high.multipliedFullWidth(by: UInt64(count)).high)
  }
}

/// One shard of an exploration that several processes perform together.
///
/// The processes exchange nothing but files. Each shard owns the states whose digests lie in its
/// range. In a round, a shard tries every action in its states of one depth. It then writes a file
/// with the resulting states, grouped by owner. When all files of a round exist, each shard reads
/// its states; if several paths lead to a state, the first path counts. The summaries in the files
/// show the overall result. All shards make the same decisions from them, so that no coordination
/// is necessary.
///
/// A restarted shard rereads the files of each round. Only the interrupted round is repeated.
package struct PartitionedExplorer: ~Copyable {
  /// The combined progress of all shards.
  package struct Whole: Hashable, Sendable {
    package var figures = ExplorationFigures()
    /// The number of states at each depth.
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
  private var position = 0
  private var hasFound = false
  private var tried = 0
  /// The transitions and violations of this shard in the completed rounds.
  ///
  /// A process that was stopped may have performed some of these rounds.
  private var transitionsBefore = 0
  private var triedBefore = 0
  private var growth = GrowthWatch()
  private var search = ViolationSearch()
  /// The depth of the states that are expanded.
  package private(set) var round = 0
  /// The progress of this shard.
  package private(set) var figures = ExplorationFigures()
  /// The number of this shard's states at each depth.
  package private(set) var levels: [Int] = []
  /// The combined progress up to the last round with all summaries.
  package private(set) var whole = Whole()
  /// Whether this shard or, in an earlier round, another shard has found a violation.
  package var hasViolation: Bool { search.shortest != nil || !summary.found.isEmpty }

  /// Creates a shard that has visited only its initial states.
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
      var way = ActionSequence()
      way.append(number)
      roots.append(way: way.bytes, encoding: space.encoding)
    }
    keep(roots)
  }

  private func owner(of encoding: ContiguousArray<UInt8>) -> Int {
    Partition.owner(StateDigest(of: encoding), of: partition.count)
  }

  // MARK: A round

  /// Tries every action in the states of the current depth.
  ///
  /// - Parameter shouldContinue: Called every 1,024 states; returns whether to continue.
  /// - Returns: The file of the round, or `nil` if `shouldContinue` stopped it; the next call then
  ///   continues.
  package mutating func explore(shouldContinue: (ExplorationFigures) -> Bool) -> [UInt8]? {
    if slices.isEmpty {
      slices = Array(repeating: SliceWriter(), count: partition.count)
      summary = RoundSummary()
      summary.states = frontier.count
      position = 0
    }
    while position < frontier.count, !hasFound {
      expand(position)
      position += 1
      if position & 1_023 == 0, !shouldContinue(figures) { return nil }
    }
    summary.growth = space.growth
    defer { slices = [] }
    return RoundFile.bytes(
      identity, shard: partition.index, round: round, summary, slices.map(\.bytes))
  }

  private mutating func expand(_ position: Int) {
    space.enter(frontier.encodings[frontier.encoding(position)])
    let way = ContiguousArray(frontier.way(position))
    var next = way
    while space.advance() {
      summary.transitions += 1
      figures.transitions += 1
      next.removeSubrange(way.count...)
      ActionSequence.append(space.number, to: &next)
      if space.violation != nil {
        note(ActionSequence(next), stateLength: way.count)
        if hasFound { return }
        continue
      }
      let digest = space.digest
      // The owner already knows the state and needs no further path to it.
      guard sent.insert(digest) else { continue }
      slices[Partition.owner(digest, of: partition.count)].append(next, space.encoding)
    }
    if tried >= ViolationSearch.sequencesToTry { hasFound = true }
  }

  private mutating func note(_ way: ActionSequence, stateLength: Int) {
    tried += 1
    let isPlayable = counterexample(along: way).map { PlayedPath($0, setup).obstacle == nil }
    summary.found.append(
      RoundSummary.FoundViolation(
        way: way, stateLength: stateLength, isPlayable: isPlayable == true))
    if isPlayable == true { hasFound = true }
  }

  /// Returns the actions along a path.
  package func counterexample(along way: ActionSequence) -> Counterexample? {
    var space = ClientStateSpace(setup)
    return space.counterexample(along: way)
  }

  // MARK: Between rounds

  /// Reads the files of all shards for a round, and continues with the next depth.
  ///
  /// - Parameter files: The summary of each shard, and its states for this shard.
  /// - Returns: The verdict, or `nil` if another round follows.
  /// - Throws: A ``SavedFileProblem`` if a state does not belong to this shard.
  package mutating func receive(
    _ files: [(summary: RoundSummary, slice: [UInt8])]
  ) throws(SavedFileProblem) -> ExplorationVerdict? {
    let states = files.reduce(0) { $0 + $1.summary.states }
    whole.figures.transitions += files.reduce(0) { $0 + $1.summary.transitions }
    if states > 0 { count(states) }
    for file in files { growth.merge(file.summary.growth) }
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

  /// Makes the new states among those received the next frontier.
  ///
  /// - Returns: Whether all of them belong to this shard.
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

  /// Returns why all shards stop before they expand this depth, or `nil` if they continue.
  package func limit(_ limits: ExplorationLimits) -> ExplorationVerdict.Stop? {
    if growth.isEndless(setup) { return .growth }
    if let depth = limits.depth, round >= depth { return .depth }
    return whole.figures.states > limits.states ? .states : nil
  }

  /// Returns a file with only the number of states of this depth, for an exploration that stops.
  package func levelFile() -> [UInt8] {
    var summary = RoundSummary()
    summary.states = frontier.count
    return RoundFile.bytes(
      identity, shard: partition.index, round: round, summary,
      Array(repeating: [], count: partition.count))
  }

  /// Reads the level files of all shards and ends the exploration.
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

/// A lossy cache of states that were sent recently; a miss only costs a duplicate.
private struct RecentStates {
  private var slots = ContiguousArray(repeating: (high: UInt64(0), low: UInt64(0)), count: 1 << 18)

  /// Adds a state.
  ///
  /// - Returns: Whether the cache did not contain it.
  mutating func insert(_ digest: StateDigest) -> Bool {
    let position = Int(truncatingIfNeeded: digest.low) & (slots.count - 1)
    if slots[position].low == digest.low, slots[position].high == digest.high { return false }
    slots[position] = (digest.high, digest.low)
    return true
  }
}
