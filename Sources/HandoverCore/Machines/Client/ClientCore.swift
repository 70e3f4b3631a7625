/// The whole client: the monitor, the channel pool, and the rule that connects them.
///
/// Drivers use only this state machine. Whether their events come from virtual time, the kernel or
/// another process, they pass events one by one and execute the effects.
public struct ClientCore: StateMachine {
  /// An event for the client.
  @frozen
  public enum Event: BitwiseCopyable, Hashable, Sendable {
    /// An event about the reachability of the device.
    case reachability(ConnectivityMonitor.Event)
    /// An event about channels and calls.
    case pool(ChannelPool.Event)
  }

  /// An effect of the client.
  public typealias Effect = ClientEffect

  /// The monitor; its category stays Unknown if the policy has no monitor.
  public internal(set) var monitor = ConnectivityMonitor()
  @usableFromInline var channels: ChannelPool
  private(set) var monitorsReachability: Bool
  /// The decorator in its present state, or `nil` if there is none.
  var decoration: ClientDecoration?

  /// Creates a client that has read no flags and has no calls.
  public init(_ configuration: PoolConfiguration) {
    channels = ChannelPool(configuration)
    monitorsReachability = configuration.policy.monitorsReachability
    decoration = configuration.decoration
  }

  /// The channel pool, for inspection.
  public var pool: ChannelPool { channels }

  /// Returns the pooled channel of a key; see ``ChannelPool/register(_:)``.
  public mutating func register(_ key: ChannelKey) -> EndpointID {
    channels.register(key)
  }

  /// Resets the client to the state after the registration of its first keys.
  ///
  /// The client reuses the memory of its tables, so that nothing is allocated.
  ///
  /// - Parameter count: How many of the first keys stay registered.
  public mutating func restart(keeping count: Int) {
    monitor = ConnectivityMonitor()
    channels.restart(keeping: count)
    decoration = channels.configuration.decoration
  }

  /// The identifier with which the next call must start.
  @inlinable
  public var nextCallID: CallID { channels.nextCallID }

  /// The instant from which the passing of time would change something, or `nil` if there is none.
  @inlinable
  public var nextDeadline: Instant? { channels.nextDeadline }

  /// Returns the earliest deadline of some kinds, or `nil` if there is none.
  @inlinable
  public func nextDeadline(among kinds: DeadlineKinds) -> Instant? {
    channels.nextDeadline(among: kinds)
  }

  /// Handles one event and appends the resulting effects.
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

  /// Starts several calls with the same settings on one channel at one instant.
  ///
  /// See ``ChannelPool/startCalls(_:on:_:at:into:)``.
  @inlinable
  public mutating func startCalls(
    _ count: Int, on endpoint: EndpointID, _ settings: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    channels.startCalls(count, on: endpoint, settings, at: now, into: &effects)
  }

  /// Handles a reachability event; a category change destroys every existing channel.
  ///
  /// The categories do not matter: a network that returns is a change like any other (D9, M11, C8).
  @usableFromInline
  mutating func observe(
    _ fact: ConnectivityMonitor.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    // A client without a monitor ignores flags (S10).
    guard monitorsReachability, let change = monitor.observe(fact) else { return }
    effects.append(.notify(change))
    channels.loseNetwork(at: now, into: &effects)
  }
}
