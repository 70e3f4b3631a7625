public import HandoverBackend
public import HandoverCore
public import HandoverScenario
import HandoverTrace

/// Runs scenarios one after the other on one session of a backend.
///
/// A worker is used by one thread at a time; several workers of one backend run side by side.
public struct Worker {
  private let backend: any Backend
  private let description: BackendDescription
  private let keeps: Kept
  private let variants: [TransportVariant]
  private let gates: Gates
  /// Is told of each case before it begins, by the place of its profile among those wanted.
  public var beforeCase: (@Sendable (_ profile: Int) -> Void)?
  /// Microseconds of a clock that only goes on; with one, results tell how long their runs took.
  public var microseconds: (@Sendable () -> Int64)?
  /// Is given each case whose trace is long as soon as it is over.
  ///
  /// With it, results of ``Kept/traces`` keep such a trace only where it is to be drawn, so that
  /// the records of one profile are in memory, and not those of all.
  public var takeLongTrace: (@Sendable (Scenario, CaseResult) -> Void)?
  private var session: (any BackendSession)?
  private var trace = Trace()
  /// Whether an entry of the run before was played too late.
  private var wasLate = false
  /// Up to how many records a trace is short: that of a run without a verdict is then kept for
  /// those who draw it.
  var shortRecords = 10_000
  /// How many records the traces of one scenario may have together that nobody asked for: those of
  /// cases that were not as they should be, kept to be drawn.
  var keptRecords = 1_000_000
  // What plays and judges the cases, one after the other; the room of one serves the next.
  private var timeline = Timeline()
  private var judge = RunJudge()

  /// Makes a worker; the session is made with the first case.
  ///
  /// - Parameters:
  ///   - backend: what is under test.
  ///   - keeps: what results keep even where all is well.
  ///   - variants: the variants of the transport that each case is played on besides.
  ///   - gates: what each case must keep besides; variants are for the figures only.
  public init(
    _ backend: any Backend, keeps: Kept = [], variants: [TransportVariant] = [],
    gates: Gates = Gates()
  ) {
    self.backend = backend
    description = backend.description
    self.keeps = keeps
    self.variants = variants
    self.gates = gates
  }

  /// What results can keep of a run where all is well.
  public struct Kept: OptionSet, Sendable {
    /// One bit for each.
    public let rawValue: UInt8

    /// Takes one bit for each.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The trace.
    public static let traces = Kept(rawValue: 1)
    /// The digest of the trace, to tell whether two runs were the same.
    public static let digests = Kept(rawValue: 2)
    /// Which expectations were decided, and held.
    public static let decisions = Kept(rawValue: 4)
    /// Where calls and channels stood when the category of the network changed.
    package static let cells = Kept(rawValue: 8)
  }

  /// Runs a scenario on some of its profiles, in the order given.
  ///
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - profiles: which profiles; nil takes all that the scenario names. A fault without effect is
  ///     only told where all of them are run, because it may be meant for another one.
  /// - Returns: one result for each profile.
  public mutating func run(_ scenario: Scenario, on profiles: [Profile]? = nil) -> ScenarioResult {
    let wanted = profiles ?? scenario.profiles
    var cases: [CaseResult] = []
    var effective: Set<UInt32> = []  // lookup only
    for (index, profile) in wanted.enumerated() {
      beforeCase?(index)
      let began = microseconds?()
      var (result, faults) = run(scenario, on: profile, within: gates)
      if let began, let ended = microseconds?() {
        result.took = Interval(microseconds: ended - began)
      }
      handOver(&result, of: scenario)
      let kept = cases.reduce(0) { $0 + ($1.trace?.count ?? 0) }
      forgetTrace(of: &result, beside: kept)
      cases.append(result)
      effective.formUnion(faults)
    }
    if scenario.profiles.allSatisfy(wanted.contains),
      !cases.contains(where: {
        $0.verdict == .error || $0.verdict == .unsupported || $0.sight.isPartial
      })
    {
      reportFaultsWithoutEffect(scenario, effective: effective, in: &cases)
    }
    var result = ScenarioResult(scenario: scenario, cases: cases)
    for variant in variants { play(variant, on: wanted, into: &result) }
    return result
  }

