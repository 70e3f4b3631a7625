import HandoverCore
public import HandoverEngine
import HandoverScenario

/// Turns what came out of a run into the text of a report, piece by piece, without any output.
///
/// The order of calls is: `begin` once; `scenarioEnded` for each scenario, in an order that does
/// not depend on how many run side by side; `finish` once, also where a run was interrupted. What
/// each returns is the next piece of the text, and may be empty.
public protocol Reporter: Sendable {
  /// The run begins.
  mutating func begin(_ run: RunDescription) -> String
  /// A scenario was run on all its profiles.
  mutating func scenarioEnded(_ result: ScenarioResult) -> String
  /// The run is over, with this in sum.
  mutating func finish(_ summary: Summary) -> String
}

/// What reports say of a run as a whole, beside its results.
public struct RunDescription: Hashable, Sendable {
  /// The backend under test.
  public var backend: String
  /// How the backend was named on the command line; nil where its own name does.
  public var backendArgument: String?
  /// What plays the servers, as the command line names it; nil where the harness plays them.
  public var serverArgument: String?
  /// How many scenarios are going to be run; nil where nobody knows yet.
  public var plannedScenarios: Int?
  /// How many cases are going to be run; nil where nobody knows yet.
  public var plannedCases: Int?
  /// The length of the longest id, for columns; zero where nobody knows yet.
  public var longestID: Int
  /// The seed that was given for all scenarios; nil where each has its own.
  public var seed: UInt64?
  /// Which part of how many this is, counted from 1; nil where all of it is run.
  public var shard: Shard?

  /// The directory that gets the trace of each case; nil where none are written.
  public var traceDirectory: String?
  /// The files that say which cases are known to fail.
  public var knownFailing: [String] = []
  /// The names of the defects that the client and its dispatcher were given.
  public var defects: [String] = []
  /// How good paths were from the beginning, as the command line says it.
  public var conditions: [String] = []
  /// The variants of the transport that cases are played on besides.
  public var variants: [TransportVariant] = []
  /// What each case must keep besides what its scenario expects.
  public var gates = Gates()
  /// What makes the report; nil where that is not told.
  public var harness: Harness?
  /// The paths that were run where these are the reader's own; empty where they are the bundled
  /// scenarios.
  public var ownPaths: [String] = []

  /// A part of a run that was divided.
  public struct Shard: Hashable, Sendable {
    /// Which part, counted from 1.
    public var index: Int
    /// Of how many.
    public var count: Int
    /// A digest of all that must be the same in every part; nil where nobody said it.
    public var plan: String?

    /// Of how many parts a run may be at most.
    public static let maximumCount = 100_000

    /// Makes a part.
    public init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }

  /// The name of the backend that needs not be named.
  static let usualBackend = "simulated"
  /// The backends that drive the built-in client, in whatever network.
  static let builtInClients = [usualBackend, "nio"]

  /// Makes a description; without arguments, that of a usual run of unknown length.
  public init(
    backend: String = "simulated", plannedScenarios: Int? = nil, plannedCases: Int? = nil,
    longestID: Int = 0, seed: UInt64? = nil, shard: Shard? = nil,
    traceDirectory: String? = nil
  ) {
    self.backend = backend
    self.plannedScenarios = plannedScenarios
    self.plannedCases = plannedCases
    self.longestID = longestID
    self.seed = seed
    self.shard = shard
    self.traceDirectory = traceDirectory
  }

  /// The file of a case's trace; nil where none are written.
  public func traceFile(of result: CaseResult) -> String? {
    traceDirectory.map { "\($0)/\(result.id).\(result.profile).jsonl" }
  }

  /// The one command that repeats a case.
  public func command(repeating result: CaseResult) -> String { command(repeating: [result]) }

  /// The one command that repeats cases of one scenario.
  func command(repeating results: [CaseResult]) -> String {
    words(repeating: results).joined(separator: " ")
  }

  /// The same word by word, each as a shell takes it.
  func words(repeating result: CaseResult) -> [String] { words(repeating: [result]) }

  private func words(repeating results: [CaseResult]) -> [String] {
    var words = ["handover", "run"] + results.prefix(1).map(\.file)
    words += results.flatMap { ["--profile", $0.profile] }
    if backend != Self.usualBackend { words += ["--backend", backendArgument ?? backend] }
    if let serverArgument { words += ["--server", serverArgument] }
    if let seed { words += ["--seed", String(seed)] }
    words += conditions.flatMap { ["--condition", $0] }
    words += defects.flatMap { ["--defect", $0] }
    if !variants.isEmpty {
      words.append("--variants=" + variants.map(\.argument).joined(separator: ","))
    }
    if let maxHang = gates.maxHang { words += ["--max-hang", maxHang.text] }
    if gates.isStrict { words.append("--strict") }
    // Alone, such a case passes and shows nothing.
    if results.contains(where: \.passedUnexpectedly) {
      words += knownFailing.flatMap { ["--known-failing", $0] }
    }
    return words.map(Self.shellQuoted)
  }

