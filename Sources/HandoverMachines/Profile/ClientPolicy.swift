/// What tells one documented client from another: the rules a channel manager may follow or not.
///
/// Each rule stands in one place of ``ChannelPool`` or ``ClientCore``; this type only says which of
/// them hold.
public struct ClientPolicy: Hashable, Sendable {
  /// Whether reachability callbacks are watched and a change of category destroys all channels.
  public var monitorsReachability: Bool
  /// Whether a broken connection destroys its channel (D9) instead of leaving it in
  /// TRANSIENT_FAILURE (D2).
  public var brokenConnectionDestroysChannel: Bool
  /// Whether a failed name resolution ends the calls that wait for the connection.
  ///
  /// The 2017 document lists it as an issue that it does not (#13627, B11).
  public var nameFailureEndsCalls: Bool
  /// How long a channel without calls is kept (P6); nil keeps it for ever.
  public var unusedChannelLifetime: Interval?

  /// Makes a policy.
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
