public import HandoverCore
public import HandoverScenario

/// Explains identifiers that occur in reports and files: requirements, diagnostic codes and
/// profiles.
public enum Lookup {
  /// Returns the text of a requirement, its places, and the scenarios that cite it.
  ///
  /// - Parameters:
  ///   - item: the requirement.
  ///   - reason: the reason why it is not covered, or not fully covered, or `nil` if there is none.
  ///   - scenarios: the scenarios to search for citations.
  ///   - width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the lines, each with a line feed.
  public static func text(
    of item: ItemCatalogue.Item, _ reason: ItemCatalogue.Reason?, in scenarios: [Scenario],
    width: Int? = nil
  ) -> String {
    let places = item.places.isEmpty ? [item.document] : item.places
    var text = Text(width, "\(item.id)  \(places.joined(separator: "; "))")
    text.add(item.sentence)
    if item.isRestored { text.add("Its own text has lost it; it was restored from others.") }
    if let reason { text.add("\(reason.kind.words): \(reason.reason)") }
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
    text.add("An expectation shows it in:", files: shown)
    text.add("Also about it:", files: about.filter { !shown.contains($0) })
    if about.isEmpty { text.add("No scenario is about it; handover spec tells why.") }
    return text.lines
  }

  /// Returns the explanation of a diagnostic code.
  public static func text(of code: DiagnosticCode, width: Int? = nil) -> String {
    let result =
      switch code.severity {
      case .error: "A file with such a problem is not run."
      case .warning: "The file is run, and probably does not do what was meant."
      }
    return self.text(
      ofCode: code.rawValue, code.severity, meaning: "\(code.meaning)\n\(result)", width: width)
  }

  /// Returns the explanation of a diagnostic code, by its name.
  ///
  /// - Parameters:
  ///   - name: the code.
  ///   - severity: the severity.
  ///   - meaning: the meaning, with one paragraph on each line.
  ///   - width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the lines, each with a line feed.
  public static func text(
    ofCode name: String, _ severity: Diagnostic.Severity, meaning: String, width: Int? = nil
  ) -> String {
    var text = Text(width, "\(name)  \(severity.rawValue)")
    for sentence in meaning.split(separator: "\n") { text.add(String(sentence)) }
    return text.lines
  }

  /// Returns a description of profiles, which are models of clients.
  public static func text(of profiles: [Profile], width: Int? = nil) -> String {
    let names = profiles.map(\.name.count).max() ?? 0
    let room = Style.textWidth(width) - names - 2
    return profiles.map { profile in
      let note = profile.isDocumented ? "" : " Only where a scenario or --profile names it."
      let lines = VisibleText.wrapped(profile.summary + note, width: max(24, room))
      return lines.enumerated().map { index, line in
        VisibleText.padded(index == 0 ? profile.name : "", names) + "  " + line + "\n"
      }.joined()
    }.joined()
  }

  /// A heading with indented text below it.
  private struct Text {
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

extension ItemCatalogue.Reason.Kind {
  fileprivate var words: String {
    switch self {
    case .partly: "Kept in part"
    case .otherwise: "Deliberately otherwise"
    case .cited: "Held by a test and by no expectation"
    case .inexpressible: "Not expressible"
    }
  }
}
