import HandoverCore
import HandoverJSON

/// A scenario while it is read: the tables so far, and what was found wrong.
///
/// Each section of the file has its functions in a file of its own. They report what they cannot
/// read and go on with what they can, so that all problems of a file are found in one run; what
/// they leave in the tables then is never used.
struct ScenarioBuilder {
  var collector = DiagnosticCollector()
  var cursor: TextCursor
  var script = Script()
  var profiles = Profile.all { didSet { sorts = ProfileSorts(profiles) } }
  /// Of which sorts they are; every entry that is about a call or a request is held against it.
  private(set) var sorts = ProfileSorts(Profile.all)
  var sources: [ItemReference] = []
  var expectations: [Expectation] = []
  var entryPositions: [TextPosition] = []

  /// Places in ``Script/hosts``, by every spelling met so far and by the normalised name.
  var hosts: [String: Int] = [:]  // lookup only
  /// Places of the first hosts of each endpoint, where the scenario makes requests.
  var endpoints: [EndpointKey: Int] = [:]  // lookup only
  var paths = NameTable(Script().paths)
  var calls = NameTable()
  var requests = NameTable()
  var questions = NameTable()
  var pools = NameTable(Script().pools)
  /// The host that was named last, and the node that named it.
  var latestHost: (index: Int, node: Int)?
  /// The call that was named last, and the node that named it.
  var latestCall: (index: Int, node: Int)?
  /// Calls that were named before they were started, and requests where an entry may name either;
  /// judged when all of them are known.
  var callsNotYetStarted: [EarlyName] = []
  /// Calls that were made and have not been started, by their places.
  var callsToStart: Set<Int> = []  // lookup only
  var counts = LimitedCounts()
  var now = Instant.zero
  var app = AppState.foreground
  /// Where the application is when the device wakes; nil where it is awake.
  var wakesTo: AppState?
  /// The networks as the last entry left them.
  var networks = NetworkLedger()
  var hasReportedEntryAfterUntil = false

  /// Whether some of the profiles make requests, and whether some make calls.
  struct ProfileSorts {
    var someMakeRequests: Bool
    var someMakeCalls: Bool

    init(_ profiles: [Profile]) {
      someMakeRequests = profiles.contains { $0.makesRequests }
      someMakeCalls = profiles.contains { !$0.makesRequests }
    }
  }

  /// A call that was named before it was started.
  struct EarlyName {
    var place: JSONValue
    var id: String
    /// Whether it could have been a request.
    var mayBeRequest = false
    /// Whether it was named to be started.
    var isStart = false
  }

  /// Gives the bytes of a trace that is named; nil where nobody reads files.
  let traces: ScenarioReader.TraceSource?

  init(_ document: JSONDocument, traces: ScenarioReader.TraceSource? = nil) {
    cursor = TextCursor(document)
    self.traces = traces
  }

  mutating func report(
    _ code: DiagnosticCode, at place: JSONValue, _ message: String, hint: String
  ) {
    collector.report(code, at: place, message, hint: hint)
  }
}

// MARK: - Objects and arrays

extension ScenarioBuilder {
  /// The members of an object, whose kind is named by `owner` with its article.
  mutating func fields<Key: FieldKey>(_ value: JSONValue, _ owner: String, _ keys: Key.Type)
    -> Fields<Key>?
  {
    guard has(value, .object, owner) else { return nil }
    return Fields(value, owner, &collector)
  }

  /// The value of a key that must be there.
  mutating func required<Key: FieldKey>(_ key: Key, _ fields: Fields<Key>, _ owner: String)
    -> JSONValue?
  {
    if let value = fields[key] { return value }
    report(
      .missingKey, at: fields.object, "\(owner) must have the key \"\(key.rawValue)\"",
      hint: "add \"\(key.rawValue)\"")
    return nil
  }

  /// Reports those of some keys that are there and mean nothing here.
  mutating func refuse<Key: FieldKey>(
    _ keys: [Key], _ fields: Fields<Key>, _ reason: String, hint: String
  ) {
    for key in fields.present(among: keys) { refuse(key, fields, reason, hint: hint) }
  }

  /// Reports a key that is there and means nothing here.
  mutating func refuse<Key: FieldKey>(
    _ key: Key, _ fields: Fields<Key>, _ reason: String, hint: String
  ) {
    guard let member = fields.member(key) else { return }
    refuse(member, key.rawValue, reason, hint: hint)
  }

