public import HandoverMachines

extension TryVerdict {
  /// One sentence that says what was seen, for people.
  public var evidence: String {
    switch word {
    case .unharmed: attempts == 0 ? "no connection lost" : recovery
    case .recovers, .late: recovery
    case .hangs: ([waiting, "at least \(watched.readable)"] + [prospect]).joined(separator: "; ")
    case .givesUp: "ended\(ending) and did not come back"
    case .cuts: "ended a connection that could have gone on; \(recovery)"
    case .inconclusive: (doubt?.words ?? "too little was seen") + (endsEarly ? ending : "")
    }
  }

  private var endsEarly: Bool { doubt == .overBefore }

  private var ending: String {
    guard let programEnd else { return "" }
    return " (\(programEnd.words)\(endsAfter.map { " after \($0.readable)" } ?? ""))"
  }

  private var recovery: String {
    guard recovers != nil else { return "nothing came afterwards" }
    if attempts == 0 { return "payload again without a new connection" }
    let dead = deadAttempts == 0 ? "" : ", \(deadAttempts) never answered"
    return "payload again by \(Self.connections(attempts))\(dead)"
  }

  /// So many connections that were tried, in words.
  public static func connections(_ count: Int) -> String {
    count == 1 ? "1 new connection" : "\(count) new connections"
  }

  /// What it waits for.
  private var waiting: String {
    // Who sends and is not heard waits for answers besides; that goes without saying.
    let told = demands.filter { demand in
      if case .undelivered = demand { !sends } else { true }
    }
    let words = told.map(\.words).joined(separator: ", ")
    return recovers == nil ? words : "holds a dead connection: \(words)"
  }

  private var sends: Bool {
    demands.contains { demand in
      if case .unacknowledged = demand { true } else { false }
    }
  }

  /// What would end the wait, and what is missing for it.
  private var prospect: String {
    guard deadConnection != nil else { return "a time-out of its own would end it" }
    if sends { return prospectOfSending }
    guard let options else { return "a keepalive, a ping or a time-out of its own would tell it" }
    guard let keepalive = options.keepalive else {
      return "the kernel never tells it: no keepalive is set, nor a time-out for what is read"
    }
    let probes = Interval(microseconds: keepalive.interval.microseconds * Int64(keepalive.count))
    let limit = options.userTimeout > .zero ? options.userTimeout : probes
    return "the kernel gives up after \((keepalive.idle + limit).readable): its keepalive is"
      + " \(keepalive.idle.readable), then \(keepalive.count) times"
      + " \(keepalive.interval.readable)"
  }

  private var prospectOfSending: String {
    guard let options else {
      return "the kernel gives up after about 15 min: a TCP_USER_TIMEOUT or a ping would tell it"
    }
    return options.userTimeout > .zero
      ? "the kernel gives up after \(options.userTimeout.readable): TCP_USER_TIMEOUT"
      : "the kernel gives up after about 15 min: TCP_USER_TIMEOUT is not set"
  }
}

extension ProgramRhythm {
  /// In words, for people.
  public var words: String {
    guard payloadCount > 0 else { return "receives nothing" }
    let end = programEnd.map { "; ends by itself (\($0.words))" } ?? ""
    return payloadCount == 1
      ? "payload once\(end)"
      : "payload \(payloadCount) times, at most \(longestGap.readable) apart\(end)"
  }
}

extension Demand {
  fileprivate var words: String {
    switch self {
    case .unacknowledged(let bytes):
      "still retransmitting \(bytes) byte\(bytes == 1 ? "" : "s") on the dead path"
    case .undelivered: "waits on the dead path for what the server sends"
    case .connecting(let count):
      count == 1 ? "a new connection is not answered" : "\(count) new connections are not answered"
    case .unanswered(let count): "\(count) datagrams are not answered"
    case .unheard(let count): "\(count) datagrams of the server do not arrive"
    }
  }
}

extension Doubt {
  fileprivate var words: String {
    switch self {
    case .neverMoved: "no payload came to begin with, so the device was not moved"
    case .silentBefore: "no payload came before the move"
    case .overBefore: "the program ended before the device moved"
    case .hearsSeldom: "it hears too seldom to tell, even where nothing happens"
    case .nothingToCarry: "holds a dead connection, and nothing was to be carried on it"
    case .endsAnyway: "the program ended, as it does where nothing happens"
    case .nothingMet: "there was no connection or flow that the fault could have met"
    }
  }
}

extension Interval {
  /// For people: `740 ms`, `2.3 s`, `2 min 5 s`.
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
