import HandoverCore

extension WorldCounterexample {
  /// Returns a one-line description of each action.
  package func sentences(in setup: WorldSetup) -> [String] {
    actions.map { $0.sentence(in: setup) }
  }
}

extension WorldAction {
  /// Returns a one-line description of the action.
  // long: a flat switch with a line per action
  package func sentence(in setup: WorldSetup) -> String {
    let host = "host-\(subject + 1)"
    let call = "call \(subject + 1)"
    let connection = "connection \(subject + 1)"
    let path = ["wifi", "cellular", "wifi-B"][min(Int(subject), 2)]
    return switch kind {
    case .start: "a call to \(host) starts\(startText(setup))"
    case .cancel: "the user cancels \(call)"
    case .finish: "the user ends the requests of \(call)"
    case .send: "the user sends a message in \(call)"
    case .disconnect: "the user disconnects \(host)"
    case .disconnectAll: "the user disconnects all hosts"
    case .flags: "the flags change to \(category)"
    case .flagsKeepingLink:
      "the flags change to \(category), and the interface of the old path stays up"
    case .flagsWithoutCallback: "the flags change to \(category), and the callback is lost"
    case .path: "the device moves to \(path) without a callback"
    case .linkDies: "the interface of the old path \(path) goes down"
    case .app:
      switch AppState.allCases[min(Int(subject), 2)] {
      case .foreground: "the application returns to the foreground"
      case .background: "the application is suspended"
      case .backgroundRunning: "the application runs in the background"
      }
    case .callbackDoubled: "the last callback is repeated"
    case .callbacksOverrun: "pending callbacks are lost, and the flags will be read"
    case .callbackReceived: "the monitor receives pending callback \(subject + 1)"
    case .silent: "the server of \(host) falls silent"
    case .accept: "the server of \(host) reads and answers again"
    case .close: "the server of \(host) closes its connections"
    case .reset: "the server of \(host) resets its connections"
    case .goaway: "the server of \(host) takes no new calls on its connections"
    case .kill: "the kernel ends the connections to \(host)"
    case .stall: "the connections to \(host) stall"
    case .discard: "the connections to \(host) discard their data"
    case .resume: "the connections to \(host) continue"
    case .nameFound: "the name of \(host) is resolved"
    case .nameFailed: "the name of \(host) cannot be resolved"
    case .handshake: "the server answers the attempt of \(connection)"
    case .refused: "the server refuses \(connection)"
    case .received: "the client receives the pending event"
    case .timedOut: "TCP gives up \(connection)"
    case .keepaliveDue: "a ping on \(connection) is due, or is not answered"
    case .answerEnds: "the server ends \(call)"
    case .message: "the server sends a message of \(call)"
    case .token: "the token of \(call) arrives"
    case .deadline: "the deadline of \(call) passes"
    case .releasedReceived:
      "the client receives the next event that it missed while it was suspended"
    case .attemptDue: "the time limit of the attempt to \(host), or its backoff, is over"
    case .backoffOver: "the backoff of \(host) is over"
    case .unusedDue: "the destroy delay of \(host) is over"
    case .instantOver: "the instant is over"
    }
  }

  private func startText(_ setup: WorldSetup) -> String {
    let kinds = setup.client.callKinds
    return kinds[min(Int(detail), kinds.count - 1)].startText
  }
}
