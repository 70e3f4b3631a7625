import HandoverCore
import Testing

@testable import HandoverExploration

/// An exploration in shards, whose files are kept in memory.
private struct PartsInMemory {
  var setup: ExplorationSetup
  var count: Int
  /// The files of each round, by shard.
  var files: [[[UInt8]]] = []
  /// The number of states that each shard has seen at the end.
  var states: [Int] = []
  var transitions: [Int] = []
  var levels: [[Int]] = []
  var whole = PartitionedExplorer.Whole()

  private var identity: RoundFile.Identity { RoundFile.Identity("a test", count: count) }

  init(_ setup: ExplorationSetup, _ count: Int) {
    self.setup = setup
    self.count = count
  }

  static func access(_ bytes: [UInt8]) -> RoundFile.Access {
    { start, size in
      start <= bytes.count ? Array(bytes[start..<min(bytes.count, start + size)]) : nil
    }
  }

  /// Runs a shard through all rounds whose files exist.
  private func part(_ index: Int, upTo round: Int) throws -> PartState {
    let state = PartState(setup, Partition(index: index, count: count), identity)
    for round in 0..<round { _ = try state.receive(received(index, round)) }
    return state
  }

  private func received(
    _ index: Int, _ round: Int
  ) throws -> [(summary: RoundSummary, slice: [UInt8])] {
    try (0..<count).map {
      try RoundFile.read(
        identity, shard: $0, round: round, for: index, Self.access(files[round][$0]))
    }
  }

  /// Explores.
  ///
  /// `restarts` returns after which rounds every shard is dropped and created again.
  mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), restarts: (Int) -> Bool = { _ in false }
  ) throws -> ExplorationVerdict {
    var parts = try (0..<count).map { try part($0, upTo: files.count) }
    while true {
      let stops = parts.map { $0.explorer.limit(limits) }
      #expect(Set(stops).count == 1, "all parts decide alike")
      if let why = stops[0] {
        let files = parts.map { $0.explorer.levelFile() }
        let round = parts[0].explorer.round
        let reported = try files.enumerated().map {
          try RoundFile.read(
            identity, shard: $0.offset, round: round, for: 0, Self.access($0.element)
          ).summary
        }
        let verdicts = parts.map { $0.explorer.stop(why, reported) }
        #expect(Set(verdicts).count == 1)
        note(parts)
        return verdicts[0]
      }
      let round = files.count
      files.append(parts.map { $0.explorer.explore { _ in true } ?? [] })
      let verdicts = try parts.enumerated().map {
        try $0.element.receive(received($0.offset, round))
      }
      #expect(Set(verdicts).count == 1, "all parts decide alike")
      if let verdict = verdicts[0] {
        note(parts)
        return verdict
      }
      if restarts(round) { parts = try (0..<count).map { try part($0, upTo: files.count) } }
    }
  }

  private mutating func note(_ parts: [PartState]) {
    states = parts.map { $0.explorer.figures.states }
    transitions = parts.map { $0.explorer.figures.transitions }
    levels = parts.map { $0.explorer.levels }
    whole = parts[0].explorer.whole
  }
}

/// An explorer as a class, so that an array can store it.
private final class PartState {
  var explorer: PartitionedExplorer
  var hasViolation: Bool { explorer.hasViolation }

  init(_ setup: ExplorationSetup, _ partition: Partition, _ identity: RoundFile.Identity) {
    explorer = PartitionedExplorer(setup, partition, identity)
  }

  func receive(
    _ files: [(summary: RoundSummary, slice: [UInt8])]
  ) throws -> ExplorationVerdict? {
    try explorer.receive(files)
  }
}

@Suite("An exploration in shards")
struct PartitionTests {
  private static let setups = [
    ExplorationSetup(.socketsMonitor, calls: 2, extras: .plain),
    ExplorationSetup(.socketsMonitor, calls: 1, extras: .full),
    ExplorationSetup(.sockets2017, calls: 2, extras: .plain),
    ExplorationSetup(.cfStream, calls: 3, extras: .plain),
  ]

  @Test("The shards together see what one process sees", arguments: setups, [1, 2, 7, 64])
  func equal(_ setup: ExplorationSetup, _ count: Int) throws {
    var one = Explorer(setup)
    let verdict = one.run()
    var parts = PartsInMemory(setup, count)
    #expect(try parts.run() == verdict)
    #expect(parts.whole.figures == one.figures)
    #expect(parts.states.reduce(0, +) == one.figures.states)
    #expect(parts.transitions.reduce(0, +) == one.figures.transitions)
    #expect(parts.levels.reduce(0) { $0 + $1.reduce(0, +) } == one.figures.states)
  }

