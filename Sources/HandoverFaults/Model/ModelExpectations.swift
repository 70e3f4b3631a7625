import HandoverCore
import HandoverEngine
import HandoverJSON
import HandoverScenario
import HandoverTrace

/// Candidate expectations about a run, at the instants at which another run differs.
///
/// Most candidates are wrong. Running the model shows which ones hold. Among these, an exploration
/// searches for one that does not hold for the other run.
struct ModelExpectations {
  /// The expectations, without their braces.
  ///
  /// The most informative ones come first.
  private(set) var texts: [String] = []

  private let scenario: Scenario
  private let result: CaseResult
  private let trace: Trace

  /// The maximum number of instants.
  private static let maximumInstants = 6

  /// Creates the candidates.
  ///
  /// - Parameters:
  ///   - scenario: the scenario that ran.
  ///   - result: the result of the model.
  ///   - trace: the records of the model.
  ///   - other: the records of the other run.
  init(_ scenario: Scenario, _ result: CaseResult, _ trace: Trace, differingFrom other: Trace) {
    (self.scenario, self.result, self.trace) = (scenario, result, trace)
    let times = Self.instants(trace, other).map { #", "at": "\#($0.text)""# } + [""]
    for call in scenario.script.calls.indices { addCall(call) }
    for request in scenario.script.requests.indices { addRequest(request, times) }
    for question in scenario.script.questions.indices { addQuestion(question) }
    if !scenario.script.configuration.chain.links.isEmpty { addChains() }
    for time in times { addNumbers(time) }
  }

  /// Returns the first instants at which two runs differ.
  private static func instants(_ one: Trace, _ other: Trace) -> [Instant] {
    let common = zip(one.records, other.records).prefix { $0 == $1 }.count
    var instants = Set<Int64>()  // sorted below
    for record in one.records.dropFirst(common).prefix(100) {
      instants.insert(record.at.microseconds)
    }
    for record in other.records.dropFirst(common).prefix(100) {
      instants.insert(record.at.microseconds)
    }
    return instants.sorted().prefix(maximumInstants).map { Instant(microseconds: $0) }
  }

  // MARK: Calls

  private mutating func addCall(_ place: Int) {
    let id = scenario.script.calls[place].id
    guard let outcome = result.calls.first(where: { $0.id == id }) else { return }
    if let end = outcome.end, let at = outcome.endedAt {
      let message = Self.quoted(outcome.message)
      texts.append(
        #""call": "\#(id)", "status": "\#(end.code)", "message": \#(message), "#
          + #""at": "\#(at.text)""#)
      texts.append(#""call": "\#(id)", "status": "\#(end.code)""#)
    } else {
      texts.append(#""never": { "call": "\#(id)" }"#)
    }
    for word in Expectation.ChannelRelation.allCases {
      texts.append(#""call": "\#(id)", "channel": "\#(word.rawValue)""#)
    }
  }

  private mutating func addNumbers(_ time: String) {
    let script = scenario.script
    if script.requests.isEmpty, script.questions.isEmpty {
      add(#""channels": { "host": "*", "alive": %"#, 4, "}\(time)")
      add(#""channels": { "host": "*", "destroyed": %"#, 5, "}\(time)")
      for state in ChannelState.allCases {
        texts.append(#""channels": { "host": "*", "state": "\#(state)" }\#(time)"#)
      }
      add(#""connections": { "host": "*", "attempts": %"#, 8, "}\(time)")
      add(#""connections": { "host": "*", "open": %"#, 4, "}\(time)")
      add(#""server": { "host": "*", "received": %"#, 10, "}\(time)")
      if scenario.profiles.allSatisfy(\.policy.monitorsReachability) {
        add(#""monitor": { "notifications": %"#, 6, "}\(time)")
      }
    } else {
      for word in Self.requestNumbers where isSeen(word) {
        add(#""requests": { "host": "*", "\#(word)": %"#, 5, "}\(time)")
      }
    }
  }

  private static let requestNumbers = [
    "running", "frozen", "waiting", "ended", "open", "opened", "most", "limitReached", "threads",
    "idleThreads", "threadsMade", "mostThreads",
  ]

  private func isSeen(_ word: String) -> Bool {
    let configuration = scenario.script.configuration.requests
    if word.lowercased().contains("thread") { return configuration.threads != nil }
    return scenario.profiles.allSatisfy(\.dispatchesRequests)
      || word != "waiting" && word != "limitReached"
  }

  private mutating func add(_ text: String, from first: Int = 0, _ count: Int, _ tail: String) {
    for number in first..<first + count {
      texts.append(text.replacingPercent(by: "\(number) ") + tail)
    }
  }

  // MARK: Requests

  private mutating func addRequest(_ place: Int, _ times: [String]) {
    let id = scenario.script.requests[place].id
    let subject = #""request": "\#(id)""#
    for word in [
      "finished", "failed", "not-started", "lost", "timed-out", "held-back", "deadline-exceeded",
      "cancelled", "closed", "refused",
    ] {
      for time in times { texts.append(#"\#(subject), "outcome": "\#(word)"\#(time)"#) }
    }
    texts.append(#""never": { \#(subject) }"#)
    for record in trace.records {
      guard case .request(let fact) = record.body, Int(fact.request ?? .max) == place else {
        continue
      }
      if case .handedOver = fact { texts.append(#"\#(subject), "begins": "\#(record.at.text)""#) }
      if case .ended(_, .failed(let code)) = fact {
        texts.append(#"\#(subject), "outcome": "failed", "code": \#(code)"#)
      }
    }
    add("\(subject), \"polls\": %", 8, "")
    guard scenario.profiles.allSatisfy(\.dispatchesRequests) else { return }
    for word in ["starts-now", "waits", "refused", "freezes", "polls"] {
      texts.append(#"\#(subject), "admission": "\#(word)""#)
    }
    add("\(subject), \"position\": %", from: 1, 4, "")
    if scenario.script.configuration.requests.threads != nil {
      add("\(subject), \"thread\": %", from: 1, 4, "")
    }
  }

  private mutating func addQuestion(_ place: Int) {
    let subject = #""ask": "\#(scenario.script.questions[place].id)""#
    for word in ["starts-now", "waits", "refused", "freezes", "polls"] {
      texts.append(#"\#(subject), "answer": "\#(word)""#)
    }
    add("\(subject), \"position\": %", from: 1, 4, "")
  }

  // MARK: Chains

  private mutating func addChains() {
    for (place, call) in scenario.script.calls.enumerated() where !call.isLegacy {
      let subject = #""chain": { "call": "\#(call.id)""#
      var (heard, sent): ([String], [String]) = ([], [])
      var sees: [Int: [String]] = [:]  // iterated in the order of the interceptors
      for record in trace.records {
        guard case .chain(let fact) = record.body, Int(fact.call) == place else { continue }
        switch fact {
        case .heard(_, .message, let text): heard.append(trace.texts[Int(text)])
        case .sentMessage(_, let text): sent.append(trace.texts[Int(text)])
        case .took(_, let link, let step): sees[Int(link), default: []].append(step.rawValue)
        default: break
        }
      }
      texts.append(#"\#(subject), "heard": \#(Self.list(heard)) }"#)
      texts.append(#"\#(subject), "sent": \#(Self.list(sent)) }"#)
      add("\(subject), \"attempts\": %", 4, "}")
      for (link, script) in scenario.script.configuration.chain.links.enumerated() {
        let owner = #""interceptor": { "name": "\#(script.name)", "call": "\#(call.id)""#
        texts.append(#"\#(owner), "sees": \#(Self.list(sees[link] ?? [])) }"#)
        for isMade in [true, false] { texts.append(#"\#(owner), "made": \#(isMade) }"#) }
      }
      for record in trace.records {
        guard case .chain(.attempted(let number, let target)) = record.body, Int(number) == place
        else { continue }
        let parts = trace.texts[Int(target)].split(separator: " ")
        guard parts.count == 2 else { continue }
        texts.append(#"\#(subject), "host": \#(Self.quoted(String(parts[0]))) }"#)
        texts.append(#"\#(subject), "path": \#(Self.quoted(String(parts[1]))) }"#)
      }
      for record in trace.records {
        switch record.body {
        case .chain(.sentHeader(let number, let text)) where Int(number) == place:
          addPair(subject, "metadata", trace.texts[Int(text)])
        case .chain(.trailer(let number, let text)) where Int(number) == place:
          addPair(subject, "trailers", trace.texts[Int(text)])
        default: break
        }
      }
    }
  }

  private mutating func addPair(_ subject: String, _ key: String, _ text: String) {
    let parts = text.split(separator: ": ", maxSplits: 1)
    guard parts.count == 2 else { return }
    let pair = "\(Self.quoted(String(parts[0]))): \(Self.quoted(String(parts[1])))"
    texts.append("\(subject), \"\(key)\": { \(pair) } }")
  }

  // MARK: Texts

  private static func list(_ texts: [String]) -> String {
    texts.isEmpty ? "[]" : "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }

  private static func quoted(_ text: String?) -> String {
    var json = JSONText()
    json.value(text ?? "")
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension String {
  fileprivate func replacingPercent(by text: String) -> String {
    split(separator: "%", omittingEmptySubsequences: false).joined(separator: text)
  }
}
