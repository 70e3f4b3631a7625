// Describes events of requests. Requests appear in the column of calls; connections and threads of
// the OS appear in the column of channels.
extension RequestFact: DescribedFact {
  package func described<Answer>(  // long: a flat switch, one entry for each case
    by reader: FactReader<Answer>, _ names: some FactNames
  ) -> Answer {
    switch self {
    case .answered(let question, let answer):
      reader.describe(
        row: .text(.calls, "\(names.question(question)): \(answer.phrase)"), sentence: .inContext)
    case .heldSlot(_, let request):
      // No row, because the row of the answer or of the next fact covers it.
      reader.describe(
        row: .none, sentence: .text("\(names.request(request)) keeps its slot in the meantime"))
    case .arrived(let request, let admission):
      reader.describe(
        lane: .begins(.request(request), "waits", .waiting),
        row: .text(
          .calls, names.request(request) + (admission.map { ": \($0.phrase)" } ?? "")),
        sentence: .inContext)
    case .limitReached(let request):
      reader.describe(
        row: .text(.calls, "user notified: the limit is reached for \(names.request(request))"),
        sentence: .text(
          "the user is notified that the long limit is reached for \(names.request(request))"))
    case .waits(let request, let position):
      reader.describe(
        lane: .enters(.request(request), "waits", .waiting),
        row: .text(.calls, "\(names.request(request)) waits at place \(position)"),
        sentence: .text(
          "the next poll of \(names.request(request)) waits at place \(position)"))
    case .froze(let request):
      reader.describe(
        lane: .enters(.request(request), "frozen", .bad),
        row: .text(.calls, "\(names.request(request)) freezes"),
        sentence: .text(
          "no connection is left for \(names.request(request)), which freezes without an error",
          items: ["A3"]))
    case .thawed(let request):
      reader.describe(
        row: .text(.calls, "\(names.request(request)) thaws"),
        sentence: .text("\(names.request(request)) has a slot now", items: ["U39"]))
    case .connectionOpened(let id, let host, _, let path):
      reader.describe(
        lane: .begins(.platformConnection(id), "open", .good),
        row: .text(
          .channels,
          "connection \(id + 1)\(names.host(host, after: "to")) "
            + (path.map { "on \(names.path($0))" } ?? "without a network")),
        sentence: .text(
          "connection #\(id + 1) is opened \(names.way(path))" + names.host(host, after: "to")))
    case .thread(let change, let thread, let host, let pool):
      described(by: reader, names, change, thread, host: host, pool: pool)
    case .runsOn(let request, let thread):
      reader.describe(
        lane: .enters(
          .threadOf(request: request, thread), "runs \(names.request(request))", .plain),
        row: .text(.calls, "\(names.request(request)) on thread \(thread)"),
        sentence: .text("thread #\(thread) takes \(names.request(request))", items: ["U69"]))
    case .carried(let request, let connection):
      reader.describe(
        lane: .enters(.request(request), "runs", .plain),
        row: .text(.calls, "\(names.request(request)) on connection \(connection + 1)"),
        sentence: .text("connection #\(connection + 1) carries \(names.request(request))"))
    case .retried(let request, let connection):
      reader.describe(
        row: .text(.calls, "\(names.request(request)) fails on connection \(connection + 1)"),
        sentence: .text(
          "\(names.request(request)) fails on the lost connection #\(connection + 1), "
            + "and is sent over another one"))
    case .responded(let request):
      reader.describe(
        row: .text(.calls, "\(names.request(request)) responded"),
        sentence: .text("the headers of \(names.request(request)) arrive"))
    case .received(let request):
      // Counted, because data arrives repeatedly.
      reader.describe(
        row: .counted(
          .calls, of: "\(names.request(request)): ", one: "part", many: "parts", count: 1),
        sentence: .none)
    case .pollAnswered(let request):
      reader.describe(
        row: .counted(
          .calls, of: "\(names.request(request)): ", one: "poll answered",
          many: "polls answered", count: 1),
        sentence: .text("a poll of \(names.request(request)) is answered"))
    case .connectionClosed(let id):
      reader.describe(
        lane: .ends(.platformConnection(id), "closed", .plain),
        row: .text(.channels, "connection \(id + 1) closed"),
        sentence: .text("connection #\(id + 1) is closed"))
    case .connectionLost(let id):
      reader.describe(
        lane: .ends(.platformConnection(id), "lost", .bad),
        row: .text(.channels, "connection \(id + 1) lost"),
        sentence: .text("connection #\(id + 1) is lost"))
    case .ended(let request, let end):
      described(by: reader, names, request, end)
    case .longLimitChanged(let pool, let long):
      reader.describe(
        row: .text(.calls, "long limit is \(long)"),
        sentence: .text(
          "\(names.dispatcher(pool)) allows \(counted(Int(long), "long request")) from now on",
          items: ["U10"]))
    case .dispatcherClosed(let pool):
      reader.describe(
        row: .text(.calls, "dispatcher closed"),
        sentence: .text("\(names.dispatcher(pool)) is closed", items: ["U65"]))
    // Omitted: a request that is passed to the OS is then carried or freezes, and a released slot
    // shows when the next request starts.
    case .handedOver, .slotReleased: reader.describe(row: .none, sentence: .none)
    }
  }

