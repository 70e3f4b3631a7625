import HandoverBackend
import HandoverCore

/// A client in another process, which receives facts as lines of JSON.
final class ProcessClient: RemoteClient {
  private var process: BackendProcess
  private let hello: BackendHello
  private let restart: Restart
  private var writer = CommandWriter()
  private var script = Script()
  private var endpoints: [RemoteEndpoint] = []
  private var seq = 0
  private(set) var deadlines = RemoteDeadlines()
  private var names = ClientNames()
  private var idleAdvances = IdleAdvances()

  /// A closure that starts the command again.
  typealias Restart = () throws(BackendError) -> BackendProcess

  init(_ process: BackendProcess, _ hello: BackendHello, restart: @escaping Restart) {
    self.process = process
    self.hello = hello
    self.restart = restart
  }

  deinit { process.stop() }

  var log: String { process.log }

  func endText(of call: CallID) -> String? { names.endText(of: call) }

  // MARK: A run

  func open(
    _ script: Script, profile: Profile, endpoints: [RemoteEndpoint]
  ) throws(BackendError) {
    self.script = script
    self.endpoints = endpoints
    deadlines = RemoteDeadlines()
    idleAdvances = IdleAdvances()
    names = ClientNames(
      endpoints: endpoints, showsChannels: hello.capabilities.contains(.channels))
    process = try process.forNextRun(orElse: restart)
    seq += 1
    var effects = EffectLog<ClientEffect>()
    var skipped: String?
    try process.exchange(writer.open(script, profile, seq: seq)) { fields throws(AnswerError) in
      skipped = try handle(fields, opens: true, into: &effects)
    }
    if let skipped { throw BackendError(.unsupported, skipped) }
    guard effects.isEmpty else {
      throw process.failure("it sent output before receiving any event")
    }
  }

  func introduce(_ call: Int, as id: CallID) {
    names.introduce(call, script.calls[call].id, as: id)
  }

  func send(
    _ event: ClientCore.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) throws(BackendError) {
    // The client received the flags with `open`.
    if case .reachability(.initialRead) = event { return }
    seq += 1
    let line =
      switch event {
      case .pool(.timeElapsed): writer.advance(seq: seq, now: now)
      case .pool(.closed): writer.close(seq: seq, now: now)
      case .pool, .reachability:
        writer.event(seq: seq, now: now) { [eventText] json in
          eventText.write(event, to: &json)
        }
      }
    try process.exchange(line) { fields throws(AnswerError) in
      let before = effects.count
      _ = try handle(fields, into: &effects)
      guard case .pool(.timeElapsed) = event else { return }
      try idleAdvances.note(
        at: now, wants: deadlines.next, deadlines.nonPeriodic, deadlines.keepalive,
        isIdle: effects.count == before)
    }
    if case .pool(.closed) = event { try process.checkFarewell() }
  }

  var acceptsBatches: Bool { hello.capabilities.contains(.batch) }

  func send(
    _ events: [ClientCore.Event], at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) throws(BackendError) -> [Int] {
    var ends: [Int] = []
    var rest = events[...]
    while !rest.isEmpty {
      let some = rest.prefix(Self.maximumBatch)
      rest = rest.dropFirst(some.count)
      let line = writer.batch(some, seq: seq + 1, now: now, eventText)
      try process.exchange(line) { answer throws(AnswerError) in
        let answers = try answer.elements("answers") ?? []
        guard answers.count == some.count else {
          throw AnswerError("\(some.count) events were sent, and it answers \(answers.count)")
        }
        for answer in answers {
          seq += 1
          _ = try handle(try AnswerFields(answer), into: &effects)
          ends.append(effects.count)
        }
      }
    }
    return ends
  }

  /// The maximum number of events in one line, which keeps the line far below its maximum length.
  private static let maximumBatch = 256

  private var eventText: EventText {
    EventText(script: script, endpoints: endpoints, names: names)
  }

  /// The maximum length of a fingerprint in bytes.
  private static let maximumDigest = 256

  func digest(at now: Instant) throws(BackendError) -> String? {
    guard hello.capabilities.contains(.digest) else { return nil }
    seq += 1
    var digest: String?
    try process.exchange(writer.digest(seq: seq, now: now)) { fields throws(AnswerError) in
      guard case .digest(let text) = try StepAnswer(fields, seq: seq, opens: false) else {
        throw AnswerError("\"digest\" is missing")
      }
      guard text.utf8.count <= Self.maximumDigest else {
        throw AnswerError("\"digest\" must have at most \(Self.maximumDigest) bytes")
      }
      digest = text
    }
    return digest
  }

  // MARK: Lines

  /// Processes the answer to one step, and returns the reason if the run is skipped.
  private func handle(
    _ fields: AnswerFields, opens: Bool = false, into effects: inout EffectLog<ClientEffect>
  ) throws(AnswerError) -> String? {
    switch try StepAnswer(fields, seq: seq, opens: opens) {
    case .skipped(let reason): return reason
    case .digest: throw AnswerError("\"digest\" was not requested")
    case .done(let fields):
      for element in try fields.elements("out") ?? [] {
        try names.handle(try AnswerFields(element), into: &effects)
      }
      try readDeadlines(fields)
      return nil
    }
  }

  private func readDeadlines(_ fields: AnswerFields) throws(AnswerError) {
    let (next, nonPeriodic) = try fields.deadlines()
    deadlines = RemoteDeadlines(
      next: next, nonPeriodic: nonPeriodic, keepalive: try fields.instant("keepalive"))
  }
}
