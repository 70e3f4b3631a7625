public import HandoverJSON

/// Everything that can be wrong with a scenario file, by the stable name that reports carry.
///
/// Names never change their meaning; what a new version refuses gets a new name.
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
  // MARK: Text that is not JSON

  /// The file is longer than ``JSONReader/maximumByteCount``.
  case fileTooLarge = "file-too-large"
  /// There is nothing in the file but white space.
  case emptyFile = "empty-file"
  /// The file begins with a byte order mark.
  case byteOrderMark = "byte-order-mark"
  /// The file is not UTF-8.
  case invalidUTF8 = "invalid-utf8"
  /// A NUL byte stands in the file.
  case nulByte = "nul-byte"
  /// A text holds a control character or a line break that is not escaped.
  case controlCharacter = "control-character"
  /// The file ends before its value does.
  case truncated
  /// A character stands where JSON has no place for it.
  case unexpectedCharacter = "unexpected-character"
  /// A bare word is none of `true`, `false` and `null`.
  case invalidLiteral = "invalid-literal"
  /// A number is not written as JSON writes numbers.
  case invalidNumber = "invalid-number"
  /// A backslash is followed by nothing that JSON knows.
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
  /// Something follows the end of the value.
  case trailingText = "trailing-text"
  /// A comment stands in the file.
  case jsonComment = "json-comment"
  /// Arrays and objects stand deeper than ``JSONReader/maximumDepth``.
  case tooDeep = "too-deep"

  // MARK: Keys, types and texts

  /// A key occurs twice in one object.
  case duplicateKey = "duplicate-key"
  /// A key is not one of those that are known here.
  case unknownKey = "unknown-key"
  /// A required key is not there.
  case missingKey = "missing-key"
  /// A known key stands where it has no meaning, for want of another or beside it.
  case keyOutOfPlace = "key-out-of-place"
  /// A value is of another type than is wanted.
  case wrongType = "wrong-type"
  /// A text is not one of the words that are known here.
  case unknownWord = "unknown-word"
  /// A name is empty.
  case emptyText = "empty-text"
  /// A list that must name something names nothing.
  case emptyList = "empty-list"
  /// A text is longer than its limit.
  case textTooLong = "text-too-long"
  /// A name holds a control character.
  case unprintableText = "unprintable-text"
  /// A number has a fraction or an exponent where a whole number is wanted.
  case notAnInteger = "not-an-integer"
  /// A number is smaller or greater than is allowed.
  case numberOutOfRange = "number-out-of-range"
  /// A number has more than three decimals.
  case tooManyDecimals = "too-many-decimals"
  /// There are more errors than are reported in one run.
  case tooManyProblems = "too-many-problems"

  // MARK: Times

  /// A text is no time.
  case invalidTime = "invalid-time"
  /// A time has no unit.
  case timeWithoutUnit = "time-without-unit"
  /// A time has a unit that is not known.
  case unknownTimeUnit = "unknown-time-unit"
  /// A time has more than three decimals.
  case timeDecimals = "time-decimals"
  /// A time is finer than a microsecond.
  case timeTooFine = "time-too-fine"
  /// A time is longer than ``ScenarioLimits/longestTime``.
  case timeOutOfRange = "time-out-of-range"
  /// A time is negative.
  case negativeTime = "negative-time"
  /// A time is zero where some time must pass.
  case timeNotPositive = "time-not-positive"
  /// A time with `+` stands outside the timeline.
  case relativeTime = "relative-time"
  /// A time is earlier than the one before it.
  case timeBackwards = "time-backwards"

  // MARK: The scenario as a whole

  /// The file has a format that is not known.
  case unsupportedFormat = "unsupported-format"
  /// The scenario's id is not path-like.
  case invalidID = "invalid-id"
  /// There is no profile of that name.
  case unknownProfile = "unknown-profile"
  /// A profile is named twice.
  case duplicateProfile = "duplicate-profile"
  /// The monitor is named where the profiles have none.
  case noMonitor = "no-monitor"
  /// Connections of QUIC are told what they may do where the profiles have none (a warning).
  case noQUIC = "no-quic"
  /// There are more sources than ``ScenarioLimits/sources``.
  case tooManySources = "too-many-sources"

  /// An order names one thing twice.
  case duplicateRank = "duplicate-rank"

  // MARK: Flags, hosts and paths

  /// There is no flag of that name.
  case unknownFlag = "unknown-flag"
  /// A flag is named twice.
  case duplicateFlag = "duplicate-flag"
  /// A text is not the nine places that device logs hold.
  case invalidFlagsText = "invalid-flags-text"
  /// A raw number sets bits that no flag has (a warning).
  case unnamedFlagBits = "unnamed-flag-bits"
  /// A host is not declared.
  case unknownHost = "unknown-host"
  /// Two declared hosts are one and the same by P1.
  case duplicateHost = "duplicate-host"
  /// No channel can be made for a declared host (a warning; C13).
  case unusableHost = "unusable-host"
  /// There are more hosts than ``ScenarioLimits/hosts``.
  case tooManyHosts = "too-many-hosts"
  /// No network has that name.
  case unknownPath = "unknown-path"
  /// There are more paths than a script may name.
  case tooManyPaths = "too-many-paths"
  /// A text is no address of IPv4 or IPv6.
  case invalidAddress = "invalid-address"
  /// A host has no such address.
  case unknownAddress = "unknown-address"
  /// An address stands twice in one list.
  case duplicateAddress = "duplicate-address"
  /// A host has more addresses than a file may give it.
  case tooManyAddresses = "too-many-addresses"

  // MARK: The timeline and its calls

  /// An entry does nothing.
  case missingAction = "missing-action"
  /// An entry does more than one thing.
  case severalActions = "several-actions"
  /// The application does something while it is suspended.
  case inBackground = "in-background"
  /// Entries stand after the end of the run (a warning).
  case entryAfterUntil = "entry-after-until"
  /// There are more entries than ``ScenarioLimits/entries``.
  case tooManyEntries = "too-many-entries"
  /// No call, request or question has that id.
  case unknownCall = "unknown-call"
  /// Two calls or requests have one id, or two questions.
  case duplicateCall = "duplicate-call"
  /// A call or a request is named before it starts.
  case callNotStarted = "call-not-started"
  /// A call starts a second time.
  case callStartsTwice = "call-starts-twice"
  /// A message is sent on a call whose request is complete at its start.
  case callSendsNothing = "call-sends-nothing"
  /// There are more calls, requests and questions than ``ScenarioLimits/calls``, channels than
  /// ``ScenarioLimits/channels``, calls through interceptors than
  /// ``ScenarioLimits/interceptedCalls``, or polled requests than
  /// ``ScenarioLimits/polledRequests``.
  case tooManyCalls = "too-many-calls"

  // MARK: Networks

  /// No network has that name, or there is none at all.
  case unknownNetwork = "unknown-network"
  /// Two networks are the default one at first.
  case severalDefaults = "several-defaults"
  /// A network is used, loses its portal or dies that is not up.
  case networkNotUp = "network-not-up"
  /// Something becomes of a network that it is already.
  case networkUnchanged = "network-unchanged"
  /// The default network lingers, and nothing has taken its place.
  case noSuccessor = "no-successor"
  /// An uplink is gone for longer than the time after which it goes again.
  case periodTooShort = "period-too-short"
  /// A share or a rate of a network's quality is none.
  case invalidQuality = "invalid-quality"
  /// So many losses cannot come in bursts of that length.
  case burstTooShort = "burst-too-short"
  /// A trace cannot be read, or is none.
  case invalidTrace = "invalid-trace"
  /// The device falls asleep where it sleeps, wakes where it is awake, or its application moves
  /// while it sleeps.
  case deviceAsleep = "device-asleep"

  // MARK: Interceptors

  /// No interceptor has that name.
  case unknownInterceptor = "unknown-interceptor"
  /// Two interceptors have one name, or two are global.
  case duplicateInterceptor = "duplicate-interceptor"
  /// An interceptor is told what to do whose kind decides that by itself.
  case interceptorNotScripted = "interceptor-not-scripted"
  /// There are more interceptors than ``ScenarioLimits/links``.
  case tooManyLinks = "too-many-links"
  /// There are more headers, trailers or messages than ``ScenarioLimits/headers``, more words than
  /// ``ScenarioLimits/words`` or more holders than ``ScenarioLimits/connections``.
  case tooManyHeaders = "too-many-headers"
  /// Messages that interceptors see have more than ``ScenarioLimits/interceptedByteCount`` bytes.
  case tooManyBytes = "too-many-bytes"

  // MARK: Requests

  /// What stands here has no meaning on one of the profiles: it is of calls, or of requests.
  case wrongProfile = "wrong-profile"
  /// The dispatcher is named where the profiles have none.
  case noDispatcher = "no-dispatcher"
  /// Something is expected of threads where the run has none.
  case noThreads = "no-threads"
  /// A limit for long requests is greater than the total.
  case longAboveTotal = "long-above-total"
  /// There are more pools than a script may name.
  case tooManyPools = "too-many-pools"

  // MARK: What is expected

  /// An expectation looks at nothing.
  case missingSubject = "missing-subject"
  /// An expectation looks at more than one thing.
  case severalSubjects = "several-subjects"
  /// An expectation has more than one time.
  case severalTimes = "several-times"
  /// An expectation does not say what is to be seen.
  case nothingExpected = "nothing-expected"
  /// There is no status code of that name.
  case unknownStatus = "unknown-status"
  /// There is no channel state of that name.
  case unknownState = "unknown-state"
  /// An expectation names a profile that the scenario is not replayed on.
  case profileNotInScenario = "profile-not-in-scenario"
  /// An expectation shows an item that is not among the scenario's sources.
  case unknownItem = "unknown-item"
  /// An expectation names an item twice.
  case duplicateItem = "duplicate-item"
  /// An expectation lies after the end of the run and is never looked at.
  case expectationAfterUntil = "expectation-after-until"
  /// There are more expectations than ``ScenarioLimits/expectations``, or more ends of a call than
  /// ``ScenarioLimits/alternatives``.
  case tooManyExpectations = "too-many-expectations"

  /// Whether a file with such a problem can be run.
  public var severity: Diagnostic.Severity {
    switch self {
    case .unnamedFlagBits, .unusableHost, .entryAfterUntil, .noQUIC: .warning
    default: .error
    }
  }
}

extension DiagnosticCode {
  /// What is wrong with a file that is not JSON.
  public init(_ problem: JSONProblem) {
    self =
      switch problem {
      case .fileTooLarge: .fileTooLarge
      case .emptyFile: .emptyFile
      case .byteOrderMark: .byteOrderMark
      case .invalidUTF8: .invalidUTF8
      case .nulByte: .nulByte
      case .controlCharacter: .controlCharacter
      case .truncated: .truncated
      case .unexpectedCharacter: .unexpectedCharacter
      case .invalidLiteral: .invalidLiteral
      case .invalidNumber: .invalidNumber
      case .invalidEscape: .invalidEscape
      case .loneSurrogate: .loneSurrogate
      case .missingComma: .missingComma
      case .missingColon: .missingColon
      case .keyNotText: .keyNotText
      case .trailingComma: .trailingComma
      case .trailingText: .trailingText
      case .jsonComment: .jsonComment
      case .tooDeep: .tooDeep
      }
  }
}

extension JSONSyntaxError {
  /// What is wrong, as a stable name.
  public var code: DiagnosticCode { DiagnosticCode(problem) }
}
