import HandoverCore

/// The servers of a run in real time, as implemented by the program that runs them.
public protocol ScriptedServers: AnyObject {
  /// The program's name in messages.
  var name: String { get }
  /// The keywords of the faults that the program supports.
  var keywords: [String] { get }

  /// Ends the previous run and listens for each host.
  ///
  /// - Returns: The reason why it cannot, or `nil` on success.
  func open(_ hosts: [ServedHost]) -> String?

  /// Applies a fault, one of ``keywords``, to the server of a host.
  ///
  /// - Returns: The reason why it cannot, or `nil` on success.
  func play(_ keyword: String, on host: String) -> String?

  /// Closes all sockets of the run.
  func close()
}

/// The address at which the server of a host listens.
public struct ServedHost: Hashable, Sendable {
  /// The name that users call the host by.
  public var name: String
  /// The numeric address.
  public var address: String
  /// The port, from 0 to 65,535.
  public var port: Int
}

/// The servers' side of the protocol in real time, which answers commands line by line.
public struct ServerCommandLoop {
  private let servers: any ScriptedServers

  /// Creates the loop around some servers.
  public init(_ servers: any ScriptedServers) {
    self.servers = servers
  }

  /// Returns the answer to a command as a line; empty for `stop`, the last command.
  public mutating func answer(to line: [UInt8]) -> [UInt8] {
    var json = JSONText()
    do throws(AnswerError) {
      let fields = try AnswerFields(line: line)
      let command = try fields.text("cmd")
      switch command {
      case "stop":
        servers.close()
        return []
      case "start": hello(to: &json)
      default:
        try handle(command, fields)
        json.beginObject()
        json.member("seq", try fields.number("seq"))
        json.key("out")
        json.beginArray()
        json.endArray()
        json.endObject()
      }
    } catch {
      json.refuse(line, error)
    }
    json.newline()
    return json.bytes
  }

  private func hello(to json: inout JSONText) {
    json.beginObject()
    json.member("version", BackendHello.version)
    json.member("name", servers.name)
    json.member("role", "server")
    json.member("time", "real")
    json.array("capabilities", of: servers.keywords) { $0.value($1) }
    json.endObject()
  }

  private func handle(_ command: String, _ fields: AnswerFields) throws(AnswerError) {
    switch command {
    case "open":
      let hosts = try fields.object("hosts").value.members.map { member throws(AnswerError) in
        let position = try AnswerFields(member.value)
        return ServedHost(
          name: member.key.text ?? "", address: try position.text("address"),
          port: Int(clamping: try position.number("port")))
      }
      try refuse(servers.open(hosts))
    case "event":
      let fault = try fields.object("event").object("server")
      let keyword = try fault.text("do")
      guard servers.keywords.contains(keyword) else {
        throw AnswerError("these servers do not support \"\(keyword)\"")
      }
      try refuse(servers.play(keyword, on: try fault.text("host")))
    case "close": servers.close()
    default: throw AnswerError("unknown command \"\(command)\"")
    }
  }

  private func refuse(_ reason: String?) throws(AnswerError) {
    if let reason { throw AnswerError(reason) }
  }
}
