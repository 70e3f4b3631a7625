public import HandoverCore

/// The state of the device's connections after a network change.
public struct NetworkChange: Hashable, Sendable {
  /// The loss of all connections to a host, or to every host.
  public struct Loss: Hashable, Sendable {
    /// The host's address, or `nil` for every host.
    public var address: HostAddress?
    /// The instant before which the affected connections were opened.
    public var before: Instant
    /// Whether UDP flows continue, as they do when a NAT has lost its state.
    public var keepsDatagrams: Bool

    /// Creates a loss.
    public init(address: HostAddress? = nil, before: Instant, keepsDatagrams: Bool = false) {
      self.address = address
      self.before = before
      self.keepsDatagrams = keepsDatagrams
    }

    /// Returns whether a flow is lost.
    func affects(_ flow: Flow) -> Bool {
      flow.opened < before && (address == nil || address == flow.remote.address)
        && !(keepsDatagrams && flow.transport == .udp)
    }
  }

  /// The instant at which the change began.
  public var began: Instant
  /// The instant at which the change was complete.
  public var ended: Instant
  /// Whether the change takes something away; a change that only restores it begins no outage.
  public var beginsOutage: Bool
  /// The device's addresses whose connections carry traffic.
  ///
  /// The list is empty if no address does, or if no process is running that could receive the data.
  public var addresses: [HostAddress]
  /// The connections that are lost although their address carries traffic.
  public var losses: [Loss]

  /// Creates a change.
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

  /// Returns whether a flow carries traffic.
  func carries(_ flow: Flow) -> Bool {
    addresses.contains(flow.local.address) && !losses.contains { $0.affects(flow) }
  }
}

/// The time without application data that a program experienced after a network change.
public struct TimelineOutage: Hashable, Sendable {
  /// The instant of the first change after the previous application data.
  public var since: Instant
  /// The time from `since` to the first application data on a working connection, or `nil` if none
  /// came.
  public var recovers: Interval?
  /// The time from `since` until a new connection would work and continue to work.
  public var unusable = Interval.zero
  /// The number of connections that the program tried before the next outage began.
  public var attempts: Int
  /// The length of the observation after the last change.
  public var watched: Interval
  /// The reason why the outage's length is unknown, or `nil` if it is known.
  public var unknownLengthReason: UnknownLengthReason?
  /// The end of the program during the outage, or `nil` if it did not end.
  public var programEnd: ProgramEnd?

  /// The time from the moment at which a new connection would work to the first application data.
  ///
  /// The value is `nil` if no data came.
  public var delay: Interval? {
    recovers.map { Interval(microseconds: max(0, $0.microseconds - unusable.microseconds)) }
  }

  /// A reason why the length of an outage is unknown.
  public enum UnknownLengthReason: Hashable, Sendable {
    /// No application data arrived before the outage.
    case silentBefore
    /// The device has no network until the end.
    case noNetwork
  }
}

extension TryObservation {
  /// Returns the outages of a timeline, in order.
  ///
  /// An outage begins at the first change after application data arrived on a working connection.
  /// The changes before the next application data belong to the same outage, and their new
  /// connections are counted together.
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

  /// Returns the index of the last change before application data, and the instant of that data.
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
      preconditionFailure("an outage must begin with a network change")
    }
    let since = first.began
    let framed = connections.count {
      $0.isTCP && $0.opened >= since && $0.opened < next
    }
    let unframed = unframedAttempts.filter { $0.at >= since && $0.at < next }
    let attempts = unframed.reduce(framed) { $0 + $1.count }
    let receivedBefore = seen.contains { $0.payload.contains { $0 < since } }
    var outage = TimelineOutage(
      since: since, recovers: payload?.since(since), attempts: attempts,
      watched: end.since(min(last.ended, end)))
    let usable = changes.reversed().prefix { !$0.addresses.isEmpty }.last
    outage.unusable = (usable ?? last).ended.since(since)
    if payload == nil {
      outage.unknownLengthReason =
        !receivedBefore ? .silentBefore : last.addresses.isEmpty ? .noNetwork : nil
      outage.programEnd = programEnd
    }
    return outage
  }
}