  private mutating func refuse(
    _ member: JSONMember, _ key: String, _ reason: String, hint: String
  ) {
    report(
      .keyOutOfPlace, at: member.key, "\"\(key)\" means nothing here: \(reason)", hint: hint)
  }

  /// Whether a value is of a kind; reports it where it is not.
  mutating func has(_ value: JSONValue, _ kind: JSONKind, _ owner: String) -> Bool {
    guard value.kind != kind else { return true }
    wrongType(value, owner, wanted: kind.description)
    return false
  }

  mutating func wrongType(_ value: JSONValue, _ owner: String, wanted: String, hint: String? = nil)
  {
    report(
      .wrongType, at: value, "\(owner) must be \(wanted), and is \(value.kind.description)",
      hint: hint ?? "write \(wanted) here")
  }
}

// MARK: - Texts and words

extension ScenarioBuilder {
  /// A free text of a limited length.
  mutating func text(_ value: JSONValue, _ owner: String, limit: Int = ScenarioLimits.textByteCount)
    -> String?
  {
    guard has(value, .text, owner) else { return nil }
    // An escape has up to six bytes for one; what is longer cannot be within the limit.
    guard value.byteCount <= limit * 6 + 2, let text = value.text, text.utf8.count <= limit else {
      report(
        .textTooLong, at: value, "\(owner) is longer than \(limit) bytes", hint: "shorten it")
      return nil
    }
    return text
  }

  /// A name: a short text on one line that is not empty.
  mutating func name(_ value: JSONValue, _ owner: String) -> String? {
    guard let text = text(value, owner, limit: ScenarioLimits.nameByteCount) else { return nil }
    return isPrintable(text, value, owner) ? text : nil
  }

  /// Whether a text is not empty and can stand on a line of a report; reports it where not.
  mutating func isPrintable(_ text: String, _ value: JSONValue, _ owner: String) -> Bool {
    guard !text.isEmpty else {
      report(.emptyText, at: value, "\(owner) is empty", hint: "give it at least one character")
      return false
    }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      report(
        .unprintableText, at: value, "\(owner) holds a line break or another control character",
        hint: "write it on one line, without tabs and control characters")
      return false
    }
    return true
  }

  /// One of a closed set of words.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, _ owner: String, among words: [Word] = Array(Word.allCases)
  ) -> Word? {
    member(value, owner, .unknownWord, among: words) { $0.rawValue }
  }

  /// A member of a closed set, by its name; a name outside the set is reported as `code`.
  mutating func member<Member>(
    _ value: JSONValue, _ owner: String, _ code: DiagnosticCode, among members: [Member],
    named name: (Member) -> String
  ) -> Member? {
    guard has(value, .text, owner) else { return nil }
    let text = value.text ?? ""
    if let member = members.first(where: { name($0) == text }) { return member }
    reportUnknown(
      code, at: value, "\(owner) cannot be \(Excerpt.quoted(text))", text,
      names: members.map(name))
    return nil
  }

  /// Reports a name that is not there, with the one that was meant or all there are.
  mutating func reportUnknown(
    _ code: DiagnosticCode, at place: JSONValue, _ message: String, _ text: String,
    names: [String], otherwise: String? = nil
  ) {
    let meant = collector.affordsSuggestions ? Spelling.nearest(to: text, among: names) : nil
    report(
      code, at: place, message,
      hint: meant.map { "did you mean \(Excerpt.quoted($0))?" } ?? otherwise
        ?? "write \(Excerpt.alternatives(names))")
  }
}

// MARK: - Numbers and booleans

extension ScenarioBuilder {
  /// A whole number within a range.
  mutating func integer<Number: FixedWidthInteger>(
    _ value: JSONValue, _ owner: String, _ range: ClosedRange<Number>
  ) -> Number? {
    guard has(value, .number, owner) else { return nil }
    switch value.integer {
    case .success(let number):
      if let number = Number(exactly: number), range.contains(number) { return number }
      outOfRange(value, owner, "\(range.lowerBound) to \(range.upperBound)")
    case .failure(.outOfRange):
      outOfRange(value, owner, "\(range.lowerBound) to \(range.upperBound)")
    case .failure(.notAnInteger), .failure(.tooManyDecimals):
      report(
        .notAnInteger, at: value, "\(owner) must be a whole number",
        hint: "write it without a point and without an exponent")
    }
    return nil
  }