  /// The words as a shell takes them: in quotes where they need them.
  static func shellQuoted(_ words: [String]) -> String {
    words.map(shellQuoted).joined(separator: " ")
  }

  /// The word as a shell takes it for itself.
  static func shellQuoted(_ word: String) -> String {
    let plain = word.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "-_./:=@%+,".unicodeScalars.contains($0)
    }
    if plain, !word.isEmpty { return word }
    if VisibleText.of(word) == word {
      return "'"
        + word.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
    }
    return "$'" + word.unicodeScalars.map(ansiQuoted).joined() + "'"
  }

  private static func ansiQuoted(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "'": return "\\'"
    case "\\": return "\\\\"
    default: break
    }
    let text = String(Character(scalar))
    guard VisibleText.of(text) != text else { return text }
    let digits = String(scalar.value, radix: 16)
    return "\\U" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}

extension ScenarioResult {
  /// The cases in their order; those that came to the same trouble on several profiles together.
  var alike: [[CaseResult]] {
    var groups: [[CaseResult]] = []
    for one in cases {
      let place = groups.firstIndex { group in
        guard let first = group.first, one.isToldTogether else { return false }
        return first.verdict == one.verdict && first.weightiest == one.weightiest
          && first.log == one.log
      }
      if let place { groups[place].append(one) } else { groups.append([one]) }
    }
    return groups
  }
}

extension CaseResult {
  /// Whether it is told together with others that came to the same.
  fileprivate var isToldTogether: Bool {
    switch verdict {
    case .failed, .error, .nonStrict: !passedUnexpectedly
    case .passed, .asFarAsSeen, .unsupported, .failedAsExpected: false
    }
  }

  /// The name of the case, different from every other: `id [profile]`.
  public var name: String { "\(id) [\(profile)]" }

  /// Where to look first: the place of the first finding that has one.
  var firstPosition: String {
    guard let position = findings.lazy.compactMap(\.position).first else { return file }
    return "\(file):\(position.line):\(position.column)"
  }

  /// The verdict in words, with how much was seen where that is not all.
  var verdictText: String {
    verdict == .asFarAsSeen ? "\(verdict.name) (\(sight.text))" : verdict.name
  }

  /// Why a failure is none: `failed as expected (known.txt:3)`.
  var knownReason: String {
    "failed as expected" + (knownFrom.map { " (\($0))" } ?? "")
  }

  /// Whether the case is known to fail and did not.
  var passedUnexpectedly: Bool { findings.contains { $0.kind == .unexpectedPass } }

  /// The worst that was found of an expectation, the first of several; nil where it held.
  func finding(about expectation: Expectation) -> Finding? {
    let found = findings.filter { finding in
      switch finding.kind {
      case .expectation, .neverEvaluated, .partlySeen, .unsupported:
        finding.position == expectation.position
      case .faultWithoutEffect, .invariant, .hang, .unexpectedPass, .flaky, .breakdown: false
      }
    }
    return found.first { one in found.allSatisfy { $0.verdict <= one.verdict } }
  }

  /// The findings that made the verdict.
  var weightiest: [Finding] { findings.filter { $0.verdict == verdict } }
}

extension Finding {
  /// The kind as one word, for programs.
  var kindName: String { kind.name }

  /// The finding on one line.
  var sentence: String { "expected \(expected); seen: \(seen)" }
}

extension Finding.Kind {
  /// The word for the kind in reports for programs.
  var name: String {
    switch self {
    case .expectation: "expectation"
    case .neverEvaluated: "neverEvaluated"
    case .faultWithoutEffect: "faultWithoutEffect"
    case .invariant: Self.ofRules
    case .hang: "hang"
    case .unexpectedPass: "unexpectedPass"
    case .flaky: "flaky"
    case .partlySeen: "partlySeen"
    case .unsupported: "unsupported"
    case .breakdown: "breakdown"
    }
  }

  /// The word for broken rules.
  static let ofRules = "invariant"

  /// All words, in the order of the kinds.
  static let names = [
    Self.expectation, .neverEvaluated, .faultWithoutEffect, .invariant(1), .hang, .unexpectedPass,
    .flaky, .partlySeen, .unsupported, .breakdown,
  ].map(\.name)
}
