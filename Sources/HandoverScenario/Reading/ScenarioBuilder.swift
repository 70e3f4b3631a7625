import HandoverCore

/// The state of reading a scenario: the tables so far, and the reported problems.
///
/// Each section of the file has its functions in a separate file. They report invalid values and
/// continue with the rest, so that one run finds all problems of a file. If there is an error, the
/// contents of the tables are not used.
struct ScenarioBuilder {
  var collector = DiagnosticCollector()
  var cursor: TextCursor
  var script = Script()
  var profiles = Profile.all { didSet { work = ProfileWork(profiles) } }
  /// The work of the profiles, for the check of every entry about calls or requests.
  private(set) var work = ProfileWork(Profile.all)
  var sources: [ItemReference] = []
  var expectations: [Expectation] = []
  var entryPositions: [TextPosition] = []

  /// Indices into ``Script/hosts``, by each spelling so far and by the normalized name.
  var hosts: [String: Int] = [:]  // lookup only
  /// Indices of the first host of each endpoint, if the scenario makes requests.
  var endpoints: [EndpointKey: Int] = [:]  // lookup only
  var paths = NameTable(Script().paths)
  var calls = NameTable()
  var requests = NameTable()
  var questions = NameTable()
  var pools = NameTable(Script().pools)
  /// The host that was named last, with the node of its name.
  var latestHost: (index: Int, node: Int)?
  /// The call that was named last, with the node of its name.
  var latestCall: (index: Int, node: Int)?
  /// Calls that were named before their start, or requests if an entry can name either.
  ///
  /// They are checked when all calls and requests are known.
  var callsNotYetStarted: [EarlyName] = []
  /// Indices of the calls that were created and not yet started.
  var callsToStart: Set<Int> = []  // lookup only
  var counts = LimitedCounts()
  var now = Instant.zero
  var app = AppState.foreground
  /// The state of the application after the device wakes, or `nil` while the device is awake.
  var stateAfterWake: AppState?
  /// The state of the networks after the last entry.
  var networks = NetworkLedger()
  var hasReportedEntryAfterUntil = false
  /// The profiles of the expectation that is being read.
  var expectedProfiles: [Profile] = []
  /// The minimum length of a packet on the network whose quality is being read.
  var minimumMTU = LinkQuality.minimumMTU

  /// The kinds of work that at least one of the profiles takes.
  struct ProfileWork {
    var hasCalls: Bool
    var hasRequests: Bool

    init(_ profiles: [Profile]) {
      hasCalls = profiles.contains { $0.client.work == .calls }
      hasRequests = profiles.contains { $0.client.work == .requests }
    }

    /// The work that determines the syntax of host names.
    var ofHosts: ClientKind.Work { hasRequests ? .requests : .calls }
  }

  /// A call that was named before its start.
  struct EarlyName {
    var location: JSONValue
    var id: String
    /// Whether the name can also be that of a request.
    var mayBeRequest = false
    /// Whether the entry starts the call.
    var isStart = false
  }

  /// Returns the trace of a name, or `nil` if traces are not read.
  let traces: ScenarioReader.TraceSource?

  init(_ document: JSONDocument, traces: ScenarioReader.TraceSource? = nil) {
    cursor = TextCursor(document)
    self.traces = traces
  }

  mutating func report(
    _ code: DiagnosticCode, at location: JSONValue, _ message: String, hint: String
  ) {
    collector.report(code, at: location, message, hint: hint)
  }
}

// MARK: - Objects and arrays

extension ScenarioBuilder {
  /// Returns the members of an object, and reports unknown keys and missing keys.
  ///
  /// - Parameters:
  ///   - value: the object.
  ///   - keys: the keys of its kind.
  ///   - kind: the kind of object, or `nil` for the kind that has all the keys.
  /// - Returns: the members, or `nil` if the value is not an object.
  mutating func fields<Key: FieldKey>(
    _ value: JSONValue, _ keys: Key.Type, as kind: ObjectFormat? = nil
  ) -> Fields<Key>? {
    self.fields(value, Key.vocabulary, (kind ?? Key.object).owner)
  }

