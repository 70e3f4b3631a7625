import HandoverCore
import HandoverScenario

/// A sequence of actions, as indices in ``ModelAction/all``, and its scenario.
struct ModelSequence: Hashable, Sendable {
  var actions: [UInt8] = []

  private static func action(_ position: UInt8) -> ModelAction { ModelAction.all[Int(position)] }

  /// Returns whether an action can follow.
  func allows(_ position: UInt8) -> Bool {
    let action = Self.action(position)
    if let slot = action.slot {
      // Settings are in the order of the actions, so that each set of settings is tried only once.
      guard actions.allSatisfy({ Self.action($0).isSetting && Self.action($0).slot != slot }) else {
        return false
      }
      return actions.last.map { $0 < position } ?? true
    }
    switch action.part {
    case .ofLastCall: return actions.contains { Self.action($0).part == .call }
    case .ofUpload:
      return actions.last { Self.action($0).part == .call }.map(Self.sends) ?? false
    case .ofMadeCall:
      return actions.last { Self.action($0).part == .call }.map(Self.isMadeOnly) ?? false
        && !actions.contains(position)
    case .ofLastRequest: return actions.contains { Self.action($0).part == .request }
    case .ofFirstRequest: return actions.count { Self.action($0).part == .request } > 1
    case .wait:
      // A pause before the first entry has no effect, and two consecutive pauses are equivalent to
      // one.
      guard let last = actions.last, !Self.action(last).isSetting else { return false }
      if case .wait = Self.action(last).part { return false }
      return true
    case .call, .request, .question, .entry, .initial, .setting, .ofRequests: return true
    }
  }

  private static func sends(_ position: UInt8) -> Bool { action(position).text.contains("bidi") }
  private static func isMadeOnly(_ position: UInt8) -> Bool {
    action(position).text.contains("starts")
  }

  /// The descriptions of the actions, one line each.
  var sentences: [String] { actions.map { Self.action($0).sentence } }

  // MARK: The scenario

  /// The time in milliseconds before the first entry and between entries.
  ///
  /// No delay of a client has this length.
  private static let pause: Int64 = 400
  /// The time in milliseconds for which the run continues after the entries.
  ///
  /// It exceeds the timeout of TCP.
  private static let patience: Int64 = 1_200_000

  /// Returns the scenario of the sequence without expectations, or `nil` if it is not valid.
  func scenario(_ profile: Profile) -> Scenario? {
    ScenarioReader.read(file: "sequence", bytes: [UInt8](json(profile).line.utf8)).scenario
  }

  private func json(_ profile: Profile) -> JSONTree {
    var initial: JSONTree = ["flags": ["Reachable"]]
    var settings: [JSONTree.Member] =
      switch profile.client.work {
      case .calls: [.init("backoff", ["jitter": 0])]
      case .requests: []
      }
    var ofRequests: [JSONTree.Member] =
      profile.client.hasDispatcher ? [.init("total", 2), .init("long", 1)] : []
    var hosts: [JSONTree.Member] = [.init("a.example:443", ["connect": "50ms"])]
    for action in actions.map(Self.action) {
      switch action.part {
      case .initial: initial = .object(action.members())
      case .setting(let name):
        settings.removeAll { $0.key == name }
        settings.append(.init(name, JSONTree(literal: action.text)))
      case .ofRequests(let name): ofRequests.append(.init(name, JSONTree(literal: action.text)))
      case .call, .request, .question, .ofLastCall, .ofUpload, .ofMadeCall, .ofLastRequest,
        .ofFirstRequest, .entry, .wait:
        break
      }
      guard let host = action.host else { continue }
      let declared = JSONTree.Member(
        host, host.hasPrefix("h2") ? ["streams": 2] : ["connect": "50ms"])
      if !hosts.contains(declared) { hosts.append(declared) }
    }
    if !ofRequests.isEmpty { settings.append(.init("requests", .object(ofRequests))) }
    return [
      "format": 1, "id": .text("explored/\(profile.name)-against-model"),
      "profiles": [.text(profile.name)], "initial": initial, "hosts": .object(hosts),
      "config": .object(settings), "timeline": .array(walk().entries),
    ]
  }

  /// Returns an expectation some time after the last entry, for a profile.
  func lateExpectation(_ profile: Profile) -> Expectation {
    let end = Expectation.Moment.at(.zero + .milliseconds(walk().now + Self.patience))
    switch profile.client.work {
    case .calls: return Expectation(.connections(.all, attempts: nil, open: 0, path: nil), end)
    case .requests:
      var wanted = RequestsExpectation()
      wanted.open = 0
      return Expectation(.requests(.all, wanted), end)
    }
  }

  /// Returns the entries of the timeline, and the time of the last one in milliseconds.
  private func walk() -> (entries: [JSONTree], now: Int64) {
    var entries: [JSONTree] = []
    var (calls, requests, questions) = (0, 0, 0)
    var (now, delay) = (Int64(0), Self.pause)
    for action in actions.map(Self.action) where !action.isSetting {
      let members: [JSONTree.Member]
      switch action.part {
      case .wait(let seconds):
        delay = 1_000 * Int64(seconds)
        continue
      case .call:
        calls += 1
        members = [.init("call", .object([.init("id", "call-\(calls)")] + action.members()))]
      case .request:
        requests += 1
        members = [
          .init("request", .object([.init("id", "request-\(requests)")] + action.members()))
        ]
      case .question:
        questions += 1
        members = [.init("ask", .object([.init("id", "question-\(questions)")] + action.members()))]
      case .ofLastCall, .ofUpload, .ofMadeCall: members = action.members(id: "call-\(calls)")
      case .ofLastRequest: members = action.members(id: "request-\(requests)")
      case .ofFirstRequest: members = action.members(id: "request-1")
      case .entry, .initial, .setting, .ofRequests: members = action.members()
      }
      now += delay
      delay = Self.pause
      entries.append(.object([.init("at", "\(now)ms")] + members))
    }
    return (entries, now)
  }
}

extension ModelAction {
  /// Returns the members of the text, with the ID of a call or a request.
  fileprivate func members(id: String = "") -> [JSONTree.Member] {
    let text = text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: id)
    return JSONTree(literal: "{\(text)}").members
  }
}
