// The words that scenarios, the simulation and the kernel share. A word means the same in each.

/// Whether the application runs, or is suspended and hears nothing.
public enum AppState: String, Hashable, Sendable, CaseIterable {
  case foreground
  case background
}

/// What a server is told to do.
public enum ServerWord: String, Hashable, Sendable, CaseIterable {
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
  public static let first: [ServerWord] = [.accept, .refuse, .silent]
}

/// What becomes of the resolution of a host's name.
public enum NamesWord: String, Hashable, Sendable, CaseIterable {
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
