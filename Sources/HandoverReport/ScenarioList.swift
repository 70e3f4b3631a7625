import HandoverCore
public import HandoverScenario

/// The list of scenarios for people: ids, profiles and titles, below each other.
public struct ScenarioList: Sendable {
  private let scenarios: [Scenario]

  /// Takes what is listed, in its order.
  public init(_ scenarios: [Scenario]) {
    self.scenarios = scenarios
  }

  /// The list: a line for each scenario, or where these are too narrow the title and the profiles
  /// below the id.
  ///
  /// - Parameter width: the columns of a line; nil where nobody says, such as in a pipe.
  /// - Returns: the lines, each with its line feed.
  public func text(width: Int? = nil) -> String {
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
