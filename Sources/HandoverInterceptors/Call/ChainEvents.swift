public import HandoverCore

/// An operation that passes from the caller toward the transport (L50, `GRPCInterceptorInterface`).
public enum ChainRequest: Hashable, Sendable {
  /// Start the call.
  case start(CallStart)
  /// Send a message.
  case write(Message)
  /// Send no more messages.
  case finish
  /// End the call now.
  case cancel
  /// Deliver up to this many more messages; counts add up, and zero is ignored (I36).
  case receiveNextMessages(Int)
}

/// An event that passes from the transport toward the caller (L50, `GRPCResponseHandler`).
public enum ChainResponse: Hashable, Sendable {
  /// The headers of the server, or `nil` if the server sent none.
  case initialMetadata(Metadata?)
  /// A message from the server.
  case message(Message)
  /// The end of the call, after which nothing follows.
  case close(CallClose)
  /// A message was sent.
  case writeDone
  /// A message from the server, for handlers that still use the deprecated callback (I30).
  case rawMessage([UInt8])
}

extension ChainRequest {
  /// The keyword of the operation in scenarios, traces and reports.
  public var step: ChainStep {
    switch self {
    case .start: .start
    case .write: .write
    case .finish: .finish
    case .cancel: .cancel
    case .receiveNextMessages: .receive
    }
  }
}

extension ChainResponse {
  /// The keyword of the event in scenarios, traces and reports.
  public var step: ChainStep {
    switch self {
    case .initialMetadata: .metadata
    case .message: .message
    case .close: .close
    case .writeDone: .writeDone
    case .rawMessage: .rawMessage
    }
  }
}

/// The way a call closed.
///
/// The close passes along the chain as one value, so that an interceptor that changes nothing
/// copies nothing.
public struct CallClose: Hashable, Sendable {
  private final class Storage: Sendable {
    let status: CallStatus
    let trailers: Metadata?

    init(_ status: CallStatus, _ trailers: Metadata?) {
      self.status = status
      self.trailers = trailers
    }
  }

  private var storage: Storage

  /// Creates a close.
  public init(_ status: CallStatus, trailers: Metadata? = nil) {
    storage = Storage(status, trailers)
  }

  /// The trailers of the server, or `nil` if there are none.
  public var trailers: Metadata? {
    get { storage.trailers }
    set { storage = Storage(storage.status, newValue) }
  }

  /// The status.
  public var status: CallStatus {
    get { storage.status }
    set { storage = Storage(newValue, storage.trailers) }
  }

  /// Returns whether two closes have the same status and trailers.
  public static func == (left: CallClose, right: CallClose) -> Bool {
    left.storage === right.storage
      || (left.status == right.status && left.trailers == right.trailers)
  }

  /// Hashes the status and the trailers.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(trailers)
  }

  /// The close that a forwarding interceptor sends to a caller that cancels (I18).
  public static let cancelled = CallClose(CallStatus(.cancelled, "Canceled"))
}

/// A status code with its message.
public struct CallStatus: Hashable, Sendable {
  /// The code.
  public var code: StatusCode
  /// The message; may be empty.
  public var message: String

  /// Creates a status.
  public init(_ code: StatusCode, _ message: String = "") {
    self.code = code
    self.message = message
  }

  /// Creates the status of a call that the client core ended.
  public init(_ end: CallEnd) {
    self.init(end.code, end.text.text)
  }

  /// OK, without a message.
  public static let ok = CallStatus(.ok)
  /// The network changed during the call (C2).
  public static let connectivityLost = CallStatus(CallEnd.connectivityLost)
}
