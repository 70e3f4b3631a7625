import HandoverCore
import HandoverSimulation

/// What is explored of a whole world: a client with its device, paths, servers and monitor, and
/// what may happen to them.
package struct WorldSetup: Hashable, Sendable {
  /// How many hosts a world can have: each of its connections has states of the network too.
  package static let hostRange = 1...2
  /// How many paths there are: two WiFi and a cellular one.
  static let pathCount = 3

  /// The client, how many hosts and calls there are, and the kinds of calls.
  package var client: ExplorationSetup
  /// What happens besides.
  package var events: Events
  /// How much of one instant may still be on its way to the client when the user, the device or a
  /// server does something more in that instant.
  package var atOnce: Int
  /// What a broken network does, to see it convicted.
  package var fault: PlantedFault?

  /// Makes a setup.
  ///
  /// The longest delay between attempts is that after the first failure: how delays grow is a
  /// matter of the client alone.
  package init(
    _ client: ExplorationSetup, events: Events = .full, atOnce: Int = 1,
    fault: PlantedFault? = nil
  ) {
    precondition(Self.hostRange.contains(client.hosts))
    self.client = client
    if self.client.longestDelay == nil { self.client.longestDelay = .milliseconds(1_600) }
    self.events = events
    self.atOnce = atOnce
    self.fault = fault
  }

  /// What can happen besides calls, changes of the category, and what connections do by themselves.
  package struct Events: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Connections are closed, reset, drained and killed.
    package static let ends = Events(rawValue: 1)
    /// The application goes to the background, and is suspended there.
    package static let background = Events(rawValue: 2)
    /// Connections stall, by their paths or by a fault.
    package static let stalls = Events(rawValue: 4)
    /// The device moves to another WiFi, without a callback.
    package static let hotspots = Events(rawValue: 8)
    /// A path that was left stays alive, and dies later.
    package static let links = Events(rawValue: 16)
    /// The application runs in the background.
    package static let running = Events(rawValue: 32)
    /// Servers fall silent.
    package static let silence = Events(rawValue: 64)
    /// What is written is acknowledged and thrown away.
    package static let discards = Events(rawValue: 128)
    /// Callbacks are lost, doubled and overtaken, and flags read afresh.
    package static let monitor = Events(rawValue: 256)

    /// Flags, the background, and what becomes of connections.
    package static let plain: Events = [.ends, .background]
    /// Everything.
    package static let full: Events = [
      .ends, .background, .stalls, .hotspots, .links, .running, .silence, .discards, .monitor,
    ]
  }

  /// What a broken network does.
  package enum PlantedFault: String, Hashable, Sendable, CaseIterable {
    /// Whoever uses a connection does not hear that it was lost.
    case unheardLoss = "unheard-loss"
    /// The end of an answer that had to wait for its connection never comes.
    case lostAnswer = "lost-answer"
    /// A token that comes while the application is suspended is never heard.
    case lostToken = "lost-token"
    /// A stream of the platform that hears nothing of the path it was on.
    case deafStream = "deaf-stream"
  }

  /// The script that a world is made with: hosts, paths and settings.
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

  /// A world that has just begun.
  func makeWorld(_ read: NetworkCategory, spares: Int = 1) -> ExploredWorld {
    // Connections of the raw kernel hear of no path, whoever is above them.
    let profile: Profile = fault == .deafStream ? .linuxSockets : client.profile
    return ExploredWorld(
      script(read), profile, defects: client.defects, kinds: scriptCalls,
      calls: client.calls, spares: spares, at: CanonicalForm.present)
  }

  /// How worlds begin: with each category, where there is a monitor also with a read that fails.
  var initialReads: [NetworkCategory] {
    [.wifi, .cellular, .noNetwork]
      + (client.profile.policy.monitorsReachability ? [.unknown] : [])
  }
}