  mutating func fields<Key>(
    _ value: JSONValue, _ vocabulary: Vocabulary<Key>, _ owner: @autoclosure () -> String
  ) -> Fields<Key>? {
    // Only errors need the owner, and a file has many objects.
    guard value.kind == .object else {
      wrongType(value, owner(), wanted: JSONKind.object.description)
      return nil
    }
    let fields = Fields<Key>(value, vocabulary, owner(), &collector)
    for key in vocabulary.required where !fields.has(key) { reportMissing(key, fields, owner()) }
    return fields
  }

  mutating func reportMissing<Key>(
    _ key: Key, _ fields: Fields<Key>, _ owner: String
  ) {
    report(
      .missingKey, at: fields.object, "\(owner) must have the key \"\(key.rawValue)\"",
      hint: "add \"\(key.rawValue)\"")
  }

  /// Reports the present keys among `keys`, which have no effect here.
  mutating func refuse<Key>(
    _ keys: [Key], _ fields: Fields<Key>, _ reason: String, hint: String
  ) {
    for key in fields.present(among: keys) { refuse(key, fields, reason, hint: hint) }
  }

  /// Reports a key that is present but has no effect here.
  mutating func refuse<Key>(
    _ key: Key, _ fields: Fields<Key>, _ reason: String, hint: String
  ) {
    guard let member = fields.member(key) else { return }
    refuse(member, key.rawValue, reason, hint: hint)
  }

  private mutating func refuse(
    _ member: JSONMember, _ key: String, _ reason: String, hint: String
  ) {
    report(
      .keyOutOfPlace, at: member.key, "\"\(key)\" has no effect here: \(reason)", hint: hint)
  }

  /// Returns whether a value is of a kind, and reports an error if not.
  mutating func has(_ value: JSONValue, _ kind: JSONKind, _ owner: String) -> Bool {
    guard value.kind != kind else { return true }
    wrongType(value, owner, wanted: kind.description)
    return false
  }

  mutating func wrongType(_ value: JSONValue, _ owner: String, wanted: String, hint: String? = nil)
  {
    report(
      .wrongType, at: value, "\(owner) must be \(wanted), found \(value.kind.description)",
      hint: hint ?? "write \(wanted) here")
  }
}

// MARK: - Strings and keywords

extension ScenarioBuilder {
  /// Reads a string with a maximum length.
  mutating func text(_ value: JSONValue, _ owner: String, limit: Int = ScenarioLimits.textByteCount)
    -> String?
  {
    guard has(value, .text, owner) else { return nil }
    // An escape has up to six bytes for one byte, so a longer value exceeds the limit.
    guard value.byteCount <= limit * 6 + 2, let text = value.text, text.utf8.count <= limit else {
      report(
        .textTooLong, at: value, "\(owner) is longer than \(limit) bytes", hint: "shorten it")
      return nil
    }
    return text
  }

  /// Reads a name: a short, nonempty string on one line.
  mutating func name(_ value: JSONValue, _ owner: String) -> String? {
    guard let text = text(value, owner, limit: ScenarioLimits.nameByteCount) else { return nil }
    return isPrintable(text, value, owner) ? text : nil
  }

  /// Returns whether a string is nonempty and has no control characters; reports an error if not.
  mutating func isPrintable(_ text: String, _ value: JSONValue, _ owner: String) -> Bool {
    guard !text.isEmpty else {
      report(.emptyText, at: value, "\(owner) is empty", hint: "write at least one character")
      return false
    }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      report(
        .unprintableText, at: value, "\(owner) contains a line break or another control character",
        hint: "write it on one line, without tabs and control characters")
      return false
    }
    return true
  }

  /// Reads a keyword of a closed set.
  mutating func keyword<Keyword: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, _ owner: String, among keywords: [Keyword] = Array(Keyword.allCases)
  ) -> Keyword? {
    member(value, owner, .unknownKeyword, among: keywords) { $0.rawValue }
  }

  /// Reads a member of a closed set by name; reports an unknown name as `code`.
  mutating func member<Member>(
    _ value: JSONValue, _ owner: String, _ code: DiagnosticCode, among members: [Member],
    named name: (Member) -> String
  ) -> Member? {
    guard has(value, .text, owner), let text = value.text else { return nil }
    if let member = members.first(where: { name($0) == text }) { return member }
    reportNonmember(code, at: value, owner, text, names: members.map(name))
    return nil
  }

  /// Reports a name that is not in a closed set.
  private mutating func reportNonmember(
    _ code: DiagnosticCode, at value: JSONValue, _ owner: String, _ text: String, names: [String]
  ) {
    reportUnknown(
      code, at: value, "\(owner) cannot be \(Excerpt.quoted(text))", text, names: names)
  }

  /// Reports an unknown name, with a spelling suggestion or all valid names.
  mutating func reportUnknown(
    _ code: DiagnosticCode, at location: JSONValue, _ message: String, _ text: String,
    names: [String], hint: String? = nil
  ) {
    let meant = collector.affordsSuggestions ? Spelling.nearest(to: text, among: names) : nil
    report(
      code, at: location, message,
      hint: meant.map { "did you mean \(Excerpt.quoted($0))?" } ?? hint
        ?? "write \(Excerpt.alternatives(names))")
  }
}

