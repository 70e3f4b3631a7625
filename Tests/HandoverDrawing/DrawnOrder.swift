/// The order at one instant in a random scenario.
struct DrawnOrder {
  /// The events that can reach a single call at one instant, with their names in the format.
  enum News: String, CaseIterable {
    case callbacks, transport, deadlines
  }

  private static let words = News.allCases.map(\.rawValue) + ["entries", "pool", "calls"]

  /// The value of the key, or `nil` if the file omits it.
  let text: String?
  /// The orders in which the events may come.
  let possible: [[News]]

  init(_ draw: inout Draw) {
    switch draw.below(8) {
    case 0...2: self.init(text: nil, possible: [News.allCases])
    case 3: self.init(text: #""file""#, possible: [News.allCases])
    case 4, 5: self.init(text: #""drawn""#, possible: Self.permutations)
    default:
      var rest = Self.words
      let ranks = (0..<draw.between(1, rest.count)).map { _ in
        rest.remove(at: draw.below(rest.count))
      }
      let named = ranks.compactMap(News.init)
      self.init(
        text: "[\(ranks.map { "\"\($0)\"" }.joined(separator: ", "))]",
        possible: [named + News.allCases.filter { !named.contains($0) }])
    }
  }

  private init(text: String?, possible: [[News]]) {
    self.text = text
    self.possible = possible
  }

  private static let permutations = News.allCases.flatMap { first in
    News.allCases.filter { $0 != first }.map { second in
      [first, second] + News.allCases.filter { $0 != first && $0 != second }
    }
  }
}
