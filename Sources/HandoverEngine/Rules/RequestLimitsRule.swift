import HandoverCore

/// Invariant 7: requests keep the limits of their endpoint, never wait while a slot is free, and
/// end once.
///
/// The invariant applies with and without a dispatcher in front of the OS.
struct RequestLimitsRule: Rule {
  static let identifier = RuleIdentifier.requestLimits
  static let moments: RunMoments = [.requests, .instantEnd, .closing]

  /// Checks at the end of an instant that no short request waits while a slot is free.
  mutating func instantIsOver(_ run: inout ObservedRun) {
    if !run.state.requests.isEmpty { checkNoneStarves(&run) }
  }

  /// Checks after the client was closed that every request has ended.
  mutating func finish(_ leaks: [String], _ run: inout ObservedRun) {
    if !run.state.requests.isEmpty { checkRequestsEnded(&run) }
  }

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    guard case .request(let fact) = record.body else { return }
    // An answer may name any request that holds a slot; errors in it show up in later facts.
    if case .heldSlot = fact { return }
    guard !checkIsOver(fact, &run) else { return }
    switch fact {
    case .handedOver(let request):
      if !run.state.requests.requests[Int(request)].ignoresLongLimit {
        checkLimits(beforeStarting: Int(request), &run)
      }
    case .ended(let request, _):
      let seen = run.state.requests.requests[Int(request)]
      if run.state.requests.isDispatched, seen.holdsSlot, run.needsSlot(Int(request)),
        !seen.ignoresLongLimit
      {
        broken(
          &run, "the slot of a request is free before its user is notified of the end",
          "\(run.requestName(Int(request))) still holds one")
      }
    case .thawed(let request):
      checkLimits(beforeStarting: Int(request), &run)
    case .thread(let change, let thread, let host, let pool):
      check(change, ThreadStates.Name(thread, host: host, pool: pool), &run)
    case .runsOn(let request, let thread):
      checkThread(thread, takes: Int(request), &run)
    case .carried(let request, _):
      checkHasThread(Int(request), &run)
      checkPlatform(carrying: Int(request), &run)
    case .answered, .heldSlot, .arrived, .limitReached, .waits, .froze, .retried, .responded,
      .received, .connectionOpened, .pollAnswered, .connectionClosed, .connectionLost,
      .slotReleased,
      .longLimitChanged, .dispatcherClosed:
      break
    }
  }

  // MARK: Threads

  private func check(_ change: ThreadChange, _ thread: ThreadStates.Name, _ run: inout ObservedRun)
  {
    let threads = run.state.requests.threads
    let name = "thread \(thread.number)"
    switch change {
    case .made:
      let alive = threads.count(inPoolOf: thread) { $0 != .gone }
      if alive >= run.totalLimit(thread.host) {
        broken(
          &run, "there are no more threads than the limit of their endpoint",
          "\(name) is created in addition to \(alive) others")
      }
      if threads.count(inPoolOf: thread, { $0 == .idle }) > 0 {
        broken(
          &run, "a thread is created only if no thread is idle",
          "\(name) is created although a thread is idle")
      }
    case .rests:
      if threads.phase(of: thread) != .done {
        broken(&run, "a thread becomes idle only after it has run something", "\(name) had not")
      }
    case .collected:
      if threads.phase(of: thread) != .idle {
        broken(&run, "only an idle thread is collected", "\(name) was not idle")
      }
    case .ended:
      if threads.phase(of: thread) == .running {
        broken(&run, "a thread ends when it has nothing to run", "\(name) still ran something")
      }
    }
  }

  private func checkThread(_ number: UInt32, takes request: Int, _ run: inout ObservedRun) {
    let thread = run.state.requests.thread(of: request, Int(number))
    switch run.state.requests.threads.phase(of: thread) {
    case .fresh, .done, .idle: break
    case .running, .gone, nil:
      broken(
        &run, "a thread runs one request at a time",
        "\(run.requestName(request)) is taken by thread \(number), which is not free")
    }
  }

  /// Checks that a carried request with a slot has a thread, if the run has threads.
  private func checkHasThread(_ request: Int, _ run: inout ObservedRun) {
    guard run.state.script.configuration.requests.threads != nil, run.state.requests.isDispatched,
      run.needsSlot(request), !run.state.requests.requests[request].ignoresLongLimit
    else { return }
    let thread = run.state.requests.requests[request].thread.map {
      run.state.requests.thread(of: request, $0)
    }
    guard thread.flatMap(run.state.requests.threads.phase) != .running else { return }
    broken(
      &run, "a request with a slot runs on a thread of its endpoint",
      "\(run.requestName(request)) has none")
  }

  private func checkLimits(beforeStarting request: Int, _ run: inout ObservedRun) {
    let seen = run.state.requests.requests[request]
    guard run.state.requests.isDispatched, run.needsSlot(request) else { return }
    let usage = run.state.requests.usage(of: request)
    let isCounted = run.state.requests.counts(request)
    let wanted = run.state.script.requests[request]
    let running = usage.running - (isCounted ? 1 : 0)
    if running >= run.totalLimit(wanted.host) {
      broken(
        &run, "no more requests run than the limit of their endpoint",
        "\(run.requestName(request)) starts while \(running) others run")
    }
    guard wanted.kind == .long, !seen.isPolling, wanted.policy ?? run.defaultPolicy != .takeSpare
    else {
      return
    }
    let long = usage.runningLong - (isCounted ? 1 : 0)
    if long >= run.longLimit(of: wanted) {
      broken(
        &run, "no more long requests run than the long limit",
        "\(run.requestName(request)) starts while \(long) others run")
    }
  }

  /// Checks the OS limit when a connection carries a request, because only the request shows
  /// whether the limit applies.
  private func checkPlatform(carrying request: Int, _ run: inout ObservedRun) {
    guard run.needsSlot(request) else { return }
    let limit = Int(run.state.script.configuration.requests.platformLimit)
    let open = run.state.requests.hosts[run.endpoint(run.state.script.requests[request].host)]
      .openLimited
    if open > limit {
      broken(
        &run, "the OS keeps no more connections than its limit",
        "a connection was opened in addition to \(open - 1) others")
    }
  }

  /// Checks at the end of an instant that no short request waits while a slot is free.
  private func checkNoneStarves(_ run: inout ObservedRun) {
    guard run.state.requests.isDispatched, run.state.someRequestStarves(), !run.isFull else {
      return
    }
    for request in run.state.requests.requests.indices where run.state.requests.waitsShort(request)
    {
      let usage = run.state.requests.usage(of: request)
      guard usage.running < run.totalLimit(run.state.script.requests[request].host) else {
        continue
      }
      broken(
        &run, "a short request waits only while every slot is held",
        "\(run.requestName(request)) waits although a slot is free")
    }
  }

  /// Checks after the client was closed that every request has ended.
  private func checkRequestsEnded(_ run: inout ObservedRun) {
    if !run.state.requests.threads.isEmpty {
      broken(&run, "every thread ends, at the latest with its dispatcher", "a thread still exists")
    }
    checkRequestsHaveEnded(&run)
  }
}

