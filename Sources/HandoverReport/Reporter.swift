package import HandoverCore
package import HandoverEngine
import HandoverScenario

/// Converts the results of a run to a report, piece by piece, without any output.
///
/// The caller calls `begin` once. It then calls `scenarioEnded` for each scenario, in an order that
/// does not depend on parallelism. Finally, it calls `finish` once, even if the run was
/// interrupted. Each method returns the next piece of the report, which can be empty.
package protocol Reporter<Piece>: Sendable {
  /// The type of the pieces.
  associatedtype Piece: ReportPiece

  /// Returns the beginning of the report.
  mutating func begin(_ run: RunDescription) -> Piece
  /// Returns the piece for a scenario after it ran on all its profiles.
  mutating func scenarioEnded(_ result: ScenarioResult) -> Piece
  /// Returns the end of the report, with the summary of the run.
  mutating func finish(_ summary: Summary) -> Piece
}

/// A piece of a report: text, or the bytes of a binary format.
package protocol ReportPiece: Sendable {
  /// The piece as one of these types.
  var content: ReportContent { get }
}

/// The content of a piece of a report.
package enum ReportContent: Sendable {
  case text(String)
  case bytes([UInt8])
}

extension String: ReportPiece {
  package var content: ReportContent { .text(self) }
}

extension [UInt8]: ReportPiece {
  package var content: ReportContent { .bytes(self) }
}

