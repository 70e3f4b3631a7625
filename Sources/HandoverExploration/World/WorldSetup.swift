import HandoverCore
import HandoverSimulation

/// The subject of the exploration of a world: a client, its device, networks, servers and monitor.
package struct WorldSetup: Hashable, Sendable {
  /// The possible numbers of hosts; few, because each connection also has network states.
  package static let hostRange = 1...2
  /// The number of networks: two WiFi networks and a cellular one.
  static let pathCount = 3

  /// The client, the numbers of hosts and calls, and the kinds of calls.
  package var client: ExplorationSetup
  /// The additional kinds of event.
  package var events: Events
  /// The maximum number of events that may still be on their way to the client when the user, the
  /// device or a server acts again at the same instant.
  package var maximumPending: Int
  /// An injected network fault, to test that the exploration detects it.
  package var fault: Mutant?

  /// Creates a setup.
  ///
  /// By default, the longest delay between attempts is the one after the first failure. The growth
  /// of delays concerns only the client, and the exploration of clients covers it.
  package init(
    _ client: ExplorationSetup, events: Events = .full, maximumPending: Int = 1,
    fault: Mutant? = nil
  ) {
    precondition(Self.hostRange.contains(client.hosts))
    self.client = client
    if self.client.longestDelay == nil { self.client.longestDelay = .milliseconds(1_600) }
    self.events = events
    self.maximumPending = maximumPending
    self.fault = fault
  }

  /// Events in addition to calls, category changes, and what connections do by themselves.
  package struct Events: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Connections are closed, reset, drained and killed.
    package static let ends = Events(rawValue: 1)
    /// The app goes to the background and is suspended there.
    package static let background = Events(rawValue: 2)
    /// Connections stall, because of their network or because of a fault.
    package static let stalls = Events(rawValue: 4)
    /// The device changes to another WiFi network, without a callback.
    package static let hotspots = Events(rawValue: 8)
    /// An interface stays up after the device has left its network, and goes down later.
    package static let links = Events(rawValue: 16)
    /// The app runs in the background.
    package static let running = Events(rawValue: 32)
    /// Servers stop answering.
    package static let silence = Events(rawValue: 64)
    /// Written data is acknowledged and then discarded.
    package static let discards = Events(rawValue: 128)
    /// Callbacks are lost, duplicated and reordered, and flags are reread.
    package static let monitor = Events(rawValue: 256)

    /// Flag changes, the background, and ends of connections.
    package static let plain: Events = [.ends, .background]
    /// All events.
    package static let full: Events = [
      .ends, .background, .stalls, .hotspots, .links, .running, .silence, .discards, .monitor,
    ]
  }

  /// A fault that is injected into the network.
  package enum Mutant: String, Hashable, Sendable, CaseIterable {
    /// The client is not notified that a connection was lost.
    case unheardLoss = "unheard-loss"
    /// The end of an answer that had to wait for its connection never arrives.
    case lostAnswer = "lost-answer"
    /// A token that arrives while the app is suspended is never delivered.
    case lostToken = "lost-token"
    /// An iOS stream gets no events about the network that it uses.
    case deafStream = "deaf-stream"
  }

  /// Returns the script of a world: hosts, networks and settings.
  func script(_ read: NetworkCategory) -> Script {
    var script = Script()
    script.paths.append("wifi-B")
    script.hosts = (0..<client.hosts).map {
      ScriptHost(written: client.hostName($0), names: .hang)
    }
    let settings = client.configuration
    script.configuration.backoff = settings.backoff
    script.configuration.keepalive = settings.keepalive
    script.configuration.idle = client.profile.policy.unusedChannelLifetime
    script.initial.flags = ClientCore.flags(of: read) ?? .reachable
    script.initial.monitorIsReadable = read != .unknown
    return script
  }

  /// The calls that can be started.
  var scriptCalls: [ScriptCall] {
    client.callKinds.map { kind in
      ScriptCall(
        id: "", host: 0, kind: kind == .sends ? .bidi : .streaming, takes: .seconds(1),
        deadline: kind == .hasDeadline ? CanonicalForm.far : nil, failFast: kind == .failsFast,
        tokenDelay: kind == .awaitsToken ? .seconds(1) : nil)
    }
  }

  /// Creates a world in its initial state.
  func makeWorld(_ read: NetworkCategory, spares: Int = 1) -> ExploredWorld {
    // Raw kernel sockets get no network events, whichever client uses them.
    let profile: Profile = fault == .deafStream ? .linuxSockets : client.profile
    let altered = client.altered
    return ExploredWorld(
      script(read), profile,
      altering: { settings in
        guard let altered else { return }
        settings.policy = altered.policy
        // The longest delay of a world is shorter than that of the altered settings, unless the
        // injected bug is that there is none.
        if altered.backoff.maximum == .maximum { settings.backoff.maximum = .maximum }
        settings.decoration = altered.decoration
      },
      kinds: scriptCalls, calls: client.calls, spares: spares, at: CanonicalForm.present)
  }

  /// The initial categories; a profile with a monitor can also begin with a failed read.
  var initialReads: [NetworkCategory] {
    [.wifi, .cellular, .noNetwork]
      + (client.profile.policy.monitorsReachability ? [.unknown] : [])
  }
}