// MARK: - Numbers and booleans

extension ScenarioBuilder {
  /// Reads an integer within a range.
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
        .notAnInteger, at: value, "\(owner) must be an integer",
        hint: "write an integer such as 7, without a decimal point or exponent")
    }
    return nil
  }

  /// Reads a number with at most three decimals within a range, without rounding.
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
        hint: "round it to three decimals, such as 0.125")
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
  /// Reads a time without `+`, or returns `nil` if the key is absent or the time is invalid.
  mutating func interval(_ value: JSONValue?, _ owner: String, mustPass: Bool = false) -> Interval?
  {
    guard let value, let time = time(value, owner) else { return nil }
    guard !time.isRelative else {
      report(
        .relativeTime, at: value, "\(owner) cannot be a relative time",
        hint: "remove the +, as in \"1s\"")
      return nil
    }
    guard !mustPass || time.interval > .zero else {
      report(
        .timeNotPositive, at: value, "\(owner) must be longer than zero",
        hint: "write a time such as \"1s\", or remove the key")
      return nil
    }
    return time.interval
  }

  /// Reads an instant of the run, or returns `nil` if the key is absent or the time is invalid.
  mutating func instant(_ value: JSONValue?, _ owner: String) -> Instant? {
    interval(value, owner).map { .zero + $0 }
  }

  /// Reads a time with or without `+`.
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
      report(.invalidTime, at: value, "\(owner) is not a valid time", hint: example)
      return nil
    }
    let node = value.document.nodes[value.node]
    switch node.withText(in: value.document.bytes, { TimeNotation.parse($0) }) {
    case .success(let time):
      return time
    case .failure(let problem):
      let text = Excerpt.quoted(value.text ?? "")
      report(problem, at: value, "\(owner): \(text)", example)
      return nil
    }
  }

  private mutating func report(
    _ problem: TimeNotation.Problem, at value: JSONValue, _ owner: String, _ example: String
  ) {
    switch problem {
    case .malformed:
      report(.invalidTime, at: value, "\(owner) is not a valid time", hint: example)
    case .negative:
      report(
        .negativeTime, at: value, "\(owner) is negative",
        hint: "write a time of zero or more, such as \"1s\"")
    case .withoutUnit:
      report(.timeWithoutUnit, at: value, "\(owner) has no unit", hint: example)
    case .unknownUnit(let unit):
      report(
        .unknownTimeUnit, at: value, "\(owner) has the unknown unit \(Excerpt.quoted(unit))",
        hint: "write us, ms, s, min or h directly after the number, as in \"1s\"")
    case .tooManyDecimals:
      report(
        .timeDecimals, at: value, "\(owner) has more than three decimals",
        hint: "write it in a smaller unit, such as \"1234ms\"")
    case .tooFine:
      report(
        .timeTooFine, at: value, "\(owner) is not a whole number of microseconds",
        hint: "round it to microseconds, the resolution of times")
    case .outOfRange:
      report(
        .timeOutOfRange, at: value,
        "\(owner) is longer than \(ScenarioLimits.longestTime.text)",
        hint: "write a shorter time")
    }
  }
}
