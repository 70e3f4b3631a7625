import HandoverCore

/// A sequence of actions, as indices in ``ModelAction/all``, and its scenario.
struct ModelSequence: Hashable, Sendable {
  var acts: [UInt8] = []

  private static func act(_ place: UInt8) -> ModelAction { ModelAction.all[Int(place)] }

  /// Returns whether an action can follow.
  func allows(_ place: UInt8) -> Bool {
    let act = Self.act(place)
    if let slot = act.slot {
      // Settings are in the order of the actions, so that each set of settings is tried only once.
      guard acts.allSatisfy({ Self.act($0).isSetting && Self.act($0).slot != slot }) else {
        return false
      }
      return acts.last.map { $0 < place } ?? true
    }
    switch act.part {
    case .ofLastCall: return acts.contains { Self.act($0).part == .call }
    case .ofUpload:
      return acts.last { Self.act($0).part == .call }.map(Self.sends) ?? false
    case .ofMadeCall:
      return acts.last { Self.act($0).part == .call }.map(Self.isMade) ?? false
        && !acts.contains(place)
    case .ofLastRequest: return acts.contains { Self.act($0).part == .request }
    case .ofFirstRequest: return acts.count { Self.act($0).part == .request } > 1
    case .wait:
      // A pause before the first entry has no effect, and two consecutive pauses are equivalent to
      // one.
      guard let last = acts.last, !Self.act(last).isSetting else { return false }
      if case .wait = Self.act(last).part { return false }
      return true
    case .call, .request, .question, .entry, .initial, .setting, .ofRequests: return true
    }
  }

  private static func sends(_ place: UInt8) -> Bool { act(place).text.contains("bidi") }
  private static func isMade(_ place: UInt8) -> Bool { act(place).text.contains("starts") }

  /// The descriptions of the actions, one line each.
  var sentences: [String] { acts.map { Self.act($0).sentence } }

  // MARK: The scenario

  /// The time in milliseconds before the first entry and between entries.
  ///
  /// No delay of a client has this length.
  private static let pause = 400
  /// The time in milliseconds for which the run continues after the entries.
  ///
  /// It exceeds the timeout of TCP.
  private static let patience = 1_200_000

  /// Returns the scenario of the sequence.
  ///
  /// - Parameters:
  ///   - profile: the profile of the scenario.
  ///   - title: a description of what the scenario shows.
  ///   - expectations: the expectations.
  /// - Returns: the text of the file.
  func text(_ profile: Profile, title: String, expecting expectations: [String]) -> String {
    var initial = #""flags": ["Reachable"]"#
    var settings = profile.makesRequests ? [] : [#""backoff": { "jitter": 0 }"#]
    var ofRequests = profile.dispatchesRequests ? [#""total": 2, "long": 1"#] : []
    var hosts = [#""a.example:443": { "connect": "50ms" }"#]
    for act in acts.map(Self.act) {
      switch act.part {
      case .initial: initial = act.text
      case .setting(let name):
        settings.removeAll { $0.hasPrefix("\"\(name)\"") }
        settings.append("\"\(name)\": \(act.text)")
      case .ofRequests(let name): ofRequests.append("\"\(name)\": \(act.text)")
      case .call, .request, .question, .ofLastCall, .ofUpload, .ofMadeCall, .ofLastRequest,
        .ofFirstRequest, .entry, .wait:
        break
      }
      guard let host = act.host else { continue }
      let members = host.hasPrefix("h2") ? #""streams": 2"# : #""connect": "50ms""#
      let declared = "\"\(host)\": { \(members) }"
      if !hosts.contains(declared) { hosts.append(declared) }
    }
    if !ofRequests.isEmpty {
      settings.append(#""requests": { \#(ofRequests.joined(separator: ", ")) }"#)
    }
    return """
      {
        "format": 1,
        "id": "explored/\(profile.name)-against-model",
        "title": "\(title)",
        "profiles": ["\(profile.name)"],
        "initial": { \(initial) },
        "hosts": { \(hosts.joined(separator: ", ")) },
        "config": { \(settings.joined(separator: ", ")) },
        "timeline": \(Self.list(entries())),
        "expect": \(Self.list(expectations))
      }

      """
  }

  private static func list(_ elements: [String]) -> String {
    guard !elements.isEmpty else { return "[]" }
    return "[\n" + elements.map { "    { \($0) }" }.joined(separator: ",\n") + "\n  ]"
  }

  /// Returns an expectation some time after the last entry, for a profile.
  func lateExpectation(_ profile: Profile) -> String {
    let end = walk().now + Self.patience
    let subject = profile.makesRequests ? "requests" : "connections"
    return #""\#(subject)": { "host": "*", "open": 0 }, "at": "\#(end)ms""#
  }

  private func entries() -> [String] { walk().entries }

  /// Returns the entries of the timeline, without their braces, and the time of the last one in
  /// milliseconds.
  private func walk() -> (entries: [String], now: Int) {
    var entries: [String] = []
    var (calls, requests, questions) = (0, 0, 0)
    var (now, delay) = (0, Self.pause)
    for act in acts.map(Self.act) where !act.isSetting {
      let what: String
      switch act.part {
      case .wait(let seconds):
        delay = 1_000 * seconds
        continue
      case .call:
        calls += 1
        what = #""call": { "id": "call-\#(calls)", \#(act.text) }"#
      case .request:
        requests += 1
        what = #""request": { "id": "request-\#(requests)", \#(act.text) }"#
      case .question:
        questions += 1
        what = #""ask": { "id": "question-\#(questions)", \#(act.text) }"#
      case .ofLastCall, .ofUpload, .ofMadeCall: what = act.named("call-\(calls)")
      case .ofLastRequest: what = act.named("request-\(requests)")
      case .ofFirstRequest: what = act.named("request-1")
      case .entry, .initial, .setting, .ofRequests: what = act.text
      }
      now += delay
      delay = Self.pause
      entries.append(#""at": "\#(now)ms", \#(what)"#)
    }
    return (entries, now)
  }
}

extension ModelAction {
  /// Returns the text with the ID of a call or a request.
  fileprivate func named(_ id: String) -> String {
    String(text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: id))
  }
}
