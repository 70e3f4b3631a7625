// The words that scenarios, the simulation and the kernel share. A word means the same in each.

/// What a server is told to do.
public enum ServerFault: String, Hashable, Sendable, CaseIterable {
  /// Ends its connections in an orderly way (FIN).
  case close
  /// Ends its connections at once (RST).
  case reset
  /// Stops reading and answering; its kernel goes on acknowledging.
  case silent
  /// Announces that it takes no new calls on its connections (GOAWAY).
  case goaway
  /// Refuses new connections (RST to the SYN); those that are open stay.
  case refuse
  /// Accepts connections and answers; ends `silent` and `refuse`.
  case accept

  /// The words a server can begin with; the others need something to act on.
  public static let first: [ServerFault] = [.accept, .refuse, .silent]
}

/// What becomes of the resolution of a host's name.
public enum DNSFault: String, Hashable, Sendable, CaseIterable {
  /// A look-up fails at once.
  case fail
  /// A look-up gives no answer.
  case hang
  /// A look-up gives the address at once; answers those that hang.
  case resolve
}

/// What becomes of the connections to a host, or of attempts to make one.
public enum TransportWord: String, Hashable, Sendable, CaseIterable {
  /// Open connections stall: writes are accepted until the send buffer is full, nothing is
  /// acknowledged, nothing arrives, no error until the transport's own time-out.
  case stall
  /// As `stall`, but everything is acknowledged and thrown away, as by a proxy: the transport's
  /// time-out never fires, and what was written is lost for good.
  case stallAcked = "stall-acked"
  /// Attempts to connect get no answer, also those that are under way.
  case blackholeConnect = "blackhole-connect"
  /// Open connections are reset by the far side (RST).
  case reset
  /// The far side ends open connections in an orderly way, both directions (FIN).
  case fin
  /// The far side ends its sending only; it would still read.
  case halfClose = "half-close"
  /// The own kernel destroys open connections (SOCK_DESTROY).
  case kill
  /// Ends `stall`, `stall-acked` and `blackhole-connect`; what was buffered goes on its way.
  case resume
}

/// What becomes of reachability callbacks on their way to the monitor.
public enum MonitorWord: String, Hashable, Sendable, CaseIterable {
  /// The last callback comes again, now.
  case duplicate
  /// The next callback comes later.
  case delay
  /// The next callback is lost.
  case miss
  /// The callbacks since the last delivered one are lost, and the flags are read afresh now.
  case overrun
}

/// The generations of the code that stands between CFStream and its channels.
public enum CFStreamGeneration: String, Hashable, Sendable, CaseIterable {
  /// The one of the documents: errors and ends of streams end calls UNAVAILABLE (S2, S3).
  case iomgr
  /// The later one: errors end calls UNKNOWN, and the end of a stream goes unnoticed (S7).
  case eventEngine = "event-engine"
}

/// The kinds of call.
public enum CallKind: String, Hashable, Sendable, CaseIterable {
  /// One request, one answer.
  case unary
  /// One request, many answers.
  case streaming
  /// Many requests, one answer.
  case clientStreaming = "client-streaming"
  /// Many requests, many answers.
  case bidi

  /// Whether the request is complete as soon as the call starts.
  public var requestIsCompleteAtStart: Bool {
    switch self {
    case .unary, .streaming: true
    case .clientStreaming, .bidi: false
    }
  }
}

/// What makes bytes of a call's messages, behind all its links (L50).
public enum MarshallerWord: String, Hashable, Sendable, CaseIterable {
  /// Texts are written from last to first, and read likewise.
  case reversed
  /// No message can be made bytes of.
  case unwritable
  /// No bytes can be made a message of.
  case unreadable
}

/// What can pass a link of a chain, in either direction (L50).
public enum ChainStep: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case start
  case write
  case finish
  case cancel
  /// More messages are asked for.
  case receive
  /// The server's headers.
  case metadata
  case message
  case rawMessage = "raw-message"
  case close
  case writeDone = "write-done"
  /// The world answers the link's question.
  case answer
  /// The link's deadline passes.
  case deadline
}

/// What a link does wrong; it is told by its name, and what must not happen is dropped.
public enum InterceptorBreach: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// A second close was forwarded (I16).
  case closedTwice = "closed-twice"
  /// Something was forwarded after the close (I16).
  case forwardedAfterClose = "forwarded-after-close"
  /// Something was forwarded after the link had shut down (I22).
  case forwardedAfterShutDown = "forwarded-after-shut-down"
  /// Initial metadata was forwarded after a message (I15).
  case metadataAfterMessage = "metadata-after-message"
  /// The next link was started twice (I27).
  case startedTwice = "started-twice"
  /// The requests were finished before the start (I27).
  case finishedBeforeStart = "finished-before-start"
  /// The requests were finished twice (I17).
  case finishedTwice = "finished-twice"
  /// A message was written after the requests were finished (I27).
  case writtenAfterFinish = "written-after-finish"
  /// The rest of the chain was made anew while it lived.
  case renewedBeforeClose = "renewed-before-close"
  /// A message came in the deprecated way (I30).
  case rawMessage = "raw-message"
  /// The call is over for the link, and it forwarded no close (I24).
  case closeNotForwarded = "close-not-forwarded"
  /// The call is over for the link, and it did not shut down (I24).
  case notShutDown = "not-shut-down"
  /// The link left, and the next one runs on: it has neither closed nor been cancelled (I18).
  case nextLeftRunning = "next-left-running"
  /// A link chose another transport than the call was opened with (I28).
  case transportChanged = "transport-changed"
  /// Neither an interceptor nor a transport could be made (I11, R6).
  case nothingToStart = "nothing-to-start"

  /// What the link does, as the rest of a sentence about it.
  public var words: String {
    switch self {
    case .closedTwice: "forwards a second close"
    case .forwardedAfterClose: "forwards something after the close"
    case .forwardedAfterShutDown: "forwards something after it has shut down"
    case .metadataAfterMessage: "forwards initial metadata after a message"
    case .startedTwice: "starts the next link twice"
    case .finishedBeforeStart: "finishes the requests before the start"
    case .finishedTwice: "finishes the requests twice"
    case .writtenAfterFinish: "writes after the requests were finished"
    case .renewedBeforeClose: "makes the rest of the chain anew while it lives"
    case .rawMessage: "was given a raw message, which no interceptor takes"
    case .closeNotForwarded: "never forwards the close: the user does not hear the end"
    case .notShutDown: "does not shut down when the call is over: its neighbours stay"
    case .nextLeftRunning: "leaves the next link running, neither closed nor cancelled"
    case .transportChanged: "changes the transport, which a link must not"
    case .nothingToStart: "has nothing behind it that could make the call"
    }
  }
}

/// What the timeline tells a link of the kind `gate` to do.
public enum InterceptorWord: String, Hashable, Sendable, CaseIterable {
  /// Keeps everything that comes from now on.
  case hold
  /// Lets everything go on that was kept, and what comes from now on.
  case release
  /// Forwards a message of its own to the user.
  case message
  /// Forwards a close of its own to the user.
  case close
  /// Cancels the next link.
  case cancel
  /// Starts the next link, once more where it was started.
  case start
  /// Leaves the chain.
  case shutDown = "shut-down"
}

/// What ``ServerFault`` was called before.
@available(*, deprecated, renamed: "ServerFault")
public typealias ServerWord = ServerFault

/// What ``DNSFault`` was called before.
@available(*, deprecated, renamed: "DNSFault")
public typealias NamesWord = DNSFault
