package import HandoverCore
package import HandoverScenario

extension RuleIdentifier {
  /// The explanation of the invariant.
  package var explanation: TermExplanation {
    let (example, fix) =
      switch self {
      case .callEndsOnce:
        (
          "a call that its user cancels and that its deadline ends again",
          "Ignore events of ended calls."
        )
      case .categoryChange:
        (
          "a channel that continues after WiFi replaces cellular",
          "Destroy all channels when the monitor reports a different category."
        )
      case .sameCategory:
        (
          "a second WiFi callback destroys a channel",
          "Compare each callback with the current category."
        )
      case .sharedChannel:
        ("two calls to the same host create two channels", "Look up the channel by its key.")
      case .waiting:
        (
          "a call waits although its channel is READY",
          "Start or end all waiting calls when an attempt ends."
        )
      case .sending:
        ("a message of a canceled call is sent", "Remove a call from the send queue when it ends.")
      case .requestLimits:
        ("five requests run with a limit of four", "Count a request from its start to its end.")
      case .aliveness:
        (
          "a connection is still open after the client was closed",
          "Close every connection, timer and call together with the client."
        )
      case .chainOrder:
        (
          "an interceptor forwards a message after the close",
          "Stop forwarding when the call has ended."
        )
      case .channelStates:
        (
          "a channel goes from IDLE to READY without CONNECTING",
          "Report each state of the channel in order."
        )
      case .connectionPool:
        (
          "a request is sent again after its read timeout",
          "Repeat a request only if its used connection broke before the response."
        )
      }
    return TermExplanation(
      sentence.prefix(1).uppercased() + sentence.dropFirst() + ".", example: example, fix: fix)
  }
}

extension ChannelState {
  /// The explanation of the state.
  package var explanation: TermExplanation {
    switch self {
    case .idle:
      TermExplanation(
        "The channel has no connection. The next call connects.",
        example: "after the server drained the connection with GOAWAY",
        fix: "Start a call, or wait for the next one.")
    case .connecting:
      TermExplanation(
        "The channel makes a connection. Calls wait.", example: "during \"connect\": \"50ms\"",
        fix: "Check the network and the server if the state lasts for too long.")
    case .ready:
      TermExplanation(
        "The channel has a connection. The connection can be dead without an error.",
        example: "WiFi appears, and the old connection stalls in READY",
        fix: "Detect dead connections with keepalive or a monitor.")
    case .transientFailure:
      TermExplanation(
        "The last attempt failed, or the connection broke. The channel connects again after its "
          + "backoff.",
        example: "the server refuses connections", fix: "Wait for the backoff, or check the server."
      )
    case .shutdown:
      TermExplanation(
        "The channel is destroyed. The next call creates a new channel.",
        example: "the monitor reports a category change",
        fix: "Start the call again, if it ended UNAVAILABLE.")
    }
  }
}

