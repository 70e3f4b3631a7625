public import HandoverCore

extension TryVerdict {
  /// A sentence that describes the evidence, for people.
  public var evidence: String {
    let position = endpoint.map { "\($0): " } ?? ""
    let parts = [finding] + [legPhrase].compactMap(\.self) + notes.map(\.phrase)
    return position + parts.joined(separator: "; ")
  }

  /// The longest leg of a recovery with several legs, if the verdict is about the recovery.
  private var legPhrase: String? {
    guard recovers != nil, outcome != .givesUp, outcome != .inconclusive, legs.count > 1,
      let longestLeg
    else { return nil }
    return "longest leg: \(longestLeg.kind.rawValue), \(longestLeg.length.readable)"
  }

  private var finding: String {
    switch outcome {
    case .unharmed: "\(hasSurvivor ? "no connection lost" : recovery)\(limitWords)"
    case .recovers: recovery
    case .late: lateness
    case .hangs: [waiting, "at least \(watched.readable)", prospect].joined(separator: "; ")
    case .givesUp: givesUpPhrase
    case .cuts:
      notes.contains(.abandons)
        ? recovery : "ended a connection that could have continued; \(recovery)"
    case .inconclusive:
      (inconclusiveReason?.phrase ?? "too few observations") + (endsEarly ? ending : "")
    }
  }

  private var endsEarly: Bool { inconclusiveReason == .endedBeforeChange }

  private var ending: String {
    guard let programEnd else { return "" }
    return " (\(programEnd.phrase)\(endsAfter.map { " after \($0.readable)" } ?? ""))"
  }

  /// Whether the verdict is based on connections from before the change.
  private var hasSurvivor: Bool {
    !hasNewConnection
      || notes.contains { if case .shortConnectionsFailed = $0 { true } else { false } }
  }

  private var hasNewConnection: Bool { attempts > deadAttempts + unframedAttempts }

  /// The limit of UNHARMED, and the part of it that the program used.
  private var limitWords: String {
    guard let limit else { return "" }
    return ", silent \(excess.readable) longer than usual (limit \(limit.readable))"
  }

  private var lateness: String {
    guard isIncomplete else { return recovery }
    guard recovers == nil else { return "not fully back within \(watched.readable); \(recovery)" }
    let last = sinceLastAttempt.map { "; last attempt \($0.readable) ago" } ?? ""
    return "not back within \(watched.readable)\(last)"
  }

  private var givesUpPhrase: String {
    guard programEnd != nil else { return "alive, but no attempt since the change" }
    return "ended\(ending)" + (recovers == nil ? " and did not recover" : "; before, \(recovery)")
  }

  private var recovery: String {
    guard recovers != nil else { return "no data arrived afterwards" }
    guard hasNewConnection else { return "data again without a new connection" }
    let dead = deadAttempts == 0 ? "" : ", \(deadAttempts) never answered"
    let unframed = unframedAttempts == 0 ? "" : ", \(unframedAttempts) failed without a frame"
    return "data again with \(Self.connections(attempts))\(dead)\(unframed)"
  }

  /// Returns a phrase for a number of connections that were tried.
  public static func connections(_ count: Int) -> String {
    count == 1 ? "1 new connection" : "\(count) new connections"
  }

  /// The outstanding work, for people.
  private var waiting: String {
    // A program that sends without an acknowledgment also waits for answers; that is not mentioned.
    pendingWork.filter { demand in
      if case .undelivered = demand { !sends } else { true }
    }.map(\.phrase).joined(separator: ", ")
  }

  private var sends: Bool {
    pendingWork.contains { demand in
      if case .unacknowledged = demand { true } else { false }
    }
  }

  /// The event that would end the wait, and the setting that is missing for it.
  private var prospect: String {
    guard deadConnection != nil else { return "only a timeout in the program would end the wait" }
    if sends { return sendingPhrase }
    guard let options else { return "a keepalive, a ping or a timeout in the program would end it" }
    guard let keepalive = options.keepalive else {
      return "the kernel never reports it, because no keepalive is set; no timeout for reading is"
        + " set either"
    }
    // With TCP_USER_TIMEOUT, Linux ignores the number of probes. It gives up at the first probe
    // that is not before the timeout, which begins with the last data of the server.
    let (timeout, period) = (options.userTimeout, keepalive.interval.microseconds)
    let rest = max(0, timeout.microseconds - keepalive.idle.microseconds)
    let probes =
      timeout > .zero ? max(1, (rest + period - 1) / max(1, period)) : Int64(keepalive.count)
    let end = keepalive.idle + Interval(microseconds: period * probes)
    return "the kernel gives up after \(end.readable): its keepalive is"
      + " \(keepalive.idle.readable), then "
      + (timeout > .zero
        ? "every \(keepalive.interval.readable) until TCP_USER_TIMEOUT of \(timeout.readable)"
        : "\(keepalive.count) times \(keepalive.interval.readable)")
  }

