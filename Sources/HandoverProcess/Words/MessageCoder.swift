import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Writes or reads the parts of a message of the protocol, in their order.
///
/// It is to the protocol what `RecordCoder` is to traces: each message says once what its word and
/// its parts are. The words are not those of traces on purpose: a program elsewhere knows nothing
/// of identifiers, so connections have numbers, calls have names only, and one word may stand for
/// what the trace tells apart.
protocol MessageCoder {
  /// What can be wrong with a message.
  associatedtype Failure: Error

  /// Begins a message of a word.
  ///
  /// - Parameters:
  ///   - word: the word.
  ///   - key: the part that tells it from other messages of the word; nil where none does.
  mutating func begin(_ word: String, with key: String?)
  /// A connection, by its number: `connection`.
  mutating func connection(_ id: ConnectionID) throws(Failure) -> ConnectionID
  /// A call of the script, by its name: `call`.
  mutating func call(_ index: UInt32) throws(Failure) -> UInt32
  /// A number from 0.
  mutating func count(_ name: String, _ count: UInt32) throws(Failure) -> UInt32
  /// A part that is true.
  mutating func mark(_ name: String)
  /// Why a connection was not made, or is no more: `reason`.
  mutating func failure(_ failure: ConnectionFailure) throws(Failure) -> ConnectionFailure
  /// How a call ended: `status`.
  mutating func status(_ code: StatusCode) throws(Failure) -> StatusCode
  /// A message that has nothing beside its word but an entry of the timeline.
  mutating func entry(_ word: String, _ entry: UInt32) throws(Failure) -> UInt32
}

extension MessageCoder {
  mutating func begin(_ word: String) { begin(word, with: nil) }
}

/// A kind of message: its words, and the parts that belong to each.
protocol CodedMessage: Hashable, Sendable {
  /// One message of each form; of those with one word the more particular ones first.
  static var examples: [Self] { get }

  /// Hands the word and the parts to a coder.
  ///
  /// - Returns: the message with the parts that the coder gave.
  func coded<Coder: MessageCoder>(by coder: inout Coder) throws(Coder.Failure) -> Self
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
      var reading = FormReading()
      _ = example.coded(by: &reading)
      forms[reading.word, default: []].append(Form(key: reading.key, example: example))
    }
  }

  /// An example of the form that a word and what stands behind it have; nil where there is none.
  func example(_ word: String, _ value: JSONValue) -> Message? {
    forms[word]?.first { form in
      guard let key = form.key else { return true }
      return value.members.contains { $0.key.text == key && $0.value.kind != .null }
    }?.example
  }
}

/// Finds out the forms of messages.
private struct FormReading: MessageCoder {
  var word = ""
  var key: String?

  mutating func begin(_ word: String, with key: String?) { (self.word, self.key) = (word, key) }
  func connection(_ id: ConnectionID) -> ConnectionID { id }
  func call(_ index: UInt32) -> UInt32 { index }
  func count(_ name: String, _ count: UInt32) -> UInt32 { count }
  func mark(_ name: String) {}
  func failure(_ failure: ConnectionFailure) -> ConnectionFailure { failure }
  func status(_ code: StatusCode) -> StatusCode { code }
  mutating func entry(_ word: String, _ entry: UInt32) -> UInt32 {
    begin(word)
    return entry
  }
}
