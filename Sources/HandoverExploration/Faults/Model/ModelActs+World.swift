// The actions on a device, its servers and its requests, as scenario text.
extension ModelAction {
  /// All actions, in the order in which an exploration tries them.
  static let all: [ModelAction] =
    ofCalls + ofRequests + app + faults + monitor + times + starts

  private static let app = [
    ModelAction(.app, "the application is suspended", .entry, #""app": "background""#),
    ModelAction(
      .app, "the application runs in the background", .entry, #""app": "background-running""#),
    ModelAction(.app, "the application is in front", .entry, #""app": "foreground""#),
  ]

  private static let faults =
    [
      ("refuse", "the server refuses connections"), ("accept", "the server accepts connections"),
      ("close", "the server closes its connections"),
      ("reset", "the server resets its connections"),
      ("goaway", "the server takes no new calls on its connections"),
      ("silent", "the server is silent"),
    ].map { word, sentence in
      ModelAction(
        .servers, sentence, .entry, #""server": { "host": "a.example:443", "do": "\#(word)" }"#)
    }
    + [
      ("fail", "names do not resolve"), ("hang", "lookups get no answer"),
      ("resolve", "names resolve"),
    ].map { word, sentence in
      ModelAction(
        .names, sentence, .entry, #""names": { "host": "a.example:443", "do": "\#(word)" }"#)
    }
    + [
      ("stall", "connections stall"), ("stall-acked", "connections discard all data"),
      ("blackhole-connect", "attempts get no answer"), ("reset", "connections are reset"),
      ("fin", "connections are ended"), ("half-close", "connections are half closed"),
      ("kill", "the kernel destroys the connections"), ("resume", "connections continue"),
    ].map { word, sentence in
      ModelAction(
        .transports, sentence, .entry, #""transport": { "host": "*", "become": "\#(word)" }"#)
    }

  private static let monitor = [
    ModelAction(
      .monitor, "the last callback comes again", .entry, #""monitor": { "do": "duplicate" }"#),
    ModelAction(.monitor, "the next callback is lost", .entry, #""monitor": { "do": "miss" }"#),
    ModelAction(
      .monitor, "the next callback is 5 s late", .entry,
      #""monitor": { "do": "delay", "by": "5s" }"#),
    ModelAction(
      .monitor, "callbacks are lost, and flags are read again", .entry,
      #""monitor": { "do": "overrun" }"#),
  ]

  private static let times = [
    ModelAction(.times, "a minute passes", .wait(60)),
    ModelAction(.times, "at the same instant", .wait(0)),
  ]

  private static let starts = [
    ModelAction(
      .starts, "the device begins with a cellular network", .initial("flags"),
      #""flags": ["Reachable", "IsWWAN"]"#),
    ModelAction(.starts, "the device begins without a network", .initial("flags"), #""flags": []"#),
    ModelAction(
      .starts, "the monitor's first read fails", .initial("monitor"),
      #""flags": ["Reachable"], "monitor": "unreadable""#),
    ModelAction(
      .starts, "the application begins in the background", .initial("app"),
      #""flags": ["Reachable"], "app": "background-running""#),
  ]

  // MARK: Requests

  private static let host = #""host": "a.example:443""#

  private static let ofRequests: [ModelAction] =
    requests + limits + endpoints + platform + threads

  private static let requests = [
    ModelAction(
      .requests, "a short request is made", .request,
      #"\#(host), "kind": "short", "takes": "10s""#),
    ModelAction(.requests, "a long request is made", .request, #"\#(host), "kind": "long""#),
    ModelAction(.requests, "the last request is cancelled", .ofLastRequest, #""cancel": "%""#),
    ModelAction(.requests, "the first request is cancelled", .ofFirstRequest, #""cancel": "%""#),
  ]

  private static let limits =
    [
      ("enqueue", "waits"), ("fail", "fails"), ("ignore", "is never started"),
      ("take-spare", "takes a slot for short requests"), ("poll", "is polled"),
    ].map { word, sentence in
      ModelAction(
        .limits, "a request over the long limit \(sentence)", .ofRequests("policy"), "\"\(word)\"")
    } + [
      ModelAction(
        .limits, "a long request with its own policy is made", .request,
        #"\#(host), "kind": "long", "policy": "enqueue""#),
      ModelAction(
        .limits, "a long request is made that ends", .request,
        #"\#(host), "kind": "long", "takes": "5s", "policy": "poll""#),
      ModelAction(
        .limits, "a long request is asked about", .question, #"\#(host), "kind": "long""#),
      ModelAction(
        .limits, "a short request is asked about", .question, #"\#(host), "kind": "short""#),
      ModelAction(
        .limits, "the long limit is 0", .entry, #""dispatcher": { "do": "limit", "long": 0 }"#),
      ModelAction(
        .limits, "the long limit is 2", .entry, #""dispatcher": { "do": "limit", "long": 2 }"#),
      ModelAction(.limits, "the dispatcher is closed", .entry, #""dispatcher": { "do": "close" }"#),
    ]

  private static let endpoints = [
    ModelAction(
      .endpoints, "a request to another port is made", .request,
      #""host": "a.example:8080", "kind": "short", "takes": "10s""#, host: "a.example:8080"),
    ModelAction(
      .endpoints, "a request to the name in capitals is made", .request,
      #""host": "A.EXAMPLE.", "kind": "short", "takes": "10s""#),
    ModelAction(
      .endpoints, "a request through another dispatcher is made", .request,
      #"\#(host), "kind": "short", "takes": "10s", "pool": "own""#),
    ModelAction(
      .endpoints, "a long request through another dispatcher is made", .request,
      #"\#(host), "kind": "long", "pool": "own""#),
    ModelAction(
      .endpoints, "a long request through another dispatcher is asked about", .question,
      #"\#(host), "kind": "long", "pool": "own""#),
    ModelAction(
      .endpoints, "a synchronous request is made", .request,
      #"\#(host), "kind": "synchronous", "takes": "10s""#),
    ModelAction(
      .endpoints, "a WebSocket is opened", .request, #"\#(host), "kind": "websocket""#),
    ModelAction(
      .endpoints, "a request without a timeout is made", .request,
      #"\#(host), "kind": "short", "takes": "10s", "timeout": "0s""#),
    ModelAction(
      .endpoints, "a request with a timeout of 5 s is made", .request,
      #"\#(host), "kind": "short", "takes": "10s", "timeout": "5s""#),
    ModelAction(
      .endpoints, "a synchronous request with a timeout of 5 s is made", .request,
      #"\#(host), "kind": "synchronous", "takes": "10s", "timeout": "5s""#),
    ModelAction(
      .endpoints, "a request with a deadline of 5 s is made", .request,
      #"\#(host), "kind": "short", "takes": "10s", "deadline": "5s""#),
    ModelAction(
      .endpoints, "a request that takes two minutes is made", .request,
      #"\#(host), "kind": "short", "takes": "2min""#),
    ModelAction(
      .endpoints, "a long request with a message each 10 s is made", .request,
      #"\#(host), "kind": "long", "takes": "100s", "every": "10s""#),
  ]

  private static let platform = [
    ModelAction(
      .platform, "the system allows one connection", .ofRequests("platform"), "1"),
    ModelAction(
      .platform, "connections are kept for 10 s", .ofRequests("keepAlive"), #""10s""#),
    ModelAction(
      .platform, "timeouts begin with the arrival", .ofRequests("chargesWaiting"), "true"),
    ModelAction(
      .platform, "a request to a host of HTTP/2 is made", .request,
      #""host": "h2.example:443", "kind": "short", "takes": "10s""#, host: "h2.example:443"),
  ]

  private static let threads = [
    ModelAction(.threads, "requests run on threads", .ofRequests("threads"), "{}"),
    ModelAction(
      .threads, "threads may rest for 30 s", .ofRequests("threads"), #"{ "idle": "30s" }"#),
  ]
}
