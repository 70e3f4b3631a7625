package import HandoverCore

/// Writes or reads the parts of a record, in their order.
///
/// Each kind of record says once what its word and its parts are; who writes hands the parts on as
/// they are, and who reads gives those that stand in the file instead.
package protocol RecordCoder {
  /// What can be wrong with a record.
  associatedtype Failure: Error

  /// Begins a record of a word.
  mutating func begin(_ word: String)
  /// A call, by its identifier: `call`, its name, and `id`.
  mutating func call(_ id: CallID) throws(Failure) -> CallID
  /// A connection: `connection`.
  mutating func connection(_ id: ConnectionID) throws(Failure) -> ConnectionID
  /// A channel: `host`, its name, and `channel`.
  mutating func channel(_ id: ChannelID) throws(Failure) -> ChannelID
  /// Something that the script names, or its index where it does not.
  mutating func index(of kind: NamedKind, _ index: UInt32) throws(Failure) -> UInt32
  /// An entry of the timeline: `entry`, and for the reader's eye its `action`.
  mutating func entry(_ index: UInt32) throws(Failure) -> UInt32
  /// A path, or none: `path`.
  mutating func path(_ path: PathIndex?) throws(Failure) -> PathIndex?
  /// A link of the chain, or its user: `link`.
  mutating func link(_ link: UInt16) throws(Failure) -> UInt16
  /// A text that the trace keeps: `text`.
  mutating func text(_ index: UInt32) throws(Failure) -> UInt32
  /// The text beside the end of a call: `message`.
  mutating func message(of call: CallID, _ end: CallEnd) throws(Failure) -> StatusText
  /// The names of flags: `flags`.
  mutating func flags(_ flags: ReachabilityFlags) throws(Failure) -> ReachabilityFlags
  /// A number.
  mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ number: Number, in range: ClosedRange<Number>
  ) throws(Failure) -> Number
  /// Whether something is so.
  mutating func flag(_ name: String, _ flag: Bool) throws(Failure) -> Bool
  /// Whether a part is null; one that is not follows.
  mutating func null(_ name: String, _ isNull: Bool) throws(Failure) -> Bool
  /// One of several words.
  mutating func word<Word>(
    _ name: String, _ word: Word, among all: @autoclosure () -> [Word], spelt: (Word) -> String
  ) throws(Failure) -> Word
}

/// What a script names and records refer to.
package enum NamedKind: String {
  case host, call, request, question, pool
}

/// Finds out the words of records.
private struct WordReading: RecordCoder {
  var word = ""

  mutating func begin(_ word: String) { self.word = word }
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
  func word<Word>(
    _ name: String, _ word: Word, among all: @autoclosure () -> [Word], spelt: (Word) -> String
  ) -> Word { word }
}

/// A kind of record: its words, and the parts that belong to each.
package protocol CodedRecord: Hashable, Sendable {
  /// One record of each word, and of each set of parts that it may have.
  static var examples: [Self] { get }

  /// Hands the word and the parts to a coder.
  ///
  /// - Returns: the record with the parts that the coder gave.
  func coded<Coder: RecordCoder>(by coder: inout Coder) throws(Coder.Failure) -> Self
}

extension CodedRecord {
  /// The examples by their words.
  package static func examplesByWord() -> [String: Self] {  // lookup only
    var reading = WordReading()
    var examples: [String: Self] = [:]  // lookup only
    for example in Self.examples {
      _ = example.coded(by: &reading)
      examples[reading.word] = example
    }
    return examples
  }
}

// Parts that several kinds of records have.
extension RecordCoder {
  mutating func begin(_ word: String, _ id: CallID) throws(Failure) -> CallID {
    begin(word)
    return try call(id)
  }

  mutating func begin(_ word: String, _ id: ConnectionID) throws(Failure) -> ConnectionID {
    begin(word)
    return try connection(id)
  }

  mutating func begin(_ word: String, _ id: ChannelID) throws(Failure) -> ChannelID {
    begin(word)
    return try channel(id)
  }

  mutating func begin(_ word: String, call: UInt32) throws(Failure) -> UInt32 {
    begin(word)
    return try index(of: .call, call)
  }

  mutating func begin(_ word: String, request: UInt32) throws(Failure) -> UInt32 {
    begin(word)
    return try index(of: .request, request)
  }

  mutating func number(_ name: String, _ number: UInt32) throws(Failure) -> UInt32 {
    try self.number(name, number, in: 0...UInt32.max)
  }

  mutating func endpoint(_ id: EndpointID) throws(Failure) -> EndpointID {
    EndpointID(index: try number("endpoint", id.index))
  }

  mutating func failure(_ failure: ConnectionFailure) throws(Failure) -> ConnectionFailure {
    try word("failure", failure, among: ConnectionFailure.allCases) { $0.traceName }
  }

  mutating func status(_ code: StatusCode) throws(Failure) -> StatusCode {
    try word("status", code, among: StatusCode.allCases) { $0.name }
  }

  mutating func state(_ name: String, _ state: ChannelState) throws(Failure) -> ChannelState {
    try word(name, state, among: ChannelState.allCases) { $0.name }
  }

  mutating func category(
    _ name: String, _ category: NetworkCategory
  ) throws(Failure) -> NetworkCategory {
    try word(name, category, among: NetworkCategory.allCases) { $0.description }
  }

  mutating func step(_ step: ChainStep) throws(Failure) -> ChainStep {
    try word("step", step, among: ChainStep.allCases) { $0.rawValue }
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
    let word = try word("admission", AdmissionWord(admission), among: AdmissionWord.allCases) {
      $0.rawValue
    }
    switch word {
    case .startsNow: return .startsNow
    case .waits: return .waits(position: try number("position", position))
    case .refused:
      return .refused(
        try self.word("refusal", refusal, among: RequestRefusal.all) { $0.traceName })
    case .freezes: return .freezes
    case .polls: return .polls(position: try number("position", position))
    }
  }

  mutating func end(_ end: RequestEnd) throws(Failure) -> RequestEnd {
    var code = Int32(0)
    if case .failed(let known) = end { code = known }
    let read = try word("end", end, among: RequestEnd.all) { $0.traceName }
    guard case .failed = read else { return read }
    return .failed(code: try number("code", code, in: Int32.min...Int32.max))
  }
}
