import HandoverCore

/// The facts of an observation that all endpoints share.
struct MoveFacts {
  let observation: TryObservation
  let rhythm: ProgramRhythm
  let moved: Instant
  /// The first instant at which a new connection would work.
  let restored: Instant
  let connections: [SeenConnection]
  private let traits: MoveTraits
  private let first: Instant
  /// The device's addresses on which data arrived until the end of the outage.
  private var passable: [HostAddress] = []

  init(
    _ observation: TryObservation, _ traits: MoveTraits, moved: Instant, _ rhythm: ProgramRhythm
  ) {
    self.observation = observation
    self.traits = traits
    self.rhythm = rhythm
    self.moved = moved
    restored = max(moved, observation.restored ?? moved)
    connections = observation.connections
    first = connections.flatMap(\.payload).min() ?? moved
    passable = addressesThroughOutage
  }

  // MARK: The program

  var affectsNothing: Bool { traits.affectsNothing }
  var outage: Interval { restored.since(moved) }
  /// Whether connections from before the change can continue.
  var couldContinue: Bool { !traits.killsConnections }
  var hasDataBefore: Bool { connections.contains { $0.payload.contains { $0 < moved } } }
  var endedBefore: Bool { observation.programEnd.map { $0.at < moved } ?? false }

  /// Returns the time since the program's first application data, on the same scale as its rhythm.
  func offset(of instant: Instant) -> Interval { instant.since(min(first, instant)) }

  /// Whether the program ended in the same way as it does without a network change.
  var endsAnyway: Bool {
    guard let end = observation.programEnd, let usual = rhythm.programEnd,
      let usualAfter = rhythm.endsAfter, end.phrase == usual.phrase
    else { return false }
    return offset(of: end.at) + TryJudge.slack >= usualAfter
  }

  /// Whether the program failed, and earlier than the end of the unmodified run's observation.
  ///
  /// A later end cannot be compared with the unmodified run.
  var failsUnusually: Bool {
    guard let end = observation.programEnd, end.isError, !endsAnyway else { return false }
    return rhythm.programEnd != nil || offset(of: end.at) <= rhythm.whole.span
  }

  /// The TCP connections that were opened after the change.
  var tried: [SeenConnection] { connections.filter { $0.isTCP && $0.opened >= moved } }

  var unframedAttempts: Int {
    observation.unframedAttempts.filter { $0.at >= moved }.reduce(0) { $0 + $1.count }
  }

  /// The program's attempts to reach a server that do not belong to a connection.
  var unattachedAttempts: [Instant] {
    (observation.lookups.map(\.at) + observation.unframedAttempts.map(\.at)).filter { $0 >= moved }
  }

  /// The first sign that the program noticed the change.
  ///
  /// The value is `nil` if the program regularly opens and closes connections.
  var notices: Interval? {
    rhythm.releasedCount == 0 ? firstSign?.since(moved) : nil
  }

  /// The instant at which the program first ended or opened a connection, or sent a query, after
  /// the change.
  var firstSign: Instant? {
    let released = connections.filter(precedesChange).compactMap(\.released)
    let opened = connections.map(\.opened).filter { $0 >= moved }
    // The query of a program that asks regularly is no sign.
    let asked = rhythm.asksRegularly ? [] : observation.lookups.map(\.at).filter { $0 >= moved }
    return (released + opened + asked).min()
  }

  // MARK: Connections

  /// Returns whether a connection was open when the network changed.
  func precedesChange(_ connection: SeenConnection) -> Bool {
    connection.opened < moved && (connection.released.map { $0 >= moved } ?? true)
  }

  /// Returns whether a flow can carry data after the network change.
  func works(_ seen: SeenFlow) -> Bool {
    // A NAT without its state drops segments of old TCP connections; a datagram creates new state.
    if traits.forgetsConnections, seen.flow.transport == .tcp, seen.flow.opened < moved {
      return false
    }
    return traits.liveAddresses.isEmpty || traits.liveAddresses.contains(seen.flow.local.address)
  }