  private var sendingPhrase: String {
    guard let options else {
      return "the kernel gives up after about 15 min; a TCP_USER_TIMEOUT or a ping would report it"
    }
    return options.userTimeout > .zero
      ? "the kernel gives up after \(options.userTimeout.readable): TCP_USER_TIMEOUT"
      : "the kernel gives up after about 15 min: TCP_USER_TIMEOUT is not set"
  }
}

extension TryNote {
  fileprivate var phrase: String {
    switch self {
    case .keepsDeadConnection(let count):
      count == 1
        ? "leaves a dead connection open" : "leaves \(count) dead connections open"
    case .cuts: "ended a connection that could have continued"
    case .abandons: "leaves a connection open that works, and uses a new one"
    case .failover(let from, let to): "failed over from \(from) to \(to)"
    case .shortConnectionsFailed(let count):
      count == 1 ? "1 short connection failed" : "\(count) short connections failed"
    case .lost(let count): "\(count) message\(count == 1 ? "" : "s") lost"
    case .duplicates(let count):
      "\(count) message\(count == 1 ? "" : "s") received again"
    case .subscriptions(let count): "subscribed \(count == 2 ? "twice" : "\(count) times")"
    case .rate(let before, let after):
      "application data \(Self.rate(before)) before, \(Self.rate(after)) after"
    case .atLimit(let limit): "at the limit of \(limit.readable)"
    case .rejected(let count, let remote):
      "\(counted(count, "datagram")) of \(remote) \(count == 1 ? "was" : "were") rejected: "
        + "the program had asked another address"
    case .icmp(let phrase, let count):
      count == 1 ? "1 ICMP error (\(phrase))" : "\(count) ICMP errors (\(phrase))"
    }
  }

  /// Returns a phrase for a rate in tenths per second, rounded to an integer from 1 on.
  private static func rate(_ tenths: Int) -> String {
    tenths < 10 ? "0.\(tenths)/s" : "\((tenths + 5) / 10)/s"
  }
}

extension ProgramRhythm {
  /// A description of the rhythm, for people.
  public var phrase: String {
    guard payloadCount > 0 else { return "receives nothing" }
    let end = programEnd.map { "; ends by itself (\($0.phrase))" } ?? ""
    return payloadCount == 1
      ? "data once\(end)"
      : "data \(payloadCount) times, at most \(longestGap.readable) apart\(end)"
  }
}

extension PendingWork {
  fileprivate var phrase: String {
    switch self {
    case .unacknowledged(let bytes):
      "still retransmitting \(bytes) byte\(bytes == 1 ? "" : "s") on the dead connection"
    case .undelivered: "waits on the dead connection for what the server sends"
    case .unread(let bytes):
      "does not read \(bytes) byte\(bytes == 1 ? "" : "s") that the server sent"
    case .connecting(let count):
      count == 1 ? "a new connection is not answered" : "\(count) new connections are not answered"
    case .unanswered(let count): "\(count) datagrams are not answered"
    case .undeliveredDatagrams(let count): "\(count) datagrams of the server do not arrive"
    }
  }
}

extension InconclusiveReason {
  fileprivate var phrase: String {
    switch self {
    case .networkUnchanged: "no data arrived at the start, so the network was not changed"
    case .silentBefore: "no data arrived before the change"
    case .endedBeforeChange: "the program ended before the change"
    case .dataTooRare: "data arrives too rarely to compare, even without a change"
    case .nothingOutstanding: "holds a dead connection, and nothing was outstanding on it"
    case .endsAnyway: "the program ended, as it does without a change"
    case .noAffectedConnection: "there was no connection or flow that the fault could have affected"
    case .machinePaused(let time):
      "the machine was suspended or overloaded for \(time.readable), which affects the verdict"
    }
  }
}

extension Interval {
  /// The interval for people, such as `740 ms`, `2.3 s` or `2 min 5 s`.
  public var readable: String {
    let milliseconds = (microseconds + 500) / 1_000
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if milliseconds < 60_000 {
      let tenths = milliseconds % 1_000 / 100
      return tenths == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds / 1_000).\(tenths) s"
    }
    let seconds = milliseconds / 1_000
    return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
