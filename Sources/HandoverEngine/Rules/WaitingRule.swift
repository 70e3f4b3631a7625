import HandoverCore

/// Invariant 5: a waiting call proceeds or ends at the first opportunity, and delays stay within
/// their limits.
struct WaitingRule: Rule {
  static let identifier = RuleIdentifier.waiting
  static let moments: RunMoments = [
    .reachability, .callEvents, .attemptResults, .timePassing, .closeRequest, .channelMoves,
    .channelDestructions, .attempts, .callEnds, .end, .stepEnd,
  ]

  /// The latest event of the client, if a waiting call proceeds or ends because of it.
  private enum Step: Hashable {
    case categoryChange
    case callStarted(index: Int)
    case cancelled(index: Int)
    case connected(endpoint: UInt32)
    case attemptFailed(endpoint: UInt32, endsCalls: Bool)
    case timePassed
    case other
  }

  private var step = Step.other
  /// Whether the step may require effects; most steps do not.
  private var isPending = false
  /// Whether a channel was destroyed in this step.
  private var destroys = false
  /// The endpoints whose attempts the client itself gave up in this step.
  private var givenUp = ReusedArray<UInt32>()
  /// Whether the client is being closed, which ends everything in a different order.
  private var isClosing = false

  // MARK: Records

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    switch record.body {
    case .event(.reachability(let event)):
      if run.changesCategory(event) == true { begin(.categoryChange) }
    case .event(.pool(let event)): received(event, &run)
    case .effect(.channelMoved(let channel, from: .connecting, to: .transientFailure)):
      guard run.state.isAlive(channel) else { return }
      givenUp.append(channel.endpoint.index)
      isPending = true
    case .effect(.channelDestroyed):
      destroys = true
      isPending = true
    case .effect(.openConnection(_, let channel)):
      if run.seesChannels, run.state.isAlive(channel) { checkAttempt(of: channel, &run) }
    case .effect(.endCall(let id, let end)):
      if let call = run.unfinished(id) { checkEnd(of: call, end, &run) }
    case .world(.runEnded):
      for index in run.state.calls.indices where run.state.calls[index].isUnfinished {
        checkDeadline(of: index, &run)
      }
    default: break
    }
  }

  private mutating func received(_ event: ChannelPool.Event, _ run: inout ObservedRun) {
    switch event {
    case .callStarted(let id, _, _):
      if let index = run.state.index(of: id) { begin(.callStarted(index: index)) }
    case .tokenArrived(let id):
      if let index = run.unfinished(id) { begin(.callStarted(index: index)) }
    case .callCancelled(let id):
      if run.seesSteps, let index = run.unfinished(id) { begin(.cancelled(index: index)) }
    case .connected(let id):
      // A late event of a connection that has been closed does not affect calls.
      if let endpoint = run.state.endpointAttempted(by: id) {
        begin(.connected(endpoint: endpoint))
      }
    case .connectFailed(let id, let failure):
      if let endpoint = run.state.endpointAttempted(by: id) {
        begin(
          .attemptFailed(
            endpoint: endpoint,
            endsCalls: failure != .nameResolutionFailed || run.policy.nameFailureEndsCalls))
      }
    case .timeElapsed:
      begin(.timePassed)
    case .closed:
      isClosing = true
    case .messageQueued, .requestFinished, .connectionBroken, .connectionDraining, .pongReceived,
      .dataReceived, .messageReceived, .streamEnded, .disconnectRequested,
      .disconnectAllRequested:
      break
    }
  }

  // MARK: Steps

  mutating func stepIsOver(_ run: inout ObservedRun) {
    guard isPending else { return }
    judgeStep(&run)
    closeStep()
  }

  mutating func restart() {
    closeStep()
    isClosing = false
  }

  private mutating func closeStep() {
    isPending = false
    step = .other
    destroys = false
    givenUp.removeAll()
  }

  private mutating func begin(_ step: Step) {
    self.step = step
    isPending = true
  }

  private func judgeStep(_ run: inout ObservedRun) {
    switch step {
    case .callStarted(let index):
      // The fail-fast conditions come first because most calls do not meet them.
      if run.state.calls[index].failsFast, run.state.calls[index].isUnfinished,
        let channel = run.state.calls[index].channel,
        run.state.channels[Int(channel.endpoint.index)].state == .transientFailure
      {
        broken(&run, "a fail-fast call ends in TRANSIENT_FAILURE", "\(run.name(index)) waits")
      }
      checkFirst(index, &run)
    case .cancelled(let index):
      if run.state.calls[index].isUnfinished {
        broken(&run, "a call ends when it is cancelled", "\(run.name(index)) continues")
      }
    case .connected(let endpoint):
      checkNoneWaits(on: endpoint, "a call continues when its channel is connected", &run)
    case .attemptFailed(let endpoint, let endsCalls):
      if endsCalls {
        checkNoneWaits(on: endpoint, "a failed attempt ends the calls that wait for it", &run)
      }
    case .timePassed:
      for endpoint in givenUp {
        checkNoneWaits(on: endpoint, "a failed attempt ends the calls that wait for it", &run)
      }
    case .categoryChange, .other:
      break
    }
    if destroys { checkDestroyed(&run) }
  }

  /// Checks that the first call of a channel starts an attempt.
  private func checkFirst(_ index: Int, _ run: inout ObservedRun) {
    guard run.state.calls[index].isUnfinished, let channel = run.state.calls[index].channel,
      run.state.isAlive(channel)
    else { return }
    let row = run.state.channels[Int(channel.endpoint.index)]
    if row.state == .idle, row.lastAttempt == nil {
      broken(&run, "the first call of a channel connects it", "\(run.name(index)) waits")
    }
  }

  /// Checks that no call of a key is bound to a channel without having a connection.
  private func checkNoneWaits(
    on endpoint: UInt32, _ expected: @autoclosure () -> TimedText, _ run: inout ObservedRun
  ) {
    guard !run.isFull, run.state.channels[Int(endpoint)].waiting > 0 else { return }
    for index in run.state.calls.indices where run.state.calls[index].waits(on: endpoint) {
      broken(&run, expected(), "\(run.name(index)) waits")
    }
  }

  /// Checks that calls end with their channel.
  ///
  /// The closing of the client is checked when it is complete. A category change is checked by
  /// ``CategoryChangeRule``.
  private func checkDestroyed(_ run: inout ObservedRun) {
    guard !isClosing, !run.isFull, run.state.orphans > 0, step != .categoryChange else { return }
    for index in run.state.calls.indices where run.state.calls[index].isUnfinished {
      guard let channel = run.state.calls[index].channel, !run.state.isAlive(channel) else {
        continue
      }
      broken(&run, "a call ends when its channel is destroyed", "\(run.name(index)) continues")
    }
  }

  // MARK: Attempts

  private func checkAttempt(of channel: ChannelID, _ run: inout ObservedRun) {
    let index = Int(channel.endpoint.index)
    if run.state.channels[index].waiting == 0 {
      let host = run.hostName(run.state.channels[index].host)
      broken(&run, "an attempt begins for a call that waits", "no call to \(host) waits for it")
    }
    guard let last = run.state.channels[index].lastAttempt,
      run.state.channels[index].anyCall != .max
    else { return }
    let options = run.state.script.calls[Int(run.state.channels[index].anyCall)].options
    let least = Self.leastDelay(
      after: run.state.channels[index].failuresBeforeIt,
      PoolConfiguration(policy: run.policy, backoff: run.state.script.configuration.backoff)
        .backoff(for: options))
    if run.now < last + least {
      broken(
        &run, "the next attempt starts at least \(least) after the one of \(last)",
        "it started at \(run.now)")
    }
  }

  /// Returns the shortest delay that B1 allows before an attempt after consecutive failures.
  ///
  /// The outcome of the attempt affects only later delays.
  private static func leastDelay(
    after failures: Int, _ rules: BackoffConfiguration
  ) -> Interval {
    guard failures > 0 else { return rules.firstDelay }
    var mean = rules.firstDelay
    for _ in 0..<min(failures, 64) { mean = min(mean.scaled(by: rules.multiplier), rules.maximum) }
    let spread = mean.scaled(by: rules.jitter)
    return Interval(microseconds: mean.microseconds - spread.microseconds)
  }

  // MARK: Ends

  private func checkEnd(of index: Int, _ end: CallEnd, _ run: inout ObservedRun) {
    switch step {
    case .attemptFailed where end.code != .unavailable:
      broken(
        &run, "a failed attempt ends calls UNAVAILABLE", "\(run.name(index)) ended \(end.code)")
    case .callStarted(let started)
    where started == index && end.code == .unavailable && waitsInBackoff(index, run):
      broken(
        &run, "a call waits in TRANSIENT_FAILURE unless it is a fail-fast call",
        "\(run.name(index)) ended \(end.code)")
    case .timePassed
    where end.code == .deadlineExceeded && run.state.calls[index].deadline > run.now:
      broken(
        &run, "a call ends of its deadline when it has passed",
        "\(run.name(index)) ended DEADLINE_EXCEEDED before it")
    case .categoryChange, .callStarted, .cancelled, .connected, .attemptFailed, .timePassed, .other:
      break
    }
    checkDeadline(of: index, &run)
  }

  /// Returns whether a call is bound to a channel in TRANSIENT_FAILURE and does not fail fast.
  private func waitsInBackoff(_ index: Int, _ run: borrowing ObservedRun) -> Bool {
    guard !run.state.calls[index].failsFast, let channel = run.state.calls[index].channel else {
      return false
    }
    return run.state.channels[Int(channel.endpoint.index)].state == .transientFailure
  }

  /// Checks that a call that ends now, or exists at the end of the run, does not outlive its
  /// deadline.
  private func checkDeadline(of index: Int, _ run: inout ObservedRun) {
    let (deadline, end) = (run.state.calls[index].deadline, run.now)
    guard deadline < end, deadline + run.tolerance < end, !isClosing else { return }
    // A suspended application is notified of its deadlines only when it returns.
    let wasAway =
      run.state.isSuspended
      || (run.state.lastReturn.map { end <= $0 + run.tolerance } ?? false
        && run.state.backgroundStart <= deadline)
    guard !wasAway else { return }
    broken(
      &run, "\(run.name(index)) ends by its deadline, \(deadline)",
      "it was there until \(end)")
  }
}
