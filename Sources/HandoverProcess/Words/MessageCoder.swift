import HandoverBackend
import HandoverCore
import HandoverJSON
import HandoverTrace

/// Writes or reads the parts of a message of the protocol, in their order.
///
/// It is to the protocol what `RecordCoder` is to traces: each message says once what its word and
/// its parts are. The words are not those of traces on purpose: a program elsewhere knows nothing
/// of identifiers, so connections have numbers, calls have names only, and one word may stand for
/// what the trace tells apart.
///
/// A coder leaves out the parts that no message of its kind has, and those that stay as they are.
protocol MessageCoder {
  /// What can be wrong with a message.
  associatedtype Failure: Error
  /// What a call is known by beside its name: its index in the script, or its identifier.
  associatedtype Call

  /// Begins a message of a word.
  ///
  /// - Parameters:
  ///   - word: the word.
  ///   - key: the part that tells it from other messages of the word; nil where none does.
  mutating func begin(_ word: String, with key: String?)
  /// A message that has nothing beside its word but the name of a call.
  mutating func only(_ word: String, _ call: Call) throws(Failure) -> Call
  /// A message that has nothing beside its word but an entry of the timeline.
  mutating func only(_ word: String, entry: UInt32) throws(Failure) -> UInt32
  /// A connection, by its number: `connection`.
  mutating func connection(_ id: ConnectionID) throws(Failure) -> ConnectionID
  /// A channel, by its number: `channel`.
  mutating func channel(_ id: ChannelID) throws(Failure) -> ChannelID
  /// A call, by its name: `call`.
  mutating func call(_ call: Call) throws(Failure) -> Call
  /// A number.
  ///
  /// - Parameters:
  ///   - name: the name of the part.
  ///   - count: the number.
  ///   - least: the least that whoever writes it may write.
  ///   - most: the most; nil where the schema says none.
  /// - Throws: what is wrong with the message.
  /// - Returns: the number that is there.
  mutating func count(
    _ name: String, _ count: UInt32, from least: UInt32, through most: UInt32?
  ) throws(Failure) -> UInt32
  /// Whether something is so.
  mutating func flag(_ name: String, _ flag: Bool) throws(Failure) -> Bool
  /// A part that is true.
  mutating func mark(_ name: String)
  /// A category of the network.
  mutating func category(
    _ name: String, _ category: NetworkCategory
  ) throws(Failure) -> NetworkCategory
  /// Why a connection was not made, or is no more: `reason`.
  mutating func failure(_ failure: ConnectionFailure) throws(Failure) -> ConnectionFailure
  /// How a call ended: `status`.
  mutating func status(_ code: StatusCode) throws(Failure) -> StatusCode
  /// A word out of a list.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ word: Word
  ) throws(Failure) -> Word
  /// A length of time; nil has no end.
  mutating func length(_ name: String, _ length: Interval?) throws(Failure) -> Interval?
  /// A host of the script, by its name: `host`.
  mutating func host(_ host: UInt32) throws(Failure) -> UInt32
  /// A host of the script, or all: `host`.
  mutating func hosts(_ hosts: HostSelector) throws(Failure) -> HostSelector
  /// An entry of the timeline: `entry`.
  mutating func entry(_ entry: UInt32) throws(Failure) -> UInt32
  /// Where the device stands: `flags`, `path`, `alive` and `app`.
  mutating func device(_ device: Device) throws(Failure) -> Device

  // What a message brings that nobody has heard of before; whoever reads it keeps it, and takes
  // these messages apart itself.

  /// What a new call is.
  mutating func start(_ call: Call, _ endpoint: EndpointID, _ settings: CallSettings)
  /// The key of the channel that is disconnected, or all of them where it is nil.
  mutating func disconnect(_ word: String, _ endpoint: EndpointID?)
  /// A new connection, and the channel that it is made for.
  mutating func open(_ id: ConnectionID, _ channel: ChannelID)
  /// The state that a channel is in, and why it is no more.
  mutating func state(_ channel: ChannelID, _ state: ChannelState, _ reason: DestroyReason?)
  /// The text beside a status: `message`.
  mutating func message(_ text: StatusText)

  // The same of messages that the reader need not take apart itself.

  /// A connection, by the number that it has from now on: `connection`.
  mutating func newConnection(_ id: ConnectionID) throws(Failure) -> ConnectionID
  /// A call that its server has not heard of: `call`.
  mutating func newCall(_ call: Call) throws(Failure) -> Call
  /// The host that a connection is made to: `host`, in real time its `address` and `port`.
  mutating func destination(_ host: UInt32) throws(Failure) -> UInt32
}

