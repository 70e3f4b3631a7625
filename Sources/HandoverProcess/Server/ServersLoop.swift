import HandoverCore
import HandoverJSON
import HandoverTrace

/// The servers of a run in real time, as the program that plays them keeps them.
public protocol ServedServers: AnyObject {
  /// Its name, in messages.
  var name: String { get }
  /// The words of faults that it can play.
  var words: [String] { get }

  /// Forgets the run before, and listens for each host.
  ///
  /// - Returns: why it cannot, in words; nil where it does.
  func open(_ hosts: [ServedHost]) -> String?

  /// Does something, by one of ``words``, to the server of a host.
  ///
  /// - Returns: why it cannot, in words; nil where it is done.
  func play(_ word: String, on host: String) -> String?

  /// Ends everything that the run had.
  func close()
}

/// Where the server of a host listens.
public struct ServedHost: Hashable, Sendable {
  /// The name that users call it by.
  public var name: String
  /// The address, in numbers.
  public var address: String
  /// The port, from 0 to 65,535.
  public var port: Int
}

/// The other side of the protocol for servers in real time: it takes lines and gives lines.
public struct ServersLoop {
  private let servers: any ServedServers

  /// Makes the loop around some servers.
  public init(_ servers: any ServedServers) {
    self.servers = servers
  }

  /// The answer to a command, as a line; empty for `stop`, after which nothing is answered.
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
    json.key("capabilities")
    json.beginArray()
    for word in servers.words { json.value(word) }
    json.endArray()
    json.endObject()
  }

  private func handle(_ command: String, _ fields: AnswerFields) throws(AnswerError) {
    switch command {
    case "open":
      let hosts = try fields.object("hosts").value.members.map { member throws(AnswerError) in
        let place = try AnswerFields(member.value)
        return ServedHost(
          name: member.key.text ?? "", address: try place.text("address"),
          port: Int(clamping: try place.number("port")))
      }
      try refuse(servers.open(hosts))
    case "event":
      let fault = try fields.object("event").object("server")
      let word = try fault.text("do")
      guard servers.words.contains(word) else {
        throw AnswerError("these servers do not know \"\(word)\"")
      }
      try refuse(servers.play(word, on: try fault.text("host")))
    case "close": servers.close()
    default: throw AnswerError("there is no command \"\(command)\"")
    }
  }

  private func refuse(_ reason: String?) throws(AnswerError) {
    if let reason { throw AnswerError(reason) }
  }
}
