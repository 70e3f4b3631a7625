/// Generates random requests whose end can be predicted.
///
/// The device does not change its network, and no two events happen in one microsecond unless one
/// causes the other.
struct RequestStory {
  private var now = 0
  private var count = 0
  private var questions = 0
  private var endpoints: [Endpoint] = []
  private var total = 4
  private var platform = 4
  private var policy = RequestOracle.Policy.throw

  private struct Endpoint {
    var host: String
    var connect: Int
    var streams: Int?
    var events: [(at: Int, event: RequestOracle.Event)] = []
    var requests: [String] = []
    var questions: [String] = []
  }

  static func write(in scenario: inout DrawnScenario, _ draw: inout Draw) {
    var story = RequestStory()
    scenario.profiles = ["url-loading", "url-dispatcher"]
    story.total = draw.between(1, 6)
    story.platform = draw.chance(30) ? draw.between(story.total, 8) : story.total
    let long = draw.between(0, story.total)
    let charges = draw.chance(25)
    story.policy = draw.pick(.throw, .fail, .enqueue, .ignore, .poll(every: seconds(1)))
    story.addEndpoints(draw.between(1, 3), to: &scenario, &draw)
    for _ in 0..<draw.between(4, 40) { story.addEntry(to: &scenario, &draw) }
    let until = story.now + seconds(130)
    let threads = draw.chance(60) ? ", " + AnyRequestStory.threads(&draw) : ""
    let poll = story.policy == .poll(every: seconds(1)) ? ", \"poll\": \"1s\"" : ""
    scenario.config = [
      "\"until\": \(time(until))",
      "\"requests\": { \"total\": \(story.total), \"long\": \(long), "
        + "\"platform\": \(story.platform), "
        + "\"policy\": \"\(Self.word(story.policy))\"\(poll), "
        + "\"chargesWaiting\": \(charges), \"keepAlive\": \"0s\"\(threads) }",
    ]
    for endpoint in story.endpoints {
      for isDispatched in [false, true] {
        var oracle = RequestOracle(
          total: endpoint.streams ?? (isDispatched ? story.total : story.platform),
          connections: story.total, long: long,
          isDispatched: isDispatched, chargesWaiting: charges)
        oracle.run(endpoint.events, until: until)
        story.expect(endpoint, oracle, in: &scenario)
        guard isDispatched, !threads.isEmpty else { continue }
        scenario.expectations.append(
          "\"profiles\": [\"url-dispatcher\"], \"requests\": { \"host\": \"\(endpoint.host)\", "
            + "\"mostThreads\": \(oracle.mostThreads(by: story.now)) }, \"at\": \(time(story.now))")
      }
    }
  }

  private mutating func addEndpoints(
    _ count: Int, to scenario: inout DrawnScenario, _ draw: inout Draw
  ) {
    for index in 0..<count {
      let host = "push\(index).example:80"
      let streams = draw.chance(25) ? draw.between(1, 8) : nil
      // One connection carries all streams, and is established only for the first.
      let connect = streams == nil ? milliseconds(draw.pick(0, 0, 31, 173)) : 0
      endpoints.append(Endpoint(host: host, connect: connect, streams: streams))
      let own = streams.map { ", \"streams\": \($0)" } ?? ""
      scenario.hosts.append("\"\(host)\": { \"connect\": \(time(connect))\(own) }")
    }
  }

  // MARK: Predictions

  private func expect(
    _ endpoint: Endpoint, _ oracle: RequestOracle, in scenario: inout DrawnScenario
  ) {
    let profile = oracle.isDispatched ? "url-dispatcher" : "url-loading"
    let start = "\"profiles\": [\"\(profile)\"], "
    for id in endpoint.requests {
      guard let fate = oracle.fates[id] else { continue }
      if oracle.isDispatched || fate.end != nil {
        scenario.expectations.append(start + text(of: id, fate, oracle))
      }
      if fate.end == nil {
        scenario.expectations.append(start + "\"never\": { \"request\": \"\(id)\" }")
      }
    }
    for id in endpoint.questions {
      guard let answer = oracle.answers[id] else { continue }
      scenario.expectations.append(
        start + "\"ask\": \"\(id)\", \"answer\": \"\(answer.word)\"" + Self.position(answer))
    }
  }

  private func text(
    of id: String, _ fate: RequestOracle.Fate, _ oracle: RequestOracle
  ) -> String {
    var text = "\"request\": \"\(id)\""
    // An endless request may be cut off by the end of the run.
    text += fate.end == nil ? "" : ", \"polls\": \(fate.polls)"
    if let answer = fate.answer {
      text += ", \"admission\": \"\(answer.word)\"" + Self.position(answer)
    }
    if oracle.isDispatched, let begins = fate.begins { text += ", \"begins\": \(time(begins))" }
    guard let end = fate.end else { return text }
    let code = end.code.map { ", \"code\": \($0)" } ?? ""
    return text + ", \"outcome\": \"\(end.outcome)\"\(code), \"at\": \(time(end.at))"
  }

