import HandoverBackend
import HandoverCore

/// A transport in another process, which receives facts as lines of JSON.
final class ProcessTransport: RemoteTransport {
  private var process: BackendProcess
  private let restart: ProcessClient.Restart
  private let reportsEffects: Bool
  private var writer = CommandWriter()
  private var seq = 0
  private var names = TransportNames(Script())
  private var idleAdvances = IdleAdvances()
  private(set) var deadlines = TransportDeadlines()

  init(
    _ process: BackendProcess, _ hello: BackendHello, restart: @escaping ProcessClient.Restart
  ) {
    self.process = process
    self.restart = restart
    reportsEffects = hello.capabilities.contains(.effects)
  }

  deinit { process.stop() }

  var log: String { process.log }

  func open(_ script: Script, profile: Profile) throws(BackendError) {
    names = TransportNames(script)
    deadlines = TransportDeadlines()
    idleAdvances = IdleAdvances()
    process = try process.forNextRun(orElse: restart)
    seq += 1
    var reports: [TransportReport] = []
    try exchange(
      writer.openTransport(script, profile, seq: seq), opens: true, into: &reports)
    guard reports.isEmpty else {
      throw process.failure("it sent output before receiving any event")
    }
  }

  func send(
    _ fact: TransportFact, at now: Instant, into reports: inout [TransportReport]
  ) throws(BackendError) {
    names.note(fact)
    seq += 1
    let line =
      switch fact {
      case .timeElapsed: writer.advance(seq: seq, now: now)
      case .closed: writer.close(seq: seq, now: now)
      case .connect, .close, .send, .sendMessages, .finish, .reset, .ping, .device, .server,
        .names, .fault:
        writer.event(seq: seq, now: now) { [names] json in names.write(fact, to: &json) }
      }
    if let entry = fact.entry, !reportsEffects {
      // If a transport does not report which faults had an effect, all faults count as effective.
      reports.append(.tookEffect(entry: entry))
    }
    try exchange(line, advancingTo: fact == .timeElapsed ? now : nil, into: &reports)
    if fact == .closed { try process.checkFarewell() }
  }

  private func exchange(
    _ line: [UInt8], opens: Bool = false, advancingTo now: Instant? = nil,
    into reports: inout [TransportReport]
  ) throws(BackendError) {
    var skipped: String?
    try process.exchange(line) { fields throws(AnswerError) in
      switch try StepAnswer(fields, seq: seq, opens: opens) {
      case .skipped(let reason): skipped = reason
      case .digest: throw AnswerError("\"digest\" was not requested")
      case .done(let fields):
        let before = reports.count
        for element in try fields.elements("out") ?? [] {
          reports.append(try names.report(try AnswerFields(element)))
        }
        try readDeadlines(fields)
        guard let now else { return }
        try idleAdvances.note(
          at: now, wants: deadlines.next, deadlines.nonPeriodic, isIdle: reports.count == before)
      }
    }
    if let skipped { throw BackendError(.unsupported, skipped) }
  }

  private func readDeadlines(_ fields: AnswerFields) throws(AnswerError) {
    let (next, nonPeriodic) = try fields.deadlines()
    deadlines = TransportDeadlines(
      next: next, nonPeriodic: nonPeriodic,
      answersPings: fields["answersPings"] == nil ? true : try fields.flag("answersPings"))
  }
}

extension TransportFact {
  /// The timeline entry of a fault, or `nil` for every other fact.
  fileprivate var entry: UInt32? {
    switch self {
    case .server(_, _, let entry), .names(_, _, let entry), .fault(_, _, let entry): entry
    case .connect, .close, .send, .sendMessages, .finish, .reset, .ping, .device, .timeElapsed,
      .closed:
      nil
    }
  }
}
