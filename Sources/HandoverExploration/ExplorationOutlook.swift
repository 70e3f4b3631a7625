/// An estimate of the remaining work of an exploration.
///
/// The end of an exploration is unknown until the state space is exhausted. However, the sizes of
/// its depths rise and then fall, and the ratio of each size to the previous one decreases. Once
/// the sizes fall, the estimate extrapolates the falling ratio. It gives no result until the sizes
/// are well below the maximum.
package struct ExplorationOutlook {
  /// The sizes of the depths that were started, in order.
  private var sizes: [Int] = []
  private var depth = 0
  private var widest = 0
  /// The numbers of states and transitions when the last depth started.
  private var looked = 0
  private var transitions = 0

  package init() {}

  /// Records the progress of an exploration.
  package mutating func update(with figures: ExplorationFigures) {
    guard sizes.isEmpty || figures.depth != depth else { return }
    if figures.depth != depth + 1 { sizes = [] }
    depth = figures.depth
    widest = figures.widest
    sizes.append(figures.frontier)
    looked = figures.states - figures.frontier
    transitions = figures.transitions
  }

  private static let one: Int64 = 1 << 20
  /// The number of depths over which the decrease of the ratio is measured.
  private static let span = 4

  /// The size of a depth relative to the previous one, as a multiple of 1 / `one`.
  private func part(_ position: Int) -> Int64 {
    Int64(sizes[position]) * Self.one / Int64(max(1, sizes[position - 1]))
  }

  /// The number of states that remain from the start of the current depth, or `nil` if no estimate
  /// is possible.
  package var remainingStates: Int? {
    let last = sizes.count - 1
    guard last > Self.span, sizes[last] > 0, sizes[last] < widest / 4 * 3,
      part(last) < Self.one, part(last - 1) < Self.one
    else { return nil }
    var part = part(last)
    let fall = max(0, (self.part(last - Self.span) - part) / Int64(Self.span))
    var (size, sum) = (Int64(sizes[last]) * Self.one, Int64(0))
    // The extrapolation ends at a depth with less than one state.
    while size >= Self.one {
      sum += size / Self.one
      part = max(0, part - fall)
      size = size / Self.one * part + size % Self.one * part / Self.one
    }
    return Int(sum)
  }

  /// The expected total number of transitions, or `nil` if no estimate is possible.
  package var transitionsExpected: Int? {
    guard let remainingStates, looked > 0 else { return nil }
    let more = Int64(remainingStates).multipliedReportingOverflow(by: Int64(transitions))
    return more.overflow ? nil : transitions + Int(more.partialValue / Int64(looked))
  }
}
