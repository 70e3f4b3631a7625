public import HandoverBackend
public import HandoverCore
public import HandoverScenario

/// Runs scenarios one after the other on one session of a backend.
///
/// Only one thread at a time may use a worker. Several workers of one backend can run in parallel.
public struct Worker {
  private let backend: any Backend
  private let description: BackendDescription
  private let retainedData: RetainedData
  private let variants: [TransportVariant]
  private let gates: Gates
  /// Called before each case with the index of its profile in the requested profiles.
  public var beforeCase: (@Sendable (_ profile: Int) -> Void)?
  /// A monotonic clock in microseconds; if set, results include the duration of their runs.
  public var microseconds: (@Sendable () -> Int64)?
  /// The number of times until now at which the machine did not run this process for a while.
  ///
  /// If set, a case in real time that fails across such a standstill is repeated once.
  public var standstillCount: (@Sendable () -> Int)?
  /// Called with each case that has a long trace, immediately after the case.
  ///
  /// If set, a result with ``RetainedData/traces`` keeps a long trace only if it will be drawn.
  /// Memory then contains the records of one profile instead of those of all profiles.
  public var takeLongTrace: (@Sendable (Scenario, CaseResult) -> Void)?
  private var session: (any BackendSession)?
  private var trace = Trace()
  /// Whether an entry of the previous run ran too late.
  private var wasLate = false
  /// The maximum number of records of a short trace; a run without a verdict keeps a short trace
  /// for drawing.
  var shortRecords = 10_000
  /// The maximum number of records in the traces of one scenario that are kept for drawing.
  ///
  /// This applies to the traces of cases with findings, and to ``RetainedData/timelines``.
  var keptRecords = 1_000_000
  // The timeline and the checker run the cases one after the other and reuse their memory.
  private var timeline = Timeline()
  private var judge = RunJudge()

  /// Creates a worker; the session is created for the first case.
  ///
  /// - Parameters:
  ///   - backend: the backend under test.
  ///   - retainedData: the data that results keep even without findings.
  ///   - variants: the transport variants on which each case is also run.
  ///   - gates: the additional thresholds of each case; they do not apply to variants, which only
  ///     provide figures.
  public init(
    _ backend: any Backend, retaining retainedData: RetainedData = [],
    variants: [TransportVariant] = [], gates: Gates = Gates()
  ) {
    self.backend = backend
    description = backend.description
    self.retainedData = retainedData
    self.variants = variants
    self.gates = gates
  }

