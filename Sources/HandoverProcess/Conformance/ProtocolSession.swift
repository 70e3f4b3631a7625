import HandoverBackend
import HandoverCore

/// A line-by-line exchange with one process of a backend, for ``AdapterCheck``.
struct ProtocolSession {
  let hello: BackendHello
  private let process: BackendProcess

  init(_ command: String, _ timeout: Interval) throws(BackendError) {
    (process, hello) = try BackendProgram(command: command, timeout: timeout).start()
  }

  /// The profile of the runs.
  ///
  /// This is `sockets-monitor` if the backend supports it, or else the first supported profile.
  private var profile: String {
    let usual = Profile.socketsMonitor.name
    guard let profiles = hello.profiles, !profiles.contains(usual) else { return usual }
    return profiles.first ?? usual
  }

  // MARK: Requests

  /// Sends a line and returns the answer.
  func ask(_ line: String) throws(BackendError) -> AnswerFields {
    if let unasked = try process.unasked() {
      throw process.failure("it sent a line without a command: \(unasked)")
    }
    try process.send(Array((line + "\n").utf8))
    let answer = try process.receive()
    do throws(AnswerError) {
      return try AnswerFields(line: answer)
    } catch {
      throw process.failure(
        "its answer is invalid: \(error.reason): \(BackendProcess.excerpt(answer))")
    }
  }

  static func eventLine(_ event: String, seq: Int, at now: Int) -> String {
    #"{"cmd":"event","seq":\#(seq),"now":\#(now),"event":\#(event)}"#
  }

  /// Opens a run, and returns a description of the problem or `nil` if there is none.
  ///
  /// `config` and `more` are additional members of the configuration and of the command. Each
  /// begins with a comma.
  func open(seq: Int, config: String = "", more: String = "") throws(BackendError) -> String? {
    let answer = try ask(openLine(seq: seq, config: config, more: more))
    if let problem = wrongAnswer(answer, seq: seq, opens: true) { return problem }
    return (try? answer.elements("out"))??.isEmpty == false
      ? "it sent output before receiving any event: \(answer.excerpt)" : nil
  }

  private func openLine(seq: Int, config: String = "", more: String = "") -> String {
    let run =
      switch hello.role {
      case .client:
        #""config":{"backoff":{"initial":1000000,"multiplier":1.6,"jitter":0,"max":120000000,"#
          + #""minConnectTimeout":20000000},"idle":30000000,"seed":1\#(config)},"#
          + #""initial":{"flags":["Reachable"],"app":"foreground"}"#
      case .transport:
        #""config":{"tcpTimeout":900000000,"sendBuffer":131072,"cfstream":"iomgr"\#(config)},"#
          + #""hosts":[{"host":"check.example:443","connect":50000,"server":"accept","#
          + #""names":"resolve"}],"#
          + #""initial":{"flags":["Reachable"],"path":"wifi","alive":[],"app":"foreground"}"#
      }
    return #"{"cmd":"open","seq":\#(seq),"now":0,"scenario":"check","profile":"\#(profile)","#
      + run + more + "}"
  }

  func event(_ event: String, seq: Int, at now: Int) throws(BackendError) -> String? {
    wrongAnswer(try ask(Self.eventLine(event, seq: seq, at: now)), seq: seq)
  }

  /// Closes a run and returns a description of the problem, or `nil` if there is none.
  ///
  /// On close, a client must end the call that is running, and a transport must report nothing.
  func close(seq: Int, at now: Int, ending call: String) throws(BackendError) -> String? {
    let answer = try ask(#"{"cmd":"close","seq":\#(seq),"now":\#(now)}"#)
    if let problem = wrongAnswer(answer, seq: seq) { return problem }
    let out = out(answer)
    switch hello.role {
    case .client:
      let isEnded = out.contains { (try? $0.object("ended").text("call")) == call }
      guard isEnded else { return "the call continues: \(answer.excerpt)" }
    case .transport:
      guard out.isEmpty else { return "it still reports something: \(answer.excerpt)" }
    }
    if let deadline = answer["deadline"], deadline.kind != .null {
      return "it still has a deadline: \(answer.excerpt)"
    }
    return nil
  }

  /// Returns the answers to a whole run, line by line and without their numbers.
  ///
  /// The numbers continue in the next run of the same process.
  func answers(to events: [String], from seq: Int) throws(BackendError) -> [String] {
    let now = events.count * 1_000
    let last = #"{"cmd":"close","seq":\#(seq + events.count + 1),"now":\#(now)}"#
    let lines =
      [openLine(seq: seq)]
      + events.enumerated().map { index, event in
        Self.eventLine(event, seq: seq + index + 1, at: index * 1_000)
      } + [last]
    var answers: [String] = []
    for line in lines {
      answers.append(
        try ask(line).line.replacing(#/"seq"\s*:\s*\d+/#, with: "", maxReplacements: 1))
    }
    return answers
  }

  /// Returns the reports about events that are sent at intervals of one second.
  ///
  /// Between the events, the backend is notified of each deadline that it requested.
  func reports(of events: [String]) throws(BackendError) -> [AnswerFields] {
    var reports: [AnswerFields] = []
    var answer = try ask(openLine(seq: 1))
    var seq = 1
    var now: Int64 = 0
    func handle(_ line: String) throws(BackendError) {
      answer = try ask(line)
      reports += out(answer)
    }
    for event in events {
      seq += 1
      try handle(Self.eventLine(event, seq: seq, at: Int(now)))
      let next = now + 1_000_000
      // A limit for a backend that always requests another deadline.
      var timeout = 100
      while timeout > 0, let due = (try? answer.optionalNumber("deadline")) ?? nil, due < next {
        (seq, timeout, now) = (seq + 1, timeout - 1, max(now, due))
        try handle(#"{"cmd":"advance","seq":\#(seq),"now":\#(now)}"#)
      }
      now = next
    }
    return reports
  }

  /// Returns the elements of `out` in an answer.
  func out(_ answer: AnswerFields) -> [AnswerFields] {
    ((try? answer.elements("out")) ?? [])?.compactMap { try? AnswerFields($0) } ?? []
  }

  /// Returns the names of the elements of `out` in an answer.
  func orders(_ answer: AnswerFields) -> [String] { out(answer).compactMap(\.first?.name) }

  /// Stops the process, which may take as long to exit as to answer a command.
  func stop() -> String? { process.stop(within: .max) }

  private func wrongAnswer(_ answer: AnswerFields, seq: Int, opens: Bool = false) -> String? {
    if let error = try? answer.text("error") { return AnswerError.cut("it reports: \(error)") }
    do throws(AnswerError) {
      // A run would reject the same answers.
      if case .digest = try StepAnswer(answer, seq: seq, opens: opens) {
        throw AnswerError("\"digest\" was not requested")
      }
      for element in try answer.elements("out") ?? [] { try check(try AnswerFields(element)) }
      return nil
    } catch {
      return "\(error.reason): \(answer.excerpt)"
    }
  }

  private func check(_ element: AnswerFields) throws(AnswerError) {
    guard let (name, value) = element.first else {
      throw AnswerError("an element of \"out\" is empty")
    }
    let isKnown =
      switch hello.role {
      case .client: ClientEffect.messageForms.example(name, value) != nil
      case .transport: TransportReport.messageForms.example(name, value) != nil
      }
    guard isKnown else { throw AnswerError("unknown element \"\(name)\" of \"out\"") }
  }
}
