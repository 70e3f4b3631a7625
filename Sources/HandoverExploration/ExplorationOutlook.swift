/// How much of an exploration is still to come, as far as what was seen can tell.
///
/// Nobody knows the end of an exploration before it closes. But the sizes of its depths rise and
/// then fall, and each is a smaller part of the one before than that was; so once they fall it is
/// carried on that they do, and ever faster. Until they are well below the widest, nothing is said.
package struct ExplorationOutlook {
  /// The sizes of the depths that were begun, one after the other.
  private var sizes: [Int] = []
  private var depth = 0
  private var widest = 0
  /// What had been done when the last of them was begun.
  private var looked = 0
  private var transitions = 0

  package init() {}

  /// Takes in how far an exploration has come.
  package mutating func see(_ figures: ExplorationFigures) {
    guard sizes.isEmpty || figures.depth != depth else { return }
    if figures.depth != depth + 1 { sizes = [] }
    depth = figures.depth
    widest = figures.widest
    sizes.append(figures.frontier)
    looked = figures.states - figures.frontier
    transitions = figures.transitions
  }

  private static let one: Int64 = 1 << 20
  /// Over how many depths it is looked at how they fall.
  private static let span = 4

  /// The size of a depth as a part of the one before.
  private func part(_ place: Int) -> Int64 {
    Int64(sizes[place]) * Self.one / Int64(max(1, sizes[place - 1]))
  }

  /// How many states are still to be looked at from the beginning of this depth on; nil where
  /// nobody can tell.
  package var statesLeft: Int? {
    let last = sizes.count - 1
    guard last > Self.span, sizes[last] > 0, sizes[last] < widest / 4 * 3,
      part(last) < Self.one, part(last - 1) < Self.one
    else { return nil }
    var part = part(last)
    let fall = max(0, (self.part(last - Self.span) - part) / Int64(Self.span))
    var (size, sum) = (Int64(sizes[last]) * Self.one, Int64(0))
    // A depth of less than a state is the end.
    while size >= Self.one {
      sum += size / Self.one
      part = max(0, part - fall)
      size = size / Self.one * part + size % Self.one * part / Self.one
    }
    return Int(sum)
  }

  /// How many transitions there will have been at the end; nil where nobody can tell.
  package var transitionsExpected: Int? {
    guard let statesLeft, looked > 0 else { return nil }
    let more = Int64(statesLeft).multipliedReportingOverflow(by: Int64(transitions))
    return more.overflow ? nil : transitions + Int(more.partialValue / Int64(looked))
  }
}