  func works(_ connection: SeenConnection) -> Bool { connection.flows.contains(where: works) }

  /// Returns whether a connection is dead and still held.
  ///
  /// The network change can kill connections from before it, and connections opened on a network
  /// that the device used only in between.
  func isLeftDead(_ connection: SeenConnection) -> Bool {
    connection.isTCP && connection.isHeld && connection.opened < restored && !works(connection)
  }

  /// Returns whether application data arrived on a connection after the network change.
  func hasDataAfter(_ connection: SeenConnection) -> Bool {
    connection.flows.contains(where: hasDataAfter)
  }

  /// Returns whether application data arrived on a flow after the network change.
  ///
  /// Packets of a network that the device left can be captured shortly after the change.
  func hasDataAfter(_ seen: SeenFlow) -> Bool {
    works(seen) && seen.payload.contains { $0 > restored }
  }

  /// Returns whether a connection from before the change carried application data after it.
  func survives(_ connection: SeenConnection) -> Bool {
    guard precedesChange(connection) else { return false }
    if !traits.killsConnections { return connection.payload.contains { $0 > restored } }
    return !traits.liveAddresses.isEmpty && hasDataAfter(connection)
  }

  /// Returns the instant of the first application data on a working network.
  ///
  /// That is after the outage, or during it on a network that carried data all the time.
  func firstData(of connections: [SeenConnection]) -> Instant? {
    connections.flatMap(\.flows).filter(works).compactMap { seen in
      let start = passable.contains(seen.flow.local.address) ? moved : restored
      return seen.payload.first { $0 >= start }
    }.min()
  }

  private var addressesThroughOutage: [HostAddress] {
    let rest = rhythm.longestGap + TryJudge.slack
    let start = max(
      moved + TryJudge.slack, Instant(microseconds: restored.microseconds - rest.microseconds))
    guard start < restored else { return [] }
    var addresses: [HostAddress] = []
    for seen in connections.flatMap(\.flows)
    where !addresses.contains(seen.flow.local.address) && works(seen)
      && seen.payload.contains(where: { $0 > start && $0 < restored })
    {
      addresses.append(seen.flow.local.address)
    }
    return addresses
  }

  /// Returns the overlap of a span with the outage.
  func outage(within start: Instant, _ end: Instant) -> Interval {
    let (from, to) = (max(start, moved), min(end, restored))
    return from < to ? to.since(from) : .zero
  }

  // MARK: Endpoints

  /// The endpoints to check.
  ///
  /// If no endpoint can be compared with the unmodified run, all connections count as one endpoint.
  var endpoints: [EndpointFacts] {
    var used: [ServerEndpoint] = []
    for connection in connections where !used.contains(connection.endpoint) {
      guard connection.payload.contains(where: { $0 < moved }),
        let rhythm = rhythm.stream(of: connection.endpoint),
        rhythm.carries(after: offset(of: moved) + TryJudge.slack)
      else { continue }
      used.append(connection.endpoint)
    }
    guard !used.isEmpty else { return [EndpointFacts(nil, connections, rhythm.whole, self)] }
    let replacement = replacement
    return used.map { endpoint in
      let own = connections.filter { $0.endpoint == endpoint }
      let stream = rhythm.stream(of: endpoint) ?? rhythm.whole
      var facts = EndpointFacts(endpoint, own, stream, self)
      if firstData(of: own) == nil, let replacement {
        facts = EndpointFacts(
          endpoint, own + connections.filter { $0.endpoint == replacement }, stream, self)
        facts.replacement = replacement
      }
      return facts
    }
  }

  /// An endpoint that the unmodified run does not use and that carries data after the change.
  private var replacement: ServerEndpoint? {
    let new = connections.filter {
      $0.opened >= moved && rhythm.stream(of: $0.endpoint) == nil
    }
    return new.first { connection in
      new.filter { $0.endpoint == connection.endpoint }.flatMap(\.payload)
        .count { $0 >= restored } >= TryJudge.leastPayloads
    }?.endpoint
  }
}
