import HandoverJSON

/// What became of planted faults, for people and for programs.
public struct SelftestReport: Sendable {
  /// A fault.
  public struct Row: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What is wrong, in one sentence.
    public var sentence: String
    /// What is otherwise: a machine, the contract, a client, a request, a transport or a report.
    public var kind: String
    /// The items that it is against.
    public var items: [String]
    /// Why it is against none; nil where it is against some.
    public var reasonWithoutItem: String?
    /// The scenarios that must convict it.
    public var scenarios: [String]
    /// The exploration that finds it, as a command line; nil where none does.
    public var exploration: String?
    /// How many acts its counterexample may have, and how many it has.
    public var bound: Int?
    /// How many acts the counterexample has that was found; nil where none was.
    public var acts: Int?
    /// Why no exploration sees it.
    public var unseen: String?
    /// What convicts it, in words; nil where nothing does.
    public var conviction: String?
    /// Why it survives; nil where it does not.
    public var survival: String?
    /// The signal that ended the thread on which it was played; nil where none did.
    public var crash: String?

    /// Makes a row of which nothing is known yet.
    public init(
      name: String, sentence: String, kind: String, items: [String], scenarios: [String]
    ) {
      self.name = name
      self.sentence = sentence
      self.kind = kind
      self.items = items
      self.scenarios = scenarios
    }
  }

  /// Something that must hold besides.
  public struct Check: Hashable, Sendable {
    /// What was seen, in one sentence.
    public var text: String
    /// Whether it is as it should be.
    public var isGood: Bool

    /// Makes one.
    public init(_ text: String, isGood: Bool) {
      self.text = text
      self.isGood = isGood
    }
  }

  /// The faults, in the order of their list.
  public var rows: [Row]
  /// What must hold besides.
  public var checks: [Check]
  private let width: Int

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - rows: the faults.
  ///   - checks: what must hold besides.
  ///   - width: the columns of a line; nil where nobody says.
  public init(_ rows: [Row], checks: [Check] = [], width: Int? = nil) {
    self.rows = rows
    self.checks = checks
    self.width = Style.textWidth(width)
  }

  /// Whether every fault is convicted and everything else holds.
  public var isGood: Bool { rows.allSatisfy { $0.survival == nil } && checks.allSatisfy(\.isGood) }

  /// What survives, the checks, and the sums.
  public var text: String {
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
    let lengths = rows.compactMap(\.acts)
    var text =
      "\(VisibleText.counted(rows.count, "fault")): \(rows.count - survivors) convicted, "
      + "\(survivors) survive. "
    text +=
      "By what is otherwise: " + kinds.map { "\($0.kind) \($0.count)" }.joined(separator: ", ")
    text += "."
    if let longest = lengths.max() {
      text +=
        " Explorations find \(lengths.count); their shortest counterexamples have up to \(longest) "
        + "acts, \(lengths.count { $0 > 8 }) more than 8 and \(lengths.count { $0 > 20 }) "
        + "more than 20."
    }
    return VisibleText.wrapped(text, width: width)
  }

  /// Every fault, with what is against it.
  public var list: String {
    rows.map { row in
      var lines = VisibleText.wrapped("\(row.name)  (\(row.kind))", width: width)
      lines += indented(row.sentence)
      if !row.items.isEmpty { lines += indented("Against: \(row.items.joined(separator: ", "))") }
      if let reason = row.reasonWithoutItem { lines += indented("Against no item: \(reason)") }
      lines += indented("Convicted by: \(row.scenarios.joined(separator: ", "))")
      if let exploration = row.exploration, let bound = row.bound {
        lines += indented("Found within \(VisibleText.counted(bound, "act")) by: \(exploration)")
      } else if let unseen = row.unseen {
        lines += indented("Not explored: \(unseen)")
      }
      return lines.map { "\($0)\n" }.joined() + "\n"
    }.joined()
  }

  /// The same as one JSON object, without what only a run can tell.
  package var listJSON: String {
    var json = JSONText()
    json.beginObject()
    json.member("faults", rows.count)
    json.key("rows")
    json.beginArray()
    for row in rows { write(row, isPlayed: false, into: &json) }
    json.endArray()
    json.endObject()
    json.newline()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// One JSON object.
  public var json: String {
    var json = JSONText()
    json.beginObject()
    json.member("faults", rows.count)
    json.member("survive", rows.count { $0.survival != nil })
    json.key("checks")
    json.beginArray()
    for check in checks {
      json.beginObject()
      json.member("text", check.text)
      json.member("good", check.isGood)
      json.endObject()
    }
    json.endArray()
    json.key("rows")
    json.beginArray()
    for row in rows { write(row, into: &json) }
    json.endArray()
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
      json.key(key)
      json.beginArray()
      for text in list { json.value(text) }
      json.endArray()
    }
    json.member("exploration", row.exploration)
    json.member("bound", row.bound.map(Int64.init))
    if isPlayed { json.member("acts", row.acts.map(Int64.init)) }
    json.member("unseen", row.unseen)
    if isPlayed { writePlayed(row, into: &json) }
    json.endObject()
  }

  private func writePlayed(_ row: Row, into json: inout JSONText) {
    json.member("conviction", row.conviction)
    json.member("survival", row.survival)
    json.member("crash", row.crash)
  }

  private func indented(_ text: String) -> [String] {
    VisibleText.wrapped(text, width: width - 2).map { "  " + $0 }
  }
}
