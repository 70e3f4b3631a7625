import HandoverCore
import HandoverEngine

// The matrix as JSON for programs, identical from run to run.
extension Matrix {
  /// The matrix as one JSON object, with a line for each column and each scenario.
  package var json: String {
    var text = "{\"v\":1,\"kind\":\"matrix\",\"interrupted\":\(wasInterrupted),\n"
    if let harness {
      var json = JSONText()
      json.beginObject()
      harness.write(into: &json)
      json.endObject()
      text += String(decoding: json.bytes, as: UTF8.self).dropFirst().dropLast() + ",\n"
    }
    text +=
      "\"backends\":"
      + Self.lines(backends) { json, backend in
        json.member("name", backend.name)
        json.member("argument", backend.argument)
      }
    text += ",\n\"columns\":" + Self.lines(columns) { write($1, into: &$0) }
    text +=
      ",\n\"groups\":"
      + Self.lines(groups) { json, group in
        json.member("document", group.document)
        json.member("name", group.name)
        json.member("sentence", group.sentence)
        json.key("scenarios")
        json.beginArray()
        for row in group.rows { json.value(rows[row].id) }
        json.endArray()
      }
    text += ",\n\"scenarios\":" + Self.lines(rows) { write($1, into: &$0) }
    var hangs = JSONText()
    hangs.beginObject()
    summary.hangs.write(gates, into: &hangs)
    hangs.endObject()
    // The members are appended to those of the whole object.
    let members = String(decoding: hangs.bytes, as: UTF8.self).dropFirst().dropLast()
    return text + (members.isEmpty ? "" : ",\n\(members)") + "}\n"
  }

  private static func lines<Element>(
    _ elements: [Element], _ members: (inout JSONText, Element) -> Void
  ) -> String {
    let lines = elements.map { element in
      var json = JSONText()
      json.beginObject()
      members(&json, element)
      json.endObject()
      return String(decoding: json.bytes, as: UTF8.self)
    }
    return lines.isEmpty ? "[]" : "[\n" + lines.joined(separator: ",\n") + "]"
  }

  private func write(_ column: Column, into json: inout JSONText) {
    json.member("backend", column.backend)
    json.member("profile", column.profile)
    json.key("cases")
    json.beginObject()
    for verdict in Verdict.allCases { json.member(verdict.name, column.summary.count(verdict)) }
    json.endObject()
    let figures = column.summary.figures.first
    json.member("median_us", figures?.median?.microseconds)
    json.member("worst_us", figures?.worst?.microseconds)
    json.member("calls", figures?.calls ?? 0)
    json.member("never_ended", figures?.neverEnded ?? 0)
  }

  private func write(_ row: Row, into json: inout JSONText) {
    json.member("id", row.id)
    json.member("title", row.title)
    json.member("file", row.file)
    json.key("cells")
    json.beginArray()
    for (index, cell) in row.cells.enumerated() {
      guard let cell else { continue }
      json.beginObject()
      json.member("column", index)
      switch cell {
      case .notRun: json.member("verdict", nil as String?)
      case .run(let one): Self.write(one, into: &json)
      }
      json.endObject()
    }
    json.endArray()
  }

  private static func write(_ one: Case, into json: inout JSONText) {
    json.member("verdict", one.verdict.name)
    one.coverage.write(into: &json)
    json.array("findings", of: one.findings) { json, finding in finding.write(into: &json) }
    json.array("change_to_end_us", of: one.changeToEnd) { $0.value($1.microseconds) }
    json.member("never_ended", one.neverEnded)
    json.member("ended_at_us", one.endedAt.microseconds)
    json.member("repeat", one.command.joined(separator: " "))
    if !one.log.isEmpty { json.member("log", one.log) }
  }
}
