package import HandoverCore
package import HandoverScenario

/// Describes the expectations of a scenario, in findings and in explanations.
package struct ExpectationPhrases {
  private let names: ScriptNames
  private let script: Script

  /// Creates descriptions with the names of a script.
  package init(_ script: Script) {
    self.script = script
    names = ScriptNames(script: script)
  }

  /// Returns a sentence about an expectation, without a capital letter and without its period.
  package func text(of expectation: Expectation) -> TimedText {
    var text = subject(of: expectation) + moment(expectation.moment)
    for ending in expectation.alternatives {
      text += ", or\(end(ending.status, ending.message, ending.channel))" + moment(ending.moment)
    }
    return text
  }

  /// Returns the numbers that the servers counted, with their nouns.
  private func counts(
    _ wanted: ServerExpectation, of hosts: HostSelector, _ never: String
  ) -> TimedText {
    var accepted = wanted.accepted.map { "accepted \(number($0, "connection", never))" }
    if let address = wanted.address, case .one(let host) = hosts {
      accepted?.append(" at \(script.address(address, of: host))")
    }
    let parts = [
      wanted.received.map { "received \(received($0, never))" }, accepted,
      wanted.twice.map { "read \(number($0, "request", never)) more than once" },
    ].compactMap { $0 }
    let path = wanted.path.map { " \(names.way($0))" } ?? ""
    return "\(ScriptNames.listed(parts))\(path)" + (wanted.since.map { " since \($0)" } ?? "")
  }

  private func kernel(_ wanted: KernelExpectation) -> String {
    func most(_ count: Int, _ what: String) -> String {
      (count == 0 ? "" : "at most ") + ScriptNames.counted(count, what)
    }
    let parts = [
      wanted.retransmitted.map { most($0, "segment") + " sent again" },
      wanted.resets.map { most($0, "connection") + " reset" },
      wanted.sockets.map { most($0, "socket") + " left" },
    ].compactMap { $0 }
    return "the kernel of the device has counted \(ScriptNames.listed(parts))"
  }

  private func subject(of expectation: Expectation) -> TimedText {
    let never = expectation.isNever ? "never " : ""
    switch expectation.subject {
    case .call(let call, let status, let message, let channel):
      return "call \(names.call(call)) \(never)ends\(end(status, message, channel))"
    case .channels(let hosts, let alive, let destroyed, let state):
      let parts = [
        alive.map { "\(number($0, "channel", never)) alive" },
        destroyed.map { "\(number($0, "channel", never)) destroyed" },
        state.map { "every channel in \($0)" },
      ].compactMap { $0 }
      return "\(has(hosts, never)) \(ScriptNames.listed(parts))"
    case .connections(let hosts, let attempts, let open, let path):
      let parts = [
        attempts.map { number($0, "attempt", never) + " to connect" },
        open.map { "\(number($0, "connection", never)) open" },
        path.map { "every connection \(names.way($0))" },
      ].compactMap { $0 }
      return "\(has(hosts, never)) \(ScriptNames.listed(parts))"
    case .server(let hosts, let wanted):
      let counts = counts(wanted, of: hosts, never)
      switch hosts {
      case .one: return "the server of \(names.hosts(hosts)) has \(never)\(counts)"
      case .all: return "the servers have \(never)\(counts)"
      }
    case .kernel(let wanted): return TimedText(kernel(wanted))
    case .monitor(let notifications):
      let count = number(notifications ?? 0, "notification", never)
      return "the monitor has \(never)posted \(count)"
    case .interceptor(let link, let wanted):
      return TimedText(interceptor(link, wanted, never))
    case .chain(let call, let wanted):
      return TimedText(chain(call, wanted, never))
    case .request(let request, let wanted):
      return self.request(request, wanted, never, hasMoment: expectation.moment != nil)
    case .ask(let question, let wanted):
      return TimedText(answer(question, wanted, never))
    case .requests(let hosts, let wanted):
      return TimedText(requests(hosts, wanted, never))
    }
  }

  private func end(
    _ status: StatusCode?, _ message: String?, _ channel: Expectation.ChannelRelation?
  ) -> String {
    var text = ""
    if let status { text += " \(status)" }
    if let message {
      text +=
        message.isEmpty ? " without a message" : " with the message \"\(SafeText.line(message))\""
    }
    if let channel { text += channel == .new ? " on a new channel" : " on the same channel" }
    return text
  }

  private func interceptor(
    _ link: Int, _ wanted: InterceptorExpectation, _ never: String
  ) -> String {
    let whose = wanted.call.map { " of call \(names.call($0))" } ?? ""
    let parts = [
      wanted.made.map { $0 ? "is made" : "is not made" },
      wanted.sees.map { steps in
        steps.isEmpty
          ? "receives nothing"
          : "takes " + Self.shortened(Self.merged(steps.map(\.rawValue)))
      },
      wanted.breaks.map(Self.breaks),
    ].compactMap { $0 }
    return "\(names.link(link))\(whose) \(never)\(ScriptNames.listed(parts))"
  }

  private static func breaks(_ violations: [InterceptorViolation]) -> String {
    violations.isEmpty ? "violates no rule" : shortened(violations.map(\.phrase))
  }

  /// Merges equal adjacent words, and appends the number of repetitions.
  private static func merged(_ words: [String]) -> [String] {
    var merged: [(word: String, count: Int)] = []
    for word in words {
      if let last = merged.indices.last, merged[last].word == word {
        merged[last].count += 1
      } else {
        merged.append((word, 1))
      }
    }
    return merged.map { $0.count == 1 ? $0.word : "\($0.word) \($0.count) times" }
  }

  /// Joins words into a list: `a, b and c`; a list that is too long ends with `and 9 more`.
  private static func shortened(_ words: [String]) -> String {
    let shown = Wording.shown(words)
    let rest = words.count - shown.count
    return ScriptNames.listed(shown + (rest == 0 ? [] : ["\(rest) more"]))
  }

  private func chain(_ call: Int, _ wanted: ChainExpectation, _ never: String) -> String {
    func quoted(_ texts: [String]) -> String {
      texts.isEmpty
        ? "nothing"
        : Self.shortened(Self.merged(texts.map { "\"\(SafeText.line($0))\"" }))
    }
    func quoted(_ headers: [ScriptHeader]) -> String {
      quoted(headers.map { "\($0.key): \($0.value)" })
    }
    let parts = [
      wanted.attempts.map { "makes \(number($0, "attempt", never))" },
      wanted.links.map { links in
        links.isEmpty ? "has no links" : "has \(Self.shortened(links.map(names.link)))"
      },
      wanted.host.map { "goes to \(names.host($0))" },
      wanted.path.map { "asks for \(SafeText.line($0))" },
      wanted.metadata.map { "sends the headers \(quoted($0))" },
      wanted.sent.map { "sends \(quoted($0))" },
      wanted.heard.map { "gives the user \(quoted($0))" },
      wanted.trailers.map { "ends with the trailers \(quoted($0))" },
      wanted.breaks.map { "has a user that \(Self.breaks($0))" },
    ].compactMap { $0 }
    return "the chain of call \(names.call(call)) \(never)\(ScriptNames.listed(parts))"
  }

  // MARK: Requests

  private func request(
    _ request: Int, _ wanted: RequestExpectation, _ never: String, hasMoment: Bool
  ) -> TimedText {
    var parts: [TimedText] = [
      wanted.admission.map { TimedText(Self.does($0)) },
      wanted.position.map { "gets place \($0) in its queue" },
      wanted.begins.map { "is handed to the OS at \($0)" },
      wanted.polls.map { "has \(number($0, "poll", never)) answered" },
      wanted.thread.map { "runs on thread #\($0)" },
    ].compactMap { $0 }
    // The time is that of the request's end, so it follows the last part.
    if wanted.outcome != nil || wanted.code != nil || hasMoment || parts.isEmpty {
      let end = wanted.outcome.map(Self.ends) ?? "ends"
      parts.append("\(end)\(wanted.code.map { " with the error \($0)" } ?? "")")
    }
    return "request \(names.request(request)) \(never)" + .sentence(listing: parts)
  }

  private static func does(_ admission: AdmissionKind) -> String {
    switch admission {
    case .startsNow: "starts immediately"
    case .waits: "waits"
    case .refused: "is refused"
    case .freezes: "goes past the long limit"
    case .polls: "becomes a series of short requests"
    }
  }

  private static func ends(_ outcome: RequestOutcome) -> String {
    switch outcome {
    case .finished: "finishes"
    case .failed: "fails"
    case .notStarted: "cannot be begun"
    case .lost: "loses its connection"
    case .timedOut: "times out"
    case .queueTimeout: "ends after waiting too long"
    case .deadlineExceeded: "exceeds its deadline"
    case .cancelled: "ends cancelled"
    case .closed: "ends with its dispatcher"
    case .refused: "ends refused"
    }
  }

  private func answer(_ question: Int, _ wanted: AnswerExpectation, _ never: String) -> String {
    let index = wanted.position.map { " at place \($0)" } ?? ""
    let parts = [
      wanted.answer.map { "the request would \(Self.would($0))\(index)" },
      wanted.answer == nil ? wanted.position.map { "the request would have place \($0)" } : nil,
      wanted.holders.map { holders in
        holders.isEmpty
          ? "nothing holds a slot"
          : "the slots are held by \(Self.shortened(holders.map(names.request)))"
      },
    ].compactMap { $0 }
    return "the answer to \(names.question(question)) is \(never)that \(ScriptNames.listed(parts))"
  }

  private static func would(_ answer: AdmissionKind) -> String {
    switch answer {
    case .startsNow: "start immediately"
    case .waits: "wait"
    case .refused: "be refused"
    case .freezes: "go past the long limit"
    case .polls: "become a series of short requests"
    }
  }

  private func requests(
    _ hosts: HostSelector, _ wanted: RequestsExpectation, _ never: String
  ) -> String {
    let requests = [
      (wanted.running, "running"), (wanted.waiting, "waiting"), (wanted.frozen, "frozen"),
      (wanted.ended, "ended"),
    ]
    let connections = [
      (wanted.open, "open"), (wanted.opened, "opened"), (wanted.most, "open at the most"),
    ]
    let threads = [
      (wanted.threads, ""), (wanted.idleThreads, " idle"), (wanted.threadsMade, " made"),
      (wanted.mostThreads, " at the most"),
    ]
    let parts =
      requests.map { count, how in count.map { "\(number($0, "request", never)) \(how)" } }
      + connections.map { count, how in
        count.map { "\(number($0, "connection", never)) \(how)" }
      }
      + [wanted.limitReached.map { number($0, "notice", never) + " of the long limit" }]
      + threads.map { count, how in count.map { number($0, "thread", never) + how } }
    return "\(has(hosts, never)) \(ScriptNames.listed(parts.compactMap { $0 }))"
  }

  private func received(_ count: Int, _ never: String) -> String {
    count == 0 && never.isEmpty
      ? "nothing" : counted(count, "request or message", "requests and messages")
  }

  /// Returns a count with its noun; zero is a number after `never`, which already negates.
  private func number(_ count: Int, _ noun: String, _ never: String) -> String {
    never.isEmpty ? ScriptNames.counted(count, noun) : counted(count, noun)
  }

  private func has(_ hosts: HostSelector, _ never: String) -> String {
    switch hosts {
    case .one: "\(names.hosts(hosts)) \(never)has"
    case .all: "all hosts together \(never)have"
    }
  }

  private func moment(_ moment: Expectation.Moment?) -> TimedText {
    switch moment {
    case nil: ""
    case .at(let instant): " at \(instant)"
    case .within(let first, let last): " between \(first) and \(last)"
    case .before(let instant): " before \(instant)"
    case .after(let instant): " after \(instant)"
    }
  }
}
