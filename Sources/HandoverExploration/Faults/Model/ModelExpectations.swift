import HandoverCore
import HandoverEngine
import HandoverScenario

/// Candidate expectations about a run, at the instants at which another run differs.
///
/// Most candidates are wrong. Running the model shows which ones hold. Among these, an exploration
/// searches for one that does not hold for the other run.
struct ModelExpectations {
  /// The expectations; the most informative ones come first.
  private(set) var expectations: [Expectation] = []

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
    let times = Self.instants(trace, other).map(Expectation.Moment.at) + [nil]
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

  private mutating func addCall(_ position: Int) {
    let id = scenario.script.calls[position].id
    guard let outcome = result.calls.first(where: { $0.id == id }) else { return }
    if let end = outcome.end, let at = outcome.endedAt {
      add(.call(position, status: end.code, message: outcome.message ?? "", channel: nil), .at(at))
      add(.call(position, status: end.code, message: nil, channel: nil))
    } else {
      add(.call(position, status: nil, message: nil, channel: nil), isNever: true)
    }
    for word in Expectation.ChannelRelation.allCases {
      add(.call(position, status: nil, message: nil, channel: word))
    }
  }

  private mutating func add(
    _ subject: Expectation.Subject, _ moment: Expectation.Moment? = nil, isNever: Bool = false
  ) {
    expectations.append(Expectation(subject, moment, isNever: isNever))
  }

  private mutating func addNumbers(_ time: Expectation.Moment?) {
    let script = scenario.script
    guard script.requests.isEmpty, script.questions.isEmpty else {
      for number in Self.requestNumbers where isSeen(number) {
        for count in 0..<5 {
          var wanted = RequestsExpectation()
          wanted[keyPath: number] = count
          add(.requests(.all, wanted), time)
        }
      }
      return
    }
    for count in 0..<4 { add(.channels(.all, alive: count, destroyed: nil, state: nil), time) }
    for count in 0..<5 { add(.channels(.all, alive: nil, destroyed: count, state: nil), time) }
    for state in ChannelState.allCases {
      add(.channels(.all, alive: nil, destroyed: nil, state: state), time)
    }
    for count in 0..<8 { add(.connections(.all, attempts: count, open: nil, path: nil), time) }
    for count in 0..<4 { add(.connections(.all, attempts: nil, open: count, path: nil), time) }
    for count in 0..<10 { add(.server(.all, ServerExpectation(received: count)), time) }
    if scenario.profiles.allSatisfy(\.policy.monitorsReachability) {
      for count in 0..<6 { add(.monitor(notifications: count), time) }
    }
  }

  private typealias RequestNumber = any WritableKeyPath<RequestsExpectation, Int?> & Sendable

  private static let requestNumbers: [RequestNumber] =
    [\.running, \.frozen, \.waiting, \.ended, \.open, \.opened, \.most, \.limitReached]
    + threadNumbers

  private static let threadNumbers: [RequestNumber] = [
    \.threads, \.idleThreads, \.threadsMade, \.mostThreads,
  ]

  private func isSeen(_ number: RequestNumber) -> Bool {
    if Self.threadNumbers.contains(where: { $0 == number }) {
      return scenario.script.configuration.requests.threads != nil
    }
    return scenario.profiles.allSatisfy(\.client.hasDispatcher)
      || number != \.waiting && number != \.limitReached
  }

  // MARK: Requests

  private mutating func addRequest(_ position: Int, _ times: [Expectation.Moment?]) {
    func add(
      _ moment: Expectation.Moment? = nil, _ set: (inout RequestExpectation) -> Void
    ) {
      var wanted = RequestExpectation()
      set(&wanted)
      self.add(.request(position, wanted), moment)
    }
    for outcome in RequestOutcome.allCases {
      for time in times { add(time) { $0.outcome = outcome } }
    }
    self.add(.request(position, RequestExpectation()), isNever: true)
    for record in trace.records {
      guard case .request(let fact) = record.body, Int(fact.request ?? .max) == position else {
        continue
      }
      if case .handedOver = fact { add { $0.begins = record.at } }
      if case .ended(_, .failed(let code)) = fact {
        add { ($0.outcome, $0.code) = (.failed, code) }
      }
    }
    for count in 0..<8 { add { $0.polls = count } }
    guard scenario.profiles.allSatisfy(\.client.hasDispatcher) else { return }
    for word in AdmissionKind.allCases { add { $0.admission = word } }
    for number in 1...4 { add { $0.position = number } }
    if scenario.script.configuration.requests.threads != nil {
      for number in 1...4 { add { $0.thread = number } }
    }
  }

  private mutating func addQuestion(_ position: Int) {
    var wanted = AnswerExpectation()
    for word in AdmissionKind.allCases {
      wanted.answer = word
      add(.ask(position, wanted))
    }
    wanted.answer = nil
    for number in 1...4 {
      wanted.position = number
      add(.ask(position, wanted))
    }
  }

  // MARK: Chains

  private mutating func addChains() {
    for (position, call) in scenario.script.calls.enumerated() where !call.isLegacy {
      func add(_ set: (inout ChainExpectation) -> Void) {
        var wanted = ChainExpectation()
        set(&wanted)
        self.add(.chain(position, wanted))
      }
      var (received, sent): ([String], [String]) = ([], [])
      var sees: [Int: [ChainStep]] = [:]  // lookup only
      for record in trace.records {
        guard case .chain(let fact) = record.body, Int(fact.call) == position else { continue }
        switch fact {
        case .received(_, .message, let text): received.append(trace.texts[Int(text)])
        case .sentMessage(_, let text): sent.append(trace.texts[Int(text)])
        case .took(_, let link, let step): sees[Int(link), default: []].append(step)
        default: break
        }
      }
      add { $0.heard = received }
      add { $0.sent = sent }
      for count in 0..<4 { add { $0.attempts = count } }
      for link in scenario.script.configuration.chain.links.indices {
        var wanted = InterceptorExpectation()
        wanted.call = position
        wanted.sees = sees[link] ?? []
        self.add(.interceptor(link, wanted))
        wanted.sees = nil
        for isMade in [true, false] {
          wanted.made = isMade
          self.add(.interceptor(link, wanted))
        }
      }
      for record in trace.records {
        guard case .chain(.attempted(let number, let target)) = record.body, Int(number) == position
        else { continue }
        let parts = trace.texts[Int(target)].split(separator: " ").map(String.init)
        guard parts.count == 2 else { continue }
        let host = scenario.script.hosts.firstIndex {
          $0.written == parts[0] || $0.name?.text == parts[0]
        }
        if let host { add { $0.host = host } }
        add { $0.path = parts[1] }
      }
      for record in trace.records {
        switch record.body {
        case .chain(.sentHeader(let number, let text)) where Int(number) == position:
          if let header = header(text) { add { $0.metadata = [header] } }
        case .chain(.trailer(let number, let text)) where Int(number) == position:
          if let header = header(text) { add { $0.trailers = [header] } }
        default: break
        }
      }
    }
  }

  private func header(_ text: UInt32) -> ScriptHeader? {
    let parts = trace.texts[Int(text)].split(separator: ": ", maxSplits: 1).map(String.init)
    return parts.count == 2 ? ScriptHeader(parts[0], parts[1]) : nil
  }
}