  /// Gives a long trace to whoever takes it, and keeps it only to be drawn.
  private func handOver(_ result: inout CaseResult, of scenario: Scenario) {
    guard let takeLongTrace, isLong(result.trace) else { return }
    takeLongTrace(scenario, result)
    if result.verdict == .passed { result.trace = nil }
  }

  private func isLong(_ trace: Trace?) -> Bool { (trace?.count ?? 0) > shortRecords }

  /// Lets go of a trace that too many records are kept beside; to see it, its case is played alone.
  private func forgetTrace(of result: inout CaseResult, beside kept: Int) {
    let isWanted = keeps.contains(.traces) && !(takeLongTrace != nil && isLong(result.trace))
    guard !isWanted, let trace = result.trace, kept > 0, kept + trace.count > keptRecords else {
      return
    }
    result.trace = nil
  }

  /// Plays the profiles of a result on a variant; what breaks a rule there breaks it in the plain
  /// case too.
  private mutating func play(
    _ variant: TransportVariant, on profiles: [Profile], into result: inout ScenarioResult
  ) {
    let scenario = variant.applied(to: result.scenario)
    for (index, profile) in profiles.enumerated() where variant.applies(to: profile.transport) {
      beforeCase?(index)
      var (played, _) = run(scenario, on: profile, within: Gates())
      played.variant = variant
      if result.cases[index].verdict < played.verdict, played.verdict >= .failed {
        result.cases[index].verdict = played.verdict
        result.cases[index].trace = nil
        let kept = result.cases.reduce(0) { $0 + ($1.trace?.count ?? 0) }
        forgetTrace(of: &played, beside: kept)
        result.cases[index].trace = played.trace
        result.cases[index].log = played.log
        handOver(&result.cases[index], of: result.scenario)
      }
      // Nobody draws the trace of a variant, but two of them may be compared.
      if !keeps.contains(.traces) || takeLongTrace != nil { played.trace = nil }
      result.variants.append(played)
      guard played.verdict >= .failed else { continue }
      // What the plain case shows too has nothing to do with the variant.
      let told = result.cases[index].findings
      result.cases[index].findings += played.findings.filter { !told.contains($0) }.map { finding in
        var finding = finding
        finding.expectedText = "with \(variant.name): " + finding.expectedText
        return finding
      }
    }
  }

  private mutating func run(
    _ scenario: Scenario, on profile: Profile, within gates: Gates
  ) -> (CaseResult, [UInt32]) {
    do throws(BackendError) {
      let played = try play(scenario, on: profile, within: gates)
      // A machine that was busy for a moment may not be the next time; one that still is has no
      // verdict to give.
      guard wasLate else { return played }
      return try play(scenario, on: profile, within: gates)
    } catch {
      let log = session?.log ?? ""
      let isUnsupported = error.code == .unsupported
      // Whatever state a broken session is in, the next case gets a fresh one; one that did not
      // take the run is whole, and another would often be another process.
      if !isUnsupported || description.time != .virtual { session = nil }
      let finding = Finding(
        kind: isUnsupported ? .unsupported : .breakdown,
        verdict: isUnsupported ? .unsupported : .error,
        expected: "the backend plays the scenario",
        seen: error.message, at: trace.records.last?.at, position: nil)
      return (
        CaseResult(
          id: scenario.id, file: scenario.file, profile: profile.name, verdict: finding.verdict,
          findings: [finding], calls: [], changeToEnd: [], endedAt: .zero, digest: nil,
          trace: keeps.contains(.traces) || !isLong(trace) ? trace : nil,
          log: isUnsupported ? "" : log),
        []
      )
    }
  }

  private mutating func currentSession() throws(BackendError) -> any BackendSession {
    if let session { return session }
    let fresh = try backend.makeSession()
    session = fresh
    return fresh
  }

