package import HandoverCore
package import HandoverEngine
import HandoverScenario

/// A report of `-o jsonl=FILE`, parsed.
package struct RunReport: Hashable, Sendable {
  /// The maximum size of a report, in bytes.
  package static let maximumByteCount = 256 * 1_024 * 1_024
  /// The maximum length of a line, in bytes.
  package static let maximumLineByteCount = 16 * 1_024 * 1_024
  /// The version of the format of all reports.
  static let version = 1
  /// The maximum of a count, far above that of any run.
  ///
  /// The sum of the counts of ``RunDescription/Shard/maximumCount`` reports does not overflow.
  static let maximumCount = 1 << 40

  /// The name of the file, as the caller gave it.
  package var file: String
  /// The backend under test.
  package var backend: String
  /// The seed of all scenarios, or `nil` if each scenario had its own.
  package var seed: UInt64?
  /// The shard of a run that the report covers, or `nil` if it covers the whole run.
  package var shard: RunDescription.Shard?
  /// The program that wrote the report.
  package var harness: Harness?
  /// The cases, in the order of the report.
  package var cases: [Case] = []
  /// The summary, without the figures.
  var summary = Summary()
  /// The threshold for hangs, or `nil` if hangs were not checked.
  var maxHang: Interval?
  /// The times from a network change to the end of a call.
  package var figures: [Figures] = []
  /// Whether the run was interrupted.
  package var wasInterrupted: Bool {
    get { summary.wasInterrupted }
    set { summary.wasInterrupted = newValue }
  }

  /// A row of figures.
  package struct Figures: Hashable, Sendable {
    /// The profile, with its variant.
    package var name: String
    /// Whether the row belongs to a variant.
    var belongsToVariant: Bool
    /// The median, or `nil` if no call ended.
    package var median: Interval?
    /// The maximum, or `nil` if no call ended.
    package var worst: Interval?
    /// The number of calls that ended.
    package var calls: Int
    /// The number of calls that never ended after a change.
    package var neverEnded: Int
  }

  /// The result of one scenario on one profile.
  package struct Case: Hashable, Sendable {
    /// The scenario's ID.
    package var id: String
    /// The profile's name.
    package var profile: String
    /// The verdict.
    package var verdict: Verdict
    /// The findings, each on one line.
    package var findings: [String]
    /// The results of the calls.
    package var calls: [Call]
    /// The digest of the trace, or `nil` if there is none.
    package var digest: String?
    /// The times from each network change to the end of a call that it ended.
    var changeToEnd: [Interval] = []

    /// The name of the case: `id [profile]`.
    package var name: String { "\(id) [\(profile)]" }
  }

  /// The result of one call.
  package struct Call: Hashable, Sendable {
    /// The call's name.
    package var id: String
    /// The status and its message, or `nil` if the call did not end.
    package var status: String?
    /// The instant at which the call ended.
    package var at: Instant?

    /// The end of the call as text.
    var text: String {
      guard let status else { return "no end" }
      return at.map { "\(status) at \($0.exactText)" } ?? status
    }
  }

  /// Reads a report.
  ///
  /// - Parameters:
  ///   - file: the name of the file, for messages.
  ///   - bytes: the contents of the file.
  /// - Returns: the report.
  /// - Throws: ``InputError`` for the first problem in the file.
  package static func read(file: String, bytes: [UInt8]) throws(InputError) -> RunReport {
    try RunReportReading(file: file, bytes: bytes).report
  }
}

/// Reads a report line by line: the header, the cases and the summary.
private struct RunReportReading {
  private(set) var report: RunReport
  private var names: Set<String> = []  // lookup only

  private static let hint = "create the report again with `handover run -o jsonl=FILE`"

  init(file: String, bytes: [UInt8]) throws(InputError) {
    report = RunReport(file: file, backend: "")
    var lines = try InputLines(
      file: file, bytes: bytes, maximumByteCount: RunReport.maximumByteCount,
      maximumLineByteCount: RunReport.maximumLineByteCount, hint: Self.hint)
    var isComplete = false
    var isFirst = true
    while let line = try lines.next() {
      let fields = try line.object(as: "a line of the report")
      let kind = try fields.text("kind")
      guard !isComplete else {
        throw line.error(atByte: 0, "the report continues after its summary")
      }
      guard isFirst == (kind == "header") else {
        throw line.error(
          at: try fields.required("kind"),
          isFirst
            ? "the report must begin with a header, not with \(InputLine.quoted(kind))"
            : "the report has a second header")
      }
      try fields.requireVersion(RunReport.version, of: "report")
      isFirst = false
      switch kind {
      case "header": try readHeader(fields)
      case "caseEnded": try readCase(fields)
      case "summary":
        try readSummary(fields)
        isComplete = true
      default:
        throw line.error(
          at: try fields.required("kind"), "unknown kind of line: \(InputLine.quoted(kind))")
      }
    }
    guard isComplete else {
      throw InputError(
        file: file, position: lines.end, message: "the report ends before its summary",
        hint: "run the command again, because it was stopped before it finished")
    }
  }

