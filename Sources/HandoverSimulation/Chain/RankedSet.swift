/// Whole numbers from zero on, of which the one at a rank is found without walking through them.
///
/// A tree of counts (Fenwick) over the numbers: each cell counts the elements of a stretch that
/// ends with it, as long as the lowest bit of its place.
struct RankedSet {
  private var isElement: [Bool] = []
  /// The counts, from place 1 on; as many places as a power of two.
  private var counts: [Int] = [0]
  private(set) var count = 0

  mutating func insert(_ number: Int) {
    grow(to: number)
    guard !isElement[number] else { return }
    isElement[number] = true
    add(1, at: number)
  }

  mutating func remove(_ number: Int) {
    guard number < isElement.count, isElement[number] else { return }
    isElement[number] = false
    add(-1, at: number)
  }

  /// The element that so many others are smaller than.
  ///
  /// - Precondition: the rank is less than ``count``.
  func element(ranked rank: Int) -> Int {
    precondition((0..<count).contains(rank), "a rank is below the count")
    var (index, left) = (0, rank)
    var stretch = isElement.count
    // All together are more than the rank, so that the first step is none, and no later one leads
    // behind the last place.
    while stretch > 0 {
      if counts[index + stretch] <= left {
        index += stretch
        left -= counts[index]
      }
      stretch /= 2
    }
    return index
  }

  private mutating func add(_ one: Int, at number: Int) {
    count += one
    var index = number + 1
    while index < counts.count {
      counts[index] += one
      index += index & -index
    }
  }

  private mutating func grow(to number: Int) {
    guard number >= isElement.count else { return }
    var size = max(64, isElement.count)
    while size <= number { size *= 2 }
    let elements = isElement.indices.filter { isElement[$0] }
    isElement = Array(repeating: false, count: size)
    counts = Array(repeating: 0, count: size + 1)
    count = 0
    for element in elements {
      isElement[element] = true
      add(1, at: element)
    }
  }
}
