/// A sentence of the specifications, as a predicate over a step of a history.
package struct RequirementSentence: Sendable {
  /// A name for reports.
  package let name: String
  /// The IDs of the requirements that the sentence restates.
  package let items: [String]
  /// The sentence as text.
  package let text: String
  /// Returns whether the sentence holds for a step, given the states before and after it.
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
  /// Returns the status with which a call ends in this step, or `nil` if it does not end.
  func end(of call: Int) -> Int? {
    for order in orders {
      if case .ends(call, let status) = order { return status }
    }
    return nil
  }

  /// Returns how often a call ends in this step.
  func endCount(of call: Int) -> Int {
    orders.count { if case .ends(call, _) = $0 { true } else { false } }
  }

  /// The calls that end in this step.
  var endedCalls: [Int] {
    orders.compactMap { if case .ends(let call, _) = $0 { call } else { nil } }
  }

  /// The channels that are destroyed in this step.
  var destroyed: [Int] {
    orders.compactMap { if case .destroys(let channel) = $0 { channel } else { nil } }
  }

  /// The connections that are opened in this step, with their channels.
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
  /// Returns whether a fact is a callback with a different category than the current one.
  func isChange(_ fact: Fact) -> Bool {
    guard case .callback(let flags) = fact else { return false }
    return Self.category(of: flags) != category
  }
}

/// The numbers of the statuses that the specifications name.
package enum Status {
  package static let cancelled = 1
  package static let unknown = 2
  package static let deadlineExceeded = 4
  package static let unavailable = 14
}