  private mutating func readHeader(_ fields: JSONFields) throws(InputError) {
    try fields.refuseOthers(than: ["v", "kind", "backend", "harness", "seed", "shard"])
    report.backend = try fields.text("backend")
    if fields.optional("seed") != nil {
      report.seed = try fields.number("seed", in: 0...UInt64.max)
    }
    if fields.optional("harness") != nil { report.harness = try Harness.read(fields) }
    report.shard = try RunDescription.Shard.read(fields)
  }

  private mutating func readCase(_ fields: JSONFields) throws(InputError) {
    try fields.refuseOthers(than: [
      "v", "kind", "id", "profile", "verdict", "known", "file", "findings", "calls",
      "change_to_end_us", "ended_at_us", "digest", "log", "repeat", "hangs",
      "seen", "repetitions",
    ])
    let id = try fields.name("id")
    guard ScenarioReader.isPathLike(id) else {
      throw fields.line.error(
        at: try fields.required("id"), "\(InputLine.quoted(id)) is not the id of a scenario")
    }
    var one = RunReport.Case(
      id: id, profile: try fields.name("profile"),
      verdict: try fields.keyword("verdict", among: Verdict.allCases) { $0.name }, findings: [],
      calls: [], digest: try fields.textOrNull("digest"))
    try checkDiscardedMembers(fields, one)
    for value in try fields.elements("findings") {
      one.findings.append(try finding(JSONFields(value, as: "a finding", in: fields.line)))
    }
    for value in try fields.elements("calls") {
      one.calls.append(try call(JSONFields(value, as: "a call", in: fields.line)))
    }
    for value in try fields.elements("change_to_end_us") {
      let length = try fields.line.number(value, as: "a time", in: 0...Int64.max)
      one.changeToEnd.append(Interval(microseconds: length))
    }
    guard names.insert(one.name).inserted else {
      throw fields.line.error(
        at: try fields.required("id"),
        "the report contains the case \(InputLine.quoted(one.name)) twice")
    }
    report.cases.append(one)
  }

