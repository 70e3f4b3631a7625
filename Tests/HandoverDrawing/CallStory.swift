/// Generates random calls whose end can be predicted.
///
/// Each call has its own host, so that no two share a channel. No two events coincide except those
/// of one entry. If their order is random, only results that all orders have in common are
/// predicted.
struct CallStory {
  private typealias Event = CallOracle.Event

  private var calls: [CallOracle.Call] = []
  private var kinds: [String] = []
  private var events: [(at: Int, event: Event)] = []
  private var category = CallOracle.Category.wifi
  private var path: String? = "wifi"
  private var isSuspended = false
  private var now = 0

  /// The profiles, as the specifications describe them.
  private static let contracts: [(String, CallOracle.Transport, hasMonitor: Bool)] = [
    ("sockets", .tcp, false), ("sockets-monitor", .tcp, true), ("cfstream", .cfStream, false),
    ("sockets-2017", .tcp, true), ("linux-sockets", .linux, false),
  ]

  static func write(in scenario: inout DrawnScenario, _ draw: inout Draw) {
    var story = CallStory()
    scenario.profiles = contracts.map(\.0)
    if draw.chance(50) {
      story.category = .cellular
      story.path = "cellular"
      scenario.flags = #"["Reachable", "IsWWAN"]"#
    }
    let first = (story.category, story.path)
    story.call(in: &scenario, &draw)
    for _ in 0..<draw.between(3, 14) { story.addEntry(to: &scenario, &draw) }
    let tcpTimeout = milliseconds(draw.pick(20_007, 40_007, 900_007))
    let until = story.now + seconds(61) + milliseconds(7)
    scenario.config = ["\"until\": \(time(until))", "\"tcpTimeout\": \(time(tcpTimeout))"]
    for (profile, transport, hasMonitor) in contracts {
      let oracles = scenario.order.possible.map {
        CallOracle(
          transport, hasMonitor: hasMonitor, tcpTimeout: tcpTimeout, until: until, order: $0,
          category: first.0, path: first.1)
      }
      for (index, call) in story.calls.enumerated() {
        let ends = oracles.map { $0.end(of: call, at: index, story.events) }
        guard let text = Self.expectation(of: index, ends, on: profile) else { continue }
        scenario.expectations.append(text)
      }
    }
  }

  /// Returns the expectation of a call that may end in one of several ways, or `nil` if they have
  /// nothing in common.
  private static func expectation(
    of index: Int, _ ends: [CallOracle.End?], on profile: String
  ) -> String? {
    let profiles = "\"profiles\": [\"\(profile)\"]"
    guard let end = ends[0] else {
      // Whether a call ends at all does not depend on the order in an instant.
      return "\(profiles), \"never\": { \"call\": \"c\(index)\" }"
    }
    guard ends.allSatisfy({ $0?.status == end.status && $0?.at == end.at }) else { return nil }
    let message =
      (ends.allSatisfy { $0 == end } ? end.message : nil).map { ", \"message\": \"\($0)\"" } ?? ""
    return
      "\(profiles), \"call\": \"c\(index)\", \"status\": \"\(end.status)\"\(message), \"at\": "
      + time(end.at)
  }

  private mutating func addEntry(to scenario: inout DrawnScenario, _ draw: inout Draw) {
    now = (now / seconds(1) + draw.pick(1, 1, 1, 2, 5, 15, 30)) * seconds(1)
    switch draw.below(10) {
    case 0...2: call(in: &scenario, &draw)
    case 3...5: changeFlags(in: &scenario, &draw)
    case 6: changePath(in: &scenario, &draw)
    case 7: toggle(in: &scenario)
    default: useCall(in: &scenario, &draw)
    }
  }

  private mutating func add(_ event: Event, _ text: String, to scenario: inout DrawnScenario) {
    events.append((now, event))
    scenario.timeline.append((now, text))
  }

  // MARK: Calls

  private mutating func call(in scenario: inout DrawnScenario, _ draw: inout Draw) {
    guard !isSuspended, path != nil else { return }
    let index = calls.count
    let kind = draw.pick("unary", "unary", "streaming", "bidi")
    var call = CallOracle.Call(
      start: now + milliseconds(250), connect: milliseconds(draw.pick(0, 13, 77)))
    var text = "\"id\": \"c\(index)\", \"host\": \"h\(index).example:443\", \"kind\": \"\(kind)\""
    if kind == "unary" {
      let takes = milliseconds(draw.pick(3, 1_003, 8_003, 31_003))
      call.takes = takes
      text += ", \"takes\": \(time(takes))"
    }
    if draw.chance(40) {
      let deadline = milliseconds(draw.pick(2_351, 17_351, 40_351))
      call.deadline = deadline
      text += ", \"deadline\": \(time(deadline))"
    }
    calls.append(call)
    kinds.append(kind)
    scenario.hosts.append("\"h\(index).example:443\": { \"connect\": \(time(call.connect)) }")
    scenario.timeline.append((call.start, "\"call\": { \(text) }"))
    now = call.start
  }

  private mutating func useCall(in scenario: inout DrawnScenario, _ draw: inout Draw) {
    guard !isSuspended, !calls.isEmpty else { return }
    let index = draw.below(calls.count)
    now += milliseconds(500)
    if kinds[index] == "bidi", draw.chance(70) {
      add(.send(index), "\"send\": { \"call\": \"c\(index)\", \"bytes\": 90 }", to: &scenario)
    } else {
      add(.cancel(index), "\"cancel\": \"c\(index)\"", to: &scenario)
    }
  }

  // MARK: The device

  private mutating func changeFlags(in scenario: inout DrawnScenario, _ draw: inout Draw) {
    var names: [String] = []
    let isReachable = draw.chance(85)
    let isRequired = draw.chance(12)
    let isWWAN = draw.chance(50)
    if isReachable { names.append("Reachable") }
    if isRequired { names.append("ConnectionRequired") }
    if isWWAN { names.append("IsWWAN") }
    // These flags do not affect the category.
    for other in ["TransientConnection", "InterventionRequired", "IsDirect"] where draw.chance(15) {
      names.append(other)
    }
    let next = CallOracle.Category(
      reachable: isReachable, connectionRequired: isRequired, isWWAN: isWWAN)
    var text = "\"flags\": [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]"
    if next == .none {
      path = nil
    } else if draw.chance(30) {
      let name = name(of: next, &draw)
      text += ", \"path\": \"\(name)\""
      path = name
    } else if next != category {
      path = next == .wifi ? "wifi" : "cellular"
    }
    category = next
    add(.device(next, path: path, isCallback: true), text, to: &scenario)
  }

  private func name(of category: CallOracle.Category, _ draw: inout Draw) -> String {
    category == .wifi
      ? draw.pick("wifi", "wifi-B", "wifi-C") : draw.pick("cellular", "cellular-B")
  }

  private mutating func changePath(in scenario: inout DrawnScenario, _ draw: inout Draw) {
    guard path != nil else { return }
    let name = name(of: category, &draw)
    path = name
    add(.device(category, path: name, isCallback: false), "\"path\": \"\(name)\"", to: &scenario)
  }

  private mutating func toggle(in scenario: inout DrawnScenario) {
    isSuspended.toggle()
    add(
      isSuspended ? .suspended : .resumed,
      "\"app\": \"\(isSuspended ? "background" : "foreground")\"", to: &scenario)
  }
}
