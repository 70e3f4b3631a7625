/// Generates random settings of calls with every key and value of the format.
enum AnySettings {
  /// Options of calls.
  ///
  /// A call has at most one of them.
  static let channelOptions = [
    #""token": "0s""#, #""token": "1s""#, #""token": "22s""#, #""retry": true"#,
    #""poolDomain": "other""#, #""channelID": 7"#, #""connectMinTimeout": "3s""#,
    #""connectInitialBackoff": "2s", "connectMaxBackoff": "4s""#,
    #""keepaliveInterval": "5s""#, #""keepaliveInterval": "5s", "keepaliveTimeout": "2s""#,
  ]

  static func hosts(_ draw: inout Draw) -> [String] {
    [("a:1", "50ms"), ("b:1", "5s"), ("c:1", "0ms")].map { host, connect in
      var text = "\"connect\": \"\(connect)\""
      if draw.chance(10) { text += ", \"server\": \"\(draw.pick("refuse", "silent"))\"" }
      if draw.chance(10) { text += ", \"names\": \"\(draw.pick("fail", "hang"))\"" }
      return "\"\(host)\": { \(text) }"
    }
  }

  static func config(_ draw: inout Draw) -> [String] {
    var config = ["\"seed\": \(draw.below(1_000))"]
    if draw.chance(50) {
      let more = draw.pick("", #", "timeout": "3s""#, #", "withoutCalls": true"#)
      config.append("\"keepalive\": { \"time\": \"\(draw.pick("15s", "4s"))\"\(more) }")
    }
    if draw.chance(50) { config.append(#""monitor": { "latency": "200ms" }"#) }
    if draw.chance(30) { config.append(#""cfstream": "event-engine""#) }
    if draw.chance(30) { config.append(#""sendBuffer": 1000"#) }
    if draw.chance(30) { config.append(#""idle": "3s""#) }
    if draw.chance(30) { config.append("\"tcpTimeout\": \"\(draw.pick("2s", "20s", "1min"))\"") }
    if draw.chance(30) {
      let words = draw.pick(
        #""initial": "100ms", "multiplier": 3, "jitter": 0"#, #""jitter": 1, "max": "5s""#,
        #""minConnectTimeout": "2s""#)
      config.append("\"backoff\": { \(words) }")
    }
    if draw.chance(20) {
      config.append("\"until\": \(time(milliseconds(draw.between(1, 60_000))))")
    }
    return config
  }

  /// Returns an entry that moves the app to the background or to the foreground.
  static func app(_ isSuspended: inout Bool, _ draw: inout Draw) -> String {
    let word =
      isSuspended
      ? draw.pick("foreground", "foreground", "foreground", "background-running")
      : draw.pick("background", "background", "background", "background-running", "foreground")
    isSuspended = word == "background"
    return "\"app\": \"\(word)\""
  }

  // MARK: Interceptors

  static let linkNames = (0..<4).map { "l\($0)" }

  /// Returns the interceptors of a chain, and the names of the scripted ones.
  static func links(_ draw: inout Draw) -> (config: [String], gates: [String]) {
    let count = draw.between(1, linkNames.count)
    let global = draw.chance(20) ? draw.below(count) : nil
    var gates: [String] = []
    let links = (0..<count).map { index in
      let kind = draw.pick(
        "forward", "none", "logging", "metrics", "rewrite", "token", "cache", "mock", "retry",
        "gate")
      if kind == "gate" { gates.append(linkNames[index]) }
      var text = "\"kind\": \"\(kind)\", \"name\": \"\(linkNames[index])\""
      text += ", \"queues\": \"\(draw.pick("own", "separate", "shared", "concurrent"))\""
      if index == global { text += #", "global": true"# }
      return "{ \(text)\(words(of: kind, &draw)) }"
    }
    let creation = draw.pick("lazy", "eager")
    let turns = draw.pick("drawn", "drawn", "ordered")
    let cancel = draw.pick("forward", "forward", "close")
    return (
      [
        "\"interceptors\": [\(links.joined(separator: ", "))]",
        "\"chain\": { \"creation\": \"\(creation)\", \"turns\": \"\(turns)\", "
          + "\"cancel\": \"\(cancel)\" }",
      ], gates
    )
  }

  private static func words(of kind: String, _ draw: inout Draw) -> String {
    switch kind {
    case "rewrite":
      draw.pick(
        #", "host": "c:1""#, #", "prefix": "p ""#, #", "answerPrefix": "a ""#,
        #", "path": "/mocked", "safety": "cacheable", "metadata": { "more": "yes" }"#,
        #", "trailers": { "more": "yes" }, "deadline": "2s""#, #", "failFast": true"#,
        #", "options": { "poolDomain": "other" }"#,
        #", "options": { "keepaliveInterval": "5s", "flowControl": true }"#)
    case "token":
      draw.pick("", #", "takes": "3s""#, #", "token": null"#, #", "expires": "2s""#)
    case "cache": draw.pick("", #", "keep": "2s""#)
    case "mock":
      draw.pick(
        #", "path": "/mocked""#, #", "takes": "2s", "status": "ABORTED""#,
        #", "path": "/mocked", "takes": "1s", "messages": ["one", "two"]"#)
    case "retry":
      #", "calls": "any""#
        + draw.pick("", #", "attempts": 2"#, #", "backoff": { "initial": "300ms" }"#)
    default: ""
    }
  }
}
