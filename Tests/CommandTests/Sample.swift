/// Scenarios that the tests of the command write to files.
enum Sample {
  /// A valid scenario.
  static let plain = """
    {
      "format": 1,
      "id": "good",
      "initial": { "flags": ["Reachable"] },
      "hosts": { "api.example:443": {} },
      "timeline": [
        { "at": "0s", "call": { "id": "c", "host": "api.example:443" } }
      ],
      "expect": [{ "call": "c", "status": "OK", "at": "10ms" }]
    }
    """

  /// A scenario with a wrong status, a wrong time and a wrong count, in lines 14 to 16.
  static let withThreeMistakes = """
    {
      "format": 1,
      "id": "mistakes/three",
      "profiles": ["sockets-monitor"],
      "initial": { "flags": ["Reachable", "IsWWAN"] },
      "hosts": { "api.example:443": { "connect": "50ms" } },
      "timeline": [
        { "at": "0s", "call": { "id": "stream", "host": "api.example:443", "kind": "streaming" } },
        { "at": "1s", "flags": ["Reachable"] },
        { "at": "+1s", "call": { "id": "next", "host": "api.example:443" } }
      ],
      "expect": [
        { "call": "stream", "message": "Connectivity lost." },
        { "call": "stream", "status": "DEADLINE_EXCEEDED", "at": "1s" },
        { "call": "next", "status": "OK", "at": "3s" },
        { "channels": { "host": "api.example:443", "destroyed": 7 }, "at": "1s" }
      ]
    }
    """
}