  /// The data that results can keep of a run without findings.
  public struct RetainedData: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The trace.
    public static let traces = RetainedData(rawValue: 1)
    /// The digest of the trace, which shows whether two runs were the same.
    public static let digests = RetainedData(rawValue: 2)
    /// The expectations that were decided and held.
    public static let decisions = RetainedData(rawValue: 4)
    /// The states of calls and channels when the network category changed.
    package static let cells = RetainedData(rawValue: 8)
    /// The trace, unless the traces of the scenario are too long together.
    package static let timelines = RetainedData(rawValue: 16)
  }

  /// Runs a scenario on some of its profiles, in the given order.
  ///
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - profiles: the profiles, or `nil` for all profiles of the scenario. A fault without effect
  ///     is reported only if all of them run, because the fault may be meant for another profile.
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
        result.duration = Interval(microseconds: ended - began)
      }
      handOver(&result, of: scenario)
      let kept = cases.reduce(0) { $0 + ($1.trace?.count ?? 0) }
      forgetTrace(of: &result, keeping: kept)
      cases.append(result)
      effective.formUnion(faults)
    }
    if scenario.profiles.allSatisfy(wanted.contains),
      !cases.contains(where: {
        $0.verdict == .error || $0.verdict == .unsupported || $0.coverage.isPartial
      })
    {
      reportFaultsWithoutEffect(scenario, effective: effective, in: &cases)
    }
    var result = ScenarioResult(scenario: scenario, cases: cases)
    for variant in variants { play(variant, on: wanted, into: &result) }
    return result
  }

  /// Passes a long trace to `takeLongTrace`, and drops it unless it will be drawn.
  private func handOver(_ result: inout CaseResult, of scenario: Scenario) {
    guard let takeLongTrace, isLong(result.trace) else { return }
    takeLongTrace(scenario, result)
    if result.verdict == .passed, !retainedData.contains(.timelines) { result.trace = nil }
  }

  private func isLong(_ trace: Trace?) -> Bool { (trace?.count ?? 0) > shortRecords }

  /// Drops a trace that would exceed `keptRecords`; to draw it, the case must be run alone.
  private func forgetTrace(of result: inout CaseResult, keeping kept: Int) {
    let isWanted = retainedData.contains(.traces) && !(takeLongTrace != nil && isLong(result.trace))
    guard !isWanted, let trace = result.trace, kept > 0, kept + trace.count > keptRecords else {
      return
    }
    result.trace = nil
  }

  /// Runs the profiles of a result on a variant.
  ///
  /// A violation of an invariant on the variant also fails the plain case.
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
        forgetTrace(of: &played, keeping: kept)
        result.cases[index].trace = played.trace
        result.cases[index].log = played.log
        handOver(&result.cases[index], of: result.scenario)
      }
      // The trace of a variant is never drawn, but two of them may be compared.
      if !retainedData.contains(.traces) || takeLongTrace != nil { played.trace = nil }
      result.variants.append(played)
      guard played.verdict >= .failed else { continue }
      // Findings that the plain case has too are not caused by the variant.
      let reported = result.cases[index].findings
      result.cases[index].findings += played.findings.filter { !reported.contains($0) }.map {
        finding in
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
      return try playInTime(scenario, on: profile, within: gates)
    } catch {
      let log = session?.log ?? ""
      let isUnsupported = error.code == .unsupported
      // The next case gets a new session after an error. In virtual time a session that rejected
      // the run is intact and stays in use, because a new session often means a new process.
      if !isUnsupported || description.time != .virtual { session = nil }
      let finding = Finding(
        kind: isUnsupported ? .unsupported : .breakdown,
        verdict: isUnsupported ? .unsupported : .error,
        expected: "the backend runs the scenario",
        seen: error.message, at: trace.records.last?.at, position: nil)
      return (
        CaseResult(
          id: scenario.id, file: scenario.file, profile: profile.name, verdict: finding.verdict,
          findings: [finding], calls: [], changeToEnd: [], endedAt: .zero, digest: nil,
          trace: retainedData.contains(.traces) || !isLong(trace) ? trace : nil,
          log: isUnsupported ? "" : log),
        []
      )
    }
  }

  /// Plays a case, and once more if the machine was too busy for its timeline.
  ///
  /// A machine that was busy for a moment may keep up the next time. After a standstill, entries
  /// and events that were apart happen together. If the machine is late again, there is no verdict.
  private mutating func playInTime(
    _ scenario: Scenario, on profile: Profile, within gates: Gates
  ) throws(BackendError) -> (CaseResult, [UInt32]) {
    let standstills = standstillCount?()
    do throws(BackendError) {
      let played = try play(scenario, on: profile, within: gates)
      guard wasLate || played.0.verdict >= .failed && standstills != standstillCount?() else {
        return played
      }
    } catch {
      guard error.code == .late else { throw error }
      session = nil
    }
    return try play(scenario, on: profile, within: gates)
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
    // Must come first, so that a failed case does not show the records of the previous case.
    trace.removeAll()
    wasLate = false
    judge.begin(
      scenario, profile: profile, on: description, within: gates,
      keepsDecisions: retainedData.contains(.decisions))
    // Avoids starting a process for a case of which nothing can be observed.
    if gates.maxHang == nil, judge.observesNothing { return (unseen(scenario, profile), []) }
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

  /// Returns the result of a case that was not run because nothing of it can be observed.
  private func unseen(_ scenario: Scenario, _ profile: Profile) -> CaseResult {
    CaseResult(
      id: scenario.id, file: scenario.file, profile: profile.name, verdict: .unsupported,
      findings: judge.findings, calls: [], changeToEnd: [], coverage: judge.coverage,
      endedAt: .zero,
      digest: nil, trace: retainedData.contains(.traces) ? trace : nil)
  }

  /// Reads the trace once and returns the result.
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
      coverage: judge.coverage,
      neverEnded: judge.state.neverEnded, hangs: hangs, endedAt: end,
      digest: retainedData.contains(.digests) ? digest(scenario, profile) : nil,
      trace: verdict == .passed && retainedData.isDisjoint(with: [.traces, .timelines])
        ? nil : trace,
      satisfiedExpectations: judge.held)
    if retainedData.contains(.cells) { result.cells = TransitionCells(of: trace, scenario.script) }
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
      let omitted = idle.count - Finding.maximumCount
      for index in cases.indices where omitted > 0 {
        cases[index].findings.append(
          .more(omitted, .faultWithoutEffect, .failed, expected: "all other faults have an effect"))
      }
    }
    for (index, entry) in idle.prefix(Finding.maximumCount) {
      let finding = Finding(
        kind: .faultWithoutEffect, verdict: .failed,
        expectedText: "the fault at \(entry.at) has an effect on at least one profile",
        seenText:
          "it had no effect on any profile; remove it, or move it to a time at which it has one",
        at: entry.at, position: scenario.position(ofEntry: index))
      for index in cases.indices {
        cases[index].findings.append(finding)
        cases[index].verdict = max(cases[index].verdict, .failed)
      }
    }
  }
}

/// Runs the timeline of a scenario on a session, and decides when the run is over.
struct Timeline {
  /// The positions of the calls that have not ended, indexed by the rows of their identifiers.
  private var running: ContiguousArray<UInt32> = []

  /// Runs all entries and records the end of the run in the trace.
  ///
  /// The run is over when all entries have run, all expectations are decided and nothing is
  /// pending, or at `until`. The run lasts at least until `lastDecision`. Without `until`, the time
  /// limit is not before `lastMoment`.
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
      ? unfinishedCalls(trace) : Self.unreportedEnds(script, trace)
    // If the limit comes only from an expectation, reaching it counts as a quiet end.
    let isGiven = script.configuration.until != nil || limit > lastDecision
    let reason: RunEnd = isGiven && end >= limit ? .until : .quiet
    trace.append(.world(.runEnded(reason)), at: end)
    for call in unfinished { trace.append(.world(.callUnfinished(call)), at: end) }
    return end
  }

  /// Returns the started calls whose callers were not notified of an end, in script order.
  ///
  /// The end of an attempt is not the end of the call, because another attempt may follow.
  private static func unreportedEnds(_ script: Script, _ trace: Trace) -> [UInt32] {
    let chain = script.configuration.chain
    // The call that last used each identifier row, with its identifier.
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

  /// Returns the calls that were started and have not ended, in script order.
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