  private static func position(_ answer: RequestOracle.Answer) -> String {
    if case .waits(let position) = answer { ", \"position\": \(position)" } else { "" }
  }

  private static func word(_ policy: RequestOracle.Policy) -> String {
    switch policy {
    case .throw: "throw"
    case .fail: "fail"
    case .enqueue: "enqueue"
    case .ignore: "ignore"
    case .poll: "poll"
    }
  }

  // MARK: Random choices

  private mutating func addEntry(to scenario: inout DrawnScenario, _ draw: inout Draw) {
    // Odd numbers of microseconds, so that no events coincide by accident.
    now += draw.pick(1, 1_000, 300_000, 2_000_000, 9_000_000) + draw.below(1_000_003)
    let index = draw.below(endpoints.count)
    switch draw.below(16) {
    case 0: cancel(index, in: &scenario, &draw)
    case 1:
      let long = draw.between(0, total)
      for other in endpoints.indices { endpoints[other].events.append((now, .limit(long))) }
      scenario.timeline.append((now, "\"dispatcher\": { \"do\": \"limit\", \"long\": \(long) }"))
    case 2 where draw.chance(10):
      for other in endpoints.indices { endpoints[other].events.append((now, .close)) }
      scenario.timeline.append((now, "\"dispatcher\": { \"do\": \"close\" }"))
    case 3, 4: ask(index, in: &scenario, &draw)
    default: request(index, in: &scenario, &draw)
    }
  }

  private mutating func cancel(
    _ index: Int, in scenario: inout DrawnScenario, _ draw: inout Draw
  ) {
    guard !endpoints[index].requests.isEmpty else { return }
    let id = draw.pick(endpoints[index].requests)
    endpoints[index].events.append((now, .cancel(id)))
    scenario.timeline.append((now, "\"cancel\": \"\(id)\""))
  }

  private mutating func ask(_ index: Int, in scenario: inout DrawnScenario, _ draw: inout Draw) {
    let kind = draw.pick(RequestOracle.Kind.long, .long, .short, .synchronous, .websocket)
    let id = "q\(questions)"
    questions += 1
    endpoints[index].questions.append(id)
    endpoints[index].events.append((now, .ask(id, kind, policy)))
    let host = endpoints[index].host
    scenario.timeline.append(
      (now, "\"ask\": { \"id\": \"\(id)\", \"host\": \"\(host)\", \"kind\": \"\(kind)\" }"))
  }

  private mutating func request(
    _ index: Int, in scenario: inout DrawnScenario, _ draw: inout Draw
  ) {
    let endpoint = endpoints[index]
    let kinds: [RequestOracle.Kind] = [
      .short, .short, .long, .long, .long, .synchronous, .websocket,
    ]
    // A stream of an HTTP/2 connection has no socket of its own.
    let kind = draw.pick(endpoint.streams == nil ? kinds : kinds.dropLast())
    let id = "r\(count)"
    count += 1
    var request = RequestOracle.Request(
      id: id, at: now, kind: kind, connect: endpoint.connect, responds: 0, takes: nil, every: nil,
      timeout: seconds(60), deadline: nil, policy: policy)
    var text = "\"id\": \"\(id)\", \"host\": \"\(endpoint.host)\", \"kind\": \"\(kind)\""
    if kind == .short || kind == .synchronous || draw.chance(40) {
      let takes = draw.pick(10_000, 1_500_000, 20_000_000, 90_000_000) + draw.below(999_983)
      request.takes = takes
      text += ", \"takes\": \(time(takes))"
    }
    if draw.chance(30) {
      request.responds = draw.below(min(request.takes ?? .max, 70_000_001))
      text += ", \"responds\": \(time(request.responds))"
    }
    if kind == .long, draw.chance(40) {
      let every = 5_000_000 + draw.below(9_000_011)
      request.every = every
      text += ", \"every\": \(time(every))"
    }
    if draw.chance(30) {
      let timeout = draw.pick(0, 3_000_000, 30_000_000)
      request.timeout = timeout == 0 ? nil : timeout + 17
      text += ", \"timeout\": \(time(request.timeout ?? 0))"
    }
    if draw.chance(25) {
      let deadline = 100_000 + draw.below(40_000_003)
      request.deadline = deadline
      text += ", \"deadline\": \(time(deadline))"
    }
    if kind == .long, draw.chance(40) {
      request.policy = draw.pick(.throw, .fail, .enqueue, .ignore, .poll(every: 2_000_003))
      text += ", \"policy\": \"\(Self.word(request.policy))\""
      if case .poll(let every) = request.policy { text += ", \"poll\": \(time(every))" }
    }
    endpoints[index].requests.append(id)
    endpoints[index].events.append((now, .request(request)))
    scenario.timeline.append((now, "\"request\": { \(text) }"))
  }
}