  /// Checks the members of a case that are not stored; only merging uses them, by copying the line.
  private func checkDiscardedMembers(
    _ fields: JSONFields, _ one: RunReport.Case
  ) throws(InputError) {
    _ = try fields.text("file")
    _ = try fields.number("ended_at_us", in: 0...Int64.max)
    if let digest = one.digest {
      guard digest.utf8.count == 16, digest.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
        throw fields.line.error(
          at: try fields.required("digest"), "\"digest\" must be 16 hexadecimal digits")
      }
    }
    let isKnown = try fields.optional("known") == nil ? false : fields.flag("known")
    guard isKnown == (one.verdict == .failedAsExpected) else {
      throw fields.line.error(
        at: try fields.required("verdict"),
        "\"known\" must be true exactly for the verdict \(Verdict.failedAsExpected.name)")
    }
    for name in ["log", "repeat"] where fields.optional(name) != nil { _ = try fields.text(name) }
    if fields.optional("seen") != nil {
      let seen = try fields.object("seen")
      try seen.refuseOthers(than: ["parts", "of"])
      let all = try seen.number("of", in: 1...Int.max)
      _ = try seen.number("parts", in: 0...all - 1)
    }
    if fields.optional("repetitions") != nil {
      for value in try fields.elements("repetitions") {
        let name = try fields.line.text(value, as: "a repetition")
        guard Verdict.allCases.contains(where: { $0.name == name }) else {
          throw fields.line.error(at: value, "\(InputLine.quoted(name)) is not a verdict")
        }
      }
    }
    if fields.optional("hangs") != nil {
      for value in try fields.elements("hangs") {
        let hang = try JSONFields(value, as: "a hang", in: fields.line)
        try hang.refuseOthers(than: ["call", "since_us", "lasted_us", "ended"])
        _ = try hang.name("call")
        _ = try hang.number("since_us", in: 0...Int64.max)
        _ = try hang.number("lasted_us", in: 0...Int64.max)
        _ = try hang.flag("ended")
      }
    }
  }

  private func finding(_ fields: JSONFields) throws(InputError) -> String {
    try fields.refuseOthers(than: [
      "kind", "rule", "verdict", "expected", "seen", "at_us", "line", "column",
    ])
    let kind = try fields.keyword("kind", among: Finding.Kind.names) { $0 }
    if kind == Finding.Kind.ofRules {
      _ = try fields.number("rule", in: 1...RuleIdentifier.allCases.count)
    } else if let rule = fields.optional("rule") {
      throw fields.line.error(at: rule, "a finding of kind \"\(kind)\" has no \"rule\"")
    }
    _ = try fields.keyword("verdict", among: Verdict.allCases) { $0.name }
    let _: Int64? = try fields.numberOrNull("at_us", in: 0...Int64.max)
    let _: Int? = try fields.numberOrNull("line", in: 1...Int.max)
    let _: Int? = try fields.numberOrNull("column", in: 1...Int.max)
    return "expected \(try fields.text("expected")); seen: \(try fields.text("seen"))"
  }

  private func call(_ fields: JSONFields) throws(InputError) -> RunReport.Call {
    try fields.refuseOthers(than: ["id", "status", "message", "at_us"])
    let at: Int64? = try fields.numberOrNull("at_us", in: 0...Int64.max)
    var status = try fields.textOrNull("status")
    if let name = status, !StatusCode.allCases.contains(where: { $0.name == name }) {
      throw fields.line.error(
        at: try fields.required("status"), "\(InputLine.quoted(name)) is not a status")
    }
    if let message = try fields.textOrNull("message"), !message.isEmpty, let code = status {
      status = "\(code) (\"\(message)\")"
    }
    return RunReport.Call(
      id: try fields.name("id"), status: status, at: at.map(Instant.init(microseconds:)))
  }

  private func row(_ fields: JSONFields) throws(InputError) -> RunReport.Figures {
    try fields.refuseOthers(than: [
      "profile", "variant", "median_us", "p95_us", "worst_us", "calls", "never_ended",
    ])
    let median: Int64? = try fields.numberOrNull("median_us", in: 0...Int64.max)
    let worst: Int64? = try fields.numberOrNull("worst_us", in: 0...Int64.max)
    let profile = try fields.text("profile")
    let hasVariant = fields.optional("variant") != nil
    return RunReport.Figures(
      name: hasVariant ? "\(profile) + \(try fields.text("variant"))" : profile,
      belongsToVariant: hasVariant,
      median: median.map(Interval.init(microseconds:)),
      worst: worst.map(Interval.init(microseconds:)),
      calls: try fields.number("calls", in: 0...RunReport.maximumCount),
      neverEnded: try fields.number("never_ended", in: 0...RunReport.maximumCount))
  }

  private mutating func readSummary(_ fields: JSONFields) throws(InputError) {
    try fields.refuseOthers(than: [
      "v", "kind", "scenarios", "cases", "passed", "failed", "failed_as_expected", "non_strict",
      "unsupported", "errors", "interrupted", "unfinished",
      "unfinished_cases", "unnamed", "change_to_end", "hangs", "as_far_as_seen",
    ])
    var summary = Summary()
    for part in Summary.counts where part.isAlwaysThere || fields.optional(part.key) != nil {
      summary[keyPath: part.count] = try fields.number(
        part.key, in: 0...RunReport.maximumCount)
    }
    summary.wasInterrupted = try fields.flag("interrupted")
    if let hangs = fields.optional("hangs") { try readHangs(hangs, fields.line, &summary) }
    report.summary = summary
    let cases = try fields.number("cases", in: 0...Int.max)
    guard cases == report.cases.count else {
      throw fields.line.error(
        at: try fields.required("cases"),
        "the summary counts \(cases) cases, and the report has \(report.cases.count)")
    }
    try checkCounts(summary, fields)
    for value in try fields.elements("change_to_end") {
      let figures = try JSONFields(value, as: "a row of figures", in: fields.line)
      if figures.optional("p95_us") != nil { report.summary.isRepeated = true }
      report.figures.append(try row(figures))
    }
  }

  /// Checks that the counts of the summary match the cases of the report.
  private func checkCounts(_ summary: Summary, _ fields: JSONFields) throws(InputError) {
    var counted = Summary()
    var last: String?
    for one in report.cases {
      counted.tally(one.verdict)
      if one.id != last { counted.scenarios += 1 }
      last = one.id
    }
    for part in Summary.counts where !["unnamed", "unfinished"].contains(part.key) {
      guard counted[keyPath: part.count] == summary[keyPath: part.count] else {
        throw fields.line.error(
          at: fields.optional(part.key) ?? fields.value,
          "the summary counts \(summary[keyPath: part.count]) as \"\(part.key)\", and the report "
            + "has \(counted[keyPath: part.count])")
      }
    }
  }

  private mutating func readHangs(
    _ value: JSONValue, _ line: InputLine, _ summary: inout Summary
  ) throws(InputError) {
    let hangs = try JSONFields(value, as: "the total of hangs", in: line)
    report.maxHang = Interval(microseconds: try hangs.number("max_us", in: 0...Int64.max))
    summary.hangs.calls = try hangs.number("calls", in: 0...RunReport.maximumCount)
    let worst: Int64? = try hangs.numberOrNull("worst_us", in: 0...Int64.max)
    summary.hangs.worst = worst.map(Interval.init(microseconds:))
    summary.hangs.neverEnded = try hangs.number("never_ended", in: 0...RunReport.maximumCount)
  }
}
