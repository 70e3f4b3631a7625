public import HandoverMachines

/// What carries the device's traffic once something was done to the network.
public struct NetworkChange: Hashable, Sendable {
  /// Connections to a host that carry nothing any more.
  public struct Loss: Hashable, Sendable {
    /// The host's address.
    public var address: HostAddress
    /// Only those that were opened before.
    public var before: Instant

    /// A loss.
    public init(address: HostAddress, before: Instant) {
      self.address = address
      self.before = before
    }
  }

  /// When it began to be done.
  public var began: Instant
  /// When it was done.
  public var ended: Instant
  /// Whether it takes something away; what only gives it back begins no outage.
  public var beginsOutage: Bool
  /// The device's addresses whose connections carry traffic; empty where none do, or where nobody
  /// runs who could read it.
  public var addresses: [HostAddress]
  /// What is lost all the same.
  public var losses: [Loss]

  /// A change.
  public init(
    began: Instant, ended: Instant, beginsOutage: Bool, addresses: [HostAddress],
    losses: [Loss] = []
  ) {
    self.began = began
    self.ended = ended
    self.beginsOutage = beginsOutage
    self.addresses = addresses
    self.losses = losses
  }

  /// Whether a flow carries traffic.
  func carries(_ flow: Flow) -> Bool {
    addresses.contains(flow.local.address)
      && !losses.contains { $0.address == flow.remote.address && flow.opened < $0.before }
  }
}

/// The time without payload that a program lived through after a change of the network.
public struct TimelineOutage: Hashable, Sendable {
  /// The first change since payload came.
  public var since: Instant
  /// From there to the first payload on a live path; nil where none came.
  public var recovers: Interval?
  /// From there until a new connection would work, for good until application data came.
  public var unusable = Interval.zero
  /// How many connections were tried until the next outage began.
  public var attempts: Int
  /// How long the program was watched from the last change on.
  public var watched: Interval
  /// Why there can be no verdict on its length; nil where there can.
  public var doubt: Doubt?
  /// How the program ended while it lasted; nil where it did not.
  public var programEnd: ProgramEnd?

  /// From the moment at which a new connection would work to the first application data; nil if
  /// none came.
  public var delay: Interval? {
    recovers.map { Interval(microseconds: max(0, $0.microseconds - unusable.microseconds)) }
  }

  /// Why nobody can tell how long an outage lasts.
  public enum Doubt: Hashable, Sendable {
    /// No payload came before it.
    case silentBefore
    /// The device has no network to the end.
    case noNetwork
  }
}

extension TryObservation {
  /// The outages of a timeline, in its order.
  ///
  /// The first change since payload came on a live path begins one; the changes that come before
  /// payload does belong to it, and the new connections of all of them count together.
  public func outages(at changes: [NetworkChange]) -> [TimelineOutage] {
    let seen = seenFlows
    var outages: [TimelineOutage] = []
    var rest = changes[...]
    while let index = rest.firstIndex(where: \.beginsOutage), rest[index].began < lastLife {
      let (last, payload) = Self.ending(of: rest[index...], seen)
      let next = changes[(last + 1)...].first { $0.beginsOutage }
      outages.append(
        outage(changes[index...last], payload, next: next?.began ?? end, seen))
      rest = changes[(last + 1)...]
    }
    return outages
  }

  /// The place of the last change before payload came, and when that came.
  private static func ending(
    of changes: ArraySlice<NetworkChange>, _ seen: [SeenFlow]
  ) -> (last: Int, payload: Instant?) {
    for index in changes.indices {
      let change = changes[index]
      let payload = seen.filter { change.carries($0.flow) }.flatMap(\.payload)
        .filter { $0 >= change.ended }.min()
      let next = index + 1 < changes.endIndex ? changes[index + 1].began : .never
      if let payload, payload < next { return (index, payload) }
    }
    return (changes.endIndex - 1, nil)
  }

  private func outage(
    _ changes: ArraySlice<NetworkChange>, _ payload: Instant?, next: Instant, _ seen: [SeenFlow]
  ) -> TimelineOutage {
    guard let first = changes.first, let last = changes.last else {
      preconditionFailure("an outage begins with a change")
    }
    let since = first.began
    let framed = connections.count {
      $0.isTCP && $0.opened >= since && $0.opened < next
    }
    let unframed = unframedAttempts.filter { $0.at >= since && $0.at < next }
    let attempts = unframed.reduce(framed) { $0 + $1.count }
    let heardBefore = seen.contains { $0.payload.contains { $0 < since } }
    var outage = TimelineOutage(
      since: since, recovers: payload?.since(since), attempts: attempts,
      watched: end.since(min(last.ended, end)))
    let usable = changes.reversed().prefix { !$0.addresses.isEmpty }.last
    outage.unusable = (usable ?? last).ended.since(since)
    if payload == nil {
      outage.doubt = !heardBefore ? .silentBefore : last.addresses.isEmpty ? .noNetwork : nil
      outage.programEnd = programEnd
    }
    return outage
  }
}
