/// A set of nonnegative integers that finds the element at a rank without a linear scan.
///
/// It is a Fenwick tree: the cell at index i counts the elements in a range that ends at i. The
/// length of the range is the lowest set bit of i.
struct RankedSet {
  private var isElement: [Bool] = []
  /// The counts, starting at index 1.
  ///
  /// Their number is a power of two.
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

  /// Returns the element that is greater than exactly `rank` other elements.
  ///
  /// - Precondition: the rank is less than ``count``.
  func element(ranked rank: Int) -> Int {
    precondition((0..<count).contains(rank), "rank out of range")
    var (index, left) = (0, rank)
    var stretch = isElement.count
    // The count of all elements exceeds the rank. Therefore the first step is never taken, and no
    // later step passes the last index.
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
