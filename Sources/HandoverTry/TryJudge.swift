public import HandoverMachines

/// What became of a program when its network moved, in one word.
public enum TryWord: String, Hashable, Sendable, CaseIterable {
  /// Nothing was lost: its connections went on, or it had none that the move could harm.
  case unharmed = "UNHARMED"
  /// It lost time, and little of it.
  case recovers = "RECOVERS"
  /// It came back, and took long.
  case late = "LATE"
  /// It waits on a path that is dead, and nothing tells it.
  case hangs = "HANGS"
  /// It ended without coming back.
  case givesUp = "GIVES UP"
  /// It ended a connection that could have gone on.
  case cuts = "CUTS"
  /// What was seen does not allow a verdict.
  case inconclusive = "INCONCLUSIVE"
}

/// What was to be carried and was not.
public enum Demand: Hashable, Sendable {
  /// The program sent bytes on a dead path that nobody acknowledges.
  case unacknowledged(bytes: Int)
  /// Servers have bytes for the program that it never acknowledges.
  case undelivered(bytes: Int)
  /// Connections that are being opened, and are not answered.
  case connecting(count: Int)
  /// Datagrams without an answer.
  case unanswered(count: Int)
  /// Datagrams of servers that never arrive.
  case unheard(count: Int)
}

/// Why a verdict is not possible.
public enum Doubt: Hashable, Sendable {
  /// The move was never made: the program ended before, or no payload came that would start it.
  case neverMoved
  /// No payload came before the move.
  case silentBefore
  /// The program ended before the move.
  case overBefore
  /// Even without a move it hears too seldom to tell.
  case hearsSeldom
  /// It holds a dead connection, and nothing was to be carried.
  case nothingToCarry
  /// It ended, as it does where nothing happens.
  case endsAnyway
  /// There was no connection or flow that the fault could have met.
  case nothingMet
}

/// The verdict on a program at one move.
public struct TryVerdict: Hashable, Sendable {
  /// In one word.
  public var word: TryWord
  /// Why there is no better one.
  public var doubt: Doubt?
  /// From the move to the first sign that the program knows; nil where none was seen.
  public var notices: Interval?
  /// From the move to the first payload on a live path; nil where none came.
  public var recovers: Interval?
  /// The longest time without payload since the last one before the move.
  public var silence: Interval
  /// How many connections were tried after the move.
  public var attempts: Int
  /// How many of them were never answered.
  public var deadAttempts: Int
  /// What was to be carried at the end of the watch, and was not.
  public var demands: [Demand]
  /// How long the program was watched since a new connection would have worked.
  public var watched: Interval
  /// The connection that is dead and still held; nil where there is none.
  public var deadConnection: Flow?
  /// What the program asked of the kernel for that connection; nil where it could not be seen.
  public var options: SocketOptions?
  /// How the program ended, where it did.
  public var programEnd: ProgramEnd?
  /// How long after the move that was; nil where it was before.
  public var endsAfter: Interval?
}

/// Judges observations by the rules of the page <doc:TryingAProgram>; knows no program by name.
public struct TryJudge: Sendable {
  /// How much longer than its own rhythm a program may be silent and count as unharmed.
  static let slack = Interval.seconds(1)
  /// How much longer it may be silent and count as recovering.
  static let recovery = Interval.seconds(5)
  /// How many times payload must come without a move before a rhythm can be told.
  static let leastPayloads = 3
  /// How long datagrams must go unanswered to count as demand, and how many.
  static let leastUnanswered = (span: Interval.seconds(3), count: 3)

  private let rhythm: ProgramRhythm

  /// A judge who knows the rhythm of the program.
  public init(_ rhythm: ProgramRhythm) {
    self.rhythm = rhythm
  }

  /// Judges what was seen at a move.
  public func verdict(on observation: TryObservation, _ traits: MoveTraits) -> TryVerdict {
    guard let moved = observation.moved else {
      var verdict = TryVerdict(observation, moved: observation.end)
      verdict.doubt = observation.programEnd == nil ? .neverMoved : .overBefore
      return verdict
    }
    let facts = MoveFacts(observation, traits, moved: moved, rhythm)
    var verdict = facts.verdict
    (verdict.word, verdict.doubt) = word(facts, verdict)
    return verdict
  }

