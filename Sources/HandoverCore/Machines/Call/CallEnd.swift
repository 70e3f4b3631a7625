/// The end of a call: a status code and a status text.
@frozen
public struct CallEnd: Hashable, Sendable {
  /// The status code.
  public let code: StatusCode
  /// The status text.
  public let text: StatusText

  /// Creates an end from a code and a text.
  @inlinable
  public init(_ code: StatusCode, _ text: StatusText) {
    self.code = code
    self.text = text
  }

  /// Whether two ends are equal.
  @inlinable
  public static func == (left: CallEnd, right: CallEnd) -> Bool {
    left.code == right.code && left.text == right.text
  }

  /// The network changed during the call (C2).
  @inlinable public static var connectivityLost: CallEnd {
    CallEnd(.unavailable, .connectivityLost)
  }
  /// No channel could be created for the call (C13).
  @inlinable public static var notCreated: CallEnd { CallEnd(.unavailable, .notCreated) }
  /// The user disconnected the channel.
  @inlinable public static var disconnected: CallEnd { CallEnd(.unavailable, .channelDisconnected) }
  /// The channel was in TRANSIENT_FAILURE, and the call does not wait for it (D7).
  @inlinable public static var failedFast: CallEnd { CallEnd(.unavailable, .transientFailure) }
  /// The user cancelled the call (I20).
  @inlinable public static var cancelled: CallEnd { CallEnd(.cancelled, .cancelledByApplication) }
  /// The deadline passed (D5c).
  @inlinable public static var deadlineExceeded: CallEnd {
    CallEnd(.deadlineExceeded, .deadlineExceeded)
  }
  /// The client was closed during the call.
  @inlinable public static var clientClosed: CallEnd { CallEnd(.cancelled, .clientClosed) }
}

/// The texts that accompany status codes.
@frozen
public enum StatusText: UInt8, Hashable, Sendable, CaseIterable {
  case empty
  case connectivityLost
  case notCreated
  case channelDisconnected
  case transientFailure
  case cancelledByApplication
  case deadlineExceeded
  case clientClosed
  case networkUnreachable
  case nameResolutionFailed
  case connectTimedOut
  case connectionRefused
  case connectionAborted
  case connectionReset
  case connectionTimedOut
  case socketClosed
  case keepaliveTimeout
  case streamAborted
  case streamReset
  case streamTimedOut
  case cancelledByLink
  case noAccessToken
  case noTransport
  case transportChanged

  /// The text itself.
  public var text: String {
    switch self {
    case .empty: ""
    case .connectivityLost: "Connectivity lost."
    case .notCreated: "Failed to create call or channel."
    case .channelDisconnected: "Channel disconnected."
    case .transientFailure: "Channel is in TRANSIENT_FAILURE."
    case .cancelledByApplication: "Canceled by app"
    case .deadlineExceeded: "Deadline Exceeded"
    case .clientClosed: "Client closed."
    case .networkUnreachable: "Network is unreachable"
    case .nameResolutionFailed: "Name resolution failed"
    case .connectTimedOut: "connect() timed out"
    case .connectionRefused: "Connection refused"
    case .connectionAborted: "Software caused connection abort"
    case .connectionReset: "Connection reset by peer"
    case .connectionTimedOut: "Connection timed out"
    case .socketClosed: "Socket closed"
    case .keepaliveTimeout: "keepalive timeout"
    case .streamAborted: "CFStream error: POSIX domain, code 53, Software caused connection abort"
    case .streamReset: "CFStream error: POSIX domain, code 54, Connection reset by peer"
    case .streamTimedOut: "CFStream error: POSIX domain, code 60, Operation timed out"
    case .cancelledByLink: "Canceled"
    case .noAccessToken: "there is no access token"
    case .noTransport: "No transport could be made."
    case .transportChanged: "An interceptor cannot change the transport of a call."
    }
  }

  /// Creates the value with the given text, or `empty` if there is none.
  public init(nearest text: String) {
    self = Self.allCases.first { $0.text == text } ?? .empty
  }
}

/// The reason why a connection could not be established or was lost.
@frozen
public enum ConnectionFailure: UInt8, Hashable, Sendable, CaseIterable {
  /// There is no route to any network.
  case networkUnreachable
  /// The name of the host could not be resolved (B11).
  case nameResolutionFailed
  /// The attempt timed out (S5).
  case connectTimedOut
  /// The server refused the connection.
  case refused
  /// The network of the connection is gone, or the local kernel aborted the connection.
  case aborted
  /// The peer reset the connection.
  case reset
  /// Sent data was not acknowledged in time.
  case timedOut
  /// The peer closed the stream (S3).
  case closed
  /// A ping was not answered in time (B7).
  case keepaliveTimeout
  /// The same as `aborted`, but reported by a stream without a status: the calls end UNKNOWN (S7).
  case streamAborted
  /// The same as `reset`, but reported by a stream without a status (S7).
  case streamReset
  /// The same as `timedOut`, but reported by a stream without a status (S7).
  case streamTimedOut

  /// The end of the calls that the failure affects.
  public var callEnd: CallEnd {
    switch self {
    case .networkUnreachable: CallEnd(.unavailable, .networkUnreachable)
    case .nameResolutionFailed: CallEnd(.unavailable, .nameResolutionFailed)
    case .connectTimedOut: CallEnd(.unavailable, .connectTimedOut)
    case .refused: CallEnd(.unavailable, .connectionRefused)
    case .aborted: CallEnd(.unavailable, .connectionAborted)
    case .reset: CallEnd(.unavailable, .connectionReset)
    case .timedOut: CallEnd(.unavailable, .connectionTimedOut)
    case .closed: CallEnd(.unavailable, .socketClosed)
    case .keepaliveTimeout: CallEnd(.unavailable, .keepaliveTimeout)
    case .streamAborted: CallEnd(.unknown, .streamAborted)
    case .streamReset: CallEnd(.unknown, .streamReset)
    case .streamTimedOut: CallEnd(.unknown, .streamTimedOut)
    }
  }
}
