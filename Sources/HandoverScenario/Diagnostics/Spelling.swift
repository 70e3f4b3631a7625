/// Finds the name that an author probably meant.
package enum Spelling {
  /// The maximum number of names to compare; enough for every table that a person writes.
  private static let maximumCandidateCount = 1_000
  /// The maximum length of a name to compare; longer words only cost time.
  private static let maximumLength = 64

  /// Returns the name nearest to a misspelled one, or `nil` if none is near.
  ///
  /// A name is near if at most every third letter is wrong, missing, redundant or swapped with its
  /// neighbor. The case of letters does not matter. If several names are equally near, the first
  /// one is returned.
  package static func nearest(to keyword: String, among names: some Sequence<String>) -> String? {
    guard keyword.utf8.count <= maximumLength else { return nil }
    let letters = folded(keyword)
    guard !letters.isEmpty else { return nil }
    var best: (name: String, distance: Int)?
    for name in names.prefix(maximumCandidateCount) {
      guard name.utf8.count <= maximumLength else { continue }
      let candidate = folded(name)
      let allowed = max(1, max(letters.count, candidate.count) / 3)
      guard abs(candidate.count - letters.count) <= allowed else { continue }
      let distance = distance(letters, candidate, upTo: allowed)
      // A word of one letter that differs in this letter is not a misspelling.
      guard distance <= allowed, distance < candidate.count else { continue }
      if distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// Returns the letters in lower case, without the characters that authors often confuse: hyphens,
  /// underscores and spaces.
  private static func folded(_ keyword: String) -> [UInt8] {
    keyword.utf8.compactMap { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "): nil
      default: byte
      }
    }
  }

  /// Returns the number of edits between two words (optimal string alignment).
  ///
  /// If there are more than `limit` edits, the result can be any number greater than `limit`.
  private static func distance(_ first: [UInt8], _ second: [UInt8], upTo limit: Int) -> Int {
    // Common prefixes and suffixes are skipped, because names often differ only in a number.
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
      // The minimum of later rows is never smaller, except by a swap of neighbors, so stop here.
      guard (current + last).contains(where: { $0 <= limit }) else { return limit + 1 }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
