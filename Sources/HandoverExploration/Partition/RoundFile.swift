import HandoverCore

/// The summary of a round that a shard sends to all others.
package struct RoundSummary: Sendable {
  /// A violation.
  package struct FoundViolation: Hashable, Sendable {
    /// The path to the state, followed by the action that violates the invariant.
    package var way: ActionSequence
    /// The number of bytes of `way` that lead to the state.
    package var stateLength: Int
    /// Whether the sequence can be replayed in real time.
    package var isPlayable: Bool
  }

  /// The number of this shard's states at this depth.
  package var states = 0
  /// The number of actions that were tried in these states.
  package var transitions = 0
  /// The maxima over the resulting states.
  var growth = GrowthWatch()
  /// The violations, in the order of their paths; limited to those that the search can use.
  package var found: [FoundViolation] = []

  package init() {}
}

/// A file of one shard for the others: a summary for all, and for each shard the states it owns.
///
/// A reader accesses only its own states, so that the cost of a round is proportional to what a
/// shard receives. Every section has a checksum, so that a truncated file is never mistaken for a
/// complete one.
package struct RoundFile: Sendable {
  /// The properties that all files of one exploration share.
  package struct Identity: Hashable, Sendable {
    let digest: StateDigest
    let count: Int

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - settings: The settings that must be the same in every shard.
    ///   - count: The number of shards.
    package init(_ settings: String, count: Int) {
      digest = StateDigest(of: ContiguousArray(settings.utf8))
      self.count = count
    }
  }

  /// Reads a range of a file; returns `nil` if the range does not exist.
  package typealias Access = (_ start: Int, _ count: Int) -> [UInt8]?

  static let mark = Array("handover exploration part 1\n".utf8)
  private static let prefixSize = mark.count + 48
  private static let rowSize = 32
  /// The maximum size of a summary that is read, enough for more than a thousand paths.
  private static let maximumSummarySize = 1 << 26

  /// Returns the bytes of a file.
  ///
  /// - Parameters:
  ///   - identity: The identity of the exploration.
  ///   - shard: The index of the shard that writes the file, counted from 0.
  ///   - round: The round.
  ///   - summary: The summary for all shards.
  ///   - slices: The states for each shard.
  /// - Returns: The bytes of the file.
  static func bytes(
    _ identity: Identity, shard: Int, round: Int, _ summary: RoundSummary, _ slices: [[UInt8]]
  ) -> [UInt8] {
    precondition(slices.count == identity.count)
    let encoded = summary.bytes
    var writer = ByteWriter()
    writer.bytes.reserveCapacity(
      prefixSize + encoded.count + 8 + slices.reduce(0) { $0 + $1.count + rowSize })
    writer.bytes = mark
    writer.write(identity.digest.high)
    writer.write(identity.digest.low)
    writer.write(UInt32(round))
    writer.write(UInt32(shard))
    writer.write(UInt64(encoded.count))
    writer.write(StateDigest.checksum(encoded))
    writer.write(StateDigest.checksum(writer.bytes))
    writer.bytes += encoded
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

  /// Reads the summary of a file and its states for one shard.
  package static func read(
    _ identity: Identity, shard: Int, round: Int, for reader: Int, _ access: Access
  ) throws(SavedFileProblem) -> (summary: RoundSummary, slice: [UInt8]) {
    let (summary, table) = try head(identity, shard: shard, round: round, access)
    guard let bytes = access(table + reader * rowSize, rowSize), bytes.count == rowSize,
      StateDigest.checksum(bytes[..<24]) == bytes.word(at: 24),
      let start = Int(exactly: bytes.word(at: 0)), let size = Int(exactly: bytes.word(at: 8)),
      start >= table + identity.count * rowSize, let slice = access(start, size),
      slice.count == size, StateDigest.checksum(slice) == bytes.word(at: 16)
    else { throw .damaged }
    return (summary, slice)
  }

  /// Checks that a file is complete, with the states for every shard.
  ///
  /// - Returns: The summary.
  package static func check(
    _ identity: Identity, shard: Int, round: Int, _ access: Access
  ) throws(SavedFileProblem) -> RoundSummary {
    for reader in 0..<identity.count {
      _ = try read(identity, shard: shard, round: round, for: reader, access)
    }
    return try head(identity, shard: shard, round: round, access).summary
  }

  /// Reads the summary of a file and the position of its table.
  private static func head(
    _ identity: Identity, shard: Int, round: Int, _ access: Access
  ) throws(SavedFileProblem) -> (summary: RoundSummary, table: Int) {
    let prefix = access(0, prefixSize) ?? []
    guard prefix.starts(with: mark) else {
      // An empty or partly written file is damaged, not foreign.
      throw mark.starts(with: prefix) ? .damaged : .foreign
    }
    guard prefix.count == prefixSize,
      StateDigest.checksum(prefix[..<(prefixSize - 8)]) == prefix.word(at: prefixSize - 8)
    else { throw .damaged }
    var reader = ByteReader(prefix, from: mark.count)
    let (high, low): (UInt64, UInt64) = (try reader.number(), try reader.number())
    let (ofRound, ofShard): (UInt32, UInt32) = (try reader.number(), try reader.number())
    guard identity.digest.high == high, identity.digest.low == low, Int(ofRound) == round,
      Int(ofShard) == shard
    else { throw .other }
    let size = try reader.count()
    let checksum: UInt64 = try reader.number()
    guard size <= maximumSummarySize, let encoded = access(prefixSize, size), encoded.count == size,
      StateDigest.checksum(encoded) == checksum
    else { throw .damaged }
    return (try RoundSummary(encoded), prefixSize + size)
  }
}

extension RoundSummary {
  var bytes: [UInt8] {
    var writer = ByteWriter()
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

  init(_ bytes: [UInt8]) throws(SavedFileProblem) {
    var reader = ByteReader(bytes)
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
      let way = ActionSequence(try reader.bytes(reader.short(atMost: bytes.count)))
      let length = try reader.short(atMost: way.bytes.count)
      let isPlayable = try reader.bytes(1).first == 1
      found.append(FoundViolation(way: way, stateLength: length, isPlayable: isPlayable))
    }
    guard reader.isAtEnd else { throw .damaged }
  }
}