  private func described<Answer>(
    by reader: FactReader<Answer>, _ names: some FactNames, _ change: ThreadChange,
    _ number: UInt32,
    host: UInt32, pool: UInt32
  ) -> Answer {
    let subject = FactSubject.thread(number, host: host, pool: pool)
    func row(_ phrase: String) -> FactRow {
      .text(.channels, "thread \(number)\(names.host(host, after: "for")) \(phrase)")
    }
    func thread() -> String {
      "thread #\(number) of \(names.dispatcher(pool))\(names.host(host, after: "for"))"
    }
    return switch change {
    case .made:
      reader.describe(
        lane: .begins(subject, "idle", .waiting), row: row("made"),
        sentence: .text("\(thread()) is made, because none is idle", items: ["U67"]))
    case .rests:
      reader.describe(
        lane: .enters(subject, "idle", .waiting), row: row("idle"),
        sentence: .text("\(thread()) has nothing left to do and waits"))
    case .collected:
      reader.describe(
        lane: .ends(subject, "collected", .plain), row: row("collected"),
        sentence: .text(
          "the collector ends \(thread()), which has been idle for long enough",
          items: ["U70"]))
    case .ended:
      reader.describe(
        lane: .ends(subject, "ends", .plain), row: row("ends"),
        sentence: .text("\(thread()) ends with its pool"))
    }
  }

  private func described<Answer>(
    by reader: FactReader<Answer>, _ names: some FactNames, _ request: UInt32, _ end: RequestEnd
  ) -> Answer {
    func sentence(_ name: String) -> FactSentence {
      switch end {
      case .finished: .text("\(name) finishes")
      case .failed(RequestErrorCode.timedOut):
        .text("\(name) ends -1001, as if the network were broken", items: ["A11"])
      case .failed(let code): .text("\(name) fails with \(code)", items: ["U59"])
      case .notStarted:
        .text("the OS cannot begin \(name): it ends -1701", items: ["U81"])
      case .connectionLost: .text("\(name) ends -1005: its connection is lost")
      case .timedOut:
        .text("the dispatcher's own timeout ends \(name) with -1001", items: ["U44"])
      case .queueTimeout: .text("\(name) ends: the local limit held it back for too long")
      case .deadlineExceeded: .text("\(name) ends: its deadline has passed")
      case .cancelled: .text("\(name) ends: its user canceled it", items: ["U46"])
      case .closed: .text("\(name) ends: the dispatcher is closed", items: ["U65"])
      }
    }
    let outcome = RequestOutcome(end)
    return reader.describe(
      lane: .ends(
        .request(request), outcome.rawValue, outcome == .finished ? .good : .bad),
      row: .text(
        .calls,
        "\(names.request(request)) ends \(outcome.rawValue)"
          + (end.errorCode.map { " (\($0))" } ?? "")),
      sentence: sentence(names.request(request)))
  }
}

extension Admission {
  /// The answer in a row of the timeline.
  fileprivate var phrase: String {
    let keyword = AdmissionKind(self).rawValue
    switch self {
    case .waits(let position), .polls(let position): return "\(keyword), place \(position)"
    case .startsNow, .refused, .freezes: return keyword
    }
  }
}
