// The keywords that scenarios, the simulation and the kernel share, with one meaning each.

/// An action of a server.
public enum ServerFault: String, Hashable, Sendable, CaseIterable {
  /// Ends its connections in an orderly way (FIN).
  case close
  /// Ends its connections immediately (RST).
  case reset
  /// Stops reading and answering; its kernel still acknowledges data.
  case silent
  /// Announces that it accepts no new calls on its connections (GOAWAY).
  case goaway
  /// Refuses new connections (RST to the SYN); open connections stay.
  case refuse
  /// Accepts connections and answers; ends `silent` and `refuse`.
  case accept

  /// The initial states of a server; the other actions need an existing connection.
  public static let first: [ServerFault] = [.accept, .refuse, .silent]
}

/// The behavior of lookups of a host's name.
public enum DNSFault: String, Hashable, Sendable, CaseIterable {
  /// A lookup fails immediately.
  case fail
  /// A lookup gets no answer.
  case hang
  /// A lookup returns the address immediately; lookups that hang are answered.
  case resolve
}

/// An effect on the connections to a host, or on connection attempts.
public enum ConnectionFault: String, Hashable, Sendable, CaseIterable {
  /// Open connections stall until the transport's own timeout.
  ///
  /// Writes are accepted until the send buffer is full. Nothing is acknowledged, and nothing
  /// arrives.
  case stall
  /// Like `stall`, but everything is acknowledged and discarded, as by a proxy.
  ///
  /// The transport's timeout therefore never fires, and all data written is lost.
  case stallAcked = "stall-acked"
  /// Connection attempts get no answer, including those in progress.
  case blackholeConnect = "blackhole-connect"
  /// The peer resets open connections (RST).
  case reset
  /// The peer closes open connections in both directions (FIN).
  case fin
  /// The peer closes only its sending direction, and can still read.
  case halfClose = "half-close"
  /// The local kernel destroys open connections (SOCK_DESTROY).
  case kill
  /// Ends `stall`, `stall-acked` and `blackhole-connect`; buffered data is sent.
  case resume
}

/// A fault of reachability callbacks on their way to the monitor.
public enum MonitorFault: String, Hashable, Sendable, CaseIterable {
  /// The last callback is delivered again, now.
  case duplicate
  /// The next callback is delayed.
  case delay
  /// The next callback is lost.
  case miss
  /// All callbacks since the last delivered one are lost, and the flags are read again now.
  case overrun
}

/// The generations of the code between CFStream and its channels.
public enum CFStreamGeneration: String, Hashable, Sendable, CaseIterable {
  /// The generation of the specifications: stream errors and ends end calls UNAVAILABLE (S2, S3).
  case iomgr
  /// The later generation: errors end calls UNKNOWN, and the end of a stream is not detected (S7).
  case eventEngine = "event-engine"
}

/// The kinds of calls.
public enum CallKind: String, Hashable, Sendable, CaseIterable {
  /// One request, one response.
  case unary
  /// One request, several responses.
  case streaming
  /// Several requests, one response.
  case clientStreaming = "client-streaming"
  /// Several requests, several responses.
  case bidi

  /// Whether the request is complete as soon as the call starts.
  public var requestIsCompleteAtStart: Bool {
    switch self {
    case .unary, .streaming: true
    case .clientStreaming, .bidi: false
    }
  }
}

/// A marshaller of messages, which runs behind all interceptors of a call (L50).
public enum MarshallerKind: String, Hashable, Sendable, CaseIterable {
  /// Strings are written and read in reverse.
  case reversed
  /// No message can be marshaled.
  case unwritable
  /// No message can be unmarshaled.
  case unreadable
}

/// An event that can pass an interceptor, in either direction (L50).
public enum ChainStep: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case start
  case write
  case finish
  case cancel
  /// A request for more messages.
  case receive
  /// The headers of the server.
  case metadata
  case message
  case rawMessage = "raw-message"
  case close
  case writeDone = "write-done"
  /// The answer of the world to a question of the interceptor.
  case answer
  /// The deadline of the interceptor.
  case deadline
}

/// A violation of the interceptor rules, which is reported by its name and whose action is dropped.
public enum InterceptorViolation: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// A second close was forwarded (I16).
  case closedTwice = "closed-twice"
  /// Something was forwarded after the close (I16).
  case forwardedAfterClose = "forwarded-after-close"
  /// Something was forwarded after the interceptor had shut down (I22).
  case forwardedAfterShutDown = "forwarded-after-shut-down"
  /// Initial metadata was forwarded after a message (I15).
  case metadataAfterMessage = "metadata-after-message"
  /// The next interceptor was started twice (I27).
  case startedTwice = "started-twice"
  /// The requests were finished before the start (I27).
  case finishedBeforeStart = "finished-before-start"
  /// The requests were finished twice (I17).
  case finishedTwice = "finished-twice"
  /// A message was written after the requests were finished (I27).
  case writtenAfterFinish = "written-after-finish"
  /// The rest of the chain was created again before it had closed.
  case renewedBeforeClose = "renewed-before-close"
  /// A message was sent with the deprecated method (I30).
  case rawMessage = "raw-message"
  /// The call is over for the interceptor, but it forwarded no close (I24).
  case closeNotForwarded = "close-not-forwarded"
  /// The call is over for the interceptor, but it did not shut down (I24).
  case notShutDown = "not-shut-down"
  /// The interceptor left, but the next one still runs without a close or a cancel (I18).
  case nextLeftRunning = "next-left-running"
  /// An interceptor chose another transport than the one the call was opened with (I28).
  case transportChanged = "transport-changed"
  /// Neither an interceptor nor a transport could be made (I11, R6).
  case nothingToStart = "nothing-to-start"

  /// The violation, as the rest of a sentence about the interceptor.
  public var phrase: String {
    switch self {
    case .closedTwice: "forwards a second close"
    case .forwardedAfterClose: "forwards something after the close"
    case .forwardedAfterShutDown: "forwards something after it has shut down"
    case .metadataAfterMessage: "forwards initial metadata after a message"
    case .startedTwice: "starts the next interceptor twice"
    case .finishedBeforeStart: "finishes the requests before the start"
    case .finishedTwice: "finishes the requests twice"
    case .writtenAfterFinish: "writes after the requests were finished"
    case .renewedBeforeClose: "creates the rest of the chain again before it has ended"
    case .rawMessage: "received a raw message, which no interceptor accepts"
    case .closeNotForwarded: "never forwards the close: the user does not receive the end"
    case .notShutDown: "does not shut down when the call is over: its neighbors stay"
    case .nextLeftRunning: "leaves the next interceptor running, neither closed nor canceled"
    case .transportChanged: "changes the transport, which is not allowed"
    case .nothingToStart: "has no interceptor behind it that could make the call"
    }
  }
}

/// An action that the timeline gives to a scripted interceptor (kind `gate`).
public enum GateAction: String, Hashable, Sendable, CaseIterable {
  /// Holds all events that arrive from now on.
  case hold
  /// Forwards the held events, and forwards later ones directly.
  case release
  /// Forwards a generated message to the user.
  case message
  /// Forwards a generated close to the user.
  case close
  /// Cancels the next interceptor.
  case cancel
  /// Starts the next interceptor, even if it was started before.
  case start
  /// Leaves the chain.
  case shutDown = "shut-down"
}