extension Rule {
  /// Checks that nothing is observed of a request after its end.
  ///
  /// - Returns: whether the request has ended.
  func checkIsOver(_ fact: RequestFact, _ run: inout ObservedRun) -> Bool {
    guard let request = fact.request,
      run.state.requests.requests[Int(request)].phase == .ended
    else { return false }
    broken(
      &run, "a request ends once, and nothing follows its end",
      "something was observed of \(run.requestName(Int(request)))")
    return true
  }

  /// Checks after the client was closed that every request has ended.
  func checkRequestsHaveEnded(_ run: inout ObservedRun) {
    for request in run.state.requests.requests.indices {
      switch run.state.requests.requests[request].phase {
      case .notMade, .ended: break
      case .waiting, .running, .frozen, .resting:
        broken(
          &run, "every request ends, at the latest when its client is closed",
          "\(run.requestName(request)) never received its end")
      }
    }
  }
}

extension ObservedRun {
  fileprivate func needsSlot(_ request: Int) -> Bool {
    state.script.requests[request].kind != .exempt
  }

  fileprivate func endpoint(_ host: Int) -> Int { state.requests.endpoints[host] }

  /// Returns the maximum number of streams on one connection to a host, or `nil` for one request.
  fileprivate func streams(_ host: Int) -> UInt32? { state.script.hosts[endpoint(host)].streams }

  /// Returns the maximum number of simultaneous requests to a host.
  fileprivate func totalLimit(_ host: Int) -> Int {
    Int(streams(host) ?? state.script.configuration.requests.limits.total)
  }

  /// Returns the maximum number of long requests for the endpoint of a request.
  ///
  /// A stream budget reserves as many slots for short requests as the connection limit does (U10,
  /// U86).
  fileprivate func longLimit(of wanted: ScriptRequest) -> Int {
    let long = Int(state.requests.longLimits[wanted.pool])
    guard let streams = streams(wanted.host) else { return long }
    let kept = Int(state.script.configuration.requests.limits.total) - long
    return Int(streams) - kept
  }

  fileprivate var defaultPolicy: LongLimitPolicy { state.script.configuration.requests.policy }
}
