package import HandoverCore

/// The subject of an exploration: the client of a profile, and how many things may happen at once.
package struct ExplorationSetup: Hashable, Sendable {
  /// The possible numbers of hosts and concurrent calls.
  ///
  /// With more, the state space is too large to exhaust.
  package static let hostRange = 1...4
  package static let callRange = 1...8

  /// The profile of the client.
  package var profile: Profile
  /// The number of pooled channels.
  package var hosts: Int
  /// The maximum number of active calls, over all hosts.
  package var calls: Int
  /// The additional kinds of action.
  package var extras: Extras
  /// The settings of a client with an injected bug, or `nil` if it uses those of its profile.
  package var altered: PoolConfiguration?
  /// The longest mean delay between attempts, or `nil` for the value of the specifications.
  package var longestDelay: Interval?

  /// Creates a setup.
  package init(_ profile: Profile, hosts: Int = 1, calls: Int = 2, extras: Extras = .full) {
    precondition(Self.hostRange.contains(hosts) && Self.callRange.contains(calls))
    self.profile = profile
    self.hosts = hosts
    self.calls = calls
    self.extras = extras
  }

  /// Injects a bug: changes the settings of the client, whatever its profile requires.
  package mutating func alter(_ change: (inout PoolConfiguration) -> Void) {
    var settings = configuration
    change(&settings)
    altered = settings
  }

  /// Actions in addition to callbacks, waiting and fail-fast calls, and connection events.
  package struct Extras: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Calls have deadlines.
    package static let deadlines = Extras(rawValue: 1)
    /// Calls wait for their auth tokens.
    package static let tokens = Extras(rawValue: 2)
    /// Callbacks are lost and the client rereads the flags.
    package static let rereads = Extras(rawValue: 4)
    /// Connections send keepalive pings.
    package static let keepalive = Extras(rawValue: 8)
    /// Calls send any number of messages; the state space is then infinite.
    package static let messages = Extras(rawValue: 16)

    /// No additional actions.
    package static let plain: Extras = []
    /// All additional actions with which the state space stays finite.
    package static let full: Extras = [.deadlines, .tokens, .rereads, .keepalive]
  }

  /// The settings of the client: the numbers of the specifications, without jitter.
  package var configuration: PoolConfiguration {
    var backoff = BackoffConfiguration(jitter: Ratio(0, outOf: 1))
    if let longestDelay { backoff.maximum = longestDelay }
    return PoolConfiguration(
      policy: profile.policy, backoff: backoff,
      keepalive: extras.contains(.keepalive)
        ? KeepaliveConfiguration(time: .seconds(30), timeout: .seconds(20)) : nil)
  }

  /// Whether calls that started at the present instant are different from others.
  var distinguishesNewCalls: Bool { altered?.decoration?.decorator.distinguishesNewCalls ?? false }

  /// The name and port of a host.
  package func hostName(_ host: Int) -> String { "host-\(host + 1).example:443" }

  /// Creates a client that has read no flags and has no calls.
  func makeClient() -> ClientCore {
    var client = ClientCore(altered ?? configuration)
    for host in 0..<hosts {
      let key = ChannelKey(host: HostName(hostName(host)), options: ChannelOptions())
      _ = client.register(key)
    }
    return client
  }

  /// The categories that the monitor may read first; the failed read comes last.
  var initialReads: [NetworkCategory] {
    profile.policy.monitorsReachability ? [.wifi, .cellular, .noNetwork, .unknown] : [.wifi]
  }
}
