// The actions on calls, as scenario text.
extension ModelAction {
  private static let host = #""host": "a.example:443""#

  static let ofCalls: [ModelAction] =
    defaultCalls + otherCalls + uploads + channels + flags + rows + paths + settings + chains

  private static let defaultCalls = [
    ModelAction(.calls, "a stream starts", .call, #"\#(host), "kind": "streaming""#),
    ModelAction(
      .calls, "a call starts that is answered immediately", .call, #"\#(host), "kind": "unary""#),
    ModelAction(
      .calls, "a stream starts that does not wait", .call,
      #"\#(host), "kind": "streaming", "failFast": true"#),
    ModelAction(.calls, "the last call is cancelled", .ofLastCall, #""cancel": "%""#),
  ]

  private static let otherCalls = [
    ModelAction(
      .kinds, "a stream starts with a deadline of 10 s", .call,
      #"\#(host), "kind": "streaming", "deadline": "10s""#),
    ModelAction(
      .kinds, "a stream starts with a deadline of 9.5995 s", .call,
      #"\#(host), "kind": "streaming", "deadline": "9599500us""#),
    ModelAction(
      .kinds, "a call starts that waits 2 s for its token", .call,
      #"\#(host), "kind": "unary", "options": { "token": "2s" }"#),
    ModelAction(
      .kinds, "a call starts that is answered after two minutes", .call,
      #"\#(host), "kind": "unary", "takes": "2min""#),
    ModelAction(
      .kinds, "a stream starts with a message each second", .call,
      #"\#(host), "kind": "streaming", "every": "1s", "takes": "2.5s""#),
    ModelAction(
      .kinds, "a call is made and does not start", .call,
      #"\#(host), "kind": "unary", "starts": false"#),
    ModelAction(.kinds, "that call starts", .ofMadeCall, #""start": "%""#),
    ModelAction(
      .kinds, "a call to an invalid host name starts", .call,
      #""host": "no host", "kind": "unary""#, host: "no host"),
  ]

  private static let uploads = [
    ModelAction(
      .uploads, "a call starts that sends messages", .call,
      #"\#(host), "kind": "bidi", "takes": "1s""#),
    ModelAction(
      .uploads, "that call sends a message", .ofUpload, #""send": { "call": "%", "bytes": 1 }"#),
    ModelAction(.uploads, "the requests of that call are complete", .ofUpload, #""finish": "%""#),
  ]

  private static let channels = [
    ModelAction(
      .channels, "a stream to another host starts", .call,
      #""host": "b.example:443", "kind": "streaming""#, host: "b.example:443"),
    ModelAction(
      .channels, "a stream to another port starts", .call,
      #""host": "a.example:8443", "kind": "streaming""#, host: "a.example:8443"),
    ModelAction(
      .channels, "a stream to a resolver's name starts", .call,
      #""host": "dns:a.example", "kind": "streaming""#, host: "dns:a.example"),
    ModelAction(
      .channels, "a stream to a host without a port starts", .call,
      #""host": "https://a.example/v1", "kind": "streaming""#),
    ModelAction(
      .channels, "a stream to a third host without a port starts", .call,
      #""host": "c.example", "kind": "streaming""#, host: "c.example"),
    ModelAction(
      .channels, "a stream to port 80 of that host starts", .call,
      #""host": "c.example:80", "kind": "streaming""#, host: "c.example:80"),
    ModelAction(
      .channels, "a stream with its own options starts", .call,
      #"\#(host), "kind": "streaming", "options": { "channelID": "own" }"#),
    ModelAction(
      .channels, "a stream with another method starts", .call,
      #"\#(host), "kind": "streaming", "path": "/other.Service/Call""#),
    ModelAction(
      .channels, "a stream that has its connection pinged starts", .call,
      #"\#(host), "kind": "streaming", "options": { "keepaliveInterval": "30s","#
        + #" "keepaliveTimeout": "20s" }"#),
    ModelAction(
      .channels, "a stream with another first delay starts", .call,
      #"\#(host), "kind": "streaming", "options": { "connectInitialBackoff": "3s" }"#),
    ModelAction(
      .channels, "a stream with another longest delay starts", .call,
      #"\#(host), "kind": "streaming", "options": { "connectMaxBackoff": "2s" }"#),
    ModelAction(
      .channels, "a stream with longer attempts starts", .call,
      #"\#(host), "kind": "streaming", "options": { "connectMinTimeout": "30s" }"#),
    ModelAction(
      .channels, "the user disconnects the host", .entry, #""disconnect": "a.example:443""#),
    ModelAction(.channels, "the user disconnects all hosts", .entry, #""disconnect": "*""#),
  ]

  static let flags = [
    ModelAction(.flags, "the network is cellular", .entry, #""flags": ["Reachable", "IsWWAN"]"#),
    ModelAction(.flags, "there is no network", .entry, #""flags": []"#),
    ModelAction(.flags, "the network is WiFi", .entry, #""flags": ["Reachable"]"#),
  ]

  private static let rows =
    [
      ["IsWWAN"], ["ConnectionRequired"], ["ConnectionRequired", "IsWWAN"],
      ["Reachable", "ConnectionRequired"], ["Reachable", "ConnectionRequired", "IsWWAN"],
      ["Reachable", "TransientConnection"], ["Reachable", "ConnectionOnTraffic"],
      ["Reachable", "ConnectionOnDemand"], ["Reachable", "InterventionRequired"],
      ["Reachable", "IsLocalAddress"], ["Reachable", "IsDirect"],
    ].map { flags in
      ModelAction(
        .rows, "the flags are \(flags.joined(separator: ", "))", .entry,
        #""flags": [\#(flags.map { "\"\($0)\"" }.joined(separator: ", "))]"#)
    }

  static let paths = [
    ModelAction(.paths, "another WiFi is joined", .entry, #""path": "wifi-B""#),
    ModelAction(
      .paths, "another WiFi is joined, with a callback", .entry,
      #""flags": ["Reachable"], "path": "wifi-B""#),
    ModelAction(
      .paths, "the network is cellular, and the WiFi stays alive", .entry,
      #""flags": ["Reachable", "IsWWAN"], "links": { "wifi": "up" }"#),
    ModelAction(
      .paths, "the network is WiFi, and the cellular one stays alive", .entry,
      #""flags": ["Reachable"], "links": { "cellular": "up" }"#),
  ]

  private static let settings = [
    ModelAction(
      .settings, "connections are pinged each 30 s", .setting("keepalive"),
      #"{ "time": "30s", "timeout": "20s" }"#),
    ModelAction(.settings, "unused channels are kept half a second", .setting("idle"), #""500ms""#),
    ModelAction(
      .settings, "delays vary", .setting("backoff"), #"{ "jitter": 0.2 }"#),
    ModelAction(.settings, "callbacks take a second", .setting("monitor"), #"{ "latency": "1s" }"#),
    ModelAction(
      .settings, "CFStream is of the later generation", .setting("cfstream"), #""event-engine""#),
    ModelAction(
      .settings, "calls are notified of a transition before the pool", .setting("order"),
      #"["calls", "pool"]"#),
  ]

  private static let chains = [
    ModelAction(
      .chains, "calls pass two interceptors that rewrite", .setting("interceptors"),
      #"[{ "kind": "rewrite", "name": "one", "prefix": "1", "answerPrefix": "1","#
        + #" "metadata": { "key": "one" }, "trailers": { "end": "one" } },"#
        + #" { "kind": "rewrite", "name": "two", "prefix": "2", "answerPrefix": "2" }]"#),
    ModelAction(
      .chains, "calls pass an interceptor that changes their destination", .setting("interceptors"),
      #"[{ "kind": "rewrite", "path": "/other.Service/Call", "host": "a.example:8443","#
        + #" "deadline": "5s", "failFast": true, "options": { "channelID": "own" } }]"#,
      host: "a.example:8443"),
    ModelAction(
      .chains, "calls pass one that logs, and a global one", .setting("interceptors"),
      #"[{ "kind": "logging" }, { "kind": "none" }, { "kind": "forward", "global": true }]"#),
    ModelAction(
      .chains, "calls pass one that waits for a token", .setting("interceptors"),
      #"[{ "kind": "token", "takes": "1s" }]"#),
    ModelAction(
      .chains, "calls pass one that answers by itself", .setting("interceptors"),
      #"[{ "kind": "mock", "messages": ["own"] }]"#),
    ModelAction(
      .chains, "calls pass one that calls again", .setting("interceptors"),
      #"[{ "kind": "retry", "calls": "any" }]"#),
    ModelAction(
      .chains, "calls pass one that keeps answers", .setting("interceptors"),
      #"[{ "kind": "cache" }]"#),
    ModelAction(
      .chains, "calls pass a gate", .setting("interceptors"), #"[{ "kind": "gate" }]"#),
    ModelAction(
      .chains, "the gate holds everything", .ofLastCall,
      #""interceptor": { "name": "gate", "call": "%", "do": "hold" }"#),
    ModelAction(
      .chains, "the gate lets everything go", .ofLastCall,
      #""interceptor": { "name": "gate", "call": "%", "do": "release" }"#),
    ModelAction(
      .chains, "the gate gives the user a message", .ofLastCall,
      #""interceptor": { "name": "gate", "call": "%", "do": "message" }"#),
    ModelAction(
      .chains, "the gate gives the user a close", .ofLastCall,
      #""interceptor": { "name": "gate", "call": "%", "do": "close" }"#),
    ModelAction(
      .chains, "a call of the older interface starts", .call,
      #"\#(host), "kind": "unary", "legacy": true"#),
    ModelAction(
      .chains, "a call with a marshaller starts", .call,
      #"\#(host), "kind": "unary", "marshaller": "reversed""#),
    ModelAction(
      .chains, "a call with flow control starts", .call,
      #"\#(host), "kind": "unary", "options": { "flowControl": true }"#),
    ModelAction(
      .chains, "a cacheable call starts", .call,
      #"\#(host), "kind": "unary", "safety": "cacheable""#),
    ModelAction(
      .chains, "a base interceptor closes by itself on a cancel", .setting("chain"),
      #"{ "cancel": "close" }"#),
    ModelAction(
      .chains, "interceptors are made when they are needed", .setting("chain"),
      #"{ "creation": "lazy" }"#),
  ]
}
