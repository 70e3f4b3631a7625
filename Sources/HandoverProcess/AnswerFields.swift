import HandoverCore

/// An error in an answer of a backend.
///
/// The reason completes the sentence "the backend's answer is wrong: ...".
public struct AnswerError: Error, Hashable, Sendable {
  /// The reason.
  public var reason: String

  init(_ reason: String) {
    self.reason = Self.cut(reason)
  }

  /// The maximum length of a backend's text in a message, in Unicode scalars.
  static let maximumText = 1_000

  /// Returns a text, or its beginning if it is too long for people.
  ///
  /// A backend's text may be nearly as long as a line.
  static func cut(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(maximumText)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "..."
  }

  static let skippedLate = AnswerError("a run can be skipped only in the answer to \"open\"")
}

/// The members of a JSON object in an answer.
struct AnswerFields {
  let value: JSONValue
  /// The whole line, if the object is an entire answer.
  private(set) var line = ""

  init(_ value: JSONValue) throws(AnswerError) {
    guard value.kind == .object else { throw AnswerError("expected an object") }
    self.value = value
  }

  /// The beginning of the line, for people.
  var excerpt: String { BackendProcess.excerpt(Array(line.utf8)) }

  /// Creates the fields from a whole line.
  init(line: [UInt8]) throws(AnswerError) {
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONReader.read(line)
    } catch {
      throw AnswerError("it is not JSON: column \(error.position.column): \(error.message)")
    }
    if let twice = document.duplicateKeys.first {
      throw AnswerError("the key \"\(twice.text ?? "")\" occurs twice in one object")
    }
    try self.init(document.root)
    self.line = String(decoding: line, as: UTF8.self)
  }

  subscript(name: String) -> JSONValue? {
    for member in value.members where member.key.text == name { return member.value }
    return nil
  }

  /// The name and value of the object's first member, which is expected to be its only one.
  var first: (name: String, value: JSONValue)? {
    for member in value.members { return (member.key.text ?? "", member.value) }
    return nil
  }

  func required(_ name: String) throws(AnswerError) -> JSONValue {
    guard let value = self[name] else { throw AnswerError("\"\(name)\" is missing") }
    return value
  }

  func object(_ name: String) throws(AnswerError) -> AnswerFields {
    try AnswerFields(try required(name))
  }

  func text(_ name: String) throws(AnswerError) -> String {
    guard let text = try required(name).text else {
      throw AnswerError("\"\(name)\" must be a string")
    }
    return text
  }

  func optionalText(_ name: String) throws(AnswerError) -> String? {
    guard let value = self[name], value.kind != .null else { return nil }
    guard let text = value.text else { throw AnswerError("\"\(name)\" must be a string") }
    return text
  }

  func number(_ name: String) throws(AnswerError) -> Int64 {
    guard let number = Self.integer(try required(name)) else {
      throw AnswerError("\"\(name)\" must be an integer from 0")
    }
    return number
  }

  func optionalNumber(_ name: String) throws(AnswerError) -> Int64? {
    guard let value = self[name], value.kind != .null else { return nil }
    return try number(name)
  }

  /// Returns the time in a member, or `nil` if the member is missing or null.
  func instant(_ name: String) throws(AnswerError) -> Instant? {
    try optionalNumber(name).map(Instant.init(microseconds:))
  }

  /// Returns the next deadline and the next one that is not periodic.
  ///
  /// Without a `pressing`, no deadline is periodic.
  func deadlines() throws(AnswerError) -> (next: Instant?, nonPeriodic: Instant?) {
    let next = try instant("deadline")
    return (next, self["pressing"] == nil ? next : try instant("pressing"))
  }

  func flag(_ name: String) throws(AnswerError) -> Bool {
    switch try required(name).kind {
    case .true: return true
    case .false: return false
    case .null, .number, .text, .array, .object:
      throw AnswerError("\"\(name)\" must be true or false")
    }
  }

  func elements(_ name: String) throws(AnswerError) -> [JSONValue]? {
    guard let value = self[name] else { return nil }
    guard value.kind == .array else { throw AnswerError("\"\(name)\" must be an array") }
    return Array(value.elements)
  }

  /// Returns a string that must be one of the values of an enumeration.
  func keyword<Keyword: RawRepresentable<String>>(
    _ name: String, _ type: Keyword.Type
  ) throws(AnswerError) -> Keyword {
    let text = try text(name)
    guard let keyword = Keyword(rawValue: text) else {
      throw AnswerError("\"\(name)\" cannot be \"\(text)\"")
    }
    return keyword
  }

  /// Returns the reachability flags by their names; a number represents bits without a name.
  func flags() throws(AnswerError) -> ReachabilityFlags {
    var flags: ReachabilityFlags = []
    for value in try elements("flags") ?? [] {
      if let bits = value.wholeNumber {
        flags.formUnion(ReachabilityFlags(rawValue: UInt32(clamping: bits)))
      } else if let known = ReachabilityFlags.names.first(where: { $0.name == value.text }) {
        flags.formUnion(known.flag)
      } else {
        throw AnswerError("unknown flag \"\(value.text ?? "")\"")
      }
    }
    return flags
  }

  /// Returns the reason why a connection failed or ended.
  func failure() throws(AnswerError) -> ConnectionFailure {
    let name = try text("reason")
    guard let failure = ConnectionFailure.allCases.first(where: { $0.traceName == name }) else {
      throw AnswerError("unknown reason \"\(name)\"")
    }
    return failure
  }

  /// Returns the status with which a call ended.
  func status() throws(AnswerError) -> StatusCode {
    let name = try text("status")
    guard let code = StatusCode.allCases.first(where: { $0.name == name }) else {
      throw AnswerError("unknown status \"\(name)\"")
    }
    return code
  }

  private static func integer(_ value: JSONValue) -> Int64? {
    guard let number = value.wholeNumber, number >= 0 else { return nil }
    return number
  }
}
