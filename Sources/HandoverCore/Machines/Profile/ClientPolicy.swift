/// The differences between the documented clients, as options of a channel manager.
///
/// Each option is implemented in one place of ``ChannelPool`` or ``ClientCore``; this type only
/// selects them.
public struct ClientPolicy: Hashable, Sendable {
  /// Whether the client has a reachability monitor, so that a category change destroys all
  /// channels.
  public var monitorsReachability: Bool
  /// Whether a broken connection destroys its channel (D9) instead of leaving it in
  /// TRANSIENT_FAILURE (D2).
  public var brokenConnectionDestroysChannel: Bool
  /// Whether a failed name lookup ends the calls that wait for the connection.
  ///
  /// The 2017 network-transition doc lists it as a known issue that the lookup does not end them
  /// (#13627, B11).
  public var nameFailureEndsCalls: Bool
  /// How long a channel without calls is kept (P6), or `nil` for no limit.
  public var unusedChannelLifetime: Interval?

  /// Creates a policy.
  public init(
    monitorsReachability: Bool, brokenConnectionDestroysChannel: Bool = false,
    nameFailureEndsCalls: Bool = true, unusedChannelLifetime: Interval?
  ) {
    self.monitorsReachability = monitorsReachability
    self.brokenConnectionDestroysChannel = brokenConnectionDestroysChannel
    self.nameFailureEndsCalls = nameFailureEndsCalls
    self.unusedChannelLifetime = unusedChannelLifetime
  }
}
