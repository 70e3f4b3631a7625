import HandoverCore
import HandoverTry

// The reports of the verdicts for tools that also read reports of `handover run`.
extension TryResult {
  /// The report in the Common Test Report Format, with a test for each network change.
  package var ctrf: String {
    var document = CTRFDocument()
    document.begin(runID: runID, harness)
    for row in rows {
      let outcome = row.testOutcome(gates)
      document.beginTest(
        row.title, outcome, verdict: row.outcomeText, took: row.end.since(.zero), suite: commandText
      )
      if outcome != .passed { document.json.member("message", evidence(of: row)) }
      document.json.key("extra")
      document.json.beginObject()
      document.json.member("move", row.name)
      document.json.endObject()
      document.json.endObject()
    }
    document.end(flakyCount: 0, from: began, to: ended) { json in
      json.member("command", commandText)
      json.member("interrupted", wasInterrupted)
    }
    return document.json.take()
  }

  /// The report as OpenTelemetry spans: the run, its network changes and their connections.
  ///
  /// All spans of network changes begin when the run begins, because labs run in parallel.
  package var otlp: String {
    var document = OTLPDocument()
    document.begin(runID: runID, at: began, backend: commandText, shard: "", harness)
    for row in rows {
      let outcome = row.testOutcome(gates)
      document.add(
        OTLPDocument.Span(
          name: row.title, id: [row.name], parent: Self.root, from: began, to: time(row.end),
          attributes: [
            ("test.suite.name", commandText), ("test.case.name", row.title),
            ("handover.move", row.name), ("handover.verdict", row.outcomeText),
            ("handover.evidence", evidence(of: row)),
          ] + outcome.spanAttributes,
          events: (row.timeline?.changes ?? []).map {
            OTLPDocument.Event(
              name: "network change", at: time($0.at), attributes: [("handover.network", $0.text)])
          },
          error: outcome == .failed ? "\(row.outcomeText): \(evidence(of: row))" : nil))
      for (index, connection) in (row.timeline?.connections ?? []).enumerated() {
        document.add(
          OTLPDocument.Span(
            name: "connection \(connection.name)", id: [row.name, "\(index)"], parent: [row.name],
            from: time(connection.opened), to: time(connection.closed ?? row.end),
            attributes: [("handover.connection.answered", "\(connection.isAnswered)")]))
      }
    }
    let status = wasInterrupted ? "aborted" : isBad ? "failure" : "success"
    document.add(
      OTLPDocument.Span(
        name: "handover try", id: Self.root, parent: nil, from: began, to: ended,
        attributes: [("test.suite.name", commandText), ("test.suite.run.status", status)],
        error: isBad ? sum : nil))
    document.end()
    return document.take()
  }

  private static let root: [String] = []

  private func time(_ instant: Instant) -> Instant {
    began + Interval(microseconds: instant.microseconds)
  }

  /// The summary page of a GitHub workflow, as Markdown.
  ///
  /// GitHub accepts at most 1 MiB from each step, so the number of rows and the lengths of texts
  /// are limited.
  package var githubSummary: String {
    let failed = rows.count { $0.testOutcome(gates) == .failed }
    let title =
      failed > 0
      ? "\(counted(failed, "move")) failed"
      : wasInterrupted ? "interrupted" : isDecided ? "no move failed" : "no verdict"
    var table = MarkdownTable(["move", "verdict", "evidence"])
    // The table pads every row to the longest cell.
    for row in rows.prefix(GitHubSummaryReport.maximumCaseCount) {
      let cells = [row.title, row.outcomeText, evidence(of: row)]
      table.add(cells.map { VisibleText.clipped($0, to: 500) })
    }
    let more = rows.count - GitHubSummaryReport.maximumCaseCount
    let notes = [sum, fixed.joined(separator: "; "), harness?.text ?? ""].filter { !$0.isEmpty }
      .map { VisibleText.clipped($0, to: 5_000) }
    let command = Markdown.code(VisibleText.clipped(commandText, to: 5_000))
    return "## Handover: \(title)\n\n\(command)\n\n"
      + (rows.isEmpty ? "" : table.text)
      + (more > 0 ? "\nAnd \(counted(more, "move")) more.\n" : "")
      + "\n" + notes.map { "- \(Markdown.text($0))\n" }.joined()
  }

  /// The timelines as a trace for Perfetto: the first run with the worst verdict of each network
  /// change, and a run without a change.
  package var perfetto: [UInt8] {
    var trace = PerfettoTrace()
    if let baselineTimeline {
      trace.add(
        PerfettoTrace.Group(
          name: "no change", verdict: "no change", end: baselineTimeline.end,
          details: [("program", commandText)], lanes: baselineTimeline.lanes))
    }
    for row in rows {
      trace.add(
        PerfettoTrace.Group(
          name: row.title, verdict: row.outcomeText, end: row.end,
          details: [("program", commandText), ("evidence", evidence(of: row))],
          lanes: row.timeline?.lanes ?? []))
    }
    trace.add(note: sum, on: "handover try")
    return trace.take()
  }
}

extension TryRow {
  /// The end of the observation with the shown verdict.
  fileprivate var end: Instant {
    timeline?.end ?? worst.map { .zero + $0.outage + $0.watched } ?? .zero
  }
}

extension TryTimeline {
  /// The timeline as lanes: the device, the connections, and the output of the program.
  var lanes: [TimelineLane] {
    var device = TimelineLane(kind: .device, name: "device")
    var state = (since: Instant.zero, text: "before the change")
    for change in changes {
      device.spans.append(
        TimelineLane.Span(from: state.since, to: change.at, text: state.text, tone: .plain))
      state = (change.at, change.text)
    }
    device.spans.append(
      TimelineLane.Span(from: state.since, to: end, text: state.text, tone: .plain))
    var output = TimelineLane(kind: .device, name: "output")
    output.marks = lines.map {
      TimelineLane.Span(from: $0.at, to: $0.at, text: $0.text, tone: .plain)
    }
    return [device] + connections.map { $0.lane(until: end) } + (lines.isEmpty ? [] : [output])
  }
}

extension TryTimeline.Connection {
  /// The connection as a lane, on which a state begins with each first retransmission and ends with
  /// the next application data.
  fileprivate func lane(until end: Instant) -> TimelineLane {
    var lane = TimelineLane(kind: .connection, name: name)
    let last = closed ?? end
    let open: (String, TimelineLane.Tone) = isAnswered ? ("open", .good) : ("no answer", .bad)
    var state = (since: opened, text: open.0, tone: open.1)
    func leave(at instant: Instant, to next: (String, TimelineLane.Tone)) {
      guard state.text != next.0 else { return }
      if state.since < instant {
        lane.spans.append(
          TimelineLane.Span(from: state.since, to: instant, text: state.text, tone: state.tone))
      }
      state = (instant, next.0, next.1)
    }
    let events =
      resent.map { (at: $0, isData: false) } + payload.map { (at: $0, isData: true) }
    for event in events.sorted(by: { $0.at < $1.at }) where isAnswered && event.at <= last {
      leave(at: event.at, to: event.isData ? open : ("sends again", .bad))
    }
    leave(at: last, to: ("closed", .plain))
    if let closed {
      lane.spans.append(
        TimelineLane.Span(from: closed, to: closed, text: "closed", tone: .plain))
    }
    lane.marks = payload.map { TimelineLane.Span(from: $0, to: $0, text: "data", tone: .good) }
    return lane
  }
}
