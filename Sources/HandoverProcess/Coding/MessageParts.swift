import HandoverCore

/// A writer of message parts.
///
/// A message is an object with one member, whose value is an object or a name.
protocol MessageWriter: MessageCoder where Failure == Never {
  var json: JSONText { get set }
  /// Whether the object after the keyword is still open.
  var isOpen: Bool { get set }

  /// Returns the name of a call.
  func name(_ call: Call) -> String
  /// Returns the number of a connection.
  func number(_ id: ConnectionID) -> Int64
}

extension MessageWriter {
  mutating func begin(_ keyword: String, with key: String?) {
    json.key(keyword)
    json.beginObject()
    isOpen = true
  }

  mutating func only(_ keyword: String, _ call: Call) -> Call {
    json.member(keyword, name(call))
    return call
  }

  mutating func only(_ keyword: String, entry: UInt32) -> UInt32 {
    json.member(keyword, Int(entry))
    return entry
  }

  mutating func connection(_ id: ConnectionID) -> ConnectionID {
    json.member("connection", number(id))
    return id
  }

  mutating func call(_ call: Call) -> Call {
    json.member("call", name(call))
    return call
  }

  mutating func count(
    _ name: String, _ count: UInt32, from least: UInt32, through most: UInt32?
  ) -> UInt32 {
    json.member(name, Int(count))
    return count
  }

  mutating func flag(_ name: String, _ flag: Bool) -> Bool {
    json.member(name, flag)
    return flag
  }

  mutating func mark(_ name: String) { json.member(name, true) }

  mutating func category(_ name: String, _ category: NetworkCategory) -> NetworkCategory {
    json.member(name, category.description)
    return category
  }

  mutating func failure(_ failure: ConnectionFailure) -> ConnectionFailure {
    json.member("reason", failure.traceName)
    return failure
  }

  mutating func status(_ code: StatusCode) -> StatusCode {
    json.member("status", code.name)
    return code
  }

  mutating func keyword<Keyword: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ keyword: Keyword
  ) -> Keyword {
    json.member(name, keyword.rawValue)
    return keyword
  }

  mutating func length(_ name: String, _ length: Interval?) -> Interval? {
    json.member(name, length?.microseconds)
    return length
  }

  mutating func entry(_ entry: UInt32) -> UInt32 {
    json.member("entry", Int(entry))
    return entry
  }

  mutating func message(_ text: StatusText) { json.member("message", text.text) }

  /// Writes the single member of a message.
  mutating func write<Message: CodedMessage>(
    _ message: Message, to json: inout JSONText
  ) where Message.Call == Call {
    swap(&self.json, &json)
    _ = message.coded(by: &self)
    if isOpen { self.json.endObject() }
    swap(&self.json, &json)
  }
}

/// A reader of the message parts that require no names.
protocol MessageReader: MessageCoder where Failure == AnswerError {
  /// The value after the keyword.
  var value: JSONValue { get }
}

extension MessageReader {
  mutating func begin(_ keyword: String, with key: String?) {}

  mutating func count(
    _ name: String, _: UInt32, from least: UInt32, through most: UInt32?
  ) throws(AnswerError) -> UInt32 {
    UInt32(clamping: try AnswerFields(value).number(name))
  }

  mutating func flag(_ name: String, _: Bool) throws(AnswerError) -> Bool {
    try AnswerFields(value).flag(name)
  }

  mutating func category(
    _ name: String, _: NetworkCategory
  ) throws(AnswerError) -> NetworkCategory {
    let text = try AnswerFields(value).text(name)
    guard let category = NetworkCategory.allCases.first(where: { $0.description == text }) else {
      throw AnswerError("unknown category \"\(text)\"")
    }
    return category
  }

  mutating func failure(_: ConnectionFailure) throws(AnswerError) -> ConnectionFailure {
    try AnswerFields(value).failure()
  }

  mutating func status(_: StatusCode) throws(AnswerError) -> StatusCode {
    try AnswerFields(value).status()
  }

  mutating func keyword<Keyword: RawRepresentable<String> & CaseIterable>(
    _ name: String, _: Keyword
  ) throws(AnswerError) -> Keyword {
    try AnswerFields(value).keyword(name, Keyword.self)
  }

  mutating func length(_ name: String, _: Interval?) throws(AnswerError) -> Interval? {
    try AnswerFields(value).optionalNumber(name).map(Interval.init(microseconds:))
  }

  mutating func entry(_: UInt32) throws(AnswerError) -> UInt32 {
    UInt32(clamping: try AnswerFields(value).number("entry"))
  }
}
