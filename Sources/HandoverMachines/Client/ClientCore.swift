/// The whole client: the monitor and the channel pool, and the rule that joins them.
///
/// The only machine that drivers know. Whether they bring virtual time, the kernel's or another
/// process's events, they hand it facts one by one and carry out its orders.
public struct ClientCore: StateMachine {
  /// A fact the client is told of.
  @frozen
  public enum Event: BitwiseCopyable, Hashable, Sendable {
    /// Something about the device's reachability.
    case reachability(ConnectivityMonitor.Event)
    /// Something about channels and calls.
    case pool(ChannelPool.Event)
  }

  /// An order of the client.
  public typealias Effect = ClientEffect

  /// The monitor; its category stays Unknown where the policy has none.
  public internal(set) var monitor = ConnectivityMonitor()
  @usableFromInline var channels: ChannelPool
  private var monitorsReachability: Bool

  /// Makes a client that has read nothing and called nobody.
  public init(_ configuration: PoolConfiguration) {
    channels = ChannelPool(configuration)
    monitorsReachability = configuration.policy.monitorsReachability
  }

  /// The channel pool, to be looked at.
  public var pool: ChannelPool { channels }

  /// The pooled channel of a key; see ``ChannelPool/register(_:)``.
  public mutating func register(_ key: ChannelKey) -> EndpointID {
    channels.register(key)
  }

  /// Starts over as it was when it had registered some keys and taken no fact, in the room of its
  /// tables, so that nothing is allocated.
  ///
  /// - Parameter count: how many of the first keys stay registered.
  public mutating func restart(keeping count: Int) {
    monitor = ConnectivityMonitor()
    channels.restart(keeping: count)
  }

  /// The identifier that the next call must be started with.
  @inlinable
  public var nextCallID: CallID { channels.nextCallID }

  /// The instant from which the passing of time would change something.
  @inlinable
  public var nextDeadline: Instant? { channels.nextDeadline }

  /// The earliest deadline of some kinds; nil where there is none.
  @inlinable
  public func nextDeadline(among kinds: DeadlineKinds) -> Instant? {
    channels.nextDeadline(among: kinds)
  }

  /// Takes one fact and gives the orders that follow.
  @inlinable
  public mutating func step(
    _ event: Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    switch event {
    case .reachability(let fact):
      observe(fact, at: now, into: &effects)
    case .pool(let fact):
      channels.step(fact, at: now, into: &effects)
    }
  }

  /// Starts several calls of the same settings on one channel at one instant; see
  /// ``ChannelPool/startCalls(_:on:_:at:into:)``.
  @inlinable
  public mutating func startCalls(
    _ count: Int, on endpoint: EndpointID, _ settings: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    channels.startCalls(count, on: endpoint, settings, at: now, into: &effects)
  }

  /// A change of category destroys every existing channel, whatever the categories are: a network
  /// that returns is a change like any other (D9, M11, C8).
  @usableFromInline
  mutating func observe(
    _ fact: ConnectivityMonitor.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    // Without a monitor nobody looks at the flags (S10).
    guard monitorsReachability, let change = monitor.observe(fact) else { return }
    if channels.ignores(change) { return }
    effects.append(.notify(change))
    channels.loseNetwork(at: now, into: &effects)
  }
}
