import HandoverMachines

/// Why a file is not what a part left for the others.
package enum RoundFileProblem: Error, Hashable, Sendable {
  /// It is something else.
  case foreign
  /// It is of another version, setup, number of parts, round or part.
  case other
  /// It is cut off or changed.
  case damaged
}

/// What a part tells all others of one round.
package struct RoundSummary: Sendable {
  /// A broken rule.
  package struct Found: Hashable, Sendable {
    /// The way to the state and on by the act that broke the rule.
    package var way: Way
    /// How many bytes of it lead to the state.
    package var stateLength: Int
    /// Whether the sequence can be played in time.
    package var isPlayable: Bool
  }

  /// States of this depth that the part has.
  package var states = 0
  /// Acts that were tried in them.
  package var transitions = 0
  /// The largest of what any state had that they lead to.
  var growth = GrowthWatch()
  /// The broken rules, in the order of their ways; no more than anybody needs.
  package var found: [Found] = []

  package init() {}
}

/// A file that a part leaves for the others: what it tells all, and for each of them the states
/// that are that one's.
///
/// A reader takes its own states only, wherever they stand, so that a round costs every part as
/// much as it gets. Everything has a checksum: a file that was cut off is never taken for a whole
/// one.
package struct RoundFile: Sendable {
  /// What all files of one exploration have in common.
  package struct Identity: Hashable, Sendable {
    let digest: (high: UInt64, low: UInt64)
    let count: Int

    /// Makes one.
    ///
    /// - Parameters:
    ///   - words: all that must be the same in every part.
    ///   - count: how many parts there are.
    package init(_ words: String, count: Int) {
      let digest = StateDigest(of: ContiguousArray(words.utf8))
      self.digest = (digest.high, digest.low)
      self.count = count
    }

    package static func == (one: Identity, other: Identity) -> Bool {
      one.digest == other.digest && one.count == other.count
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(digest.low)
    }
  }

  /// Reads a part of a file; nil where it is not there.
  package typealias Access = (_ start: Int, _ count: Int) -> [UInt8]?

  static let mark = Array("handover exploration part 1\n".utf8)
  private static let prefixSize = mark.count + 48
  private static let rowSize = 32
  /// The longest summary that is read: a thousand ways and more.
  private static let maximumSummarySize = 1 << 26

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - identity: of the exploration.
  ///   - shard: whose it is, counted from 0.
  ///   - round: of which round.
  ///   - summary: for all.
  ///   - slices: for each part.
  /// - Returns: the file.
  static func bytes(
    _ identity: Identity, shard: Int, round: Int, _ summary: RoundSummary, _ slices: [[UInt8]]
  ) -> [UInt8] {
    precondition(slices.count == identity.count)
    let told = summary.bytes
    var writer = PartitionWriter()
    writer.bytes.reserveCapacity(
      prefixSize + told.count + 8 + slices.reduce(0) { $0 + $1.count + rowSize })
    writer.bytes = mark
    writer.write(identity.digest.high)
    writer.write(identity.digest.low)
    writer.write(UInt32(round))
    writer.write(UInt32(shard))
    writer.write(UInt64(told.count))
    writer.write(StateDigest.checksum(told))
    writer.write(StateDigest.checksum(writer.bytes))
    writer.bytes += told
    var start = writer.bytes.count + slices.count * rowSize
    for slice in slices {
      let row = writer.bytes.count
      writer.write(UInt64(start))
      writer.write(UInt64(slice.count))
      writer.write(StateDigest.checksum(slice))
      writer.write(StateDigest.checksum(writer.bytes[row...]))
      start += slice.count
    }
    for slice in slices { writer.bytes += slice }
    return writer.bytes
  }

  /// What a file tells all, and what it has for one part.
  package static func read(
    _ identity: Identity, shard: Int, round: Int, for reader: Int, _ access: Access
  ) throws(RoundFileProblem) -> (summary: RoundSummary, slice: [UInt8]) {
    let (summary, table) = try head(identity, shard: shard, round: round, access)
    guard let bytes = access(table + reader * rowSize, rowSize), bytes.count == rowSize,
      StateDigest.checksum(bytes[..<24]) == word(bytes, 24),
      let start = Int(exactly: word(bytes, 0)), let size = Int(exactly: word(bytes, 8)),
      start >= table + identity.count * rowSize, let slice = access(start, size),
      slice.count == size, StateDigest.checksum(slice) == word(bytes, 16)
    else { throw .damaged }
    return (summary, slice)
  }

  /// Whether a file is whole, with the states for every part.
  ///
  /// - Returns: what it tells all.
  package static func check(
    _ identity: Identity, shard: Int, round: Int, _ access: Access
  ) throws(RoundFileProblem) -> RoundSummary {
    for reader in 0..<identity.count {
      _ = try read(identity, shard: shard, round: round, for: reader, access)
    }
    return try head(identity, shard: shard, round: round, access).summary
  }

  /// What a file tells all, and where its table begins.
  private static func head(
    _ identity: Identity, shard: Int, round: Int, _ access: Access
  ) throws(RoundFileProblem) -> (summary: RoundSummary, table: Int) {
    let prefix = access(0, prefixSize) ?? []
    guard prefix.starts(with: mark) else {
      // One that nothing of was written is no file of somebody else.
      throw mark.starts(with: prefix) ? .damaged : .foreign
    }
    guard prefix.count == prefixSize,
      StateDigest.checksum(prefix[..<(prefixSize - 8)]) == word(prefix, prefixSize - 8)
    else { throw .damaged }
    var reader = PartitionReader(prefix, from: mark.count)
    let (high, low): (UInt64, UInt64) = (try reader.number(), try reader.number())
    let (ofRound, ofShard): (UInt32, UInt32) = (try reader.number(), try reader.number())
    guard identity.digest == (high, low), Int(ofRound) == round, Int(ofShard) == shard else {
      throw .other
    }
    let size = try reader.count()
    let checksum: UInt64 = try reader.number()
    guard size <= maximumSummarySize, let told = access(prefixSize, size), told.count == size,
      StateDigest.checksum(told) == checksum
    else { throw .damaged }
    return (try RoundSummary(told), prefixSize + size)
  }

  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
    bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension RoundSummary {
  var bytes: [UInt8] {
    var writer = PartitionWriter()
    for number in [
      states, transitions, growth.calls, growth.connections, growth.queued, growth.lateSends,
      Int(growth.mean.microseconds), found.count,
    ] {
      writer.write(UInt64(number))
    }
    for one in found {
      writer.writeShort(one.way.bytes.count)
      writer.bytes += one.way.bytes
      writer.writeShort(one.stateLength)
      writer.bytes.append(one.isPlayable ? 1 : 0)
    }
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(RoundFileProblem) {
    var reader = PartitionReader(bytes)
    states = try reader.count()
    transitions = try reader.count()
    growth.calls = try reader.count()
    growth.connections = try reader.count()
    growth.queued = try reader.count()
    growth.lateSends = try reader.count()
    growth.mean = Interval(microseconds: Int64(try reader.count()))
    let count = try reader.count()
    guard count <= bytes.count else { throw .damaged }
    for _ in 0..<count {
      let way = Way(try reader.bytes(reader.short(atMost: bytes.count)))
      let length = try reader.short(atMost: way.bytes.count)
      let isPlayable = try reader.bytes(1).first == 1
      found.append(Found(way: way, stateLength: length, isPlayable: isPlayable))
    }
    guard reader.isAtEnd else { throw .damaged }
  }
}