  private mutating func play(
    _ scenario: Scenario, on profile: Profile, within gates: Gates
  ) throws(BackendError) -> (CaseResult, [UInt32]) {
    // First of all, so that a case that breaks down shows no records of the one before.
    trace.removeAll()
    judge.begin(
      scenario, profile: profile, on: description, within: gates,
      keepsDecisions: keeps.contains(.decisions))
    // Nobody starts a process for a case of which nothing could be seen.
    if gates.maxHang == nil, judge.seesNothing { return (unseen(scenario, profile), []) }
    let session = try currentSession()
    let end = try timeline.play(
      scenario.script, profile, lastDecision: judge.lastDecision, lastMoment: judge.lastMoment,
      on: session, into: &trace)
    let leaks = try session.close(at: end, into: &trace)
    var (result, faults) = result(
      of: scenario, profile, within: gates, leaks: leaks, endedAt: end)
    if result.verdict >= .failed { result.log = session.log }
    return (result, faults)
  }

  /// What came out of a case that was not played, because nothing of it can be seen.
  private func unseen(_ scenario: Scenario, _ profile: Profile) -> CaseResult {
    CaseResult(
      id: scenario.id, file: scenario.file, profile: profile.name, verdict: .unsupported,
      findings: judge.findings, calls: [], changeToEnd: [], sight: judge.sight, endedAt: .zero,
      digest: nil, trace: keeps.contains(.traces) ? trace : nil)
  }

  /// Reads the trace once, and says what came out.
  private mutating func result(
    of scenario: Scenario, _ profile: Profile, within gates: Gates, leaks: [String],
    endedAt end: Instant
  ) -> (CaseResult, [UInt32]) {
    judge.beginRecords(of: trace, scenario.script, under: profile, on: description)
    for record in trace.records { judge.handle(record) }
    judge.finish(leaks: leaks)
    let late = LateEntry.finding(scenario, trace, description.time)
    wasLate = late != nil
    let hangs = judge.hangs(within: gates)
    let outcomes = judge.outcomes
    let findings =
      gates.weighed(judge.findings) + (late.map { [$0] } ?? [])
      + gates.findings(of: hangs, in: scenario, outcomes)
    let verdict = findings.map(\.verdict).max() ?? .passed
    var result = CaseResult(
      id: scenario.id, file: scenario.file, profile: profile.name, verdict: verdict,
      findings: findings, calls: outcomes, changeToEnd: Array(judge.state.figures),
      sight: judge.sight,
      neverEnded: judge.state.neverEnded, hangs: hangs, endedAt: end,
      digest: keeps.contains(.digests) ? digest(scenario, profile) : nil,
      trace: verdict == .passed && !keeps.contains(.traces) ? nil : trace, held: judge.held)
    if keeps.contains(.cells) { result.cells = TransitionCells(of: trace, scenario.script) }
    return (result, Array(judge.state.effectiveFaults))
  }

  private func digest(_ scenario: Scenario, _ profile: Profile) -> Digest {
    TraceWriter.digest(
      of: trace, script: scenario.script,
      header: TraceHeader(
        scenario: scenario.id, profile: profile.name, backend: description.name))
  }

  private func reportFaultsWithoutEffect(
    _ scenario: Scenario, effective: Set<UInt32>, in cases: inout [CaseResult]  // lookup only
  ) {
    let idle = scenario.script.entries.enumerated().filter { index, entry in
      entry.action.isFault && !effective.contains(UInt32(truncatingIfNeeded: index))
    }
    defer {
      let untold = idle.count - Finding.maximumCount
      for index in cases.indices where untold > 0 {
        cases[index].findings.append(
          .more(untold, .faultWithoutEffect, .failed, expected: "every other fault has an effect"))
      }
    }
    for (index, entry) in idle.prefix(Finding.maximumCount) {
      let finding = Finding(
        kind: .faultWithoutEffect, verdict: .failed,
        expectedText: "the fault at \(entry.at) has an effect on a profile at least",
        seenText: "nothing was different for it on any; take it out, or let something meet it",
        at: entry.at, position: scenario.entryPositions[index])
      for index in cases.indices {
        cases[index].findings.append(finding)
        cases[index].verdict = max(cases[index].verdict, .failed)
      }
    }
  }
}

