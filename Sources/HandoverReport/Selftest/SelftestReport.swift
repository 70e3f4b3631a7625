import HandoverCore

/// The results of mutation testing, for users and for programs.
package struct SelftestReport: Sendable {
  /// A mutant.
  package struct Row: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The bug, in one sentence.
    package var sentence: String
    /// The mutated component: a state machine, the model, a client, a request, a transport or a
    /// report.
    package var kind: String
    /// The requirements that the mutant violates.
    package var items: [String]
    /// The reason why the mutant violates no requirement, or `nil` if it violates at least one.
    package var reasonWithoutItem: String?
    /// The scenarios that must detect the mutant.
    package var scenarios: [String]
    /// The exploration that detects the mutant, as a command line, or `nil` if there is none.
    package var exploration: String?
    /// The maximum number of actions in its counterexample.
    package var bound: Int?
    /// The number of actions in the counterexample that was found, or `nil` if none was found.
    package var actions: Int?
    /// The reason why no exploration detects the mutant.
    package var unseen: String?
    /// A description of what detected the mutant, or `nil` if nothing did.
    package var detection: String?
    /// The reason why the mutant survived, or `nil` if it was detected.
    package var survival: String?
    /// The signal that crashed the mutant's thread, or `nil` if it did not crash.
    package var crash: String?

    /// Creates a row without results.
    package init(
      name: String, sentence: String, kind: String, items: [String], scenarios: [String]
    ) {
      self.name = name
      self.sentence = sentence
      self.kind = kind
      self.items = items
      self.scenarios = scenarios
    }
  }

  /// An additional check.
  package struct Check: Hashable, Sendable {
    /// The observed behavior, in one sentence.
    package var text: String
    /// Whether the check passed.
    package var isGood: Bool

    /// Creates a check.
    package init(_ text: String, isGood: Bool) {
      self.text = text
      self.isGood = isGood
    }
  }

  /// The mutants, in the order of their list.
  package var rows: [Row]
  /// The additional checks.
  package var checks: [Check]
  private let width: Int

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - rows: the mutants.
  ///   - checks: the additional checks.
  ///   - width: the number of columns, or `nil` if it is unknown.
  package init(_ rows: [Row], checks: [Check] = [], width: Int? = nil) {
    self.rows = rows
    self.checks = checks
    self.width = Style.textWidth(width)
  }

  /// Whether every mutant was detected and all checks passed.
  package var isGood: Bool { rows.allSatisfy { $0.survival == nil } && checks.allSatisfy(\.isGood) }

  /// The surviving mutants, the checks, and the counts.
  package var text: String {
    let survivors = rows.filter { $0.survival != nil }
    var lines: [String] = []
    for row in survivors {
      lines += VisibleText.wrapped("SURVIVES  \(row.name): \(row.sentence)", width: width)
      lines += indented("Why: \(row.survival ?? "")") + [""]
    }
    for row in rows {
      guard let crash = row.crash else { continue }
      lines += VisibleText.wrapped("CRASHED  \(row.name) (\(crash)): \(row.sentence)", width: width)
    }
    for check in checks {
      lines += VisibleText.wrapped((check.isGood ? "" : "FAILED  ") + check.text, width: width)
    }
    return (lines + sums(survivors.count)).map { "\($0)\n" }.joined()
  }

  private func sums(_ survivors: Int) -> [String] {
    let kinds = rows.reduce(into: [(kind: String, count: Int)]()) { kinds, row in
      if let index = kinds.firstIndex(where: { $0.kind == row.kind }) {
        kinds[index].count += 1
      } else {
        kinds.append((row.kind, 1))
      }
    }
    let lengths = rows.compactMap(\.actions)
    var text =
      "\(counted(rows.count, "bug")): \(rows.count - survivors) detected, "
      + "\(survivors) \(survivors == 1 ? "survives" : "survive"). "
    text +=
      "By kind: " + kinds.map { "\($0.kind) \($0.count)" }.joined(separator: ", ")
    text += "."
    if let longest = lengths.max() {
      text +=
        " Explorations find \(lengths.count); their shortest counterexamples have up to \(longest) "
        + "actions"
      for limit in [8, 20] where longest > limit {
        text += ", \(lengths.count { $0 > limit }) more than \(limit)"
      }
      text += "."
    }
    return VisibleText.wrapped(text, width: width)
  }

  /// The list of mutants with the scenarios and explorations that detect them.
  package var list: String {
    rows.map { row in
      var lines = VisibleText.wrapped("\(row.name)  (\(row.kind))", width: width)
      lines += indented(row.sentence)
      if !row.items.isEmpty { lines += indented("Violates: \(row.items.joined(separator: ", "))") }
      if let reason = row.reasonWithoutItem {
        lines += indented("Violates no requirement: \(reason)")
      }
      lines += indented("Detected by: \(row.scenarios.joined(separator: ", "))")
      if let exploration = row.exploration, let bound = row.bound {
        lines += indented("Found within \(counted(bound, "action")) by: \(exploration)")
      } else if let unseen = row.unseen {
        lines += indented("Not explored: \(unseen)")
      }
      return lines.map { "\($0)\n" }.joined() + "\n"
    }.joined()
  }

  /// The list as one JSON object, without the results of a run.
  package var listJSON: String {
    var json = JSONText()
    json.beginObject()
    json.member("faults", rows.count)
    json.array("rows", of: rows) { json, row in write(row, isPlayed: false, into: &json) }
    json.endObject()
    json.newline()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// The report as one JSON object.
  package var json: String {
    var json = JSONText()
    json.beginObject()
    json.member("faults", rows.count)
    json.member("survive", rows.count { $0.survival != nil })
    json.objects("checks", of: checks) { json, check in
      json.member("text", check.text)
      json.member("good", check.isGood)
    }
    json.array("rows", of: rows) { json, row in write(row, into: &json) }
    json.endObject()
    json.newline()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func write(_ row: Row, isPlayed: Bool = true, into json: inout JSONText) {
    json.beginObject()
    json.member("name", row.name)
    json.member("sentence", row.sentence)
    json.member("kind", row.kind)
    for (key, list) in [("items", row.items), ("scenarios", row.scenarios)] {
      json.array(key, of: list) { $0.value($1) }
    }
    json.member("exploration", row.exploration)
    json.member("bound", row.bound.map(Int64.init))
    if isPlayed { json.member("acts", row.actions.map(Int64.init)) }
    json.member("unseen", row.unseen)
    if isPlayed { writePlayed(row, into: &json) }
    json.endObject()
  }

  private func writePlayed(_ row: Row, into json: inout JSONText) {
    json.member("conviction", row.detection)
    json.member("survival", row.survival)
    json.member("crash", row.crash)
  }

  private func indented(_ text: String) -> [String] {
    VisibleText.wrapped(text, width: width - 2).map { "  " + $0 }
  }
}
