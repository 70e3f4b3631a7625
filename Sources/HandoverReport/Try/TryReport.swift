package import HandoverCore
import HandoverScenario
package import HandoverTry

/// A report of `handover try -o jsonl=FILE`, parsed.
package struct TryReport: Hashable, Sendable {
  /// The name of the file, as the caller gave it.
  package var file: String
  /// The program and its arguments.
  package var command: [String] = []
  /// The program and its arguments as a shell command.
  var commandText: String { RunDescription.shellQuoted(command) }
  /// The network changes, in the order of the report.
  package var moves: [Move] = []

  /// The result of the program at one network change.
  package struct Move: Hashable, Sendable {
    /// The short name of the network change.
    package var name: String
    /// The description of the network change.
    package var title: String
    /// The worst verdict.
    package var outcome: TryOutcome
    /// The evidence, in one sentence.
    package var evidence: String
    /// Whether the program hangs, gives up or exceeds a limit, and this is not a known failure.
    package var isBad: Bool
    /// Whether the failure is known.
    package var isKnown: Bool
    /// The longest time without application data in any run.
    package var silence: Interval
    /// The longest time until application data arrived again, or `nil` if it did not in some run.
    package var recovers: Interval?
    /// The minimum time for which the program was watched after a new connection would work.
    ///
    /// It is `nil` if the report does not contain the time.
    package var watched: Interval?
    /// Whether application data was still missing in a run when its watch ended.
    package var isMissing: Bool { recovers == nil && outcome != .inconclusive }
  }

  /// Returns whether a file begins like a report of `handover try`.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    let line = bytes.prefix(256).prefix { $0 != 0x0A }
    return String(decoding: line, as: UTF8.self).contains("\"kind\":\"tryHeader\"")
  }

  /// Reads a report.
  ///
  /// - Parameters:
  ///   - file: the name of the file, for messages.
  ///   - bytes: the contents of the file.
  /// - Returns: the report.
  /// - Throws: ``InputError`` for the first problem in the file.
  package static func read(file: String, bytes: [UInt8]) throws(InputError) -> TryReport {
    try TryReportReading(file: file, bytes: bytes).report
  }
}

/// Reads a report line by line: the header, the network changes and the summary.
private struct TryReportReading {
  private(set) var report: TryReport
  private var names: Set<String> = []  // lookup only

  private static let hint = "create the report again with `handover try -o jsonl=FILE`"

  init(file: String, bytes: [UInt8]) throws(InputError) {
    report = TryReport(file: file)
    var lines = try InputLines(
      file: file, bytes: bytes, maximumByteCount: RunReport.maximumByteCount,
      maximumLineByteCount: RunReport.maximumLineByteCount, hint: Self.hint)
    var kinds: [String] = []
    while let line = try lines.next() {
      let fields = try line.object(as: "a line of the report")
      let kind = try fields.text("kind")
      guard kinds.last != "trySummary", kinds.isEmpty == (kind == "tryHeader") else {
        throw line.error(
          at: try fields.required("kind"),
          "a line of kind \(InputLine.quoted(kind)) is not allowed here")
      }
      try fields.requireVersion(RunReport.version, of: "report")
      kinds.append(kind)
      switch kind {
      case "tryHeader":
        for argument in try fields.elements("command") {
          report.command.append(try line.text(argument, as: "an argument of the command"))
        }
      case "tried": try read(fields)
      case "trySummary": break
      default:
        throw line.error(
          at: try fields.required("kind"), "unknown kind of line: \(InputLine.quoted(kind))")
      }
    }
    guard kinds.last == "trySummary" else {
      throw InputError(
        file: file, position: lines.end, message: "the report ends before its summary",
        hint: "run the command again, because it was stopped before it finished")
    }
  }

  private mutating func read(_ fields: JSONFields) throws(InputError) {
    let name = try fields.text("move")
    guard names.insert(name).inserted else {
      throw fields.line.error(
        at: try fields.required("move"),
        "the report contains the move \(InputLine.quoted(name)) twice")
    }
    var move = TryReport.Move(
      name: name, title: try fields.text("title"),
      outcome: try fields.keyword("word", among: TryOutcome.allCases) { $0.rawValue },
      evidence: try fields.text("evidence"), isBad: try fields.flag("bad"),
      isKnown: fields.optional("known") != nil, silence: .zero)
    var recoveries: [Int64?] = []
    var watches: [Int64] = []
    for value in try fields.elements("runs") {
      let run = try JSONFields(value, as: "a run", in: fields.line)
      let silence: Int64 = try run.number("silence_us", in: 0...Int64.max)
      move.silence = max(move.silence, Interval(microseconds: silence))
      recoveries.append(try run.numberOrNull("recovers_us", in: 0...Int64.max))
      if run.optional("watched_us") != nil {
        watches.append(try run.number("watched_us", in: 0...Int64.max))
      }
    }
    let known = recoveries.compactMap(\.self)
    if known.count == recoveries.count { move.recovers = known.max().map(Interval.init) }
    move.watched = watches.min().map(Interval.init)
    report.moves.append(move)
  }
}
