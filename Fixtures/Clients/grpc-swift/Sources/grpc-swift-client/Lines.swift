import Foundation
import Synchronization

/// What the harness writes, one command a line.
///
/// What this client has no use for is passed over.
struct Command: Decodable {
  var cmd: String
  var seq: Int?
  var now: Int64?
  /// Where the servers of a run listen, by the names that the scenario gives them.
  var hosts: [String: Place]?
  var config: Configuration?
  var event: Event?

  struct Place: Decodable {
    var address: String
    var port: Int
  }

  struct Configuration: Decodable {
    var keepalive: Keepalive?
  }

  /// Times in microseconds, as all times of the protocol.
  struct Keepalive: Decodable {
    var time: Int64
    var timeout: Int64
    var withoutCalls: Bool
  }

  /// What the user does; exactly one of these is there.
  struct Event: Decodable {
    var call: StartedCall?
    var send: Sent?
    var finish: String?
    var cancel: String?
    var disconnect: String?
  }

  struct StartedCall: Decodable {
    var id: String
    var host: String
    var kind: Kind
    /// How long the server takes; nil: for ever.
    var takes: Int64?
    /// An instant of the harness's time; nil: there is none.
    var deadline: Int64?
    var failFast: Bool
  }

  struct Sent: Decodable {
    var call: String
    var bytes: Int
  }

  enum Kind: String, Decodable {
    case unary
    case streaming
    case clientStreaming = "client-streaming"
    case bidi

    /// The method of the server.
    var method: String {
      switch self {
      case .unary: "Unary"
      case .streaming: "ServerStream"
      case .clientStreaming: "ClientStream"
      case .bidi: "Bidi"
      }
    }

    /// Whether the request is complete at the start.
    var hasOneRequest: Bool { self == .unary || self == .streaming }

    /// Whether what the server sends is a stream of messages.
    var isAnsweredByStream: Bool { self == .streaming || self == .bidi }
  }
}

/// Who this client is.
struct Hello: Encodable {
  var version = 1
  var name: String
  var role = "client"
  var time = "real"
  var capabilities = ["streaming", "keepalive", "disconnect"]
}

/// An answer to a command, or news that nobody asked for.
struct Line: Encodable {
  var seq: Int?
  var out: [News]?
  var error: String?

  struct News: Encodable {
    /// The call that a message came for.
    var deliver: String?
    var ended: Ended?
  }

  struct Ended: Encodable {
    var call: String
    var status: String
    var message: String
  }
}

/// Standard output, shared by all tasks.
final class Lines: Sendable {
  private let isWriting = Mutex(())

  /// Writes one line, whole and at once.
  func write(_ line: some Encodable) {
    guard var bytes = try? JSONEncoder().encode(line) else {
      preconditionFailure("texts and numbers are JSON")
    }
    bytes.append(UInt8(ascii: "\n"))
    isWriting.withLock { _ in FileHandle.standardOutput.write(bytes) }
  }

  /// Tells that a message of the server came.
  func tellMessage(of call: String) {
    write(Line(out: [Line.News(deliver: call)]))
  }

  /// Tells how a call ended, which it does once.
  func tellEnd(of call: String, _ status: String, _ message: String) {
    let ended = Line.Ended(call: call, status: status, message: message)
    write(Line(out: [Line.News(ended: ended)]))
  }

  /// Writes to the log, which the harness shows where something went wrong.
  func log(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
