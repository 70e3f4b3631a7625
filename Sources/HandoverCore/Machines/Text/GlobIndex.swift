/// An index of many patterns for path-like IDs.
///
/// A pattern is compared with an ID only if the ID contains a part of the pattern: a run of up to
/// four literal bytes. Of the longest runs of a pattern, the index uses the one that the fewest
/// patterns contain.
package struct GlobIndex: Sendable {
  private let patterns: [Glob]
  /// The patterns without a wildcard, by their text.
  private var literals: [[UInt8]: [Int]] = [:]  // lookup only
  /// The patterns with a wildcard, by a run of bytes that they require.
  private var byRun: [UInt64: [Int]] = [:]  // lookup only
  /// The patterns that consist only of wildcards.
  private var free: [Int] = []

  /// Creates an index; results refer to patterns by their indices.
  package init(_ patterns: [Glob]) {
    self.patterns = patterns
    var counts: [UInt64: Int] = [:]  // lookup only
    let runs = patterns.map {
      $0.hasWildcard ? Self.runs(in: $0.bytes, separatedByWildcards: true) : []
    }
    for run in runs.joined() { counts[run, default: 0] += 1 }
    /// Long runs come first, because few IDs contain them.
    func rank(_ run: UInt64) -> (UInt64, Int) { (4 - run >> 32, counts[run, default: 0]) }
    for (position, pattern) in patterns.enumerated() {
      if !pattern.hasWildcard {
        literals[pattern.bytes, default: []].append(position)
      } else if let rarest = runs[position].min(by: { rank($0) < rank($1) }) {
        byRun[rarest, default: []].append(position)
      } else {
        free.append(position)
      }
    }
  }

  /// Returns the indices of the patterns that match an ID, in ascending order.
  package func matches(of id: String) -> [Int] {
    let bytes = Array(id.utf8)
    var positions = free
    if !byRun.isEmpty {
      var last: UInt64?
      for run in Self.runs(in: bytes, separatedByWildcards: false).sorted() where run != last {
        positions += byRun[run] ?? []
        last = run
      }
    }
    positions.removeAll { !patterns[$0].matches(bytes) }
    if !literals.isEmpty {
      for end in bytes.indices where bytes[end] == UInt8(ascii: "/") {
        positions += literals[Array(bytes[..<end])] ?? []
      }
      positions += literals[bytes] ?? []
    }
    return positions.sorted()
  }

  /// Returns the runs of one to four bytes of a text, each as a number.
  ///
  /// For a pattern, only the longest run from each byte is included, and none that contains a
  /// wildcard.
  private static func runs(in bytes: [UInt8], separatedByWildcards: Bool) -> [UInt64] {
    var runs: [UInt64] = []
    for start in bytes.indices {
      var run: UInt64 = 0
      for length in 1...min(4, bytes.count - start) {
        let byte = bytes[start + length - 1]
        if separatedByWildcards, Glob.isWildcard(byte) { break }
        run = (run << 8 | UInt64(byte)) & 0xFFFF_FFFF | UInt64(length) << 32
        if !separatedByWildcards { runs.append(run) }
      }
      if separatedByWildcards, run > 0 { runs.append(run) }
    }
    return runs
  }
}
