package import HandoverCore
package import HandoverScenario

/// Explains identifiers that occur in reports and files: requirements, diagnostic codes and
/// profiles.
package enum Lookup {
  /// Returns the text of a requirement, its places, and the scenarios that cite it.
  ///
  /// - Parameters:
  ///   - item: the requirement.
  ///   - reason: the reason why it is not covered, or not fully covered, or `nil` if there is none.
  ///   - scenarios: the scenarios to search for citations.
  ///   - width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the lines, each with a line feed.
  package static func text(
    of item: ItemCatalog.Item, _ reason: ItemCatalog.Reason?, in scenarios: [Scenario],
    width: Int? = nil
  ) -> String {
    let positions = item.places.isEmpty ? [item.document] : item.places
    var text = Text(width, "\(item.id)  \(positions.joined(separator: "; "))")
    text.add(item.sentence)
    if item.isRestored {
      text.add("The original text is lost; the requirement was restored from other texts.")
    }
    if let reason { text.add("\(reason.kind.introduction): \(reason.reason)") }
    let about = scenarios.filter { scenario in
      scenario.sources.contains { $0.document == item.document && $0.item == item.id }
    }
    let shown = about.filter { scenario in
      scenario.expectations.contains { expectation in
        expectation.shows.contains {
          scenario.sources[$0].item == item.id && scenario.sources[$0].document == item.document
        }
      }
    }
    text.add("Scenarios with an expectation that shows it:", files: shown)
    text.add("Scenarios that cite it:", files: about.filter { !shown.contains($0) })
    if about.isEmpty { text.add("No scenario cites it.") }
    if let file = (shown.first ?? about.first)?.file {
      text.add("Example: handover run \(file)")
      text.add(
        shown.isEmpty
          ? "Fix: Add the requirement to \"shows\" of an expectation."
          : "Fix: If your client fails it, read `handover explain \(file)`, and change the client.")
    } else {
      text.add("Example: handover spec --uncovered")
      text.add("Fix: Write a scenario that shows it, unless the reason above excludes it.")
    }
    return text.lines
  }

  /// Returns a description of profiles, which are models of clients.
  package static func text(of profiles: [Profile], width: Int? = nil) -> String {
    text(of: profiles.map { ($0.name, $0.meaning) }, width: width)
  }

  /// Returns a table of names with their meanings.
  package static func text(
    of rows: [(name: String, meaning: String)], width: Int? = nil
  ) -> String {
    let names = rows.map(\.name.count).max() ?? 0
    let room = Style.textWidth(width) - names - 2
    return rows.map { row in
      let lines = VisibleText.wrapped(row.meaning, width: max(24, room))
      return lines.enumerated().map { index, line in
        VisibleText.padded(index == 0 ? row.name : "", names) + "  " + line + "\n"
      }.joined()
    }.joined()
  }

  /// A heading with indented text below it.
  struct Text {
    private let width: Int
    private(set) var lines: String

    /// The maximum number of files to list of each kind.
    private static let maximumFiles = 12

    init(_ columns: Int?, _ heading: String) {
      width = Style.textWidth(columns)
      lines = VisibleText.wrapped(VisibleText.of(heading), width: width).map { $0 + "\n" }.joined()
    }

    mutating func add(_ text: String) {
      for line in VisibleText.wrapped(VisibleText.of(text), width: width - 2) {
        lines += "  \(line)\n"
      }
    }

    mutating func add(_ title: String, files: [Scenario]) {
      guard !files.isEmpty else { return }
      add(title)
      for scenario in files.prefix(Self.maximumFiles) {
        lines += "    \(VisibleText.of(scenario.file))\n"
      }
      let more = files.count - Self.maximumFiles
      if more > 0 { lines += "    and \(more) more\n" }
    }
  }
}

extension Profile {
  /// The summary, and whether the profile must be named.
  var meaning: String {
    summary + (isDocumented ? "" : " Used only if a scenario or --profile names it.")
  }
}
