import HandoverCore

// The template with calls: WiFi appears while a call streams over cellular.
extension ScenarioTemplate.Story {
  /// Returns the template for calls during a network change, with the expectations for some
  /// profiles.
  static func ofCalls(_ profiles: [Profile]) -> Self {
    Self(
      title: "WiFi appears while a call streams over cellular",
      setup: [
        """
        "initial": { "flags": ["Reachable", "IsWWAN"], "app": "foreground",
          "comment": "Reachable alone is WiFi, with IsWWAN it is Cellular, and [] is no network." }
        """,
        """
        "hosts": { "api.example:443": { "connect": "50ms" },
          "comment": "Declare every host here; connect is how long a connection \
        takes." }
        """,
      ],
      timeline: [
        """
        { "at": "0s",
          "call": { "id": "stream", "host": "api.example:443", "kind": "streaming",
            "deadline": "20s" },
          "comment": "Kinds are unary, streaming, client-streaming and bidi. Give calls a deadline."
        }
        """,
        """
        { "at": "1s", "flags": ["Reachable"],
          "comment": "The network changes. \
        Other actions: path, app, server, names, transport, monitor." }
        """,
        """
        { "at": "+1s",
          "call": { "id": "next", "host": "api.example:443", "kind": "unary", "takes": "10ms",
            "deadline": "5s" },
          "comment": "+1s is one second after the previous entry. \
        takes is the time of the server." }
        """,
      ],
      expectations: callExpectations(profiles),
      remarks: [
        "To change defaults, add config with backoff, idle, keepalive, tcpTimeout or until."
      ])
  }

  /// Returns the expectations for each kind of profile.
  private static func callExpectations(_ profiles: [Profile]) -> [String] {
    let reported = profiles.filter(\.transport.hasStreamEvents)
    let watched = profiles.filter(\.policy.monitorsReachability)
    let moved = profiles.filter { $0.transport.migration?.followsDevice == true }
    let silent = profiles.filter {
      !reported.contains($0) && !watched.contains($0) && !moved.contains($0)
    }
    return [
      expectation(
        silent, #""call": "stream", "status": "DEADLINE_EXCEEDED", "at": "20s""#,
        "Sockets without a monitor stall, and only the deadline ends the call (D8a)."),
      expectation(
        watched,
        #""call": "stream", "status": "UNAVAILABLE", "message": "Connectivity lost.", "at": "1s""#,
        "The monitor notices the change and destroys the channel (D9)."),
      expectation(
        reported, #""call": "stream", "status": "UNAVAILABLE", "at": "1s""#,
        "CFStream reports that the connection was lost (D3c, D10)."),
      expectation(
        moved, #""call": "stream", "status": "DEADLINE_EXCEEDED", "at": "20s""#,
        "The connection migrates, and the call continues until its deadline."),
      expectation(
        silent,
        #""call": "next", "status": "DEADLINE_EXCEEDED", "channel": "same", "at": "7s""#,
        "The next call also uses the stalled connection."),
      expectation(
        watched, #""call": "next", "status": "OK", "channel": "new", "at": "2.06s""#,
        "A new channel: 50ms to connect, 10ms for the server."),
      expectation(
        reported, #""call": "next", "status": "OK", "channel": "same", "at": "2.06s""#,
        "The same channel with a new connection."),
      expectation(
        moved, #""call": "next", "status": "OK", "channel": "same", "at": "2.01s""#,
        "The same connection, over WiFi."),
    ].compactMap { $0 } + [
      """
      { "never": { "call": "stream", "status": "CANCELLED" },
        "comment": "This must not happen at any time." }
      """
    ]
  }
}
