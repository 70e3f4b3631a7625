/// Encodes or decodes the parts of a record in order.
///
/// Each kind of record defines its keyword and parts once. An encoder writes each part and returns
/// it unchanged. A decoder ignores the part that is passed in and returns the part from the file.
package protocol RecordCoder {
  /// The errors of a decoder; an encoder cannot fail.
  associatedtype Failure: Error

  /// Begins a record with a keyword.
  mutating func begin(_ keyword: String)
  /// Encodes or decodes a call as `call` (its name) and `id`.
  mutating func call(_ id: CallID) throws(Failure) -> CallID
  /// Encodes or decodes a connection as `connection`.
  mutating func connection(_ id: ConnectionID) throws(Failure) -> ConnectionID
  /// Encodes or decodes a channel as `host` (its name) and `channel`.
  mutating func channel(_ id: ChannelID) throws(Failure) -> ChannelID
  /// Encodes or decodes an object by its name in the script, or by its index if it has no name
  /// there.
  mutating func index(of kind: NamedKind, _ index: UInt32) throws(Failure) -> UInt32
  /// Encodes or decodes an entry of the timeline as `entry`, with its `action` for human readers.
  mutating func entry(_ index: UInt32) throws(Failure) -> UInt32
  /// Encodes or decodes a network, or the lack of one, as `path`.
  mutating func path(_ path: PathIndex?) throws(Failure) -> PathIndex?
  /// Encodes or decodes an interceptor of the chain, or its caller, as `link`.
  mutating func link(_ link: UInt16) throws(Failure) -> UInt16
  /// Encodes or decodes a text that the trace stores as `text`.
  mutating func text(_ index: UInt32) throws(Failure) -> UInt32
  /// Encodes or decodes the status message at the end of a call as `message`.
  mutating func message(of call: CallID, _ end: CallEnd) throws(Failure) -> StatusText
  /// Encodes or decodes the names of flags as `flags`.
  mutating func flags(_ flags: ReachabilityFlags) throws(Failure) -> ReachabilityFlags
  /// Encodes or decodes an integer within a range.
  mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ number: Number, in range: ClosedRange<Number>
  ) throws(Failure) -> Number
  /// Encodes or decodes a Boolean value.
  mutating func flag(_ name: String, _ flag: Bool) throws(Failure) -> Bool
  /// Encodes or decodes whether a part is null; if the result is false, the part follows.
  mutating func null(_ name: String, _ isNull: Bool) throws(Failure) -> Bool
  /// Encodes or decodes one of several keywords.
  mutating func keyword<Keyword>(
    _ name: String, _ keyword: Keyword, among all: @autoclosure () -> [Keyword],
    spelt: (Keyword) -> String
  ) throws(Failure) -> Keyword
}

/// The kinds of objects that a script names and records refer to.
package enum NamedKind: String {
  case host, call, request, question, pool
}

/// A coder that reads the keyword of a record and returns every part unchanged.
private struct WordReading: RecordCoder {
  var keyword = ""

  mutating func begin(_ keyword: String) { self.keyword = keyword }
  func call(_ id: CallID) -> CallID { id }
  func connection(_ id: ConnectionID) -> ConnectionID { id }
  func channel(_ id: ChannelID) -> ChannelID { id }
  func index(of kind: NamedKind, _ index: UInt32) -> UInt32 { index }
  func entry(_ index: UInt32) -> UInt32 { index }
  func path(_ path: PathIndex?) -> PathIndex? { path }
  func link(_ link: UInt16) -> UInt16 { link }
  func text(_ index: UInt32) -> UInt32 { index }
  func message(of call: CallID, _ end: CallEnd) -> StatusText { end.text }
  func flags(_ flags: ReachabilityFlags) -> ReachabilityFlags { flags }
  func number<Number: FixedWidthInteger>(
    _ name: String, _ number: Number, in range: ClosedRange<Number>
  ) -> Number { number }
  func flag(_ name: String, _ flag: Bool) -> Bool { flag }
  func null(_ name: String, _ isNull: Bool) -> Bool { isNull }
  func keyword<Keyword>(
    _ name: String, _ keyword: Keyword, among all: @autoclosure () -> [Keyword],
    spelt: (Keyword) -> String
  ) -> Keyword { keyword }
}

