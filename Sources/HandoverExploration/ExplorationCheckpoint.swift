import HandoverMachines

/// Why bytes are no exploration that can go on.
package enum CheckpointProblem: Error, Hashable, Sendable {
  /// They are something else.
  case noCheckpoint
  /// They are of another version, profile, number of hosts or calls, acts or defects.
  case otherSetup
  /// They are cut off or changed.
  case damaged
}

/// An exploration that was stopped, as bytes, so that it goes on another day.
extension Explorer {
  private static let mark = Array("handover exploration 1\n".utf8)

  /// What must be the same for an exploration to go on.
  private static func fingerprint(_ setup: ExplorationSetup, version: String) -> [UInt8] {
    let words = [
      version, setup.profile.name, "\(setup.hosts)", "\(setup.calls)",
      "\(setup.extras.rawValue)",
      Defect.allCases.filter { setup.defects.contains(Defects([$0])) }.map(\.rawValue)
        .joined(separator: ","),
      setup.altered.map { String(describing: $0).replacing("\n", with: " ") } ?? "",
    ]
    return Array((words.joined(separator: " ") + "\n").utf8)
  }

  /// Everything that was seen, and what is to be looked at next.
  ///
  /// - Parameter version: the version of the client.
  /// - Returns: some 25 bytes a state, and more of the last depth.
  package func checkpoint(version: String) -> [UInt8] {
    var writer = CheckpointWriter()
    writer.bytes = Self.mark + Self.fingerprint(setup, version: version)
    for number in [
      figures.states, figures.transitions, figures.depth, figures.frontier, figures.widest, place,
    ] {
      writer.write(UInt64(number))
    }
    growth.write(into: &writer)
    visited.write(into: &writer)
    writer.write(UInt64(parents.count))
    for parent in parents { writer.write(parent) }
    for way in ways {
      writer.bytes.append(way.kind.rawValue)
      writer.bytes.append(way.host)
      writer.bytes.append(way.place)
    }
    level.write(into: &writer)
    next.write(into: &writer)
    writer.write(CheckpointWriter.checksum(writer.bytes))
    return writer.bytes
  }

  /// Takes up an exploration that was stopped.
  ///
  /// - Parameters:
  ///   - bytes: what ``checkpoint(version:)`` made.
  ///   - setup: the setup.
  ///   - version: the version of the client.
  /// - Throws: why the bytes are no exploration of this setup.
  package init(
    resuming bytes: [UInt8], _ setup: ExplorationSetup, version: String
  ) throws(CheckpointProblem) {
    self.init(setup)
    guard bytes.starts(with: Self.mark) else { throw .noCheckpoint }
    let head = Self.mark + Self.fingerprint(setup, version: version)
    guard bytes.starts(with: head) else { throw .otherSetup }
    var reader = CheckpointReader(bytes, from: head.count)
    guard bytes.count >= head.count + 8,
      reader.checksum == CheckpointWriter.checksum(bytes.dropLast(8))
    else { throw .damaged }
    figures.states = try reader.count()
    figures.transitions = try reader.count()
    figures.depth = try reader.count()
    figures.frontier = try reader.count()
    figures.widest = try reader.count()
    place = try reader.count()
    try growth.read(from: &reader)
    try visited.read(from: &reader)
    let count = try reader.count(ofSize: 7)
    for _ in 0..<count { parents.append(try reader.number()) }
    for _ in 0..<count {
      guard let kind = Act.Kind(rawValue: try reader.byte()) else { throw .damaged }
      ways.append(Act(kind, host: Int(try reader.byte()), place: Int(try reader.byte())))
    }
    try level.read(from: &reader)
    try next.read(from: &reader)
  }
}

/// Appends numbers, the low byte first.
struct CheckpointWriter {
  var bytes: [UInt8] = []

  mutating func write(_ number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<(number.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  static func checksum(_ bytes: some Collection<UInt8>) -> UInt64 {
    var digest = StateDigest(at: .zero)
    for byte in bytes { digest.combine(UInt64(byte)) }
    return digest.low
  }
}

/// Reads them again.
struct CheckpointReader {
  private let bytes: [UInt8]
  private var at: Int

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    at = start
  }

  /// The last eight bytes.
  var checksum: UInt64? {
    guard bytes.count >= 8 else { return nil }
    return bytes.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func byte() throws(CheckpointProblem) -> UInt8 {
    guard at < bytes.count else { throw .damaged }
    defer { at += 1 }
    return bytes[at]
  }

  mutating func number<Number: FixedWidthInteger>() throws(CheckpointProblem) -> Number {
    let size = Number.bitWidth / 8
    guard at + size <= bytes.count else { throw .damaged }
    var number = Number(0)
    for place in (at..<at + size).reversed() {
      number = number << 8 | Number(truncatingIfNeeded: bytes[place])
    }
    at += size
    return number
  }

  /// How many there are of something, each of which takes so many bytes at least.
  mutating func count(ofSize size: Int = 0) throws(CheckpointProblem) -> Int {
    guard let count = Int(exactly: try number() as UInt64),
      count <= (size == 0 ? .max : (bytes.count - at) / size)
    else { throw .damaged }
    return count
  }
}

extension Explorer.Level {
  func write(into writer: inout CheckpointWriter) {
    writer.write(UInt64(starts.count))
    for start in starts { writer.write(UInt64(start)) }
    for number in numbers { writer.write(number) }
    writer.write(UInt64(bytes.count))
    writer.bytes.append(contentsOf: bytes)
  }

  mutating func read(from reader: inout CheckpointReader) throws(CheckpointProblem) {
    let count = try reader.count(ofSize: 12)
    for _ in 0..<count { starts.append(try reader.count()) }
    for _ in 0..<count { numbers.append(try reader.number()) }
    let size = try reader.count(ofSize: 1)
    bytes.reserveCapacity(size)
    for _ in 0..<size { bytes.append(try reader.byte()) }
    guard starts.allSatisfy({ $0 < size }) else { throw .damaged }
  }
}

extension VisitedStates {
  func write(into writer: inout CheckpointWriter) {
    writer.write(UInt64(count))
    forEach { high, low in
      writer.write(high)
      writer.write(low)
    }
  }

  mutating func read(from reader: inout CheckpointReader) throws(CheckpointProblem) {
    let count = try reader.count(ofSize: 16)
    for _ in 0..<count {
      var digest = StateDigest(at: .zero)
      digest.high = try reader.number()
      digest.low = try reader.number()
      guard insert(digest) else { throw .damaged }
    }
  }
}

extension GrowthWatch {
  func write(into writer: inout CheckpointWriter) {
    for size in [calls, connections, queued, lateSends, Int(mean.microseconds)] {
      writer.write(UInt64(size))
    }
  }

  mutating func read(from reader: inout CheckpointReader) throws(CheckpointProblem) {
    calls = try reader.count()
    connections = try reader.count()
    queued = try reader.count()
    lateSends = try reader.count()
    mean = Interval(microseconds: Int64(try reader.count()))
  }
}