extension MessageCoder {
  mutating func begin(_ word: String) { begin(word, with: nil) }

  mutating func only(_ word: String, _ call: Call) throws(Failure) -> Call {
    begin(word)
    return call
  }
  mutating func only(_ word: String, entry: UInt32) throws(Failure) -> UInt32 {
    begin(word)
    return entry
  }
  mutating func connection(_ id: ConnectionID) throws(Failure) -> ConnectionID { id }
  mutating func channel(_ id: ChannelID) throws(Failure) -> ChannelID { id }
  mutating func call(_ call: Call) throws(Failure) -> Call { call }
  mutating func count(_ name: String, _ count: UInt32, from least: UInt32 = 0)
    throws(Failure) -> UInt32
  {
    try self.count(name, count, from: least, through: nil)
  }
  mutating func count(
    _ name: String, _ count: UInt32, from least: UInt32, through most: UInt32?
  ) throws(Failure) -> UInt32 { count }
  mutating func flag(_ name: String, _ flag: Bool) throws(Failure) -> Bool { flag }
  mutating func mark(_ name: String) {}
  mutating func category(
    _ name: String, _ category: NetworkCategory
  ) throws(Failure) -> NetworkCategory { category }
  mutating func failure(_ failure: ConnectionFailure) throws(Failure) -> ConnectionFailure {
    failure
  }
  mutating func status(_ code: StatusCode) throws(Failure) -> StatusCode { code }
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ word: Word
  ) throws(Failure) -> Word { word }
  mutating func length(_ name: String, _ length: Interval?) throws(Failure) -> Interval? { length }
  mutating func host(_ host: UInt32) throws(Failure) -> UInt32 { host }
  mutating func hosts(_ hosts: HostSelector) throws(Failure) -> HostSelector { hosts }
  mutating func entry(_ entry: UInt32) throws(Failure) -> UInt32 { entry }
  mutating func device(_ device: Device) throws(Failure) -> Device { device }
  mutating func newConnection(_ id: ConnectionID) throws(Failure) -> ConnectionID {
    try connection(id)
  }
  mutating func newCall(_ call: Call) throws(Failure) -> Call { try self.call(call) }
  mutating func destination(_ host: UInt32) throws(Failure) -> UInt32 { try self.host(host) }
  mutating func start(_ call: Call, _ endpoint: EndpointID, _ settings: CallSettings) {}
  mutating func disconnect(_ word: String, _ endpoint: EndpointID?) { begin(word) }
  mutating func open(_ id: ConnectionID, _ channel: ChannelID) {}
  mutating func state(_ channel: ChannelID, _ state: ChannelState, _ reason: DestroyReason?) {}
  mutating func message(_ text: StatusText) {}
}

/// A kind of message: its words, and the parts that belong to each.
protocol CodedMessage: Hashable, Sendable {
  /// What a call is known by beside its name.
  associatedtype Call

  /// One message of each form at least.
  static var examples: [Self] { get }

  /// Hands the word and the parts to a coder; nothing where it has no message.
  ///
  /// - Returns: the message with the parts that the coder gave.
  func coded<Coder: MessageCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> Self where Coder.Call == Call
}

/// The forms of a kind of message, by their words.
struct MessageForms<Message: CodedMessage>: Sendable {
  private struct Form: Sendable {
    var key: String?
    var example: Message
  }

  private var forms: [String: [Form]] = [:]  // lookup only

  init() {
    for example in Message.examples {
      var reading = FormReading<Message.Call>()
      _ = example.coded(by: &reading)
      guard let word = reading.word else { continue }
      forms[word, default: []].append(Form(key: reading.key, example: example))
    }
  }

  /// An example of the form that a word and what stands behind it have; nil where there is none.
  func example(_ word: String, _ value: JSONValue) -> Message? {
    guard let forms = forms[word] else { return nil }
    let particular = forms.first { form in
      guard let key = form.key else { return false }
      return value.members.contains { $0.key.text == key && $0.value.kind != .null }
    }
    return (particular ?? forms.first { $0.key == nil })?.example
  }
}

/// Finds out the forms of messages.
private struct FormReading<Call>: MessageCoder {
  typealias Failure = Never

  private(set) var word: String?
  private(set) var key: String?

  mutating func begin(_ word: String, with key: String?) { (self.word, self.key) = (word, key) }
}
