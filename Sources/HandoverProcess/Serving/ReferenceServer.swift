import HandoverBackend
public import HandoverCore
import HandoverScenario
import HandoverTrace

/// The other side of the protocol: the project's own client, as a backend that others can be held
/// against.
///
/// It takes lines and gives lines; whoever uses it reads and writes them.
public struct ReferenceServer {
  /// The name that it gives itself.
  public static let name = "handover-reference"

  private let defects: Defects
  private var client: ReferenceClient?
  private var json = JSONText()

  /// Makes a server.
  ///
  /// - Parameter defects: defects of the original that its clients have.
  public init(defects: Defects = []) {
    self.defects = defects
  }

  /// The answer to a command, as a line; empty for `stop`, after which nothing is answered.
  public mutating func answer(to line: [UInt8]) -> [UInt8] {
    json.removeAll()
    do throws(AnswerError) {
      let fields = try AnswerFields(line: line)
      guard try answer(to: try fields.text("cmd"), fields) else { return [] }
    } catch {
      json.removeAll()
      json.beginObject()
      let seq = try? AnswerFields(line: line).number("seq")
      json.member("seq", seq)
      json.member("error", error.reason)
      json.endObject()
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
      client = try ReferenceClient(fields, defects)
      try write([], fields)
    case "event": try take(fields)
    case "advance": try write(try step(.pool(.timeElapsed), fields), fields)
    case "close":
      try write(try step(.pool(.closed), fields), fields)
      client = nil
    case "batch":
      json.beginObject()
      json.key("answers")
      json.beginArray()
      for event in try fields.elements("events") ?? [] { try take(try AnswerFields(event)) }
      json.endArray()
      json.endObject()
    case "stop": return false
    default: throw AnswerError("there is no command \"\(command)\"")
    }
    return true
  }

  private mutating func hello(_ fields: AnswerFields) throws(AnswerError) {
    let version = try fields.number("version")
    guard version == BackendHello.version else {
      throw AnswerError("this is version \(BackendHello.version), and \(version) was asked for")
    }
    json.beginObject()
    json.member("version", BackendHello.version)
    json.member("name", Self.name)
    json.member("role", "client")
    json.member("time", "virtual")
    json.key("capabilities")
    json.beginArray()
    for capability in BackendHello.Capability.allCases { json.value(capability.rawValue) }
    json.endArray()
    json.endObject()
  }

  // MARK: Steps

  private mutating func take(_ fields: AnswerFields) throws(AnswerError) {
    guard var client else { throw AnswerError("no run is open") }
    let event = try client.event(try fields.object("event"))
    self.client = client
    try write(try step(event, fields), fields)
  }

  private mutating func step(
    _ event: ClientCore.Event, _ fields: AnswerFields
  ) throws(AnswerError) -> [ClientEffect] {
    let now = Instant(microseconds: try fields.number("now"))
    guard client != nil else { throw AnswerError("no run is open") }
    return client?.step(event, at: now) ?? []
  }

  private mutating func write(
    _ effects: [ClientEffect], _ fields: AnswerFields
  ) throws(AnswerError) {
    json.beginObject()
    json.member("seq", try fields.number("seq"))
    json.key("out")
    json.beginArray()
    for effect in effects { client?.write(effect, to: &json) }
    json.endArray()
    let deadlines = client?.deadlines
    json.member("deadline", deadlines?.next?.microseconds)
    json.member("pressing", deadlines?.pressing?.microseconds)
    json.member("keepalive", deadlines?.keepalive?.microseconds)
    json.endObject()
  }
}