  /// A number with at most three decimals within a range, exactly.
  mutating func ratio(_ value: JSONValue, _ owner: String, _ range: ClosedRange<Int64>) -> Ratio? {
    guard has(value, .number, owner) else { return nil }
    switch value.thousandths {
    case .success(let thousandths):
      let bounds = range.lowerBound * 1_000...range.upperBound * 1_000
      if let number = Int64(exactly: thousandths), bounds.contains(number) {
        return Ratio(number, outOf: 1_000)
      }
      outOfRange(value, owner, "\(range.lowerBound) to \(range.upperBound)")
    case .failure(.outOfRange):
      outOfRange(value, owner, "\(range.lowerBound) to \(range.upperBound)")
    case .failure(.tooManyDecimals), .failure(.notAnInteger):
      report(
        .tooManyDecimals, at: value, "\(owner) has more than three decimals",
        hint: "round it to thousandths: runs reckon exactly")
    }
    return nil
  }

  private mutating func outOfRange(_ value: JSONValue, _ owner: String, _ range: String) {
    report(
      .numberOutOfRange, at: value, "\(owner) is out of range", hint: "write a number from \(range)"
    )
  }

  mutating func boolean(_ value: JSONValue, _ owner: String) -> Bool? {
    switch value.kind {
    case .true: return true
    case .false: return false
    case .null, .number, .text, .array, .object:
      wrongType(value, owner, wanted: "true or false")
      return nil
    }
  }
}

// MARK: - Times

extension ScenarioBuilder {
  /// A time that stands by itself; nil where the key is absent or the time is wrong.
  mutating func interval(_ value: JSONValue?, _ owner: String, mustPass: Bool = false) -> Interval?
  {
    guard let value, let time = time(value, owner) else { return nil }
    guard !time.isRelative else {
      report(
        .relativeTime, at: value, "\(owner) cannot be relative to an entry of the timeline",
        hint: "remove the +")
      return nil
    }
    guard !mustPass || time.interval > .zero else {
      report(
        .timeNotPositive, at: value, "\(owner) must be longer than zero",
        hint: "write a time such as \"1s\", or leave the key out")
      return nil
    }
    return time.interval
  }

  /// An instant since the beginning of the run; nil where the key is absent or the time is wrong.
  mutating func instant(_ value: JSONValue?, _ owner: String) -> Instant? {
    interval(value, owner).map { .zero + $0 }
  }

  /// A time with or without `+`.
  mutating func time(_ value: JSONValue, _ owner: String) -> TimeNotation.Parsed? {
    let example = "write a time such as \"250ms\", \"1.5s\", \"2min\" or \"1h\""
    guard value.kind != .number else {
      report(.timeWithoutUnit, at: value, "\(owner) is a number without a unit", hint: example)
      return nil
    }
    guard value.kind == .text else {
      wrongType(value, owner, wanted: "a time", hint: example)
      return nil
    }
    guard value.byteCount <= ScenarioLimits.nameByteCount else {
      report(.invalidTime, at: value, "\(owner) is no time", hint: example)
      return nil
    }
    let node = value.document.nodes[value.node]
    switch node.withText(in: value.document.bytes, { TimeNotation.parse($0) }) {
    case .success(let time):
      return time
    case .failure(let problem):
      let text = Excerpt.quoted(value.text ?? "")
      report(problem, at: value, "\(owner) is \(text), which", example)
      return nil
    }
  }

  private mutating func report(
    _ problem: TimeNotation.Problem, at value: JSONValue, _ owner: String, _ example: String
  ) {
    switch problem {
    case .malformed:
      report(.invalidTime, at: value, "\(owner) is no time", hint: example)
    case .negative:
      report(
        .negativeTime, at: value, "\(owner) is negative", hint: "times count forward from zero")
    case .withoutUnit:
      report(.timeWithoutUnit, at: value, "\(owner) has no unit", hint: example)
    case .unknownUnit(let unit):
      report(
        .unknownTimeUnit, at: value, "\(owner) has the unknown unit \(Excerpt.quoted(unit))",
        hint: "the units are us, ms, s, min and h, without a space before them")
    case .tooManyDecimals:
      report(
        .timeDecimals, at: value, "\(owner) has more than three decimals",
        hint: "write it in a smaller unit")
    case .tooFine:
      report(
        .timeTooFine, at: value, "\(owner) is no whole number of microseconds",
        hint: "round it: the resolution is one microsecond")
    case .outOfRange:
      report(
        .timeOutOfRange, at: value,
        "\(owner) is longer than \(ScenarioLimits.longestTime.text)",
        hint: "write a shorter time")
    }
  }
}