extension NetworkCategory {
  /// The explanation of the category.
  package var explanation: TermExplanation {
    switch self {
    case .unknown:
      TermExplanation(
        "The category has not been read yet, or the first read failed.",
        example: #""initial": { "monitor": "unreadable" }"#, fix: "Send a callback with flags.")
    case .noNetwork:
      TermExplanation(
        "The device has no usable network.", example: #""flags": []"#,
        fix: #"Write "flags": ["Reachable"] for WiFi."#)
    case .cellular:
      TermExplanation(
        "The device uses a cellular network.", example: #""flags": ["Reachable", "IsWWAN"]"#,
        fix: "Remove \"IsWWAN\" for WiFi.")
    case .wifi:
      TermExplanation(
        "The device uses WiFi, or another network that is not cellular.",
        example: #""flags": ["Reachable"]"#, fix: "Add \"IsWWAN\" for cellular.")
    }
  }
}

extension RequestOutcome {
  // long: a row for each outcome
  /// The explanation of the outcome.
  package var explanation: TermExplanation {
    switch self {
    case .finished:
      TermExplanation(
        "The response is complete.", example: #"{ "request": "a", "outcome": "finished" }"#,
        fix: "Nothing: the request succeeded.")
    case .failed:
      TermExplanation(
        "The request failed with an error code of the OS.",
        example: #"{ "request": "a", "outcome": "failed", "code": -1001 }"#,
        fix: "Look up the code: -1001 is a timeout, -1003 an unknown host.")
    case .notStarted:
      TermExplanation(
        "The transport could not begin the request (-1701).",
        example: "a request without a network",
        fix: "Send the request again when a network is available.")
    case .lost:
      TermExplanation(
        "The connection of the request was lost (-1005).",
        example: "WiFi disappears during a long request", fix: "Send the request again.")
    case .timedOut:
      TermExplanation(
        "The timeout of the request passed while it ran (-1001).",
        example: #""timeout": "10s" and a server that needs 20s"#,
        fix: "Increase the timeout, or check the server.")
    case .queueTimeout:
      TermExplanation(
        "The request waited for a slot until its timeout passed. No packet was sent.",
        example: "four long requests hold all slots of the endpoint",
        fix: "Reserve slots for short requests with a lower limit for long requests.")
    case .deadlineExceeded:
      TermExplanation(
        "The deadline of the request passed.", example: #""deadline": "5s""#,
        fix: "Increase the deadline, or check why the response is late.")
    case .cancelled:
      TermExplanation(
        "The user canceled the request.", example: #"{ "at": "1s", "cancel": "a" }"#,
        fix: "Nothing: the request ended as the user wanted.")
    case .closed:
      TermExplanation(
        "The dispatcher was closed before the request ended.",
        example: #"{ "at": "1s", "dispatcher": { "do": "close" } }"#,
        fix: "Close the dispatcher after the last request.")
    case .refused:
      TermExplanation(
        "The dispatcher rejected the request on arrival (-1702).",
        example: "a fourth long request with a limit of three",
        fix: "Use a different policy, such as \"enqueue\", or a higher limit.")
    }
  }
}

extension StatusCode {
  // long: a row for each status
  /// The explanation of the status.
  package var explanation: TermExplanation {
    let (meaning, example, fix) =
      switch self {
      case .ok: ("The call succeeded.", "the server ends the call", "Nothing: the call succeeded.")
      case .cancelled:
        (
          "The user canceled the call, or the client was closed.",
          #"{ "at": "1s", "cancel": "a" }"#, "Nothing: the call ended as the user wanted."
        )
      case .unknown:
        (
          "The call ended with an error without a known status.",
          "the stream ends without trailers", "Read the message of the status."
        )
      case .invalidArgument:
        (
          "The server rejected an argument of the call.", #""status": "INVALID_ARGUMENT""#,
          "Correct the request."
        )
      case .deadlineExceeded:
        (
          "The deadline of the call passed before the call ended.",
          "a stalled connection, and a call with a deadline of 20s",
          "Detect the dead connection earlier, with keepalive or a monitor."
        )
      case .notFound:
        (
          "The requested object does not exist, or the name of the host does not resolve.",
          #""status": "NOT_FOUND""#, "Check the name."
        )
      case .alreadyExists:
        (
          "The object to create exists already.", #""status": "ALREADY_EXISTS""#,
          "Use a different name."
        )
      case .permissionDenied:
        (
          "The caller is not allowed to make this call.", #""status": "PERMISSION_DENIED""#,
          "Check the rights of the caller."
        )
      case .resourceExhausted:
        (
          "A resource or a quota is exhausted.", #""status": "RESOURCE_EXHAUSTED""#,
          "Send fewer or smaller calls."
        )
      case .failedPrecondition:
        (
          "The system is not in the state that the call requires.",
          #""status": "FAILED_PRECONDITION""#, "Establish the state first."
        )
      case .aborted:
        (
          "The server aborted the call, for example because of a conflict.",
          #""status": "ABORTED""#, "Retry the whole transaction."
        )
      case .outOfRange:
        (
          "An argument is outside the valid range.", #""status": "OUT_OF_RANGE""#,
          "Correct the argument."
        )
      case .unimplemented:
        (
          "The server does not implement this method.", #""status": "UNIMPLEMENTED""#,
          "Check the path of the call."
        )
      case .internalError:
        (
          "An internal error of the server or of the library.", #""status": "INTERNAL""#,
          "Read the log of the server."
        )
      case .unavailable:
        (
          "The connection was lost, refused or destroyed, and the call can be retried.",
          "a category change destroys the channel", "Start the call again."
        )
      case .dataLoss:
        ("Data was lost or corrupted.", #""status": "DATA_LOSS""#, "Restore the data.")
      case .unauthenticated:
        (
          "The call has no valid credentials.", "an interceptor finds no access token",
          "Obtain a token, and start the call again."
        )
      }
    return TermExplanation(meaning, example: example, fix: fix)
  }
}
