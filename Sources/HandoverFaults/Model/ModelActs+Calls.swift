// The actions on calls, as scenario text.
extension ModelAct {
  private static let host = #""host": "a.example:443""#

  static let ofCalls: [ModelAct] =
    usualCalls + otherCalls + uploads + channels + flags + rows + paths + settings + chains

  private static let usualCalls = [
    ModelAct(.calls, "a stream starts", .call, #"\#(host), "kind": "streaming""#),
    ModelAct(
      .calls, "a call starts that is answered at once", .call, #"\#(host), "kind": "unary""#),
    ModelAct(
      .calls, "a stream starts that does not wait", .call,
      #"\#(host), "kind": "streaming", "failFast": true"#),
    ModelAct(.calls, "the last call is cancelled", .ofLastCall, #""cancel": "%""#),
  ]

  private static let otherCalls = [
    ModelAct(
      .kinds, "a stream starts with a deadline of 10 s", .call,
      #"\#(host), "kind": "streaming", "deadline": "10s""#),
    ModelAct(
      .kinds, "a stream starts with a deadline of 9.5995 s", .call,
      #"\#(host), "kind": "streaming", "deadline": "9599500us""#),
    ModelAct(
      .kinds, "a call starts that waits 2 s for its token", .call,
      #"\#(host), "kind": "unary", "options": { "token": "2s" }"#),
    ModelAct(
      .kinds, "a call starts that is answered after two minutes", .call,
      #"\#(host), "kind": "unary", "takes": "2min""#),
    ModelAct(
      .kinds, "a stream starts with a message each second", .call,
      #"\#(host), "kind": "streaming", "every": "1s", "takes": "2.5s""#),
    ModelAct(
      .kinds, "a call is made and does not start", .call,
      #"\#(host), "kind": "unary", "starts": false"#),
    ModelAct(.kinds, "that call starts", .ofMadeCall, #""start": "%""#),
    ModelAct(
      .kinds, "a call starts to a host that is none", .call,
      #""host": "no host", "kind": "unary""#, host: "no host"),
  ]

  private static let uploads = [
    ModelAct(
      .uploads, "a call starts that sends messages", .call,
      #"\#(host), "kind": "bidi", "takes": "1s""#),
    ModelAct(.uploads, "it sends one", .ofUpload, #""send": { "call": "%", "bytes": 1 }"#),
    ModelAct(.uploads, "its requests are complete", .ofUpload, #""finish": "%""#),
  ]

  private static let channels = [
    ModelAct(
      .channels, "a stream to another host starts", .call,
      #""host": "b.example:443", "kind": "streaming""#, host: "b.example:443"),
    ModelAct(
      .channels, "a stream to another port starts", .call,
      #""host": "a.example:8443", "kind": "streaming""#, host: "a.example:8443"),
    ModelAct(
      .channels, "a stream to a resolver's name starts", .call,
      #""host": "dns:a.example", "kind": "streaming""#, host: "dns:a.example"),
    ModelAct(
      .channels, "a stream to a host without a port starts", .call,
      #""host": "https://a.example/v1", "kind": "streaming""#),
    ModelAct(
      .channels, "a stream to a third host without a port starts", .call,
      #""host": "c.example", "kind": "streaming""#, host: "c.example"),
    ModelAct(
      .channels, "a stream to port 80 of that host starts", .call,
      #""host": "c.example:80", "kind": "streaming""#, host: "c.example:80"),
    ModelAct(
      .channels, "a stream with its own options starts", .call,
      #"\#(host), "kind": "streaming", "options": { "channelID": "own" }"#),
    ModelAct(
      .channels, "a stream with another method starts", .call,
      #"\#(host), "kind": "streaming", "path": "/other.Service/Call""#),
    ModelAct(
      .channels, "a stream that has its connection pinged starts", .call,
      #"\#(host), "kind": "streaming", "options": { "keepaliveInterval": "30s","#
        + #" "keepaliveTimeout": "20s" }"#),
    ModelAct(
      .channels, "a stream with another first delay starts", .call,
      #"\#(host), "kind": "streaming", "options": { "connectInitialBackoff": "3s" }"#),
    ModelAct(
      .channels, "a stream with another longest delay starts", .call,
      #"\#(host), "kind": "streaming", "options": { "connectMaxBackoff": "2s" }"#),
    ModelAct(
      .channels, "a stream with longer attempts starts", .call,
      #"\#(host), "kind": "streaming", "options": { "connectMinTimeout": "30s" }"#),
    ModelAct(.channels, "the user disconnects the host", .entry, #""disconnect": "a.example:443""#),
    ModelAct(.channels, "the user disconnects all hosts", .entry, #""disconnect": "*""#),
  ]

  static let flags = [
    ModelAct(.flags, "the network is cellular", .entry, #""flags": ["Reachable", "IsWWAN"]"#),
    ModelAct(.flags, "there is no network", .entry, #""flags": []"#),
    ModelAct(.flags, "the network is WiFi", .entry, #""flags": ["Reachable"]"#),
  ]

  private static let rows =
    [
      ["IsWWAN"], ["ConnectionRequired"], ["ConnectionRequired", "IsWWAN"],
      ["Reachable", "ConnectionRequired"], ["Reachable", "ConnectionRequired", "IsWWAN"],
      ["Reachable", "TransientConnection"], ["Reachable", "ConnectionOnTraffic"],
      ["Reachable", "ConnectionOnDemand"], ["Reachable", "InterventionRequired"],
      ["Reachable", "IsLocalAddress"], ["Reachable", "IsDirect"],
    ].map { flags in
      ModelAct(
        .rows, "the flags are \(flags.joined(separator: ", "))", .entry,
        #""flags": [\#(flags.map { "\"\($0)\"" }.joined(separator: ", "))]"#)
    }

  static let paths = [
    ModelAct(.paths, "another WiFi is joined", .entry, #""path": "wifi-B""#),
    ModelAct(
      .paths, "another WiFi is joined, with a callback", .entry,
      #""flags": ["Reachable"], "path": "wifi-B""#),
    ModelAct(
      .paths, "the network is cellular, and the WiFi stays alive", .entry,
      #""flags": ["Reachable", "IsWWAN"], "links": { "wifi": "up" }"#),
    ModelAct(
      .paths, "the network is WiFi, and the cellular one stays alive", .entry,
      #""flags": ["Reachable"], "links": { "cellular": "up" }"#),
  ]

  private static let settings = [
    ModelAct(
      .settings, "connections are pinged each 30 s", .setting("keepalive"),
      #"{ "time": "30s", "timeout": "20s" }"#),
    ModelAct(.settings, "unused channels are kept half a second", .setting("idle"), #""500ms""#),
    ModelAct(
      .settings, "delays vary", .setting("backoff"), #"{ "jitter": 0.2 }"#),
    ModelAct(.settings, "callbacks take a second", .setting("monitor"), #"{ "latency": "1s" }"#),
    ModelAct(
      .settings, "CFStream is of the later generation", .setting("cfstream"), #""event-engine""#),
    ModelAct(
      .settings, "calls are notified of a transition before the pool", .setting("order"),
      #"["calls", "pool"]"#),
  ]

  private static let chains = [
    ModelAct(
      .chains, "calls pass two interceptors that rewrite", .setting("interceptors"),
      #"[{ "kind": "rewrite", "name": "one", "prefix": "1", "answerPrefix": "1","#
        + #" "metadata": { "key": "one" }, "trailers": { "end": "one" } },"#
        + #" { "kind": "rewrite", "name": "two", "prefix": "2", "answerPrefix": "2" }]"#),
    ModelAct(
      .chains, "calls pass an interceptor that changes their destination", .setting("interceptors"),
      #"[{ "kind": "rewrite", "path": "/other.Service/Call", "host": "a.example:8443","#
        + #" "deadline": "5s", "failFast": true, "options": { "channelID": "own" } }]"#,
      host: "a.example:8443"),
    ModelAct(
      .chains, "calls pass one that logs, and a global one", .setting("interceptors"),
      #"[{ "kind": "logging" }, { "kind": "none" }, { "kind": "forward", "global": true }]"#),
    ModelAct(
      .chains, "calls pass one that waits for a token", .setting("interceptors"),
      #"[{ "kind": "token", "takes": "1s" }]"#),
    ModelAct(
      .chains, "calls pass one that answers by itself", .setting("interceptors"),
      #"[{ "kind": "mock", "messages": ["own"] }]"#),
    ModelAct(
      .chains, "calls pass one that calls again", .setting("interceptors"),
      #"[{ "kind": "retry", "calls": "any" }]"#),
    ModelAct(
      .chains, "calls pass one that keeps answers", .setting("interceptors"),
      #"[{ "kind": "cache" }]"#),
    ModelAct(
      .chains, "calls pass a gate", .setting("interceptors"), #"[{ "kind": "gate" }]"#),
    ModelAct(
      .chains, "the gate holds everything", .ofLastCall,
      #""interceptor": { "name": "gate", "call": "%", "do": "hold" }"#),
    ModelAct(
      .chains, "the gate lets everything go", .ofLastCall,
      #""interceptor": { "name": "gate", "call": "%", "do": "release" }"#),
    ModelAct(
      .chains, "the gate gives the user a message", .ofLastCall,
      #""interceptor": { "name": "gate", "call": "%", "do": "message" }"#),
    ModelAct(
      .chains, "the gate gives the user a close", .ofLastCall,
      #""interceptor": { "name": "gate", "call": "%", "do": "close" }"#),
    ModelAct(
      .chains, "a call of the older interface starts", .call,
      #"\#(host), "kind": "unary", "legacy": true"#),
    ModelAct(
      .chains, "a call with a marshaller starts", .call,
      #"\#(host), "kind": "unary", "marshaller": "reversed""#),
    ModelAct(
      .chains, "a call with flow control starts", .call,
      #"\#(host), "kind": "unary", "options": { "flowControl": true }"#),
    ModelAct(
      .chains, "a cacheable call starts", .call,
      #"\#(host), "kind": "unary", "safety": "cacheable""#),
    ModelAct(
      .chains, "a base interceptor closes by itself on a cancel", .setting("chain"),
      #"{ "cancel": "close" }"#),
    ModelAct(
      .chains, "interceptors are made when they are needed", .setting("chain"),
      #"{ "creation": "lazy" }"#),
  ]
}