  @Test("Each shard gets about the same share")
  func balance() throws {
    var parts = PartsInMemory(ExplorationSetup(.socketsMonitor, calls: 3, extras: .plain), 8)
    _ = try parts.run()
    let mean = parts.states.reduce(0, +) / 8
    for states in parts.states { #expect(abs(states - mean) * 6 < mean, "\(parts.states)") }
  }

  @Test(
    "The shards find the same violating sequences, including those that are feasible",
    arguments: [
      Defect.doubleEnd, .keptBackoff, .endlessBackoff, .keptWhileConnecting, .keptUnusedDelay,
      .ignoredRecovery,
    ], [1, 2, 5])
  func broken(_ defect: Defect, _ count: Int) throws {
    for extras in [ExplorationSetup.Extras.plain, .full] {
      let setup = ExplorationSetup(
        .socketsMonitor, calls: 2, extras: extras, defect: defect)
      var one = Explorer(setup)
      let verdict = one.run()
      guard case .broken = verdict else {
        Issue.record("one process finds nothing of \(defect)")
        return
      }
      var parts = PartsInMemory(setup, count)
      #expect(try parts.run() == verdict)
    }
  }

  /// If such a shard is stopped, it must not claim that no violation was found.
  @Test("A shard knows about a violation before the files of the round are read")
  func violationOfTheRound() throws {
    let identity = RoundFile.Identity("a test", count: 1)
    let part = PartState(
      ExplorationSetup(.socketsMonitor, calls: 1, extras: .plain, defect: .doubleEnd),
      Partition(index: 0, count: 1), identity)
    #expect(!part.hasViolation)
    var verdict: ExplorationVerdict?
    while verdict == nil {
      let bytes = part.explorer.explore { _ in true } ?? []
      let file = try RoundFile.read(
        identity, shard: 0, round: part.explorer.round, for: 0, PartsInMemory.access(bytes))
      #expect(file.summary.found.isEmpty != part.hasViolation)
      verdict = try part.receive([file])
    }
    guard case .broken = verdict else {
      Issue.record("nothing is found")
      return
    }
    #expect(part.hasViolation)
  }

  @Test("The shards stop where one process does", arguments: [1, 3])
  func limits(_ count: Int) throws {
    let setup = ExplorationSetup(.socketsMonitor, calls: 2, extras: .plain)
    for depth in [1, 5, 40, 41] {
      var one = Explorer(setup)
      let verdict = one.run(ExplorationLimits(depth: depth))
      var parts = PartsInMemory(setup, count)
      #expect(try parts.run(ExplorationLimits(depth: depth)) == verdict, "depth \(depth)")
      #expect(parts.whole.figures == one.figures, "depth \(depth)")
    }
    var parts = PartsInMemory(setup, count)
    #expect(try parts.run(ExplorationLimits(states: 500)) == .stopped(.states, growing: []))
    #expect(parts.whole.figures.states > 500)
    // The files exchanged so far can be used by a longer exploration.
    #expect(try parts.run() == .closed)
    #expect(parts.whole.figures.states == 2_196)
  }

  @Test("The part of the state that grows without bound is named")
  func grows() throws {
    let setup = ExplorationSetup(.sockets, calls: 1, extras: .messages)
    var one = Explorer(setup)
    let verdict = one.run()
    var parts = PartsInMemory(setup, 3)
    #expect(try parts.run() == verdict)
    #expect(parts.whole.figures == one.figures)
  }

  @Test("The shards resume from their files, whenever they were stopped")
  func restarts() throws {
    for setup in [
      Self.setups[0],
      ExplorationSetup(
        .socketsMonitor, calls: 2, extras: .plain, defect: .endlessBackoff),
    ] {
      var one = Explorer(setup)
      let verdict = one.run()
      var parts = PartsInMemory(setup, 3)
      #expect(try parts.run(restarts: { $0 % 3 == 1 }) == verdict)
      if verdict == .closed {
        #expect(parts.whole.figures == one.figures)
        #expect(parts.transitions.reduce(0, +) == one.figures.transitions)
      }
      // Once more from all files but the last, as a repeated command does.
      parts.files.removeLast()
      let again = try parts.run()
      #expect(again == verdict)
    }
  }
}

@Suite("A file that shards of an exploration exchange")
struct RoundFileTests {
  private static let identity = RoundFile.Identity("a test", count: 3)
  private static let bytes = RoundFile.bytes(
    identity, shard: 1, round: 4, summary, [[1, 2, 3], [], [4, 5, 6, 7, 8]])

  private static var summary: RoundSummary {
    var summary = RoundSummary()
    summary.states = 7
    summary.transitions = 1 << 40
    summary.growth.mean = .seconds(3)
    summary.found = [
      .init(way: ActionSequence([1, 2, 255, 3]), stateLength: 2, isPlayable: false),
      .init(way: ActionSequence([2]), stateLength: 0, isPlayable: true),
    ]
    return summary
  }

  private static func read(
    _ bytes: [UInt8], _ identity: RoundFile.Identity = identity, shard: Int = 1, round: Int = 4,
    for reader: Int = 2
  ) throws(SavedFileProblem) -> (summary: RoundSummary, slice: [UInt8]) {
    try RoundFile.read(
      identity, shard: shard, round: round, for: reader, PartsInMemory.access(bytes))
  }

