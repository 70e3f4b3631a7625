/// Generates random requests with every key and value of the format.
///
/// Only the invariants must hold.
struct AnyRequestStory {
  /// Two of the hosts are one endpoint, and two carry streams.
  private static let hosts = ["push.example:80", "Push.Example:80", "many.example:443", "c:80"]

  private var now = 0
  private var requests = 0
  private var questions = 0
  private var total = 4
  private var isSuspended = false

  static func write(in scenario: inout DrawnScenario, _ draw: inout Draw) {
    var story = AnyRequestStory()
    scenario.profiles = ["url-loading", "url-dispatcher"]
    let streams = draw.chance(50) ? ", \"streams\": \(draw.between(1, 6))" : ""
    let connects = hosts.map { _ in milliseconds(draw.pick(0, 0, 50, 5_000)) }
    scenario.hosts = zip(hosts, connects).map { host, connect in
      "\"\(host)\": { \"connect\": \(time(connect))\(host.hasPrefix("many") ? streams : "") }"
    }
    story.total = draw.between(1, 6)
    scenario.config = story.config(&draw)
    if draw.chance(15) {
      let word = draw.pick("background", "background-running")
      story.isSuspended = word == "background"
      scenario.initial.append("\"app\": \"\(word)\"")
    }
    if draw.chance(20) {
      scenario.config.append("\"until\": \(time(milliseconds(draw.between(1, 120_000))))")
    }
    for _ in 0..<draw.between(4, 36) { story.addEntry(to: &scenario, &draw) }
  }

  private mutating func config(_ draw: inout Draw) -> [String] {
    var requests = ["\"total\": \(total)", "\"long\": \(draw.between(0, total))"]
    if draw.chance(15) {
      let (preset, total) = draw.pick(
        ("ios-6", 5), ("ios-7", 4), ("1.5", 4), ("1.7", 4), ("1.7-macos", 6))
      requests = ["\"preset\": \"\(preset)\""]
      self.total = total
    }
    let policy = policy(&draw)
    requests.append("\"policy\": \"\(policy)\"")
    if policy == "poll", draw.chance(40) {
      requests.append("\"poll\": \"\(draw.pick("200ms", "7s"))\"")
    }
    if draw.chance(20) { requests.append("\"platform\": \(draw.between(1, total + 3))") }
    if draw.chance(30) { requests.append(#""chargesWaiting": true"#) }
    if draw.chance(30) { requests.append(#""keepAlive": "5s""#) }
    if draw.chance(40) { requests.append(Self.threads(&draw)) }
    return ["\"requests\": { \(requests.joined(separator: ", ")) }"]
  }

  /// Returns the configuration of threads that live for a while, or hardly at all.
  static func threads(_ draw: inout Draw) -> String {
    let times = draw.pick("", #""idle": "0s", "collect": "1s""#, #""idle": "3s", "collect": "7s""#)
    return "\"threads\": { \(times) }"
  }

  private func policy(_ draw: inout Draw) -> String {
    draw.pick("throw", "fail", "enqueue", "ignore", "take-spare", "poll", "poll")
  }

  private mutating func addEntry(to scenario: inout DrawnScenario, _ draw: inout Draw) {
    now += milliseconds(draw.pick([0, 0, 0, 10, 100, 300, 1_000, 2_000, 10_000, 30_000, 60_000]))
    scenario.timeline.append((now, entry(&draw)))
  }

  private mutating func entry(_ draw: inout Draw) -> String {
    if !isSuspended, draw.chance(65) { return ofApplication(&draw) }
    switch draw.below(6) {
    case 0, 1: return DrawnFaults.device(&draw)
    case 2, 3: return AnySettings.app(&isSuspended, &draw)
    default: return DrawnFaults.draw(hosts: Self.hosts, hasMonitor: false, &draw)
    }
  }

  private mutating func ofApplication(_ draw: inout Draw) -> String {
    let pool = draw.chance(20) ? #", "pool": "own""# : ""
    switch draw.below(20) {
    case 0, 1:
      guard requests > 0 else { return request(pool, &draw) }
      return "\"cancel\": \"r\(draw.below(requests))\""
    case 2, 3:
      questions += 1
      return "\"ask\": { \"id\": \"q\(questions)\", \"host\": \"\(draw.pick(Self.hosts))\"\(pool) }"
    case 4, 5:
      return "\"dispatcher\": { \"do\": \"limit\", \"long\": \(draw.between(0, total))\(pool) }"
    case 6 where draw.chance(15):
      return "\"dispatcher\": { \"do\": \"close\"\(pool) }"
    default: return request(pool, &draw)
    }
  }

  private mutating func request(_ pool: String, _ draw: inout Draw) -> String {
    let kind = draw.pick("short", "short", "long", "long", "long", "synchronous", "websocket")
    var text = "\"id\": \"r\(requests)\", \"host\": \"\(draw.pick(Self.hosts))\""
    requests += 1
    text += ", \"kind\": \"\(kind)\"\(pool)"
    if draw.chance(60) {
      text += ", \"takes\": \(time(milliseconds(draw.pick(10, 500, 5_000, 40_000, 90_000))))"
    }
    if draw.chance(15) { text += ", \"responds\": \"\(draw.pick("0s", "5ms", "10ms"))\"" }
    if draw.chance(20) { text += ", \"every\": \(time(milliseconds(draw.pick(700, 20_000))))" }
    if draw.chance(30) {
      text += ", \"timeout\": \(time(milliseconds(draw.pick(0, 1_000, 10_000))))"
    }
    if draw.chance(35) {
      text += ", \"deadline\": \(time(milliseconds(draw.pick(1_000, 5_000, 30_000))))"
    }
    if kind == "long", draw.chance(50) {
      let policy = policy(&draw)
      text += ", \"policy\": \"\(policy)\""
      if policy == "poll", draw.chance(50) { text += #", "poll": "3s""# }
    }
    return "\"request\": { \(text) }"
  }
}
