import HandoverCore

/// Encoded states with the paths that lead to them.
struct PartFrontier {
  private(set) var ways: ContiguousArray<UInt8> = []
  private(set) var encodings: ContiguousArray<UInt8> = []
  private var pathStarts: ContiguousArray<Int> = [0]
  private var encodingStarts: ContiguousArray<Int> = [0]

  var count: Int { pathStarts.count - 1 }

  mutating func append(
    way: some Collection<UInt8>, encoding: some Collection<UInt8>
  ) {
    ways.append(contentsOf: way)
    encodings.append(contentsOf: encoding)
    pathStarts.append(ways.count)
    encodingStarts.append(encodings.count)
  }

  func way(_ index: Int) -> ArraySlice<UInt8> { ways[pathStarts[index]..<pathStarts[index + 1]] }

  func encoding(_ index: Int) -> Range<Int> { encodingStarts[index]..<encodingStarts[index + 1] }

  /// The indices of all states, sorted by their paths.
  var order: [Int] {
    // The states of each sender are already sorted, which makes the stable sort fast.
    (0..<count).sorted { precedes($0, $1) }
  }

  private func precedes(_ one: Int, _ other: Int) -> Bool {
    var (left, right) = (pathStarts[one], pathStarts[other])
    let (leftEnd, rightEnd) = (pathStarts[one + 1], pathStarts[other + 1])
    while left < leftEnd, right < rightEnd {
      if ways[left] != ways[right] { return ways[left] < ways[right] }
      left += 1
      right += 1
    }
    return left == leftEnd && right < rightEnd
  }
}

/// Writes the states for one shard, in the order of their paths.
///
/// Neighboring paths differ little. Each path is therefore written without the prefix that it
/// shares with the previous one.
struct SliceWriter {
  private(set) var bytes: [UInt8] = []
  private var last: ContiguousArray<UInt8> = []

  mutating func append(_ way: ContiguousArray<UInt8>, _ encoding: ContiguousArray<UInt8>) {
    var shared = 0
    while shared < last.count, shared < way.count, last[shared] == way[shared] { shared += 1 }
    var writer = ByteWriter(bytes: [])
    swap(&writer.bytes, &bytes)
    writer.writeShort(shared)
    writer.writeShort(way.count - shared)
    writer.bytes.append(contentsOf: way[shared...])
    writer.writeShort(encoding.count)
    writer.bytes.append(contentsOf: encoding)
    swap(&writer.bytes, &bytes)
    last = way
  }
}

extension PartFrontier {
  /// Appends the states that another shard sent.
  ///
  /// - Throws: A ``SavedFileProblem`` if the bytes are invalid.
  mutating func append(slice bytes: [UInt8]) throws(SavedFileProblem) {
    var reader = ByteReader(bytes)
    var way: ContiguousArray<UInt8> = []
    while !reader.isAtEnd {
      let shared = try reader.short(atMost: way.count)
      let rest = try reader.bytes(reader.short(atMost: bytes.count))
      let encoding = try reader.bytes(reader.short(atMost: bytes.count))
      way.removeSubrange(shared...)
      way.append(contentsOf: rest)
      append(way: way, encoding: encoding)
    }
  }
}