  @Test("A file is read as it was written, and each shard reads its own part")
  func whole() throws {
    for (reader, slice) in [[1, 2, 3], [], [4, 5, 6, 7, 8]].enumerated() {
      let read = try Self.read(Self.bytes, for: reader)
      #expect(read.slice == slice.map { UInt8($0) })
      #expect(read.summary.bytes == Self.summary.bytes)
      #expect(read.summary.found == Self.summary.found)
    }
  }

  @Test("A truncated file is never accepted")
  func truncated() {
    for size in 0..<Self.bytes.count {
      #expect(throws: SavedFileProblem.damaged, "\(size)") {
        _ = try RoundFile.check(
          Self.identity, shard: 1, round: 4, PartsInMemory.access(Array(Self.bytes.prefix(size))))
      }
    }
  }

  @Test("A file with one changed bit is never accepted")
  func changed() {
    for position in Self.bytes.indices {
      for bit in 0..<8 {
        var bytes = Self.bytes
        bytes[position] ^= 1 << bit
        #expect(throws: SavedFileProblem.self, "\(position), \(bit)") {
          _ = try RoundFile.check(
            Self.identity, shard: 1, round: 4, PartsInMemory.access(bytes))
        }
      }
    }
  }

  @Test("A file of another exploration is refused")
  func other() {
    let others: [() throws -> Void] = [
      { _ = try Self.read(Self.bytes, shard: 0) }, { _ = try Self.read(Self.bytes, round: 3) },
      { _ = try Self.read(Self.bytes, RoundFile.Identity("another", count: 3)) },
    ]
    for other in others { #expect(throws: SavedFileProblem.other) { try other() } }
    for foreign in ["{}", "handover exploration 1\n", String(repeating: "x", count: 9_999)] {
      #expect(throws: SavedFileProblem.foreign) { _ = try Self.read(Array(foreign.utf8)) }
    }
  }

  @Test(
    "States are in the order of their paths, each without the prefix shared with the one before"
  )
  func slices() throws {
    var writer = SliceWriter()
    let states: [(way: ContiguousArray<UInt8>, encoding: ContiguousArray<UInt8>)] = [
      ([0, 1, 2], [9]), ([0, 1, 3, 4], []), ([1], Array(repeating: 7, count: 300).contiguous),
    ]
    for state in states { writer.append(state.way, state.encoding) }
    var read = PartFrontier()
    try read.append(slice: writer.bytes)
    #expect(read.count == 3)
    for (index, state) in states.enumerated() {
      #expect(ContiguousArray(read.way(index)) == state.way)
      #expect(ContiguousArray(read.encodings[read.encoding(index)]) == state.encoding)
    }
    for size in 1..<writer.bytes.count {
      var cut = PartFrontier()
      // A slice that is cut between two states is valid; the file's checksum detects the cut.
      do throws(SavedFileProblem) { try cut.append(slice: Array(writer.bytes.prefix(size))) } catch
      {
        #expect(error == .damaged)
      }
    }
  }
}

extension [UInt8] {
  fileprivate var contiguous: ContiguousArray<UInt8> { ContiguousArray(self) }
}

@Suite("The path to a state")
struct WayTests {
  @Test("Paths have the same order as bytes and as numbers")
  func order() {
    let numbers = [0, 1, 2, 254, 255, 256, 509, 510, 511, 70_000]
    var ways: [(numbers: [Int], way: ActionSequence)] = []
    for first in numbers {
      for second in numbers {
        var way = ActionSequence()
        way.append(first)
        way.append(second)
        #expect(way.numbers == [first, second])
        ways.append(([first, second], way))
      }
    }
    for one in ways {
      for other in ways {
        #expect((one.way < other.way) == one.numbers.lexicographicallyPrecedes(other.numbers))
      }
    }
  }

  @Test("The shards find what one process finds: the first violating path counts")
  func search() {
    func found(_ way: [UInt8], _ isPlayable: Bool = false) -> RoundSummary.FoundViolation {
      .init(way: ActionSequence(way), stateLength: way.count - 1, isPlayable: isPlayable)
    }
    var search = ViolationSearch()
    search.take([found([3, 1]), found([1, 7])])
    #expect(search.shortest == ActionSequence([1, 7]))
    #expect(search.playable == nil && !search.isOver)
    search.take([found([2, 2, 2], true), found([1, 9, 9], true), found([0, 0, 0])])
    #expect(search.shortest == ActionSequence([1, 7]))
    #expect(search.playable == ActionSequence([1, 9, 9]))
    #expect(search.isOver)
    // A limited number of paths is tried for feasibility, and then all of the last state.
    var long = ViolationSearch()
    long.take((0..<999).map { found([UInt8($0 / 250), UInt8($0 % 250), 0]) })
    #expect(!long.isOver)
    var twin = long
    long.take([found([9, 0, 0]), found([9, 0, 1], true)])
    #expect(long.isOver && long.playable == ActionSequence([9, 0, 1]))
    twin.take([found([9, 0, 0]), found([9, 1, 1], true)])
    #expect(twin.isOver && twin.playable == nil)
  }
}
