/// Finds the name that was probably meant.
package enum Spelling {
  /// How many names are compared at most: enough for every table that a person fills.
  private static let maximumCandidateCount = 1_000
  /// Longer words are no names of ours; comparing them would only cost time.
  private static let maximumLength = 64

  /// The name nearest to a misspelt one; nil where none is near.
  ///
  /// Near is at most every third letter wrong, left out, too many or exchanged with its neighbour,
  /// whatever the case of the letters. The first of several equally near names is taken.
  package static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    guard word.utf8.count <= maximumLength else { return nil }
    let letters = folded(word)
    guard !letters.isEmpty else { return nil }
    var best: (name: String, distance: Int)?
    for name in names.prefix(maximumCandidateCount) {
      guard name.utf8.count <= maximumLength else { continue }
      let candidate = folded(name)
      let allowed = max(1, max(letters.count, candidate.count) / 3)
      guard abs(candidate.count - letters.count) <= allowed else { continue }
      let distance = distance(letters, candidate, upTo: allowed)
      // One letter for another one is no misspelling.
      guard distance <= allowed, distance < candidate.count else { continue }
      if distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// The letters without what people mix up: case, hyphens and underscores.
  private static func folded(_ word: String) -> [UInt8] {
    word.utf8.compactMap { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "): nil
      default: byte
      }
    }
  }

  /// The number of single mistakes between two words (optimal string alignment).
  ///
  /// Where there are more than `limit`, any number greater than it may be given.
  private static func distance(_ first: [UInt8], _ second: [UInt8], upTo limit: Int) -> Int {
    // What both words begin and end with takes no part: names often differ in a number only.
    let prefix = zip(first, second).prefix { $0 == $1 }.count
    let suffix = zip(first.dropFirst(prefix).reversed(), second.dropFirst(prefix).reversed())
      .prefix { $0 == $1 }.count
    let left = Array(first.dropFirst(prefix).dropLast(suffix))
    let right = Array(second.dropFirst(prefix).dropLast(suffix))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      current.reserveCapacity(right.count + 1)
      for column in right.indices {
        let isEqual = left[row] == right[column]
        var cost = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (isEqual ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      // No row after this one has a smaller least number, but for one exchange of neighbours.
      guard (current + last).contains(where: { $0 <= limit }) else { return limit + 1 }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
