import HandoverBackend
import HandoverCore

/// The project's own client as a backend, with which other backends can be compared.
///
/// The server processes lines; its caller reads and writes them.
public struct ReferenceServer {
  private var loop: CommandLoop<ServedClient>

  /// Creates a server.
  public init() {
    loop = CommandLoop(ServedClient())
  }

  /// Returns the answer to a command as a line; empty for `stop`, the last command.
  public mutating func answer(to line: [UInt8]) -> [UInt8] {
    loop.answer(to: line)
  }
}

/// The project's own client as a served backend.
private struct ServedClient: ServedBackend {
  let name = "handover-reference"
  let role = BackendHello.Role.client
  private var client: ReferenceClient?

  mutating func open(_ fields: AnswerFields) throws(AnswerError) {
    client = try ReferenceClient(fields)
  }

  mutating func handle(
    _ step: ServedStep, at now: Instant, to json: inout JSONText
  ) throws(AnswerError) {
    guard var client else { return }
    let event: ClientCore.Event =
      switch step {
      case .event(let fields): try client.event(fields)
      case .timeElapsed: .pool(.timeElapsed)
      case .closed: .pool(.closed)
      }
    for effect in client.step(event, at: now) { client.write(effect, to: &json) }
    self.client = client
  }

  func writeDeadlines(to json: inout JSONText) {
    let deadlines = client?.deadlines
    json.member("deadline", deadlines?.next?.microseconds)
    json.member("pressing", deadlines?.nonPeriodic?.microseconds)
    json.member("keepalive", deadlines?.keepalive?.microseconds)
  }

  func digest(at now: Instant) -> String? { client?.digest(at: now) }
}
