public import HandoverCore

/// The problems that a scenario file can have, identified by stable names that reports show.
///
/// A name never changes its meaning. A new check in a new version gets a new name.
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
  // MARK: Invalid JSON

  /// The file is longer than ``JSONReader/maximumByteCount``.
  case fileTooLarge = "file-too-large"
  /// The file contains only white space.
  case emptyFile = "empty-file"
  /// The file begins with a byte order mark.
  case byteOrderMark = "byte-order-mark"
  /// The file is not UTF-8.
  case invalidUTF8 = "invalid-utf8"
  /// The file contains a NUL byte.
  case nulByte = "nul-byte"
  /// A string contains a control character or a line break that is not escaped.
  case controlCharacter = "control-character"
  /// The file ends before its value is complete.
  case truncated
  /// A character is not valid JSON at this position.
  case unexpectedCharacter = "unexpected-character"
  /// A bare word is not `true`, `false` or `null`.
  case invalidLiteral = "invalid-literal"
  /// A number is not in JSON notation.
  case invalidNumber = "invalid-number"
  /// A backslash is not followed by a valid JSON escape.
  case invalidEscape = "invalid-escape"
  /// An escape is one half of a surrogate pair.
  case loneSurrogate = "lone-surrogate"
  /// Two values follow each other without a comma.
  case missingComma = "missing-comma"
  /// A key is not followed by a colon.
  case missingColon = "missing-colon"
  /// A key is not in double quotes.
  case keyNotText = "key-not-text"
  /// A comma follows the last value of an array or object.
  case trailingComma = "trailing-comma"
  /// The file continues after the end of the value.
  case trailingText = "trailing-text"
  /// The file contains a comment.
  case jsonComment = "json-comment"
  /// Arrays and objects are nested deeper than ``JSONReader/maximumDepth``.
  case tooDeep = "too-deep"

  // MARK: Keys, types and strings

  /// A key occurs twice in one object.
  case duplicateKey = "duplicate-key"
  /// A key is not known here.
  case unknownKey = "unknown-key"
  /// A required key is missing.
  case missingKey = "missing-key"
  /// A known key has no effect here: a key it needs is missing, or a key it conflicts with is
  /// present.
  case keyOutOfPlace = "key-out-of-place"
  /// A value has the wrong type.
  case wrongType = "wrong-type"
  /// A string is not one of the keywords that are valid here.
  case unknownKeyword = "unknown-keyword"
  /// A name is empty.
  case emptyText = "empty-text"
  /// A list that must not be empty is empty.
  case emptyList = "empty-list"
  /// A string is longer than its limit.
  case textTooLong = "text-too-long"
  /// A name contains a control character.
  case unprintableText = "unprintable-text"
  /// A number has a fraction or an exponent, but must be an integer.
  case notAnInteger = "not-an-integer"
  /// A number is smaller or greater than allowed.
  case numberOutOfRange = "number-out-of-range"
  /// A number has more than three decimals.
  case tooManyDecimals = "too-many-decimals"
  /// There are more errors than one run reports.
  case tooManyProblems = "too-many-problems"

  // MARK: Times

  /// A string is not a valid time.
  case invalidTime = "invalid-time"
  /// A time has no unit.
  case timeWithoutUnit = "time-without-unit"
  /// A time has an unknown unit.
  case unknownTimeUnit = "unknown-time-unit"
  /// A time has more than three decimals.
  case timeDecimals = "time-decimals"
  /// A time is more precise than a microsecond.
  case timeTooFine = "time-too-fine"
  /// A time is longer than ``ScenarioLimits/longestTime``.
  case timeOutOfRange = "time-out-of-range"
  /// A time is negative.
  case negativeTime = "negative-time"
  /// A time is zero, but must be greater than zero.
  case timeNotPositive = "time-not-positive"
  /// A time with `+` is used outside the timeline.
  case relativeTime = "relative-time"
  /// A time is earlier than the time before it.
  case timeBackwards = "time-backwards"

  // MARK: The scenario as a whole

  /// The file has an unknown format.
  case unsupportedFormat = "unsupported-format"
  /// The scenario's id is not path-like.
  case invalidID = "invalid-id"
  /// No profile has this name.
  case unknownProfile = "unknown-profile"
  /// A profile is listed twice.
  case duplicateProfile = "duplicate-profile"
  /// The monitor is named, but the profiles have none.
  case noMonitor = "no-monitor"
  /// QUIC connections are configured, but the profiles do not use QUIC (a warning).
  case noQUIC = "no-quic"
  /// There are more sources than ``ScenarioLimits/sources``.
  case tooManySources = "too-many-sources"

  /// An order lists one element twice.
  case duplicateRank = "duplicate-rank"

  // MARK: Flags, hosts and paths

  /// No flag has this name.
  case unknownFlag = "unknown-flag"
  /// A flag is listed twice.
  case duplicateFlag = "duplicate-flag"
  /// A string is not in the nine-character flag notation of device logs.
  case invalidFlagsText = "invalid-flags-text"
  /// A raw number sets bits that belong to no flag (a warning).
  case unnamedFlagBits = "unnamed-flag-bits"
  /// A host is not declared.
  case unknownHost = "unknown-host"
  /// Two declared hosts are the same host by P1.
  case duplicateHost = "duplicate-host"
  /// No channel can be created for a declared host (a warning; C13).
  case unusableHost = "unusable-host"
  /// There are more hosts than ``ScenarioLimits/hosts``.
  case tooManyHosts = "too-many-hosts"
  /// No network has this name.
  case unknownPath = "unknown-path"
  /// There are more paths than ``Script/maximumPathCount``.
  case tooManyPaths = "too-many-paths"
  /// A string is not an IPv4 or IPv6 address.
  case invalidAddress = "invalid-address"
  /// The host does not have this address.
  case unknownAddress = "unknown-address"
  /// An address occurs twice in one list.
  case duplicateAddress = "duplicate-address"
  /// A host has more addresses than ``ScenarioLimits/addresses``.
  case tooManyAddresses = "too-many-addresses"

  // MARK: The timeline and its calls

  /// An entry has no action.
  case missingAction = "missing-action"
  /// An entry has more than one action.
  case severalActions = "several-actions"
  /// The application acts while it is suspended.
  case inBackground = "in-background"
  /// Entries are later than the end of the run (a warning).
  case entryAfterUntil = "entry-after-until"
  /// There are more entries than ``ScenarioLimits/entries``.
  case tooManyEntries = "too-many-entries"
  /// No call, request or question has this ID.
  case unknownCall = "unknown-call"
  /// Two calls or requests, or two questions, have the same ID.
  case duplicateCall = "duplicate-call"
  /// A call or a request is used before it starts.
  case callNotStarted = "call-not-started"
  /// A call starts a second time.
  case callStartsTwice = "call-starts-twice"
  /// A message is sent on a call whose request is complete at its start.
  case callSendsNothing = "call-sends-nothing"
  /// There are more calls than a limit allows.
  ///
  /// The limits are ``ScenarioLimits/calls`` for calls, requests and questions together,
  /// ``ScenarioLimits/channels`` for channels, ``ScenarioLimits/interceptedCalls`` for calls
  /// through interceptors, and ``ScenarioLimits/polledRequests`` for polled requests.
  case tooManyCalls = "too-many-calls"

  // MARK: Networks

  /// No network has this name, or the scenario declares no networks.
  case unknownNetwork = "unknown-network"
  /// Two networks are the default network at the beginning.
  case severalDefaults = "several-defaults"
  /// A network that is down changes in a way that requires a network that is up.
  case networkNotUp = "network-not-up"
  /// A network changes to a state that it already has.
  case networkUnchanged = "network-unchanged"
  /// The default network lingers, but no other network has replaced it.
  case noSuccessor = "no-successor"
  /// An uplink is down for longer than the period after which it goes down again.
  case periodTooShort = "period-too-short"
  /// A share or a rate in a network's quality is invalid.
  case invalidQuality = "invalid-quality"
  /// The loss rate is too high for this burst length.
  case burstTooShort = "burst-too-short"
  /// A trace cannot be read, or is not a valid trace.
  case invalidTrace = "invalid-trace"
  /// An action conflicts with the power state of the device.
  ///
  /// The device goes to sleep while it sleeps, wakes while it is awake, or changes airplane mode or
  /// the state of its application while it sleeps.
  case deviceAsleep = "device-asleep"

  // MARK: Interceptors

  /// No interceptor has this name.
  case unknownInterceptor = "unknown-interceptor"
  /// Two interceptors have the same name, or two are global.
  case duplicateInterceptor = "duplicate-interceptor"
  /// An interceptor whose kind is not `gate` is given an action.
  case interceptorNotScripted = "interceptor-not-scripted"
  /// There are more interceptors than ``ScenarioLimits/links``.
  case tooManyLinks = "too-many-links"
  /// There are more values in a list than a limit allows.
  ///
  /// The limits are ``ScenarioLimits/headers`` for headers, trailers and messages,
  /// ``ScenarioLimits/keywords`` for keywords, and ``ScenarioLimits/connections`` for holders.
  case tooManyHeaders = "too-many-headers"
  /// Messages through interceptors have more than ``ScenarioLimits/interceptedByteCount`` bytes.
  case tooManyBytes = "too-many-bytes"

  // MARK: Requests

  /// A key or an action is not valid on one of the profiles: it is only for calls, or for requests.
  case wrongProfile = "wrong-profile"
  /// The dispatcher is named, but the profiles have none.
  case noDispatcher = "no-dispatcher"
  /// An expectation is about threads, but the run has none.
  case noThreads = "no-threads"
  /// The limit for long requests is greater than the total.
  case longAboveTotal = "long-above-total"
  /// There are more pools than ``Script/maximumPoolCount``.
  case tooManyPools = "too-many-pools"

  // MARK: Expectations

  /// An expectation has no subject.
  case missingSubject = "missing-subject"
  /// An expectation has more than one subject.
  case severalSubjects = "several-subjects"
  /// An expectation has more than one time.
  case severalTimes = "several-times"
  /// An expectation has no expected value.
  case nothingExpected = "nothing-expected"
  /// No status code has this name.
  case unknownStatus = "unknown-status"
  /// No channel state has this name.
  case unknownState = "unknown-state"
  /// An expectation names a profile that is not among the scenario's profiles.
  case profileNotInScenario = "profile-not-in-scenario"
  /// An expectation shows a requirement that is not among the scenario's sources.
  case unknownItem = "unknown-item"
  /// An expectation names a requirement twice.
  case duplicateItem = "duplicate-item"
  /// An expectation is later than the end of the run and is never evaluated.
  case expectationAfterUntil = "expectation-after-until"
  /// There are more expectations or alternatives than a limit allows.
  ///
  /// The limits are ``ScenarioLimits/expectations``, and ``ScenarioLimits/alternatives`` for the
  /// outcomes of a call.
  case tooManyExpectations = "too-many-expectations"

  /// Whether a file with this problem can be run.
  public var severity: Diagnostic.Severity {
    switch self {
    case .unnamedFlagBits, .unusableHost, .entryAfterUntil, .noQUIC: .warning
    default: .error
    }
  }
}

extension DiagnosticCode {
  /// Creates the code for a problem in a file that is not valid JSON, which has the same name.
  public init(_ problem: JSONProblem) {
    guard let code = DiagnosticCode(rawValue: problem.rawValue) else {
      preconditionFailure("no code has the name \(problem.rawValue)")
    }
    self = code
  }
}

extension JSONSyntaxError {
  /// The stable name of the problem.
  public var code: DiagnosticCode { DiagnosticCode(problem) }
}
