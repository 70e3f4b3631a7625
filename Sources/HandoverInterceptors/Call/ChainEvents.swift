public import HandoverCore

/// What goes from the user towards the transport (L50, `GRPCInterceptorInterface`).
public enum ChainRequest: Hashable, Sendable {
  /// The call starts.
  case start(CallStart)
  /// A message is to be sent.
  case write(Message)
  /// No message follows.
  case finish
  /// The call is to end now.
  case cancel
  /// So many more messages may be delivered; counts add up, zero is ignored (I36).
  case receiveNextMessages(Int)
}

/// What comes from the transport towards the user (L50, `GRPCResponseHandler`).
public enum ChainResponse: Hashable, Sendable {
  /// The server's headers; nil where it sent none.
  case initialMetadata(Metadata?)
  /// A message of the server.
  case message(Message)
  /// The call is over; nothing follows.
  case close(CallClose)
  /// A message was sent.
  case writeDone
  /// A message of the server, for handlers that still use the deprecated callback (I30).
  case rawMessage([UInt8])
}

extension ChainRequest {
  /// The word for it in scenarios, traces and reports.
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
  /// The word for it in scenarios, traces and reports.
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

/// How a call closed.
///
/// It goes along the chain as one value, so that a link that changes nothing copies nothing.
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

  /// Makes a close.
  public init(_ status: CallStatus, trailers: Metadata? = nil) {
    storage = Storage(status, trailers)
  }

  /// The server's trailers; nil where there are none.
  public var trailers: Metadata? {
    get { storage.trailers }
    set { storage = Storage(storage.status, newValue) }
  }

  /// The status.
  public var status: CallStatus {
    get { storage.status }
    set { storage = Storage(newValue, storage.trailers) }
  }

  /// Whether both calls closed in the same way.
  public static func == (left: CallClose, right: CallClose) -> Bool {
    left.storage === right.storage
      || (left.status == right.status && left.trailers == right.trailers)
  }

  /// Takes the status and the trailers in.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(trailers)
  }

  /// What a link that only forwards tells the user who cancels (I18).
  public static let cancelled = CallClose(CallStatus(.cancelled, "Canceled"))
}

/// A status code and the text beside it.
public struct CallStatus: Hashable, Sendable {
  /// The code.
  public var code: StatusCode
  /// The text; may be empty.
  public var message: String

  /// Makes a status.
  public init(_ code: StatusCode, _ message: String = "") {
    self.code = code
    self.message = message
  }

  /// The status of a call as the client core ends it.
  public init(_ end: CallEnd) {
    self.init(end.code, end.text.text)
  }

  /// OK, without a text.
  public static let ok = CallStatus(.ok)
  /// The network changed under the call (C2).
  public static let connectivityLost = CallStatus(CallEnd.connectivityLost)
}
