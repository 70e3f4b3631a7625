package import HandoverMachines

/// What is explored: a client of a profile, and how much may happen to it at once.
package struct ExplorationSetup: Hashable, Sendable {
  /// How many hosts, and calls at once, an exploration can have; more would close for nobody.
  package static let hostRange = 1...4
  package static let callRange = 1...8

  /// The contract.
  package var profile: Profile
  /// How many pooled channels there are.
  package var hosts: Int
  /// How many calls there are at once at the most, on all hosts together.
  package var calls: Int
  /// What happens besides.
  package var extras: Extras
  /// Defects of the client, to see them convicted.
  package var defects: Defects
  /// The settings that the client has in place of those of the contract, where it has a fault.
  package var altered: PoolConfiguration?
  /// The longest mean delay between attempts; nil takes the documents' one.
  package var longestDelay: Interval?

  /// Makes a setup.
  package init(
    _ profile: Profile, hosts: Int = 1, calls: Int = 2, extras: Extras = .full,
    defects: Defects = []
  ) {
    precondition(Self.hostRange.contains(hosts) && Self.callRange.contains(calls))
    self.profile = profile
    self.hosts = hosts
    self.calls = calls
    self.extras = extras
    self.defects = defects
  }

  /// Gives the client a fault: other settings than its contract says.
  package mutating func alter(_ change: (inout PoolConfiguration) -> Void) {
    var settings = configuration
    change(&settings)
    defects = settings.defects
    altered = settings
  }

  /// What can happen besides callbacks, calls that wait or fail fast, and what connections do.
  package struct Extras: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Calls with deadlines.
    package static let deadlines = Extras(rawValue: 1)
    /// Calls that wait for their auth tokens.
    package static let tokens = Extras(rawValue: 2)
    /// Callbacks are lost, and the flags read afresh.
    package static let rereads = Extras(rawValue: 4)
    /// Connections are pinged.
    package static let keepalive = Extras(rawValue: 8)
    /// Calls send messages, without a limit: no exploration with them closes.
    package static let messages = Extras(rawValue: 16)

    /// Nothing besides.
    package static let plain: Extras = []
    /// All that an exploration can have and close.
    package static let full: Extras = [.deadlines, .tokens, .rereads, .keepalive]
  }

  /// The settings of the client: the documents' numbers, and no jitter.
  package var configuration: PoolConfiguration {
    var backoff = BackoffConfiguration(jitter: Ratio(0, outOf: 1))
    if let longestDelay { backoff.maximum = longestDelay }
    return PoolConfiguration(
      policy: profile.policy, backoff: backoff,
      keepalive: extras.contains(.keepalive)
        ? KeepaliveConfiguration(time: .seconds(30), timeout: .seconds(20)) : nil,
      defects: defects)
  }

  /// The hosts by name.
  package func hostName(_ host: Int) -> String { "host-\(host + 1).example:443" }

  /// A client that has read nothing and called nobody.
  func makeClient() -> ClientCore {
    var client = ClientCore(altered ?? configuration)
    for host in 0..<hosts {
      let key = ChannelKey(host: HostName(hostName(host)), options: ChannelOptions())
      _ = client.register(key)
    }
    return client
  }

  /// What the monitor may read first; the failed read comes last.
  var initialReads: [NetworkCategory] {
    profile.policy.monitorsReachability ? [.wifi, .cellular, .noNetwork, .unknown] : [.wifi]
  }
}
