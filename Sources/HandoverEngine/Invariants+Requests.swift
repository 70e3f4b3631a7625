import HandoverCore
import HandoverTrace

// Rule 7: what holds of requests, with a dispatcher before the platform and without.
extension Invariants {
  mutating func check(_ fact: RequestFact) {
    // An answer may name any request that holds a slot; what is wrong about it shows elsewhere.
    if case .heldSlot = fact { return }
    if let request = fact.request,
      state.requests.requests[Int(request)].phase == .ended
    {
      broken(
        7, "a request ends once, and nothing follows its end",
        "something was observed of \(requestName(Int(request)))")
      return
    }
    switch fact {
    case .handedOver(let request):
      if !state.requests.requests[Int(request)].isIgnoringTheLimit {
        checkLimits(beforeStarting: Int(request))
      }
    case .ended(let request, _):
      let seen = state.requests.requests[Int(request)]
      if state.requests.isDispatched, seen.holdsSlot, needsSlot(Int(request)),
        !seen.isIgnoringTheLimit
      {
        broken(
          7, "the slot of a request is free before its user is told of the end",
          "\(requestName(Int(request))) still holds one")
      }
    case .thawed(let request):
      checkLimits(beforeStarting: Int(request))
    case .thread(let change, let thread, let host, let pool):
      check(change, ThreadStates.Name(thread, host: host, pool: pool))
    case .runsOn(let request, let thread):
      checkThread(thread, takes: Int(request))
    case .carried(let request, _):
      checkHasThread(Int(request))
      checkPlatform(carrying: Int(request))
    case .answered, .heldSlot, .arrived, .limitReached, .waits, .froze, .responded, .received,
      .connectionOpened, .pollAnswered, .connectionClosed, .connectionLost, .slotReleased,
      .longLimitChanged, .dispatcherClosed:
      break
    }
  }

  // MARK: Threads

  private mutating func check(_ change: ThreadChange, _ thread: ThreadStates.Name) {
    let threads = state.requests.threads
    let name = "thread \(thread.number)"
    switch change {
    case .made:
      let alive = threads.count(beside: thread) { $0 != .gone }
      if alive >= totalLimit(thread.host) {
        broken(
          7, "no more threads are there than the limit of their endpoint",
          "\(name) is made beside \(alive) others")
      }
      if threads.count(beside: thread, { $0 == .idle }) > 0 {
        broken(7, "a thread is made only where none is idle", "\(name) is made beside one")
      }
    case .rests:
      if threads.phase(of: thread) != .done {
        broken(7, "a thread rests when it has run something", "\(name) had not")
      }
    case .collected:
      if threads.phase(of: thread) != .idle {
        broken(7, "only an idle thread is collected", "\(name) was not idle")
      }
    case .ended:
      if threads.phase(of: thread) == .running {
        broken(7, "a thread ends when it has nothing to run", "\(name) still ran something")
      }
    }
  }

  private mutating func checkThread(_ number: UInt32, takes request: Int) {
    let thread = state.requests.thread(of: request, Int(number))
    switch state.requests.threads.phase(of: thread) {
    case .fresh, .done, .idle: break
    case .running, .gone, nil:
      broken(
        7, "a thread runs one request at a time",
        "\(requestName(request)) is taken by thread \(number), which is not free")
    }
  }

  /// A request is carried: one with a slot has a thread too, where the run has threads.
  private mutating func checkHasThread(_ request: Int) {
    guard state.script.configuration.requests.threads != nil, state.requests.isDispatched,
      needsSlot(request), !state.requests.requests[request].isIgnoringTheLimit
    else { return }
    let thread = state.requests.requests[request].thread.map {
      state.requests.thread(of: request, $0)
    }
    guard thread.flatMap(state.requests.threads.phase) != .running else { return }
    broken(
      7, "a request with a slot runs on a thread of its endpoint",
      "\(requestName(request)) has none")
  }

  private func needsSlot(_ request: Int) -> Bool {
    state.script.requests[request].kind != .exempt
  }

  private func requestName(_ place: Int) -> String {
    "\"\(state.script.requests[place].id)\""
  }

  private func endpoint(_ host: Int) -> Int { state.requests.endpoints[host] }

  /// What one connection to a host carries at once; nil where that is one request.
  private func streams(_ host: Int) -> UInt32? { state.script.hosts[endpoint(host)].streams }

  /// How many requests to a host may run at once.
  private func totalLimit(_ host: Int) -> Int {
    Int(streams(host) ?? state.script.configuration.requests.limits.total)
  }

  private mutating func checkLimits(beforeStarting request: Int) {
    let seen = state.requests.requests[request]
    guard state.requests.isDispatched, needsSlot(request) else { return }
    let usage = state.requests.usage(beside: request)
    let isCounted = state.requests.counts(request)
    let wanted = state.script.requests[request]
    let running = usage.running - (isCounted ? 1 : 0)
    if running >= totalLimit(wanted.host) {
      broken(
        7, "no more requests run than the limit of their endpoint",
        "\(requestName(request)) starts beside \(running) others")
    }
    guard wanted.kind == .long, !seen.isPolling, wanted.policy ?? usualPolicy != .takeSpare else {
      return
    }
    let long = usage.runningLong - (isCounted ? 1 : 0)
    if long >= longLimit(of: wanted) {
      broken(
        7, "no more long requests run than the long limit",
        "\(requestName(request)) starts beside \(long) others")
    }
  }

  /// How many of the requests beside one may be long; of the streams of a connection as many are
  /// kept for short ones as of the limit of connections (U10, U86).
  private func longLimit(of wanted: ScriptRequest) -> Int {
    let long = Int(state.requests.longLimits[wanted.pool])
    guard let streams = streams(wanted.host) else { return long }
    let kept = Int(state.script.configuration.requests.limits.total) - long
    return Int(streams) - kept
  }

  private var usualPolicy: LongLimitPolicy { state.script.configuration.requests.policy }

  /// What a connection is made for shows when it carries its first request.
  private mutating func checkPlatform(carrying request: Int) {
    guard needsSlot(request) else { return }
    let limit = Int(state.script.configuration.requests.platformLimit)
    let open = state.requests.hosts[endpoint(state.script.requests[request].host)].openLimited
    if open > limit {
      broken(
        7, "the platform lets no more connections live than its limit",
        "one more was opened beside \(open - 1)")
    }
  }

  /// An instant is over: no short request waits beside a free slot.
  mutating func checkNoneStarves() {
    guard state.requests.isDispatched, someoneStarves(), !isFull else { return }
    for request in state.requests.requests.indices where state.requests.waitsShort(request) {
      let usage = state.requests.usage(beside: request)
      guard usage.running < totalLimit(state.script.requests[request].host) else { continue }
      broken(
        7, "a short request waits only while every slot is held",
        "\(requestName(request)) waits beside a free one")
    }
  }

  /// The client is closed: every request that was made has ended.
  mutating func checkRequestsEnded() {
    if !state.requests.threads.isEmpty {
      broken(7, "every thread ends, at the latest with its dispatcher", "one is still there")
    }
    for request in state.requests.requests.indices {
      switch state.requests.requests[request].phase {
      case .notMade, .ended: break
      case .waiting, .running, .frozen, .resting:
        broken(
          7, "every request ends, at the latest when its dispatcher is closed",
          "\(requestName(request)) was never told of its end")
      }
    }
  }
}
