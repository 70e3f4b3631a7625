import Foundation
import Synchronization

/// A command of the harness, which is one line of input.
///
/// Members that this client does not need are ignored.
struct Command: Decodable {
  var cmd: String
  var seq: Int?
  var now: Int64?
  /// The addresses of the servers, by the host names of the scenario.
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

  /// The keepalive settings; times are in microseconds, as in the whole protocol.
  struct Keepalive: Decodable {
    var time: Int64
    var timeout: Int64
    var withoutCalls: Bool
  }

  /// An action of the user; exactly one member is present.
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
    /// The duration of the server's answer, or `nil` if the call never ends.
    var takes: Int64?
    /// The deadline in the harness's time, or `nil` if there is none.
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

    /// The name of the server's method.
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

    /// Whether the server answers with a stream of messages.
    var isAnsweredByStream: Bool { self == .streaming || self == .bidi }
  }
}

/// The handshake of this client.
struct Hello: Encodable {
  var version = 1
  var name: String
  var role = "client"
  var time = "real"
  var capabilities = ["streaming", "keepalive", "disconnect"]
}

/// An answer to a command, or an unsolicited report.
struct Line: Encodable {
  var seq: Int?
  var out: [News]?
  var error: String?

  struct News: Encodable {
    /// The call for which a message arrived.
    var deliver: String?
    var ended: Ended?
  }

  struct Ended: Encodable {
    var call: String
    var status: String
    var message: String
  }
}

/// Standard output, which all tasks share.
final class Lines: Sendable {
  private let isWriting = Mutex(())

  /// Writes one complete line without buffering.
  func write(_ line: some Encodable) {
    guard var bytes = try? JSONEncoder().encode(line) else {
      preconditionFailure("strings and numbers can be encoded as JSON")
    }
    bytes.append(UInt8(ascii: "\n"))
    isWriting.withLock { _ in FileHandle.standardOutput.write(bytes) }
  }

  /// Reports the arrival of a message from the server.
  func tellMessage(of call: String) {
    write(Line(out: [Line.News(deliver: call)]))
  }

  /// Reports the end of a call, once per call.
  func tellEnd(of call: String, _ status: String, _ message: String) {
    let ended = Line.Ended(call: call, status: status, message: message)
    write(Line(out: [Line.News(ended: ended)]))
  }

  /// Writes to the log, which the harness shows if a case fails.
  func log(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