/// A kind of record that defines its keywords and the parts of each keyword.
package protocol CodedRecord: Hashable, Sendable {
  /// At least one record for each keyword and for each set of parts that a keyword can have.
  static var examples: [Self] { get }

  /// Passes the keyword and the parts to a coder.
  ///
  /// - Returns: the record with the parts that the coder returned.
  func coded<Coder: RecordCoder>(by coder: inout Coder) throws(Coder.Failure) -> Self
}

extension CodedRecord {
  /// Returns the examples, keyed by keyword.
  package static func examplesByKeyword() -> [String: Self] {  // lookup only
    var reading = WordReading()
    var examples: [String: Self] = [:]  // lookup only
    for example in Self.examples {
      _ = example.coded(by: &reading)
      examples[reading.keyword] = example
    }
    return examples
  }
}

// Parts that several kinds of records share.
extension RecordCoder {
  mutating func begin(_ keyword: String, _ id: CallID) throws(Failure) -> CallID {
    begin(keyword)
    return try call(id)
  }

  mutating func begin(_ keyword: String, _ id: ConnectionID) throws(Failure) -> ConnectionID {
    begin(keyword)
    return try connection(id)
  }

  mutating func begin(_ keyword: String, _ id: ChannelID) throws(Failure) -> ChannelID {
    begin(keyword)
    return try channel(id)
  }

  mutating func begin(_ keyword: String, call: UInt32) throws(Failure) -> UInt32 {
    begin(keyword)
    return try index(of: .call, call)
  }

  mutating func begin(_ keyword: String, request: UInt32) throws(Failure) -> UInt32 {
    begin(keyword)
    return try index(of: .request, request)
  }

  mutating func number(_ name: String, _ number: UInt32) throws(Failure) -> UInt32 {
    try self.number(name, number, in: 0...UInt32.max)
  }

  mutating func endpoint(_ id: EndpointID) throws(Failure) -> EndpointID {
    EndpointID(index: try number("endpoint", id.index))
  }

  mutating func failure(_ failure: ConnectionFailure) throws(Failure) -> ConnectionFailure {
    try keyword("failure", failure, among: ConnectionFailure.allCases) { $0.traceName }
  }

  mutating func status(_ code: StatusCode) throws(Failure) -> StatusCode {
    try keyword("status", code, among: StatusCode.allCases) { $0.name }
  }

  mutating func state(_ name: String, _ state: ChannelState) throws(Failure) -> ChannelState {
    try keyword(name, state, among: ChannelState.allCases) { $0.name }
  }

  mutating func category(
    _ name: String, _ category: NetworkCategory
  ) throws(Failure) -> NetworkCategory {
    try keyword(name, category, among: NetworkCategory.allCases) { $0.description }
  }

  mutating func step(_ step: ChainStep) throws(Failure) -> ChainStep {
    try keyword("step", step, among: ChainStep.allCases) { $0.rawValue }
  }

  mutating func settings(_ settings: CallSettings) throws(Failure) -> CallSettings {
    var deadline = Instant.never
    if try !null("deadline", settings.deadline == .never) {
      deadline = Instant(
        microseconds: try number("deadline", settings.deadline.microseconds, in: 0...Int64.max))
    }
    return CallSettings(
      deadline: deadline, failsFast: try flag("failsFast", settings.failsFast),
      awaitsToken: try flag("awaitsToken", settings.awaitsToken),
      requestIsComplete: try flag("requestIsComplete", settings.requestIsComplete))
  }

  mutating func admission(_ admission: Admission) throws(Failure) -> Admission {
    var (position, refusal) = (UInt32(0), RequestRefusal.closed)
    switch admission {
    case .waits(let known), .polls(let known): position = known
    case .refused(let known): refusal = known
    case .startsNow, .freezes: break
    }
    let keyword = try keyword("admission", AdmissionKind(admission), among: AdmissionKind.allCases)
    {
      $0.rawValue
    }
    switch keyword {
    case .startsNow: return .startsNow
    case .waits: return .waits(position: try number("position", position))
    case .refused:
      return .refused(
        try self.keyword("refusal", refusal, among: RequestRefusal.all) { $0.traceName })
    case .freezes: return .freezes
    case .polls: return .polls(position: try number("position", position))
    }
  }

  mutating func end(_ end: RequestEnd) throws(Failure) -> RequestEnd {
    var code = Int32(0)
    if case .failed(let known) = end { code = known }
    let read = try keyword("end", end, among: RequestEnd.all) { $0.traceName }
    guard case .failed = read else { return read }
    return .failed(code: try number("code", code, in: Int32.min...Int32.max))
  }
}
