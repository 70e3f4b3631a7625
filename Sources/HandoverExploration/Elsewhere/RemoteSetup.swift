package import HandoverBackend
import HandoverCore

/// The subject of the exploration of a remote client, within the client's declared capabilities.
package struct RemoteSetup: Sendable {
  /// The built-in client for comparison, and the possible actions of both clients.
  package private(set) var client: ExplorationSetup
  /// Whether calls are streaming calls instead of unary calls.
  package let hasStreams: Bool
  /// Whether the client has fingerprints of its states.
  package let hasDigests: Bool
  private let shown: Capabilities

  /// Creates a setup without the features that the clients do not declare.
  ///
  /// - Throws: ``BackendError`` if the clients do not support the minimal setup.
  package init(_ setup: ExplorationSetup, of clients: any RemoteClientFactory) throws(BackendError)
  {
    shown = clients.description.capabilities
    hasDigests = clients.providesDigests
    var least = setup
    least.extras = []
    if let obstacle = clients.obstacle(Self.probe(least, streams: false), setup.profile) {
      throw BackendError(.unsupported, obstacle)
    }
    hasStreams = clients.obstacle(Self.probe(least, streams: true), setup.profile) == nil
    client = least
    for extra in [ExplorationSetup.Extras.deadlines, .tokens, .rereads, .keepalive, .messages]
    where setup.extras.contains(extra) {
      var wider = client
      wider.extras.insert(extra)
      let script = Self.probe(wider, streams: hasStreams)
      if clients.obstacle(script, setup.profile) == nil { client = wider }
    }
  }

  /// Whether calls send any number of messages, so that the state space is infinite.
  package var isEndless: Bool { client.extras.contains(.messages) }

  /// Returns the names of the requested features that were removed.
  package func leftOut(of setup: ExplorationSetup) -> [String] {
    let names: [(ExplorationSetup.Extras, String)] = [
      (.tokens, "tokens"), (.keepalive, "keepalive"), (.messages, "messages"),
    ]
    return names.filter { setup.extras.contains($0.0) && !client.extras.contains($0.0) }.map(\.1)
  }

  /// Returns a script that uses every feature of a setup.
  private static func probe(_ setup: ExplorationSetup, streams: Bool) -> Script {
    var script = base(setup)
    script.calls = setup.callKinds.map { call(0, $0, streams: streams, id: "") }
    return script
  }

  private static func base(_ setup: ExplorationSetup) -> Script {
    var script = Script()
    script.name = "explored"
    script.hosts = (0..<setup.hosts).map { ScriptHost(written: setup.hostName($0)) }
    let settings = setup.configuration
    script.configuration.backoff = settings.backoff
    script.configuration.keepalive = settings.keepalive
    script.configuration.idle = setup.profile.policy.unusedChannelLifetime
    return script
  }

  private static func call(
    _ host: Int, _ kind: ExploredCallKind, streams: Bool, id: String
  ) -> ScriptCall {
    ScriptCall(
      id: id, host: host, kind: kind == .sends ? .bidi : streams ? .streaming : .unary, takes: nil,
      deadline: kind == .hasDeadline ? CanonicalForm.far : nil, failFast: kind == .failsFast,
      tokenDelay: kind == .awaitsToken ? .seconds(1) : nil)
  }

  /// The keys of the client's channels.
  var endpoints: [RemoteEndpoint] {
    (0..<client.hosts).map {
      RemoteEndpoint(host: client.hostName($0), options: ChannelOptions())
    }
  }

  /// Returns the script with which the client is opened for a path.
  func script(of way: ReferencePath) -> Script {
    var script = Self.base(client)
    script.initial.flags = ReachabilityFlags(of: way.initialRead)
    script.initial.monitorIsReadable = way.initialRead != .unknown
    script.calls = way.started.enumerated().map { index, call in
      Self.call(call.host, call.kind, streams: hasStreams, id: ScriptCall.id(index))
    }
    return script
  }

  /// Whether an action is possible with the client.
  func has(_ action: ClientAction) -> Bool { action.kind != .messageReceived || hasStreams }

  /// Whether the client's capabilities make an effect visible.
  func isSeen(_ effect: ClientEffect) -> Bool {
    switch effect {
    case .notify: shown.contains(.monitor)
    case .channelCreated, .channelMoved, .channelDestroyed, .callBound: shown.contains(.channels)
    case .fetchToken, .closeConnection, .startStream, .sendMessages, .finishStream, .resetStream,
      .sendPing, .deliverMessage, .openConnection, .endCall:
      true
    }
  }
}
