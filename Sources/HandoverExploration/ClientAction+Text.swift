import HandoverCore

extension ClientAction {
  /// A one-line description of the action.
  package func sentence(in setup: ExplorationSetup) -> String {
    let name = "host-\(host + 1)"
    let call = "call \(position + 1) of \(name)"
    let connection = "connection \(position + 1) of \(name)"
    return switch kind {
    case .callback: "a callback reports \(category)"
    case .reread: "callbacks were lost, and \(category) is read"
    case .callStarted: "a call to \(name) starts\(startText)"
    case .tokenArrived: "the token arrives for waiting call \(position + 1)"
    case .awaitingCancelled: "the user cancels call \(position + 1) that waits for a token"
    case .awaitingExpired: "the deadline passes of call \(position + 1) that waits for a token"
    case .callCancelled: "the user cancels \(call)"
    case .callExpired: "the deadline of \(call) passes"
    case .streamEnded: "the server ends \(call)"
    case .messageReceived: "a message arrives for \(call)"
    case .messageQueued: "the user sends a message in \(call)"
    case .requestFinished: "the user ends the requests of \(call)"
    case .connected: "the attempt to \(name) succeeds"
    case .refused: "the attempt to \(name) is refused"
    case .nameFailed: "the name of \(name) cannot be resolved"
    case .attemptBroken: "the attempt to \(name) is reset"
    case .broken: "\(connection) breaks"
    case .draining: "the server takes no new calls on \(connection)"
    case .pongReceived: "the ping on \(connection) is answered"
    case .keepaliveExpired: "a ping on \(connection) is due, or is not answered"
    case .disconnected: "the user disconnects \(name)"
    case .allDisconnected: "the user disconnects all hosts"
    case .instantOver: "the instant is over"
    case .backoffOver: "the backoff of \(name) is over"
    case .attemptExpired: "the time limit of the attempt to \(name), or its backoff, is over"
    case .unusedExpired: "the destroy delay of \(name) is over"
    }
  }

  private var startText: String { ExploredCallKind(rawValue: position)?.startText ?? "" }
}

extension ExploredCallKind {
  /// The end of the sentence about the start of such a call.
  var startText: String {
    switch self {
    case .waits: ""
    case .failsFast: ", and does not wait"
    case .hasDeadline: " with a deadline"
    case .awaitsToken: " and waits for its token"
    case .sends: " that sends messages"
    }
  }
}
