public import HandoverCore

/// Connection attempts that the kernel refused before it sent a frame.
///
/// For example, `connect` fails with ENETUNREACH while the device has no network. A name lookup
/// that the kernel refuses counts too.
public struct UnframedAttempts: Hashable, Sendable {
  /// The end of the sampling interval in which the attempts failed.
  public var at: Instant
  /// The number of attempts in this interval.
  public var count: Int

  /// Creates a sample.
  public init(at: Instant, count: Int) {
    self.at = at
    self.count = count
  }
}

/// Bytes of a server that the device had not acknowledged when the observation ended.
public struct ServerBacklog: Hashable, Sendable {
  /// The endpoints of the connection.
  public var ends: FlowEnds
  /// The number of bytes in the send queue of the server's socket, sent or not.
  public var bytes: Int

  /// Creates a backlog.
  public init(ends: FlowEnds, bytes: Int) {
    self.ends = ends
    self.bytes = bytes
  }
}

/// Datagrams for which the program had no socket.
///
/// A connected socket accepts datagrams from one address only. If a server answers from another
/// address, the device's kernel rejects the answer with an ICMP error.
public struct RejectedDatagrams: Hashable, Sendable {
  /// The endpoint on the device, as the datagrams name it, and the sender of the datagrams.
  public var ends: FlowEnds
  /// The number of datagrams.
  public var count: Int

  /// Creates a count.
  public init(ends: FlowEnds, count: Int) {
    self.ends = ends
    self.count = count
  }
}

/// An ICMP error that the device received about one of its flows.
public struct ICMPError: Hashable, Sendable {
  /// The instant at which the device received the error.
  public var at: Instant
  /// The remote endpoint of the flow.
  public var remote: FlowEnd
  /// The meaning of the error, such as `port unreachable`.
  public var phrase: String

  /// Creates an error.
  public init(at: Instant, remote: FlowEnd, phrase: String) {
    self.at = at
    self.remote = remote
    self.phrase = phrase
  }
}

/// A span in which the machine was paused, so that times measured across it are too long.
public struct Standstill: Hashable, Sendable {
  /// The last instant at which the machine was seen to run.
  public var from: Instant
  /// The next instant at which the machine was seen to run.
  public var to: Instant

  /// Creates a standstill.
  public init(from: Instant, to: Instant) {
    self.from = from
    self.to = to
  }
}