  private func word(_ facts: MoveFacts, _ verdict: TryVerdict) -> (TryWord, Doubt?) {
    if !facts.heardBefore { return (.inconclusive, .silentBefore) }
    if facts.endedBefore { return (.inconclusive, .overBefore) }
    if facts.meetsNothing { return (.inconclusive, .nothingMet) }
    if verdict.programEnd != nil, verdict.recovers == nil {
      return facts.endsAnyway ? (.inconclusive, .endsAnyway) : (.givesUp, nil)
    }
    let isSure = rhythm.payloadCount >= Self.leastPayloads
    if verdict.recovers == nil || (verdict.deadConnection != nil && !verdict.demands.isEmpty) {
      if !verdict.demands.isEmpty { return (.hangs, nil) }
      return (.inconclusive, verdict.deadConnection == nil ? .hearsSeldom : .nothingToCarry)
    }
    if facts.couldGoOn, facts.lostConnections { return (.cuts, nil) }
    let excess = facts.excess
    let survived = !facts.lostConnections && verdict.deadAttempts == 0
    if survived, facts.survivorHeard {
      if excess <= max(facts.outage, Self.slack) { return (.unharmed, nil) }
      return (excess <= Self.recovery ? .recovers : .late, nil)
    }
    guard isSure else { return (.inconclusive, .hearsSeldom) }
    if survived, excess <= Self.slack { return (.unharmed, nil) }
    return (excess <= Self.recovery ? .recovers : .late, nil)
  }
}

extension TryVerdict {
  init(_ observation: TryObservation, moved: Instant) {
    word = .inconclusive
    silence = .zero
    attempts = 0
    deadAttempts = 0
    demands = []
    watched = .zero
    programEnd = observation.programEnd
  }
}

/// What is read off an observation before anything is judged.
private struct MoveFacts {
  private let observation: TryObservation
  private let traits: MoveTraits
  private let rhythm: ProgramRhythm
  private let moved: Instant
  private let restored: Instant
  private let all: [SeenFlow]
  /// Flows that were open when the device moved.
  private let before: [SeenFlow]
  /// Flows that were opened later.
  private let after: [SeenFlow]

  init(
    _ observation: TryObservation, _ traits: MoveTraits, moved: Instant, _ rhythm: ProgramRhythm
  ) {
    self.observation = observation
    self.traits = traits
    self.rhythm = rhythm
    self.moved = moved
    restored = max(moved, observation.restored ?? moved)
    all = observation.seenFlows
    before = all.filter { $0.flow.opened < moved && ($0.released.map { $0 >= moved } ?? true) }
    after = all.filter { $0.flow.opened >= moved }
  }

  var meetsNothing: Bool { traits.meetsNothing }
  var outage: Interval { restored.since(moved) }
  var couldGoOn: Bool { !traits.killsConnections }
  /// A program whose connections come and go anyway loses none by the move.
  ///
  /// One that carried payload afterwards was not lost, whenever it was let go.
  var lostConnections: Bool {
    !churns && before.contains { !$0.isHeld && !(isLive($0) && hears($0)) }
  }
  var heardBefore: Bool { all.contains { $0.payload.contains { $0 < moved } } }
  var endedBefore: Bool { observation.programEnd.map { $0.at < moved } ?? false }
  /// Whether the program's end is the one it comes to where nothing happens.
  var endsAnyway: Bool {
    guard let end = observation.programEnd, let usual = rhythm.programEnd,
      let usualAfter = rhythm.endsAfter, end.words == usual.words,
      let first = all.flatMap(\.payload).min()
    else { return false }
    return end.at.since(first) + TryJudge.slack >= usualAfter
  }
  /// Whether a connection of before carried payload when the move was over.
  var survivorHeard: Bool {
    !traits.killsConnections && before.contains { $0.payload.contains { $0 > restored } }
      || !traits.liveAddresses.isEmpty && before.contains { isLive($0) && hears($0) }
  }
  private var churns: Bool { rhythm.releasedCount > 0 }

  private func hears(_ seen: SeenFlow) -> Bool { seen.payload.contains { $0 > restored } }

  private func isLive(_ seen: SeenFlow) -> Bool {
    // To a NAT that forgot, a segment of TCP is a stranger's; a datagram just begins anew.
    if traits.forgetsConnections, seen.flow.transport == .tcp, seen.flow.opened < moved {
      return false
    }
    return traits.liveAddresses.isEmpty
      || traits.liveAddresses.contains(seen.flow.local.address)
  }

