import HandoverCore
import HandoverLab
import HandoverLinux
import HandoverTry

/// An answer of `handover lab serve`: one JSON object on one line.
enum LabAnswer {
  /// The maximum number of connections and of outages in an answer; the latest ones are kept.
  static let maximumCount = 256

  /// Returns the first line, which describes the session.
  static func ready(_ network: LabChange) -> String {
    line("ready") { json in
      json.member("version", version)
      json.member("network", network.name)
      json.array("moves", of: LabChange.all) { $0.value($1.name) }
    }
  }

  /// Returns the answer to `start`.
  static func started(_ number: Int, at now: Int64) -> String {
    line("started") { json in
      json.member("program", number)
      json.member("at_us", now)
    }
  }

  /// Returns the answer to `stop`.
  static func stopped(_ number: Int, _ end: ChildProcess.End, at now: Int64) -> String {
    line("stopped") { json in
      json.member("program", number)
      write(end, into: &json)
      json.member("at_us", now)
    }
  }

  /// Returns the answer to `move`, with the number of affected connections if it is known.
  static func moved(_ change: LabChange, affected: Int?, at now: Int64) -> String {
    line("moved") { json in
      json.member("to", change.name)
      json.member("affected", affected.map { Int64($0) })
      json.member("at_us", now)
    }
  }

  /// Returns the answer to `quality`.
  static func changed(_ condition: ConditionArgument, at now: Int64) -> String {
    line("changed") { json in
      json.member("condition", condition.text)
      json.member("at_us", now)
    }
  }

  /// Returns the answer to a line that cannot be executed.
  static func error(_ problem: LabRequest.Problem) -> String {
    line("error") { json in
      json.member("message", problem.message)
      json.member("hint", problem.hint)
    }
  }

  /// Why a session ends although its caller did not end it.
  enum EndReason: String, CaseIterable {
    /// The time of `--until` is over.
    case timeOver = "time-over"
    /// The machine cannot make a lab.
    case noLab = "no-lab"
    /// A server did not start.
    case serverFailed = "server-failed"
    /// The lab failed after it had been made.
    case labFailed = "lab-failed"
  }

  /// Returns the last line of a session.
  static func ended(_ reason: EndReason, _ message: String) -> String {
    line("ended") { json in
      json.member("reason", reason.rawValue)
      json.member("message", message)
    }
  }

  /// Returns the answer to `observe`.
  static func observed(_ seen: LabSession.Observation) -> String {
    line("observed") { json in
      let timeline = seen.timeline
      json.member("at_us", timeline.end.microseconds)
      list("moves", timeline.changes, &json) { change, json in
        json.member("at_us", change.at.microseconds)
        json.member("text", change.text)
      }
      json.member("connection_count", timeline.connections.count)
      list("connections", timeline.connections, &json) { connection, json in
        json.member("name", connection.name)
        json.member("opened_us", connection.opened.microseconds)
        json.member("closed_us", connection.closed?.microseconds)
        json.member("answered", connection.isAnswered)
        json.member("payloads", connection.payload.count)
        json.member("last_payload_us", connection.payload.last?.microseconds)
        json.member("resent", connection.resent.count)
      }
      list("outages", seen.outages, &json, write)
      json.objects("programs", of: seen.programs.enumerated()) { json, element in
        let (index, program) = element
        json.member("program", index + 1)
        json.member("running", program.end == nil)
        if let end = program.end { write(end, into: &json) }
        json.member("output", program.output)
      }
      json.member("processes", seen.processCount)
    }
  }

  private static func write(_ outage: TimelineOutage, _ json: inout JSONText) {
    json.member("since_us", outage.since.microseconds)
    json.member("unusable_us", outage.unusable.microseconds)
    json.member("recovers_us", outage.recovers?.microseconds)
    json.member("delay_us", outage.delay?.microseconds)
    json.member("attempts", outage.attempts)
    json.member("watched_us", outage.watched.microseconds)
    switch outage.unknownLengthReason {
    case .silentBefore: json.member("doubt", "silent-before")
    case .noNetwork: json.member("doubt", "no-network")
    case nil: break
    }
    if let end = outage.programEnd { json.member("program_end", end.phrase) }
  }

  private static func write(_ end: ChildProcess.End, into json: inout JSONText) {
    switch end {
    case .exited(let status): json.member("status", Int(status))
    case .signalled(let signal): json.member("signal", Int(signal))
    }
  }

  private static func list<Element>(
    _ key: String, _ elements: [Element], _ json: inout JSONText,
    _ write: (Element, inout JSONText) -> Void
  ) {
    json.objects(key, of: elements.suffix(maximumCount)) { json, element in
      write(element, &json)
    }
  }

  private static func line(_ kind: String, _ members: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    json.line(kind, members)
    return json.take()
  }
}
