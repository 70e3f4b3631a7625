import HandoverCore
import HandoverScenario

/// What a scenario expects, in sentences.
struct ExpectationWords {
  private let names: StoryNames

  init(_ script: Script) {
    names = StoryNames(script: script)
  }

  /// An expectation as a sentence without its full stop.
  func text(of expectation: Expectation) -> String {
    let what = subject(expectation.subject, isNever: expectation.isNever)
    return what + moment(expectation.moment)
  }

  private func subject(_ subject: Expectation.Subject, isNever: Bool) -> String {
    let never = isNever ? "never " : ""
    switch subject {
    case .call(let call, let status, let message, let channel):
      var text = "\(names.call(call)) \(never)ends"
      if let status { text += " \(status)" }
      if let message {
        text += message.isEmpty ? " without a message" : " with \"\(VisibleText.of(message))\""
      }
      if let channel { text += channel == .new ? " on a new channel" : " on the same channel" }
      return text
    case .channels(let hosts, let alive, let destroyed, let state):
      let parts = [
        alive.map { "\(StoryNames.counted($0, "channel")) alive" },
        destroyed.map { "\(StoryNames.counted($0, "channel")) destroyed" },
        state.map { "every channel in \($0)" },
      ].compactMap { $0 }
      return "\(has(hosts, never)) \(StoryNames.listed(parts))"
    case .connections(let hosts, let attempts, let open, let path):
      let parts = [
        attempts.map { StoryNames.counted($0, "attempt") + " to connect" },
        open.map { "\(StoryNames.counted($0, "connection")) open" },
        path.map { "every connection \(names.way($0))" },
      ].compactMap { $0 }
      return "\(has(hosts, never)) \(StoryNames.listed(parts))"
    case .server(let hosts, let received):
      let count = Self.received(received ?? 0)
      switch hosts {
      case .one: return "the server of \(names.hosts(hosts)) has \(never)received \(count)"
      case .all: return "the servers have \(never)received \(count)"
      }
    case .monitor(let notifications):
      let count = StoryNames.counted(notifications ?? 0, "notification")
      return "the monitor has \(never)posted \(count)"
    case .interceptor(let link, let wanted):
      return interceptor(link, wanted, never)
    case .chain(let call, let wanted):
      return chain(call, wanted, never)
    }
  }

  private func interceptor(
    _ link: Int, _ wanted: InterceptorExpectation, _ never: String
  ) -> String {
    let whose = wanted.call.map { " of \(names.call($0))" } ?? ""
    let parts = [
      wanted.made.map { $0 ? "is made" : "is not made" },
      wanted.sees.map { steps in
        steps.isEmpty
          ? "takes nothing"
          : "takes " + StoryNames.listed(Self.counted(steps.map(\.rawValue)))
      },
      wanted.breaks.map { breaches in
        breaches.isEmpty ? "breaks no rule" : StoryNames.listed(breaches.map(\.words))
      },
    ].compactMap { $0 }
    return "\(names.link(link))\(whose) \(never)\(StoryNames.listed(parts))"
  }

  /// The same words in a row once, with how often they stand there.
  private static func counted(_ words: [String]) -> [String] {
    var counted: [(word: String, count: Int)] = []
    for word in words {
      if let last = counted.indices.last, counted[last].word == word {
        counted[last].count += 1
      } else {
        counted.append((word, 1))
      }
    }
    return counted.map { $0.count == 1 ? $0.word : "\($0.word) \($0.count) times" }
  }

  private func chain(_ call: Int, _ wanted: ChainExpectation, _ never: String) -> String {
    func quoted(_ texts: [String]) -> String {
      texts.isEmpty
        ? "nothing"
        : StoryNames.listed(Self.counted(texts.map { "\"\(VisibleText.of($0))\"" }))
    }
    func quoted(_ headers: [ScriptHeader]) -> String {
      quoted(headers.map { "\($0.key): \($0.value)" })
    }
    let parts = [
      wanted.attempts.map { "makes \(StoryNames.counted($0, "attempt"))" },
      wanted.links.map { links in
        links.isEmpty ? "has no links" : "has \(StoryNames.listed(links.map(names.link)))"
      },
      wanted.host.map { "goes to \(names.host($0))" },
      wanted.path.map { "asks for \(VisibleText.of($0))" },
      wanted.metadata.map { "sends the headers \(quoted($0))" },
      wanted.sent.map { "sends \(quoted($0))" },
      wanted.heard.map { "gives the user \(quoted($0))" },
      wanted.trailers.map { "ends with the trailers \(quoted($0))" },
    ].compactMap { $0 }
    return "the chain of \(names.call(call)) \(never)\(StoryNames.listed(parts))"
  }

  private static func received(_ count: Int) -> String {
    count == 0
      ? "nothing" : VisibleText.counted(count, "request or message", "requests and messages")
  }

  private func has(_ hosts: HostSelector, _ never: String) -> String {
    switch hosts {
    case .one: "\(names.hosts(hosts)) \(never)has"
    case .all: "all hosts together \(never)have"
    }
  }

  private func moment(_ moment: Expectation.Moment?) -> String {
    switch moment {
    case nil: ""
    case .at(let instant): " at \(instant.text)"
    case .within(let first, let last): " between \(first.text) and \(last.text)"
    case .before(let instant): " before \(instant.text)"
    case .after(let instant): " after \(instant.text)"
    }
  }
}