  private var silence: Interval {
    let instants = all.flatMap(\.payload).sorted()
    let last = instants.last { $0 < moved } ?? moved
    return ProgramRhythm.longestGap(of: instants, from: last, to: observation.lastLife)
  }

  /// How much longer the program was silent than its rhythm and the outage explain.
  var excess: Interval {
    Interval(
      microseconds: max(
        0, silence.microseconds - rhythm.longestGap.microseconds - outage.microseconds))
  }

  private var deadConnection: Flow? {
    held.first { !isLive($0) }?.flow
  }

  /// The connections that are held still, of those that the move can have harmed: the ones from
  /// before, and what was opened on a network that was only passed through.
  private var held: [SeenFlow] {
    let passing = after.filter { $0.flow.opened < restored && !isLive($0) }
    return (before + passing).filter { $0.isHeld && $0.flow.transport == .tcp }
  }

  private var notices: Interval? {
    guard !churns else { return nil }
    let signs = before.compactMap(\.released) + after.map(\.flow.opened)
    return signs.min()?.since(moved)
  }

  private var recovers: Interval? {
    all.filter(isLive).flatMap(\.payload).filter { $0 >= restored }.min()?.since(moved)
  }

  private var demands: [Demand] {
    var demands: [Demand] = []
    let held = held.map(\.flow)
    let sent = held.reduce(0) { $0 + $1.unacknowledgedByServer }
    if sent > 0 { demands.append(.unacknowledged(bytes: sent)) }
    let waiting = held.reduce(0) { $0 + undelivered(to: $1) }
    if waiting > 0 { demands.append(.undelivered(bytes: waiting)) }
    let connecting = after.count {
      $0.flow.transport == .tcp && $0.flow.established == nil && $0.isHeld
    }
    if connecting > 0 { demands.append(.connecting(count: connecting)) }
    let unanswered = all.map(\.flow).map(Self.unanswered).max() ?? 0
    if unanswered > 0 { demands.append(.unanswered(count: unanswered)) }
    let unheard = all.map(\.flow).map(unheard).max() ?? 0
    if unheard > 0 { demands.append(.unheard(count: unheard)) }
    return demands
  }

  /// What the servers sent on a flow and never had acknowledged, as they saw it themselves.
  private func undelivered(to flow: Flow) -> Int {
    observation.servers.last {
      $0.transport == .tcp && $0.local == flow.local && $0.remote == flow.remote
    }?.unacknowledgedByDevice ?? 0
  }

  /// How many datagrams have gone unanswered, where it is enough to tell.
  private static func unanswered(_ flow: Flow) -> Int {
    flow.transport == .udp ? count(of: flow.sentAt, after: flow.received.last) : 0
  }

  /// How many datagrams of its far end have not arrived since the last that did, as the servers saw
  /// them leave, where it is enough to tell.
  private func unheard(_ flow: Flow) -> Int {
    guard flow.transport == .udp,
      let sent = observation.servers.last(where: {
        $0.transport == .udp && $0.local == flow.local && $0.remote == flow.remote
      })
    else { return 0 }
    // The servers see a datagram leave a little before it arrives.
    return Self.count(of: sent.received, after: flow.received.last)
  }

  private static func count(of instants: [Instant], after last: Instant?) -> Int {
    let late = instants.filter { at in last.map { at > $0 } ?? true }
    guard let first = late.first, let last = late.last,
      late.count >= TryJudge.leastUnanswered.count,
      last.since(first) > TryJudge.leastUnanswered.span
    else { return 0 }
    return late.count
  }

  var verdict: TryVerdict {
    var verdict = TryVerdict(observation, moved: moved)
    verdict.notices = notices
    verdict.recovers = recovers
    verdict.silence = silence
    let tried = after.filter { $0.flow.transport == .tcp }
    verdict.attempts = tried.count
    verdict.deadAttempts = tried.count { $0.flow.established == nil }
    verdict.demands = demands
    verdict.watched = observation.end.since(restored)
    verdict.deadConnection = deadConnection
    verdict.options = deadConnection.flatMap { dead in
      observation.held.first { $0.port == dead.local.port }?.options
    }
    verdict.endsAfter = observation.programEnd.flatMap { $0.at < moved ? nil : $0.at.since(moved) }
    return verdict
  }
}
