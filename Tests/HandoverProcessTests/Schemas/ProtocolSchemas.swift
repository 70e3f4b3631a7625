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
      .init(word: "token", description: "The token of a call has come."),
      .init(word: "send", description: "The user sends a message.", value: "The message."),
      .init(word: "finish", description: "The user ends the requests of a call."),
      .init(word: "cancel", description: "The user cancels a call."),
      .init(
        word: "disconnect",
        description: "The user disconnects the channel of a host and these options; * stands for "
          + "all channels."),
      .init(
        word: "connected", description: "An attempt to connect has succeeded.",
        value: "Which one."),
      .init(
        word: "connectFailed", description: "An attempt to connect has failed.",
        value: "Which one, and why."),
      .init(word: "broken", description: "A connection broke.", value: "Which one, and why."),
      .init(
        word: "draining", description: "The server takes no new calls on a connection (GOAWAY).",
        value: "Which one."),
      .init(
        word: "received", description: "Something of the server arrived.",
        forms: [
          "A ping was answered.", "Bytes of a call that has ended were read.",
          "A message of the server.", "The server ended the call.",
        ]),
    ])

  static let orders = MessageSchema<ClientEffect>(
    prefix: "order",
    words: [
      .init(
        word: "connect", description: "Makes a connection.",
        value: "A new number each time; channel belongs to the capability channels."),
      .init(
        word: "close", description: "Closes a connection, or gives the attempt up.",
        value: "Which one."),
      .init(
        word: "send",
        description: "Sends the request of a call; with messages and bytes, messages of it.",
        value: "What is sent."),
      .init(
        word: "finish", description: "Tells the server that the requests of a call are complete.",
        value: "Which one."),
      .init(
        word: "reset", description: "Tells the server that a call is over.", value: "Which one."),
      .init(word: "ping", description: "Sends a ping.", value: "Where."),
      .init(word: "fetchToken", description: "Asks for the token of a call."),
      .init(word: "deliver", description: "Gives the user a message of a call."),
      .init(
        word: "ended", description: "Tells the user how a call ended; once for each call.",
        value: "How."),
      .init(
        word: "channel",
        description: "Has a channel in a state; the first such line makes it."),
      .init(
        word: "bound", description: "Bound a call to a channel.",
        value: "Which ones, and whether the channel was made for it."),
      .init(
        word: "notify", description: "Notified the observers of its monitor.",
        value: "The categories before and after."),
    ])

  static let transportFacts = MessageSchema<TransportFact>(
    prefix: "fact",
    words: [
      .init(word: "connect", description: "Make a connection; a new number each time."),
      .init(word: "close", description: "Close a connection, or give the attempt up."),
      .init(
        word: "send",
        description: "Send the request of a call, which its server answers so; or messages of "
          + "one."),
      .init(
        word: "finish", description: "Tell the server that the requests of a call are complete."),
      .init(word: "reset", description: "Tell the server that a call is over."),
      .init(word: "ping", description: "Send a ping."),
      .init(
        word: "device",
        description: "The device has moved, or its application has gone to the background or come "
          + "back."),
      .init(word: "server", description: "The server of a host does something."),
      .init(word: "names", description: "Look-ups of a host's name change."),
      .init(word: "transport", description: "The connections of a host, or all, change."),
    ])

  static let reports = MessageSchema<TransportReport>(
    prefix: "report",
    words: [
      .init(word: "connected", description: "An attempt to connect has succeeded."),
      .init(word: "connectFailed", description: "An attempt to connect has failed."),
      .init(word: "broken", description: "A connection is no more."),
      .init(
        word: "draining", description: "The server takes no new calls on a connection (GOAWAY)."),
      .init(word: "received", description: "Something of the server arrived."),
      .init(
        word: "moved",
        description: "The name of an attempt is known, and it goes on from another path than it "
          + "began on: the one the device is on now."),
      .init(word: "stalled", description: "A connection stalls."),
      .init(word: "resumed", description: "A connection goes on after a stall."),
      .init(
        word: "bufferFull",
        description: "The send buffer of a connection is full; further writes wait."),
      .init(
        word: "read", description: "The server read the request of a call, or messages of one."),
      .init(
        word: "tookEffect",
        description: "A server, names or transport event had its first effect: its entry."),
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
      TransportReport.examples.filter(\.isOfRealTime).compactMap { MessageWord.of($0) })
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
