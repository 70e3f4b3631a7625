/// One sentence of the documents, as a predicate over a step of a history.
package struct Sentence: Sendable {
  /// A name, for people.
  package let name: String
  /// The items that say so.
  package let items: [String]
  /// What it says.
  package let text: String
  /// Whether it holds of a step, given what was before it and is after it.
  package var holds: @Sendable (_ before: Past, _ step: Step, _ after: Past, _ terms: Terms) -> Bool

  init(
    _ name: String, _ items: [String], _ text: String,
    _ holds: @escaping @Sendable (Past, Step, Past, Terms) -> Bool
  ) {
    self.name = name
    self.items = items
    self.text = text
    self.holds = holds
  }
}

extension Step {
  /// The status that a call ends with here; nil where it does not.
  func end(of call: Int) -> Int? {
    for order in orders {
      if case .ends(call, let status) = order { return status }
    }
    return nil
  }

  /// How often a call ends here.
  func endCount(of call: Int) -> Int {
    orders.count { if case .ends(call, _) = $0 { true } else { false } }
  }

  /// The calls that end here.
  var endedCalls: [Int] {
    orders.compactMap { if case .ends(let call, _) = $0 { call } else { nil } }
  }

  /// The channels that are destroyed here.
  var destroyed: [Int] {
    orders.compactMap { if case .destroys(let channel) = $0 { channel } else { nil } }
  }

  /// The connections that are opened here, with their channels.
  var opened: [(connection: Int, channel: Int)] {
    orders.compactMap {
      if case .opens(let connection, let channel) = $0 { (connection, channel) } else { nil }
    }
  }

  func sends(_ call: Int) -> Bool {
    orders.contains { if case .sends(call, _) = $0 { true } else { false } }
  }
}

extension Past {
  /// Whether a fact is a callback of another category than the one held.
  func isChange(_ fact: Fact) -> Bool {
    guard case .callback(let flags) = fact else { return false }
    return Self.category(of: flags) != category
  }
}

/// The numbers of the statuses that the documents name.
package enum Status {
  package static let cancelled = 1
  package static let unknown = 2
  package static let deadlineExceeded = 4
  package static let unavailable = 14
}
