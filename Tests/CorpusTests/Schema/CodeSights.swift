import HandoverCore
import HandoverScenario

/// The part of the system that detects a diagnostic's error.
struct CodeSight: Sendable {
  /// The part that detects an error.
  enum Kind: String, Sendable {
    /// The text is not JSON, or too large to read, so nothing in it is checked.
    case syntax
    /// The schema and the reader detect it.
    case shape
    /// Only the reader detects it.
    case meaning
  }

  var kind: Kind
  /// Whether some errors with that code are detected elsewhere.
  var isPartial: Bool
  /// The reason.
  var reason: String

  static func wholly(_ kind: Kind, _ reason: String) -> CodeSight {
    CodeSight(kind: kind, isPartial: false, reason: reason)
  }

  static func partly(_ kind: Kind, _ reason: String) -> CodeSight {
    CodeSight(kind: kind, isPartial: true, reason: reason)
  }

  /// Whether the schema may leave an error of the code to the reader.
  var mayBeUnseen: Bool { kind == .meaning }

  /// Whether the schema may refuse a file for an error of the code.
  var mayBeSeen: Bool { kind == .shape || kind == .meaning && isPartial }
}

extension CodeSight {
  /// Every code.
  ///
  /// The page about editors lists the codes that the schema does not detect, or only in part.
  static let table: KeyValuePairs<DiagnosticCode, CodeSight> = [
    .fileTooLarge: .wholly(.syntax, "a limit of the file, not of what stands in it"),
    .emptyFile: .wholly(.syntax, "there is no value to judge"),
    .byteOrderMark: .wholly(.syntax, "what stands before the value is no JSON"),
    .invalidUTF8: .wholly(.syntax, "there is no text to parse"),
    .nulByte: .wholly(.syntax, "JSON has no such character"),
    .controlCharacter: .wholly(.syntax, "JSON wants it escaped"),
    .truncated: .wholly(.syntax, "the value has no end"),
    .unexpectedCharacter: .wholly(.syntax, "no value begins like that"),
    .invalidLiteral: .wholly(.syntax, "JSON has three bare words"),
    .invalidNumber: .wholly(.syntax, "JSON writes numbers in one way"),
    .invalidEscape: .wholly(.syntax, "JSON has nine escapes"),
    .loneSurrogate: .wholly(.syntax, "it stands for no character, though some parsers let it pass"),
    .missingComma: .wholly(.syntax, "JSON separates values"),
    .missingColon: .wholly(.syntax, "JSON separates key and value"),
    .keyNotText: .wholly(.syntax, "keys are texts"),
    .trailingComma: .wholly(.syntax, "a comma has a value after it"),
    .trailingText: .wholly(.syntax, "a file contains one value"),
    .jsonComment: .wholly(.syntax, "JSON does not allow comments"),
    .tooDeep: .wholly(.syntax, "the reader counts brackets before it looks at values"),
    .duplicateKey: .wholly(
      .meaning,
      "parsers keep one of the two, and the schema sees only that; many editors warn by "
        + "themselves"),
    .unknownKey: .wholly(.shape, "every object lists its keys"),
    .missingKey: .wholly(.shape, "every object lists what it requires"),
    .keyOutOfPlace: .wholly(.shape, "keys that depend on others say so"),
    .wrongType: .wholly(.shape, "every value has its type"),
    .unknownKeyword: .wholly(.shape, "the words are listed"),
    .emptyText: .wholly(.shape, "names have at least one character"),
    .emptyList: .wholly(.shape, "lists that must name something say so"),
    .textTooLong: .partly(
      .shape,
      "the limit is one of bytes; the schema counts characters and misses what is long "
        + "only in bytes"),
    .unprintableText: .wholly(.shape, "names have a pattern"),
    .notAnInteger: .partly(.meaning, "to a schema 1.0 and 1e3 are whole numbers; it sees 1.5"),
    .numberOutOfRange: .wholly(.shape, "numbers have bounds"),
    .tooManyDecimals: .wholly(
      .meaning, "multipleOf is reckoned in binary fractions and would refuse good numbers"),
    .tooManyProblems: .partly(
      .shape,
      "it stands for errors that are not told; the schema sees of them what it sees of each"),
    .invalidTime: .wholly(.shape, "times have a pattern"),
    .timeWithoutUnit: .wholly(.shape, "times have a pattern"),
    .unknownTimeUnit: .wholly(.shape, "times have a pattern"),
    .timeDecimals: .wholly(.shape, "times have a pattern"),
    .timeTooFine: .wholly(.shape, "times have a pattern"),
    .timeOutOfRange: .partly(
      .shape, "each time has a bound; that times with + add up to more is not seen"),
    .negativeTime: .wholly(.shape, "times have a pattern"),
    .timeNotPositive: .wholly(.shape, "such times have a pattern of their own"),
    .relativeTime: .wholly(.shape, "times outside the timeline have a pattern without +"),
    .timeBackwards: .wholly(.meaning, "two times would have to be compared"),
    .unsupportedFormat: .partly(
      .shape, "the format is a constant; 1.0 is the same number to a schema"),
    .invalidID: .wholly(.shape, "ids have a pattern"),
    .unknownProfile: .wholly(.shape, "the profiles are listed"),
    .duplicateProfile: .wholly(.shape, "the list has no two equal values"),
    .noMonitor: .wholly(
      .meaning, "whether there is a monitor follows from the profiles elsewhere in the file"),
    .noQUIC: .wholly(
      .meaning, "whether there is QUIC follows from the profiles elsewhere in the file"),
    .tooManySources: .wholly(.shape, "the list has a limit"),
    .duplicateRank: .wholly(.shape, "the list has no two equal values"),
    .unknownFlag: .wholly(.shape, "the flags are listed"),
    .duplicateFlag: .wholly(.shape, "the list has no two equal values"),
    .invalidFlagsText: .wholly(.shape, "the nine places have a pattern"),
    .unnamedFlagBits: .wholly(
      .meaning, "a warning: the file is good, and a schema knows only good and bad"),
    .unknownHost: .wholly(
      .meaning, "hosts are declared elsewhere in the file, and spelt in several ways"),
    .duplicateHost: .wholly(
      .meaning, "two keys are one host only once a scheme, a path or the port is understood"),
    .unusableHost: .wholly(
      .meaning, "a warning: the file is good, and a schema knows only good and bad"),
    .tooManyHosts: .wholly(
      .meaning, "remarks stand among the hosts, and a schema can only count both together"),
    .unknownPath: .wholly(.meaning, "paths are named elsewhere in the file"),
    .tooManyPaths: .wholly(.meaning, "paths are named all over the file"),
    .invalidAddress: .partly(
      .meaning, "a pattern sees the characters of an address, and not what they amount to"),
    .unknownAddress: .wholly(.meaning, "the addresses stand at the host"),
    .duplicateAddress: .wholly(.meaning, "one address has many spellings"),
    .tooManyAddresses: .wholly(.shape, "the length of a list"),
    .missingAction: .wholly(.shape, "an entry has exactly one of the actions"),
    .severalActions: .wholly(.shape, "an entry has exactly one of the actions"),
    .inBackground: .wholly(.meaning, "entries before it decide whether the application runs"),
    .entryAfterUntil: .wholly(.meaning, "a warning, and two times would have to be compared"),
    .tooManyEntries: .wholly(.shape, "the list has a limit"),
    .unknownCall: .wholly(.meaning, "calls are started elsewhere in the file"),
    .duplicateCall: .wholly(.meaning, "the ids stand in entries of their own"),
    .callNotStarted: .wholly(.meaning, "the order of the entries decides"),
    .callStartsTwice: .wholly(.meaning, "other entries make the call and start it"),
    .callSendsNothing: .wholly(.meaning, "the kind stands where the call starts"),
    .tooManyCalls: .wholly(
      .meaning, "calls stand among other entries, and a schema cannot count some of a list"),
    .unknownNetwork: .wholly(.meaning, "networks are named elsewhere in the file"),
    .severalDefaults: .wholly(
      .meaning, "a schema cannot count only those members of an object that are the default"),
    .networkNotUp: .wholly(.meaning, "what became of the network stands in other entries"),
    .networkUnchanged: .wholly(.meaning, "what became of the network stands in other entries"),
    .noSuccessor: .wholly(.meaning, "the default network stands in other entries"),
    .periodTooShort: .wholly(.meaning, "a schema cannot compare times"),
    .invalidQuality: .wholly(.shape, "shares and rates have patterns"),
    .burstTooShort: .wholly(.meaning, "two numbers would have to be compared"),
    .invalidTrace: .wholly(.meaning, "the trace stands in another file"),
    .deviceAsleep: .wholly(.meaning, "whether the device sleeps stands in other entries"),
    .unknownInterceptor: .wholly(.meaning, "interceptors are named elsewhere in the file"),
    .duplicateInterceptor: .wholly(.meaning, "the names stand in objects of their own"),
    .interceptorNotScripted: .wholly(
      .meaning, "the kind stands where the interceptor is described"),
    .tooManyLinks: .wholly(.shape, "the list has a limit"),
    .tooManyHeaders: .partly(
      .meaning,
      "remarks stand among headers, and a schema can only count both together; it sees lists "
        + "that are too long"),
    .tooManyBytes: .wholly(.meaning, "the bytes of several entries are added up"),
    .wrongProfile: .wholly(
      .meaning, "what the profiles have follows from their names elsewhere in the file"),
    .noDispatcher: .wholly(
      .meaning, "whether there is a dispatcher follows from the profiles elsewhere in the file"),
    .noThreads: .wholly(
      .meaning, "whether there are threads follows from the settings elsewhere in the file"),
    .longAboveTotal: .wholly(.meaning, "two numbers would have to be compared"),
    .tooManyPools: .wholly(.meaning, "pools are named all over the file"),
    .missingSubject: .wholly(.shape, "an expectation has exactly one of the subjects"),
    .severalSubjects: .wholly(.shape, "an expectation has exactly one of the subjects"),
    .severalTimes: .wholly(.shape, "the times of an expectation exclude each other"),
    .nothingExpected: .wholly(.shape, "a subject requires one of its parts"),
    .unknownStatus: .wholly(.shape, "the codes are listed"),
    .unknownState: .wholly(.shape, "the states are listed"),
    .profileNotInScenario: .wholly(
      .meaning, "the scenario's own profiles stand elsewhere in the file"),
    .unknownItem: .wholly(.meaning, "the scenario's own sources stand elsewhere in the file"),
    .duplicateItem: .wholly(.shape, "the list has no two equal values"),
    .expectationAfterUntil: .wholly(.meaning, "two times would have to be compared"),
    .tooManyExpectations: .wholly(.shape, "the list has a limit"),
  ]

  static func of(_ code: DiagnosticCode) -> CodeSight? {
    table.first { $0.key == code }?.value
  }
}
