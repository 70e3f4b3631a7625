import HandoverBackend
import HandoverCore

@testable import HandoverProcess

/// Builds the schemas of the protocol: messages from their names and parts, and the lines of each
/// direction around them.
enum ProtocolSchemas {
  static let facts = MessageSchema<ChannelPool.Event>(
    prefix: "fact", forms: "anyOf", tellsEnds: true,
    words: [
      .init(word: "call", description: "The user starts a call.", value: "The call."),
      .init(word: "token", description: "The auth token of a call has arrived."),
      .init(word: "send", description: "The user sends a message.", value: "The message."),
      .init(word: "finish", description: "The user ends the requests of a call."),
      .init(word: "cancel", description: "The user cancels a call."),
      .init(
        word: "disconnect",
        description: "The user disconnects the channel of a host with these options; * means all "
          + "channels."),
      .init(
        word: "connected", description: "An attempt to connect has succeeded.",
        value: "The connection."),
      .init(
        word: "connectFailed", description: "An attempt to connect has failed.",
        value: "The connection, and the reason."),
      .init(
        word: "broken", description: "A connection was lost.",
        value: "The connection, and the reason."),
      .init(
        word: "draining", description: "The server takes no new calls on a connection (GOAWAY).",
        value: "The connection."),
      .init(
        word: "received", description: "Data from the server arrived.",
        forms: [
          "A ping was answered.", "Bytes of a call that has ended were read.",
          "A message of the server.", "The server ended the call.",
        ]),
    ])

  static let orders = MessageSchema<ClientEffect>(
    prefix: "order",
    words: [
      .init(
        word: "connect", description: "Opens a connection.",
        value: "A number that was not used before; channel requires the capability channels."),
      .init(
        word: "close", description: "Closes a connection, or abandons the attempt.",
        value: "The connection."),
      .init(
        word: "send",
        description:
          "Sends the request of a call or, with messages and bytes, messages of the call.",
        value: "The call, and the data."),
      .init(
        word: "finish",
        description: "Notifies the server that the requests of a call are complete.",
        value: "The call."),
      .init(
        word: "reset", description: "Notifies the server that a call has ended.", value: "The call."
      ),
      .init(word: "ping", description: "Sends a ping.", value: "The connection."),
      .init(word: "fetchToken", description: "Requests the auth token of a call."),
      .init(word: "deliver", description: "Delivers a message of a call to the user."),
      .init(
        word: "ended", description: "Reports the end of a call to the user; once for each call.",
        value: "The call, and its status."),
      .init(
        word: "channel",
        description: "A channel has this state; the first such line creates the channel."),
      .init(
        word: "bound", description: "Assigns a call to a channel.",
        value: "The call, the channel, and whether the channel was created for the call."),
      .init(
        word: "notify", description: "Notifies the observers of its monitor.",
        value: "The categories before and after."),
    ])

  static let transportFacts = MessageSchema<TransportFact>(
    prefix: "fact",
    words: [
      .init(
        word: "connect", description: "Open a connection, with a number that was not used before."),
      .init(word: "close", description: "Close a connection, or abandon the attempt."),
      .init(
        word: "send",
        description: "Send the request of a call, with the answer of its server; or send messages "
          + "of a call."),
      .init(
        word: "finish", description: "Notify the server that the requests of a call are complete."),
      .init(word: "reset", description: "Notify the server that a call has ended."),
      .init(word: "ping", description: "Send a ping."),
      .init(
        word: "device",
        description: "The device has changed its network, or its application went to the "
          + "background or returned."),
      .init(word: "server", description: "The behavior of a server changes."),
      .init(word: "names", description: "The result of lookups of a host's name changes."),
      .init(
        word: "transport",
        description: "A fault applies to the connections of a host, or to all connections."),
    ])

  static let reports = MessageSchema<TransportReport>(
    prefix: "report",
    words: [
      .init(word: "connected", description: "An attempt to connect has succeeded."),
      .init(word: "connectFailed", description: "An attempt to connect has failed."),
      .init(word: "broken", description: "A connection no longer exists."),
      .init(
        word: "draining", description: "The server takes no new calls on a connection (GOAWAY)."),
      .init(word: "received", description: "Data from the server arrived."),
      .init(
        word: "moved",
        description: "The name lookup of an attempt is complete. The attempt continues on the "
          + "network that the device uses now, not on the one on which it began."),
      .init(word: "stalled", description: "A connection stalls."),
      .init(word: "resumed", description: "A connection resumes after a stall."),
      .init(
        word: "bufferFull",
        description: "The send buffer of a connection is full; further writes wait."),
      .init(
        word: "read", description: "The server read the request or messages of a call."),
      .init(
        word: "tookEffect",
        description: "The index of a server, names or transport entry that had its first effect."),
    ])

  /// Returns the definition of a message with exactly one member.
  static func any(of refs: [Schema], _ description: String, minimum: String? = nil) -> Schema {
    .object([
      "description": .text(description), "type": .text("object"),
      "minProperties": minimum.map { .plain($0) }, "anyOf": .list(refs),
    ])
  }

  /// The reports that exist only in real time.
  static var liveReports: [Schema] {
    let coded = Set(
      TransportReport.examples.filter(\.isReportedInRealTime).compactMap { MessageWord.of($0) })
    return reports.words.filter { coded.contains($0.word) }.map { .ref("report-\($0.word)") }
  }
}

/// Determines the name of a message.
private struct MessageWord<Call>: MessageCoder {
  typealias Failure = Never
  private(set) var word: String?

  mutating func begin(_ word: String, with key: String?) { self.word = word }
}

extension MessageWord {
  static func of<Message: CodedMessage>(_ message: Message) -> String? where Message.Call == Call {
    var parts = MessageWord()
    _ = message.coded(by: &parts)
    return parts.word
  }
}
