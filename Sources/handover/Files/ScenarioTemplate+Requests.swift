import HandoverCore

// The template with requests: streams fill an endpoint when a short request starts.
extension ScenarioTemplate.Story {
  /// Returns the template for requests at the limit of an endpoint, with the expectations for some
  /// profiles.
  static func ofRequests(_ profiles: [Profile]) -> Self {
    let dispatching = profiles.filter(\.client.hasDispatcher)
    return Self(
      title: "A short request meets streams that fill its endpoint",
      setup: [
        """
        "initial": { "flags": ["Reachable"], "app": "foreground",
          "comment": "Reachable alone is WiFi, with IsWWAN it is Cellular, and [] is no network." }
        """,
        """
        "hosts": { "push.example:443": { "connect": "50ms" },
          "comment": "Declare every host here; connect is how long a connection \
        takes." }
        """,
        """
        "config": { "requests": { "total": 4, "long": 3,
          "comment": "Up to four connections; a dispatcher allows three long requests." } }
        """,
      ],
      timeline: ["one", "two", "three"].map(stream)
        + (dispatching.isEmpty ? [] : [question]) + rest,
      expectations: requestExpectations(profiles, dispatching),
      remarks: [
        "Other keys of config.requests: preset, platform, policy, poll, chargesWaiting, keepAlive."
      ])
  }

  private static func stream(_ id: String) -> String {
    """
    { "at": "0s",
      "request": { "id": "\(id)", "host": "push.example:443", "kind": "long", "every": "5s" } }
    """
  }

  private static let question = """
    { "at": "1s", "ask": { "id": "room", "host": "push.example:443" },
      "comment": "A dispatcher predicts what would happen to a long request." }
    """

  private static let rest = [
    """
    { "at": "1s",
      "request": { "id": "four", "host": "push.example:443", "kind": "long", "every": "5s" },
      "comment": "Kinds are short, long, synchronous and websocket; without takes this never ends."
    }
    """,
    """
    { "at": "+1s",
      "request": { "id": "control", "host": "push.example:443", "takes": "200ms" },
      "comment": "+1s is one second after the previous entry. \
    takes is the time of the server." }
    """,
    """
    { "at": "70s", "flags": ["Reachable", "IsWWAN"],
      "comment": "The network changes. \
    Other actions: path, app, server, names, transport, cancel." }
    """,
  ]

  private static func requestExpectations(
    _ profiles: [Profile], _ dispatching: [Profile]
  ) -> [String] {
    let limited = profiles.filter { $0.rules.contains(.requestLimits) }
    let unlimited = profiles.filter { !limited.contains($0) }
    let breaking = profiles.filter { $0.transport.pathLoss.otherChanges == .breaks }
    return [
      expectation(
        dispatching, #""ask": "room", "answer": "refused", "holders": ["one", "two", "three"]"#,
        "Three long requests are the maximum (U19)."),
      expectation(
        dispatching, #""request": "four", "outcome": "refused", "code": -1702, "at": "1s""#,
        "A request for the last connection is refused with a specific error (U25)."),
      expectation(
        dispatching, #""request": "control", "outcome": "finished", "at": "2.25s""#,
        "A connection is reserved for it: 50ms to connect, 200ms for the server (U13)."),
      expectation(
        limited.filter { !$0.client.hasDispatcher },
        #""request": "control", "outcome": "failed", "code": -1001, "at": "62s""#,
        "It freezes behind the streams, and fails like a network error (U31)."),
      expectation(
        unlimited, #""request": "control", "outcome": "finished", "at": "2.25s""#,
        "A connection is opened for each request: 50ms to connect, 200ms for the server."),
      expectation(
        breaking, #""request": "one", "outcome": "lost", "code": -1005, "at": "70s""#,
        "Every connection is lost with the path on which it was made."),
      expectation(
        profiles.filter { !breaking.contains($0) },
        #""request": "one", "outcome": "failed", "code": -1001, "at": "75.05s""#,
        "No loss is reported, so the request ends 10s after the last data, which came at 65.05s."),
    ].compactMap { $0 }
  }
}