/// The data of a run for reports, in addition to its results.
package struct RunDescription: Hashable, Sendable {
  /// The backend under test.
  package var backend: String
  /// The backend as named on the command line, or `nil` to use its own name.
  package var backendArgument: String?
  /// The arguments with the settings of the backend, such as `--server COMMAND`.
  package var backendSettings: [String] = []
  /// The number of scenarios to run, or `nil` if it is not known yet.
  package var plannedScenarios: Int?
  /// The number of cases to run, or `nil` if it is not known yet.
  package var plannedCases: Int?
  /// The length of the longest ID, for the layout of columns, or zero if it is not known yet.
  package var longestID: Int
  /// The seed of all scenarios, or `nil` if each scenario has its own.
  package var seed: UInt64?
  /// The shard, or `nil` if the whole run is executed.
  package var shard: Shard?

  /// The directory for the traces of the cases, or `nil` if no traces are written.
  package var traceDirectory: String?
  /// The files that list the cases that are known to fail.
  package var knownFailing: [String] = []
  /// The names of the bugs that were injected into the client and its dispatcher.
  package var defects: [String] = []
  /// The quality of paths from the beginning of the run, in the notation of the command line.
  package var conditions: [String] = []
  /// The transport variants on which the cases also run.
  package var variants: [TransportVariant] = []
  /// The thresholds of each case, in addition to the expectations of its scenario.
  package var gates = Gates()
  /// The program that writes the report, or `nil` if it is not shown.
  package var harness: Harness?
  /// The paths that were run if the user chose them, or an empty array for the bundled scenarios.
  package var ownPaths: [String] = []

  /// The identifier that all shards of the run share, or `nil` if there is none.
  package var id: String?
  /// The wall-clock time at which the run began, since 1970, or zero if it is unknown.
  package var began = Instant.zero

  /// A shard of a run.
  package struct Shard: Hashable, Sendable {
    /// The index of the shard, counted from 1.
    package var index: Int
    /// The number of shards.
    package var count: Int
    /// A digest of everything that must be equal in all shards, or `nil` if it is unknown.
    package var plan: String?

    /// The maximum number of shards.
    package static let maximumCount = 100_000

    /// Creates a shard.
    package init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }

  /// The name of the default backend, which commands omit.
  static let defaultBackend = "simulated"
  /// The backends that drive the built-in client, in simulated or real networks.
  static let builtInClients = [defaultBackend, "nio"]

  /// Creates a description; without arguments, that of a default run of unknown length.
  package init(
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

  /// Returns the trace file of a case, or `nil` if no traces are written.
  package func traceFile(of result: CaseResult) -> String? {
    traceDirectory.map { "\($0)/\(result.id).\(result.profile).jsonl" }
  }

  /// Returns the command that repeats a case.
  package func command(repeating result: CaseResult) -> String { command(repeating: [result]) }

  /// Returns one command that repeats cases of one scenario.
  func command(repeating results: [CaseResult]) -> String {
    arguments(repeating: results).joined(separator: " ")
  }

  /// Returns the arguments of the command that repeats a case, quoted for a shell.
  func arguments(repeating result: CaseResult) -> [String] { arguments(repeating: [result]) }

  private func arguments(repeating results: [CaseResult]) -> [String] {
    var arguments = ["handover", "run"] + results.prefix(1).map(\.file)
    arguments += results.flatMap { ["--profile", $0.profile] }
    if backend != Self.defaultBackend { arguments += ["--backend", backendArgument ?? backend] }
    arguments += backendSettings
    if let seed { arguments += ["--seed", String(seed)] }
    arguments += conditions.flatMap { ["--condition", $0] }
    arguments += defects.flatMap { ["--defect", $0] }
    if !variants.isEmpty {
      arguments.append("--variants=" + variants.map(\.argument).joined(separator: ","))
    }
    if let maxHang = gates.maxHang { arguments += ["--max-hang", maxHang.text] }
    if gates.isStrict { arguments.append("--strict") }
    // An unexpected pass only shows in a run with the list of known failures.
    if results.contains(where: \.passedUnexpectedly) {
      arguments += knownFailing.flatMap { ["--known-failing", $0] }
    }
    return arguments.map(Self.shellQuoted)
  }

  /// Returns arguments as a shell command, quoted if necessary.
  static func shellQuoted(_ arguments: [String]) -> String {
    arguments.map(shellQuoted).joined(separator: " ")
  }

  /// Returns an argument for a shell, quoted if necessary.
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
  /// The cases in order, with equal problems on several profiles in one group.
  var alike: [[CaseResult]] {
    var groups: [[CaseResult]] = []
    for one in cases {
      let index = groups.firstIndex { group in
        guard let first = group.first, one.isReportedTogether else { return false }
        return first.verdict == one.verdict && first.decisiveFindings == one.decisiveFindings
          && first.log == one.log
      }
      if let index { groups[index].append(one) } else { groups.append([one]) }
    }
    return groups
  }
}

extension CaseResult {
  /// Whether the case can be grouped with others that have the same result.
  fileprivate var isReportedTogether: Bool {
    switch verdict {
    case .failed, .error, .nonStrict: !passedUnexpectedly
    case .passed, .passedPartially, .unsupported, .failedAsExpected: false
    }
  }

  /// The unique name of the case: `id [profile]`.
  package var name: String { "\(id) [\(profile)]" }

  /// The folder of the ID, or the ID itself if it has no folder.
  var folder: String {
    guard let slash = id.lastIndex(of: "/"), slash != id.startIndex else { return id }
    return String(id[..<slash])
  }

  /// The position of the first finding that has one, or the file.
  var firstPosition: String {
    guard let position = findings.lazy.compactMap(\.position).first else { return file }
    return "\(file):\(position.line):\(position.column)"
  }

  /// The reason why a failure is expected: `failed as expected (known.txt:3)`.
  var knownReason: String {
    "failed as expected" + (knownFailureLocation.map { " (\($0))" } ?? "")
  }

  /// Whether the case is known to fail, but passed.
  var passedUnexpectedly: Bool { findings.contains { $0.kind == .unexpectedPass } }

  /// Returns the worst finding about an expectation, or `nil` if the expectation passed.
  ///
  /// If several findings are equally bad, the first one is returned.
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

  /// The findings that determine the verdict.
  var decisiveFindings: [Finding] { findings.filter { $0.verdict == verdict } }
}

extension Finding {
  /// The name of the kind for programs.
  var kindName: String { kind.name }

  /// The finding in one line.
  var sentence: String { "expected \(expected); seen: \(seen)" }
}

extension Finding.Kind {
  /// The name of the kind in reports for programs.
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

  /// The name for violations of invariants.
  static let ofRules = "invariant"

  /// All names, in the order of the kinds.
  static let names = [
    Self.expectation, .neverEvaluated, .faultWithoutEffect, .invariant(1), .hang, .unexpectedPass,
    .flaky, .partlySeen, .unsupported, .breakdown,
  ].map(\.name)
}
