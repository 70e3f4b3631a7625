import HandoverCore
import HandoverScenario

/// Simplification of times for readability.
///
/// Each change improves one gap between entries, or one other time, according to a fixed ranking.
/// Therefore the simplification terminates.
extension Shrinker {
  mutating func simplifyTimes() {
    let instants = instants
    if !instants.isEmpty {
      _ = take(retimed(instants.indices.map { Int64($0) * Self.second }))
      var at: Int64 = 0
      let gaps = Self.gaps(instants)
      _ = take(
        retimed(
          gaps.enumerated().map { index, gap in
            at += gap == 0 || index == 0 ? 0 : Self.second
            return at
          }))
    }
    for position in instants.indices { simplifyGap(before: position) }
    for path in tree.paths { simplifyTime(at: path) }
  }

  private static var second: Int64 { 1_000_000 }
  private static var tenth: Int64 { 100_000 }
  private static var thousandth: Int64 { 1_000 }

  // MARK: Between entries

  /// The times of the entries, in microseconds.
  private var instants: [Int64] {
    (tree["timeline"]?.children ?? []).map { Self.microseconds($0["at"]) ?? 0 }
  }

  private static func microseconds(_ value: JSONTree?) -> Int64? {
    value?.asText.flatMap(TimeNotation.interval)?.microseconds
  }

  private static func gaps(_ instants: [Int64]) -> [Int64] {
    zip(instants, [0] + instants).map { $0 - $1 }
  }

  /// Replaces the gap between an entry and the preceding one by the most readable one that still
  /// fails.
  private mutating func simplifyGap(before position: Int) {
    var isBetter = true
    while isBetter {
      let instants = instants
      guard position < instants.count else { return }
      let gap = Self.gaps(instants)[position]
      let rank = Self.rank(ofGap: gap, isFirst: position == 0)
      isBetter = Self.candidates(gap).contains { candidate in
        guard Self.rank(ofGap: candidate, isFirst: position == 0) < rank else { return false }
        let moved = instants.enumerated().map { $0 < position ? $1 : $1 - gap + candidate }
        return take(retimed(moved))
      }
    }
  }

  private static func rank(ofGap gap: Int64, isFirst: Bool) -> (Int, Int64) {
    // A gap of one second shows the order of two entries most clearly.
    if gap == second { return (isFirst ? 1 : 0, gap) }
    if gap == 0 { return (isFirst ? 0 : 1, gap) }
    return (roughness(gap) + 2, gap)
  }

  private static func candidates(_ time: Int64) -> [Int64] {
    let whole = time / second * second
    let half = (time / 2 + second - 1) / second * second
    let candidates = [
      second, 0, whole, whole + second, half, (time + tenth - 1) / tenth * tenth,
      (time + thousandth - 1) / thousandth * thousandth,
    ]
    return candidates.filter { $0 != time }
  }

  private static func roughness(_ time: Int64) -> Int {
    [second, tenth, thousandth].firstIndex { time.isMultiple(of: $0) } ?? 3
  }

  /// Returns the scenario with its entries at other times; expectations move with their preceding
  /// entry.
  private func retimed(_ moved: [Int64]) -> JSONTree {
    let instants = instants
    var other = tree
    var timeline = tree["timeline"]?.children ?? []
    for (position, at) in moved.enumerated() {
      timeline[position]["at"] = .text(Interval(microseconds: at).text)
    }
    other["timeline"] = .array(timeline)
    for path in tree.paths where isExpectationTime(path) {
      guard let at = Self.microseconds(tree[path[...]]),
        let position = instants.lastIndex(where: { $0 <= at })
      else { continue }
      let after = moved[position] + at - instants[position]
      other[path[...]] = .text(Interval(microseconds: after).text)
    }
    return other
  }

  /// Returns whether a path leads to a time of an expectation.
  private func isExpectationTime(_ path: [Int]) -> Bool {
    guard path.count > 2, tree.key(at: path.prefix(1)) == "expect" else { return false }
    let key = tree.key(at: path[...]) ?? tree.key(at: path.dropLast())
    return ["at", "within", "before", "after", "begins"].contains(key)
  }

  // MARK: Others

  private mutating func simplifyTime(at path: [Int]) {
    let key = tree.key(at: path[...]) ?? tree.key(at: path.dropLast()) ?? ""
    guard !["id", "host", "title", "message", "name", "do"].contains(key),
      !(key == "at" && tree.key(at: path.prefix(1)) == "timeline")
    else { return }
    let isExpectationTime = isExpectationTime(path)
    var isBetter = true
    while isBetter, let time = Self.microseconds(tree[path[...]]) {
      isBetter = Self.candidates(time).contains { candidate in
        let isRounder = Self.roughness(candidate) < Self.roughness(time)
        let isShorter = Self.roughness(candidate) == Self.roughness(time) && candidate < time
        guard candidate > 0, isRounder || isShorter && !isExpectationTime else { return false }
        var other = tree
        other[path[...]] = .text(Interval(microseconds: candidate).text)
        return take(other)
      }
    }
  }
}
