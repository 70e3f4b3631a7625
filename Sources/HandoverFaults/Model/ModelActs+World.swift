// The actions on a device, its servers and its requests, as scenario text.
extension ModelAct {
  /// All actions, in the order in which an exploration tries them.
  static let all: [ModelAct] =
    ofCalls + ofRequests + app + faults + monitor + times + starts

  private static let app = [
    ModelAct(.app, "the application is suspended", .entry, #""app": "background""#),
    ModelAct(
      .app, "the application runs in the background", .entry, #""app": "background-running""#),
    ModelAct(.app, "the application is in front", .entry, #""app": "foreground""#),
  ]

  private static let faults =
    [
      ("refuse", "the server refuses connections"), ("accept", "the server accepts connections"),
      ("close", "the server closes its connections"),
      ("reset", "the server resets its connections"),
      ("goaway", "the server takes no new calls on its connections"),
      ("silent", "the server is silent"),
    ].map { word, sentence in
      ModelAct(
        .servers, sentence, .entry, #""server": { "host": "a.example:443", "do": "\#(word)" }"#)
    }
    + [
      ("fail", "names do not resolve"), ("hang", "look-ups get no answer"),
      ("resolve", "names resolve"),
    ].map { word, sentence in
      ModelAct(
        .names, sentence, .entry, #""names": { "host": "a.example:443", "do": "\#(word)" }"#)
    }
    + [
      ("stall", "connections stall"), ("stall-acked", "connections throw everything away"),
      ("blackhole-connect", "attempts get no answer"), ("reset", "connections are reset"),
      ("fin", "connections are ended"), ("half-close", "connections are half closed"),
      ("kill", "the kernel destroys the connections"), ("resume", "connections go on"),
    ].map { word, sentence in
      ModelAct(
        .transports, sentence, .entry, #""transport": { "host": "*", "become": "\#(word)" }"#)
    }

  private static let monitor = [
    ModelAct(
      .monitor, "the last callback comes again", .entry, #""monitor": { "do": "duplicate" }"#),
    ModelAct(.monitor, "the next callback is lost", .entry, #""monitor": { "do": "miss" }"#),
    ModelAct(
      .monitor, "the next callback is 5 s late", .entry,
      #""monitor": { "do": "delay", "by": "5s" }"#),
    ModelAct(
      .monitor, "callbacks are lost, and flags are read again", .entry,
      #""monitor": { "do": "overrun" }"#),
  ]

  private static let times = [
    ModelAct(.times, "a minute passes", .wait(60)),
    ModelAct(.times, "at the same instant", .wait(0)),
  ]

  private static let starts = [
    ModelAct(
      .starts, "the device begins with a cellular network", .initial("flags"),
      #""flags": ["Reachable", "IsWWAN"]"#),
    ModelAct(.starts, "the device begins without a network", .initial("flags"), #""flags": []"#),
    ModelAct(
      .starts, "the monitor's first read fails", .initial("monitor"),
      #""flags": ["Reachable"], "monitor": "unreadable""#),
    ModelAct(
      .starts, "the application begins in the background", .initial("app"),
      #""flags": ["Reachable"], "app": "background-running""#),
  ]

  // MARK: Requests

  private static let host = #""host": "a.example:443""#

  private static let ofRequests: [ModelAct] =
    requests + limits + endpoints + platform + threads

  private static let requests = [
    ModelAct(
      .requests, "a short request is made", .request,
      #"\#(host), "kind": "short", "takes": "10s""#),
    ModelAct(.requests, "a long request is made", .request, #"\#(host), "kind": "long""#),
    ModelAct(.requests, "the last request is cancelled", .ofLastRequest, #""cancel": "%""#),
    ModelAct(.requests, "the first request is cancelled", .ofFirstRequest, #""cancel": "%""#),
  ]

  private static let limits =
    [
      ("enqueue", "waits"), ("fail", "fails"), ("ignore", "freezes"),
      ("take-spare", "takes what is kept"), ("poll", "is polled"),
    ].map { word, sentence in
      ModelAct(
        .limits, "what the long limit holds back \(sentence)", .ofRequests("policy"), "\"\(word)\"")
    } + [
      ModelAct(
        .limits, "a long request with its own policy is made", .request,
        #"\#(host), "kind": "long", "policy": "enqueue""#),
      ModelAct(
        .limits, "a long request is made that ends", .request,
        #"\#(host), "kind": "long", "takes": "5s", "policy": "poll""#),
      ModelAct(.limits, "a long request is asked about", .question, #"\#(host), "kind": "long""#),
      ModelAct(.limits, "a short request is asked about", .question, #"\#(host), "kind": "short""#),
      ModelAct(
        .limits, "the long limit is 0", .entry, #""dispatcher": { "do": "limit", "long": 0 }"#),
      ModelAct(
        .limits, "the long limit is 2", .entry, #""dispatcher": { "do": "limit", "long": 2 }"#),
      ModelAct(.limits, "the dispatcher is closed", .entry, #""dispatcher": { "do": "close" }"#),
    ]

  private static let endpoints = [
    ModelAct(
      .endpoints, "a request to another port is made", .request,
      #""host": "a.example:8080", "kind": "short", "takes": "10s""#, host: "a.example:8080"),
    ModelAct(
      .endpoints, "a request to the name in capitals is made", .request,
      #""host": "A.EXAMPLE.", "kind": "short", "takes": "10s""#),
    ModelAct(
      .endpoints, "a request of another dispatcher is made", .request,
      #"\#(host), "kind": "short", "takes": "10s", "pool": "own""#),
    ModelAct(
      .endpoints, "a long request of another dispatcher is made", .request,
      #"\#(host), "kind": "long", "pool": "own""#),
    ModelAct(
      .endpoints, "a long request to another dispatcher is asked about", .question,
      #"\#(host), "kind": "long", "pool": "own""#),
    ModelAct(
      .endpoints, "a synchronous request is made", .request,
      #"\#(host), "kind": "synchronous", "takes": "10s""#),
    ModelAct(
      .endpoints, "a WebSocket is opened", .request, #"\#(host), "kind": "websocket""#),
    ModelAct(
      .endpoints, "a request without a time-out is made", .request,
      #"\#(host), "kind": "short", "takes": "10s", "timeout": "0s""#),
    ModelAct(
      .endpoints, "a request with a time-out of 5 s is made", .request,
      #"\#(host), "kind": "short", "takes": "10s", "timeout": "5s""#),
    ModelAct(
      .endpoints, "a synchronous request with a time-out of 5 s is made", .request,
      #"\#(host), "kind": "synchronous", "takes": "10s", "timeout": "5s""#),
    ModelAct(
      .endpoints, "a request with a deadline of 5 s is made", .request,
      #"\#(host), "kind": "short", "takes": "10s", "deadline": "5s""#),
    ModelAct(
      .endpoints, "a request that takes two minutes is made", .request,
      #"\#(host), "kind": "short", "takes": "2min""#),
    ModelAct(
      .endpoints, "a long request with a message each 10 s is made", .request,
      #"\#(host), "kind": "long", "takes": "100s", "every": "10s""#),
  ]

  private static let platform = [
    ModelAct(
      .platform, "the system allows one connection", .ofRequests("platform"), "1"),
    ModelAct(
      .platform, "connections are kept for 10 s", .ofRequests("keepAlive"), #""10s""#),
    ModelAct(
      .platform, "time-outs begin with the arrival", .ofRequests("chargesWaiting"), "true"),
    ModelAct(
      .platform, "a request to a host of HTTP/2 is made", .request,
      #""host": "h2.example:443", "kind": "short", "takes": "10s""#, host: "h2.example:443"),
  ]

  private static let threads = [
    ModelAct(.threads, "requests run on threads", .ofRequests("threads"), "{}"),
    ModelAct(
      .threads, "threads may rest for 30 s", .ofRequests("threads"), #"{ "idle": "30s" }"#),
  ]
}
