import HandoverCore
import HandoverScenario

extension ExplorationReport {
  /// The maximum number of states of a level, which exceeds the memory of any machine.
  ///
  /// The sum of ``maximumLevelCount`` levels does not overflow.
  private static let maximum = 1 << 42
  private static let maximumLevelCount = 1 << 20

  /// Reads a report.
  ///
  /// - Parameters:
  ///   - file: the name of the file, for messages.
  ///   - bytes: the contents of the file.
  /// - Returns: the report.
  /// - Throws: ``InputError`` for the first problem in the file.
  package static func read(file: String, bytes: [UInt8]) throws(InputError) -> ExplorationReport {
    var lines = try InputLines(
      file: file, bytes: bytes, maximumByteCount: RunReport.maximumByteCount,
      maximumLineByteCount: RunReport.maximumLineByteCount,
      hint: "create the report again with `handover explore --report FILE`")
    guard let line = try lines.next() else {
      throw ShardSet.error(file, "the file is empty", lines.hint)
    }
    let fields = try line.object(as: "the report")
    try fields.requireVersion(RunReport.version, of: "report")
    try fields.refuseOthers(
      than: ExploredClient.keys + [
        "v", "kind", "harness", "shard", "verdict", "why", "growing", "rule",
        "broken_after", "sequence", "playable_acts", "states", "transitions", "levels", "whole",
      ])
    var report = ExplorationReport(
      harness: try Harness.read(fields), client: try ExploredClient(fields), outcome: .closed)
    report.file = file
    report.shard = try RunDescription.Shard.read(fields)
    report.outcome = try outcome(fields)
    if case .broken = report.outcome {} else { report.seen = try figures(fields) }
    if fields.optional("whole") != nil {
      let whole = try fields.object("whole")
      report.whole = Sum(
        states: try whole.number("states", in: 0...maximum),
        transitions: try whole.number("transitions", in: 0...maximum))
    }
    if let next = try lines.next() {
      throw next.error(atByte: 0, "the report has more than one line")
    }
    return report
  }

  private static func outcome(_ fields: JSONFields) throws(InputError) -> Outcome {
    let verdict = try fields.keyword(
      "verdict", among: ["complete", "stopped", "violated"], spelt: { $0 })
    switch verdict {
    case "stopped":
      return .stopped(try fields.text("why"), growing: try texts("growing", fields))
    case "violated":
      return .broken(
        rule: try fields.number("rule", in: 1...1_000),
        actions: try fields.number("broken_after", in: 0...maximum),
        playableActions: try fields.numberOrNull("playable_acts", in: 0...maximum),
        sequence: try texts("sequence", fields))
    default:
      return .closed
    }
  }

  private static func figures(_ fields: JSONFields) throws(InputError) -> Figures {
    var figures = Figures(transitions: try fields.number("transitions", in: 0...maximum))
    for value in try fields.elements("levels") {
      figures.levels.append(try fields.line.number(value, as: "a level", in: 0...maximum))
    }
    let states = try fields.number("states", in: 0...maximum) as Int
    guard figures.levels.count <= maximumLevelCount, states == figures.states else {
      throw fields.line.error(
        at: try fields.required("states"), "the numbers of states per level do not add up to it")
    }
    return figures
  }

  private static func texts(_ name: String, _ fields: JSONFields) throws(InputError) -> [String] {
    var texts: [String] = []
    for value in try fields.elements(name) {
      texts.append(try fields.line.text(value, as: "an element of \"\(name)\""))
    }
    return texts
  }
}

extension ExplorationReport {
  private static let command = "handover explore PROFILE"

  /// Merges the reports of all shards into the report of the whole exploration.
  ///
  /// - Parameter reports: the report of each shard, in any order.
  /// - Returns: the report that a single process would have written.
  /// - Throws: ``InputError`` if the reports do not belong to one exploration.
  package static func merge(
    _ reports: [ExplorationReport]
  ) throws(InputError) -> ExplorationReport {
    let shards = try ShardSet(
      reports.map { .init(file: $0.file, shard: $0.shard) }, madeBy: command)
    let parts = shards.order.map { reports[$0] }
    var merged = parts[0]
    (merged.file, merged.shard, merged.whole) = ("", nil, nil)
    for part in parts.dropFirst() {
      try expectSame(part, parts[0])
      for (depth, states) in part.seen.levels.enumerated() {
        if depth == merged.seen.levels.count { merged.seen.levels.append(0) }
        merged.seen.levels[depth] += states
      }
      merged.seen.transitions += part.seen.transitions
    }
    while merged.seen.levels.last == 0 { merged.seen.levels.removeLast() }
    let sum = Sum(states: merged.seen.states, transitions: merged.seen.transitions)
    for part in parts {
      guard let whole = part.whole, whole != sum else { continue }
      throw ShardSet.error(
        part.file,
        "it states \(whole.states) states and \(whole.transitions) transitions in total, and the "
          + "reports have \(sum.states) and \(sum.transitions)",
        "use reports from one folder only")
    }
    return merged
  }

  private static func expectSame(
    _ part: ExplorationReport, _ first: ExplorationReport
  ) throws(InputError) {
    func expect(_ isSame: Bool, _ what: String) throws(InputError) {
      guard !isSame else { return }
      throw ShardSet.error(
        part.file, "\(what) different from \(first.file)",
        "run all shards with the same options and the same version of handover")
    }
    try expect(part.harness.version == first.harness.version, "the version of handover is")
    try expect(part.harness.commit == first.harness.commit, "the commit of handover is")
    try expect(part.client.profile == first.client.profile, "the profile is")
    try expect(
      part.client == first.client, "the hosts, calls, actions, exclusions or bugs are")
    try expect(part.outcome == first.outcome, "the result is")
  }

  /// A summary in one line, for users.
  package var line: String {
    switch outcome {
    case .closed: "complete: \(figuresText)"
    case .stopped: "stopped, so nothing is proved: \(figuresText)"
    case .broken(let rule, let actions, _, _):
      "invariant \(rule) is violated after \(counted(actions, "action"))"
    }
  }

  private var figuresText: String {
    "\(counted(seen.states, "state")), "
      + "\(counted(seen.transitions, "transition")), "
      + "depth \(max(0, seen.levels.count - 1))"
  }
}
