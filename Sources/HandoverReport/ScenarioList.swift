import HandoverCore
package import HandoverScenario

/// The list of scenarios for users, with IDs, profiles and titles.
package struct ScenarioList: Sendable {
  private let scenarios: [Scenario]

  /// Creates a list with the given order.
  package init(_ scenarios: [Scenario]) {
    self.scenarios = scenarios
  }

  /// Returns the list: a line for each scenario, or several lines for each if the width is too
  /// small.
  ///
  /// - Parameter width: the number of columns, or `nil` if it is unknown, for example for a pipe.
  /// - Returns: the lines, each with a line feed.
  package func text(width: Int? = nil) -> String {
    let rows = scenarios.map { scenario in
      [
        scenario.id, scenario.profiles.map(\.name).joined(separator: ","), scenario.title ?? "",
      ].map(VisibleText.of)
    }
    let columns = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let longest = rows.map { columns[0] + columns[1] + 4 + $0[2].count }.max() ?? 0
    guard let width, longest > width else {
      return rows.map { row in
        let begin = zip(row, columns).map(VisibleText.padded).joined(separator: "  ")
        return "\(begin)  \(row[2])".trimmedAtEnd + "\n"
      }.joined()
    }
    let room = max(Style.leastWidth, width) - 4
    return rows.map { row in
      let profiles = row[1].split(separator: ",").joined(separator: ", ")
      let below = [row[2], profiles].filter { !$0.isEmpty }.flatMap {
        VisibleText.wrapped($0, width: room)
      }
      return ([row[0]] + below.map { "    \($0)" }).map { "\($0)\n" }.joined()
    }.joined()
  }
}
