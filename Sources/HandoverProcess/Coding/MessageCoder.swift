import HandoverBackend
import HandoverCore

/// A writer or reader of the parts of a protocol message, in their order.
///
/// It is to the protocol what `RecordCoder` is to traces: each message defines its keyword and its
/// parts once. The keywords deliberately differ from those of traces, because another program does
/// not know the harness's identifiers. Therefore connections have numbers, calls have names only,
/// and one keyword may represent several kinds of trace records.
///
/// A coder omits the parts that no message of its kind has, and the parts that it does not change.
protocol MessageCoder {
  /// The error that a message can cause.
  associatedtype Failure: Error
  /// The identification of a call in addition to its name: its index in the script, or its
  /// identifier.
  associatedtype Call

  /// Begins a message with a keyword.
  ///
  /// - Parameters:
  ///   - keyword: The keyword.
  ///   - key: The part that distinguishes the message from others with the same keyword, or `nil`
  ///     if there is none.
  mutating func begin(_ keyword: String, with key: String?)
  /// Codes a message that consists of its keyword and the name of a call.
  mutating func only(_ keyword: String, _ call: Call) throws(Failure) -> Call
  /// Codes a message that consists of its keyword and an entry of the timeline.
  mutating func only(_ keyword: String, entry: UInt32) throws(Failure) -> UInt32
  /// Codes a connection by its number: `connection`.
  mutating func connection(_ id: ConnectionID) throws(Failure) -> ConnectionID
  /// Codes a channel by its number: `channel`.
  mutating func channel(_ id: ChannelID) throws(Failure) -> ChannelID
  /// Codes a call by its name: `call`.
  mutating func call(_ call: Call) throws(Failure) -> Call
  /// Codes a number.
  ///
  /// - Parameters:
  ///   - name: The name of the part.
  ///   - count: The number.
  ///   - least: The smallest number that a writer may write.
  ///   - most: The largest number, or `nil` if the schema has no limit.
  /// - Throws: An error in the message.
  /// - Returns: The coded number.
  mutating func count(
    _ name: String, _ count: UInt32, from least: UInt32, through most: UInt32?
  ) throws(Failure) -> UInt32
  /// Codes a Boolean value.
  mutating func flag(_ name: String, _ flag: Bool) throws(Failure) -> Bool
  /// Codes a part that is always true.
  mutating func mark(_ name: String)
  /// Codes a network category.
  mutating func category(
    _ name: String, _ category: NetworkCategory
  ) throws(Failure) -> NetworkCategory
  /// Codes the reason why a connection failed or ended: `reason`.
  mutating func failure(_ failure: ConnectionFailure) throws(Failure) -> ConnectionFailure
  /// Codes the status with which a call ended: `status`.
  mutating func status(_ code: StatusCode) throws(Failure) -> StatusCode
  /// Codes a string that must be one of the values of an enumeration.
  mutating func keyword<Keyword: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ keyword: Keyword
  ) throws(Failure) -> Keyword
  /// Codes an interval; `nil` means unlimited.
  mutating func length(_ name: String, _ length: Interval?) throws(Failure) -> Interval?
  /// Codes a host of the script by its name: `host`.
  mutating func host(_ host: UInt32) throws(Failure) -> UInt32
  /// Codes a host of the script, or all hosts: `host`.
  mutating func hosts(_ hosts: HostSelector) throws(Failure) -> HostSelector
  /// Codes an entry of the timeline: `entry`.
  mutating func entry(_ entry: UInt32) throws(Failure) -> UInt32
  /// Codes the state of the device: `flags`, `path`, `alive` and `app`.
  mutating func device(_ device: Device) throws(Failure) -> Device

  // The following parts introduce new objects or states. Readers decode these messages without a
  // coder, because they store the objects.

  /// Codes the parameters of a new call.
  mutating func start(_ call: Call, _ endpoint: EndpointID, _ settings: CallSettings)
  /// Codes the key of the channel to disconnect, or `nil` for all channels.
  mutating func disconnect(_ keyword: String, _ endpoint: EndpointID?)
  /// Codes a new connection and the channel that opens it.
  mutating func open(_ id: ConnectionID, _ channel: ChannelID)
  /// Codes the state of a channel, and the reason if it was destroyed.
  mutating func state(_ channel: ChannelID, _ state: ChannelState, _ reason: DestroyReason?)
  /// Codes the message of a status: `message`.
  mutating func message(_ text: StatusText)

  // The following parts introduce new objects too, but readers can decode them with a coder.

  /// Codes a new connection by the number that is assigned to it: `connection`.
  mutating func newConnection(_ id: ConnectionID) throws(Failure) -> ConnectionID
  /// Codes a call that is new to its server: `call`.
  mutating func newCall(_ call: Call) throws(Failure) -> Call
  /// Codes the host of a new connection: `host`, and in real time its `address` and `port`.
  mutating func destination(_ host: UInt32) throws(Failure) -> UInt32
}

extension MessageCoder {
  mutating func begin(_ keyword: String) { begin(keyword, with: nil) }

  mutating func only(_ keyword: String, _ call: Call) throws(Failure) -> Call {
    begin(keyword)
    return call
  }
  mutating func only(_ keyword: String, entry: UInt32) throws(Failure) -> UInt32 {
    begin(keyword)
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
  mutating func keyword<Keyword: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ keyword: Keyword
  ) throws(Failure) -> Keyword { keyword }
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
  mutating func disconnect(_ keyword: String, _ endpoint: EndpointID?) { begin(keyword) }
  mutating func open(_ id: ConnectionID, _ channel: ChannelID) {}
  mutating func state(_ channel: ChannelID, _ state: ChannelState, _ reason: DestroyReason?) {}
  mutating func message(_ text: StatusText) {}
}

/// A kind of message, with its keywords and the parts of each.
protocol CodedMessage: Hashable, Sendable {
  /// The identification of a call in addition to its name.
  associatedtype Call

  /// The examples, at least one for each form of the message.
  static var examples: [Self] { get }

  /// Passes the keyword and the parts to a coder; a value without a message passes nothing.
  ///
  /// - Returns: The message with the parts that the coder returned.
  func coded<Coder: MessageCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> Self where Coder.Call == Call
}

/// The forms of a kind of message, by keyword.
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
      guard let keyword = reading.keyword else { continue }
      forms[keyword, default: []].append(Form(key: reading.key, example: example))
    }
  }

  /// Returns an example of the form that matches a keyword and its value, or `nil` if there is
  /// none.
  func example(_ keyword: String, _ value: JSONValue) -> Message? {
    guard let forms = forms[keyword] else { return nil }
    let particular = forms.first { form in
      guard let key = form.key else { return false }
      return value.members.contains { $0.key.text == key && $0.value.kind != .null }
    }
    return (particular ?? forms.first { $0.key == nil })?.example
  }
}

/// A coder that determines the forms of messages.
private struct FormReading<Call>: MessageCoder {
  typealias Failure = Never

  private(set) var keyword: String?
  private(set) var key: String?

  mutating func begin(_ keyword: String, with key: String?) {
    (self.keyword, self.key) = (keyword, key)
  }
}
