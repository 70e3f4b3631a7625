import HandoverCore

/// A backend that runs behind the protocol, for one run after another.
protocol ServedBackend {
  /// The backend's name for its handshake.
  var name: String { get }
  /// The backend's role.
  var role: BackendHello.Role { get }

  /// Begins a run.
  mutating func open(_ fields: AnswerFields) throws(AnswerError)

  /// Performs a step of the open run, and writes each effect as an element of `out`.
  mutating func handle(
    _ step: ServedStep, at now: Instant, to json: inout JSONText
  ) throws(AnswerError)

  /// Writes the members with the instants at which the backend has to be notified of the time.
  func writeDeadlines(to json: inout JSONText)

  /// Returns a string that is equal for states with the same future behavior, or `nil` if there is
  /// none.
  func digest(at now: Instant) -> String?
}

extension ServedBackend {
  func digest(at now: Instant) -> String? { nil }
}

/// A step of a run.
enum ServedStep {
  case event(AnswerFields)
  case timeElapsed
  case closed
}

/// The backend's side of the protocol, which answers commands line by line.
struct CommandLoop<Backend: ServedBackend> {
  private var backend: Backend
  private var isOpen = false
  private var json = JSONText()

  init(_ backend: Backend) {
    self.backend = backend
  }

  /// Returns the answer to a command as a line; empty for `stop`, the last command.
  mutating func answer(to line: [UInt8]) -> [UInt8] {
    json.removeAll()
    do throws(AnswerError) {
      let fields = try AnswerFields(line: line)
      guard try answer(to: try fields.text("cmd"), fields) else { return [] }
    } catch {
      json.refuse(line, error)
    }
    json.newline()
    return json.bytes
  }

  private mutating func answer(
    to command: String, _ fields: AnswerFields
  ) throws(AnswerError) -> Bool {
    switch command {
    case "start": try hello(fields)
    case "open":
      isOpen = false
      try backend.open(fields)
      isOpen = true
      try write(nil, fields)
    case "event": try write(.event(try fields.object("event")), fields)
    case "advance": try write(.timeElapsed, fields)
    case "close":
      try write(.closed, fields)
      isOpen = false
    case "batch":
      json.beginObject()
      json.key("answers")
      json.beginArray()
      for element in try fields.elements("events") ?? [] {
        let event = try AnswerFields(element)
        try write(.event(try event.object("event")), event)
      }
      json.endArray()
      json.endObject()
    case "digest": try writeDigest(fields)
    case "stop": return false
    default: throw AnswerError("unknown command \"\(command)\"")
    }
    return true
  }

  private mutating func hello(_ fields: AnswerFields) throws(AnswerError) {
    let version = try fields.number("version")
    guard version == BackendHello.version else {
      throw AnswerError(
        "this is version \(BackendHello.version), and the command requires \(version)")
    }
    json.beginObject()
    json.member("version", BackendHello.version)
    json.member("name", backend.name)
    json.member("role", backend.role.rawValue)
    json.member("time", "virtual")
    json.key("capabilities")
    json.beginArray()
    for capability in backend.role.capabilities { json.value(capability.rawValue) }
    json.endArray()
    json.endObject()
  }

  private mutating func writeDigest(_ fields: AnswerFields) throws(AnswerError) {
    guard isOpen else { throw AnswerError("no run is open") }
    let now = Instant(microseconds: try fields.number("now"))
    guard let digest = backend.digest(at: now) else {
      throw AnswerError("this backend has no digests")
    }
    json.beginObject()
    json.member("seq", try fields.number("seq"))
    json.member("digest", digest)
    json.endObject()
  }

  /// Writes the answer to a step, or to the opening of a run, which performs no step.
  private mutating func write(
    _ step: ServedStep?, _ fields: AnswerFields
  ) throws(AnswerError) {
    guard isOpen else { throw AnswerError("no run is open") }
    json.beginObject()
    json.member("seq", try fields.number("seq"))
    json.key("out")
    json.beginArray()
    if let step {
      let now = Instant(microseconds: try fields.number("now"))
      try backend.handle(step, at: now, to: &json)
    }
    json.endArray()
    backend.writeDeadlines(to: &json)
    json.endObject()
  }
}

extension JSONText {
  /// Replaces everything written so far by an error, with the number of the command if it has one.
  mutating func refuse(_ line: [UInt8], _ error: AnswerError) {
    removeAll()
    beginObject()
    member("seq", try? AnswerFields(line: line).number("seq"))
    member("error", error.reason)
    endObject()
  }
}