/// Plays the timeline of a scenario on a session, and decides when the run is over.
struct Timeline {
  /// The places of the calls that have not ended, by the rows of their identifiers.
  private var running: ContiguousArray<UInt32> = []

  /// Plays everything and marks the end of the run in the trace.
  ///
  /// The run is over when all entries are played, all expectations decided and nothing is due; or
  /// at `until`. It goes on until `lastDecision` at least, and may until `lastMoment`.
  ///
  /// - Returns: the instant at which the run was over.
  mutating func play(
    _ script: Script, _ profile: Profile, lastDecision: Instant, lastMoment: Instant,
    on session: any BackendSession, into trace: inout Trace
  ) throws(BackendError) -> Instant {
    let last = script.entries.last?.at ?? .zero
    let limit = script.configuration.until ?? max(last + RunConfiguration.defaultUntil, lastMoment)
    try session.open(script, profile: profile, into: &trace)
    for index in script.entries.indices where script.entries[index].at <= limit {
      try session.advance(before: script.entries[index].at, into: &trace)
      try session.play(index, into: &trace)
    }
    var end = try session.runUntilIdle(through: limit, into: &trace)
    let decision = min(lastDecision, limit)
    if end < decision {
      try session.advance(through: decision, into: &trace)
      end = max(decision, try session.runUntilIdle(through: limit, into: &trace))
    }
    let unfinished =
      script.configuration.chain.links.isEmpty
      ? unfinishedCalls(trace) : Self.unheardEnds(script, trace)
    // A limit that only an expectation asked for is reached in quiet.
    let isGiven = script.configuration.until != nil || limit > lastDecision
    let reason: RunEnd = isGiven && end >= limit ? .until : .quiet
    trace.append(.world(.runEnded(reason)), at: end)
    for call in unfinished { trace.append(.world(.callUnfinished(call)), at: end) }
    return end
  }

  /// The calls that were started and whose users heard no end, in the order of the script; an
  /// attempt that ended may be followed by another.
  private static func unheardEnds(_ script: Script, _ trace: Trace) -> [UInt32] {
    let chain = script.configuration.chain
    // The call that had a row of identifiers last, and by which one.
    var introduced: ContiguousArray<(call: Int, id: CallID)?> = []
    var isRunning = ContiguousArray(repeating: false, count: script.calls.count)
    for record in trace.records {
      switch record.body {
      case .world(.entryPlayed(let entry)):
        if case .startCall(let call) = script.entries[Int(entry)].action { isRunning[call] = true }
      case .world(.callIntroduced(let index, let id)):
        while introduced.count <= id.index { introduced.append(nil) }
        introduced[Int(id.index)] = (Int(index), id)
      case .effect(.endCall(let id, _)):
        guard id.index < introduced.count, let (call, known) = introduced[Int(id.index)],
          known == id, !script.calls[call].isIntercepted(by: chain)
        else { continue }
        isRunning[call] = false
      case .chain(.closed(let call, _)):
        isRunning[Int(call)] = false
      case .event, .effect, .world, .chain, .request:
        break
      }
    }
    return isRunning.indices.filter { isRunning[$0] }.map(UInt32.init(truncatingIfNeeded:))
  }

  /// The calls that were started and not ended, in the order of the script.
  private mutating func unfinishedCalls(_ trace: Trace) -> [UInt32] {
    running.removeAll(keepingCapacity: true)
    for record in trace.records {
      switch record.body {
      case .world(.callIntroduced(let index, let id)):
        while running.count <= id.index { running.append(.max) }
        running[Int(id.index)] = index
      case .effect(.endCall(let id, _)):
        if id.index < running.count { running[Int(id.index)] = .max }
      case .event, .effect, .world, .chain, .request:
        break
      }
    }
    var unfinished: [UInt32] = []
    for index in running where index != .max { unfinished.append(index) }
    unfinished.sort()
    return unfinished
  }
}
