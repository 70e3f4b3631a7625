import HandoverCore
import HandoverEngine

// Sentences about the interceptors between calls and their channels.
extension ScriptStory {
  /// The interceptors, and the settings of their chains that differ from the defaults.
  var chain: [Sentence] {
    let chain = script.configuration.chain
    guard !chain.links.isEmpty else { return [] }
    var sentences = chain.links.indices.map { position in
      Sentence(text: "\(names.link(position)) \(phrase(chain.links[position]))")
    }
    if !chain.isEager {
      sentences.append(
        Sentence(
          text: "each interceptor is made when something is first forwarded to it", items: ["I4"]))
    }
    if chain.closesOnCancel {
      sentences.append(
        Sentence(
          text: "an interceptor forwards a cancel, notifies the one before it, and leaves",
          items: ["I18"]))
    }
    if chain.isShuffled {
      sentences.append(
        Sentence(
          text: "the next queue of the interceptors is selected at random", items: ["I14"]))
    }
    return sentences
  }

  private func phrase(_ link: InterceptorScript) -> String {
    var text = phrase(link.kind)
    switch link.queues {
    case .own: break
    case .separate: text += "; it has a queue for each direction"
    case .shared: text += "; those of all calls share one queue"
    case .concurrent: text += "; its queues run on the threads of a concurrent one"
    }
    if link.isGlobal { text += "; it is the global one, behind all others" }
    return text
  }

  private func phrase(_ kind: InterceptorKind) -> String {
    switch kind {
    case .forward: return "forwards everything"
    case .none: return "is never made"
    case .logging: return "notes every event"
    case .metrics: return "counts calls, messages and times"
    case .rewrite(let rewrite):
      let changes = phrase(rewrite)
      return changes.isEmpty ? "changes nothing" : ScriptNames.listed(changes)
    case .token(let token, let takes, let expires):
      let time = takes > .zero ? " after \(takes.exactText)" : ""
      guard let token else { return "finds no token\(time)" }
      let end = expires.map { ", which is valid for \($0.exactText)" } ?? ""
      return "gives calls the token \"\(VisibleText.of(token))\"\(time)\(end)"
    case .cache(let keep):
      return "answers cacheable calls from what it has seen for \(keep.exactText)"
    case .mock(let mock): return phrase(mock)
    case .retry(let attempts, _, let calls):
      let which = calls == .any ? "calls" : "idempotent calls"
      return "repeats \(which) that ended UNAVAILABLE without an answer, "
        + "\(counted(attempts, "attempt")) in all"
    case .gate: return "is controlled by the timeline"
    }
  }

  private func phrase(_ mock: MockScript) -> String {
    var text = "answers \(mock.path.map { "calls to \(VisibleText.of($0))" } ?? "every call")"
    if mock.takes > .zero { text += " after \(mock.takes.exactText)" }
    let status = "the status \(mock.status)"
    return mock.messages.isEmpty
      ? "\(text) with \(status)" : "\(text) with \(quoted(mock.messages)), and \(status)"
  }

  private func phrase(_ rewrite: RewriteScript) -> [String] {
    var texts: [String] = []
    if let host = rewrite.host { texts.append("sends calls to \(names.host(host)) instead") }
    if let path = rewrite.path { texts.append("asks for \(VisibleText.of(path)) instead") }
    if let safety = rewrite.safety { texts.append("makes calls \(Self.phrase(safety))") }
    if !rewrite.metadata.isEmpty { texts.append("adds \(headers(rewrite.metadata, "header"))") }
    if !rewrite.prefix.isEmpty {
      texts.append("puts \(quoted([rewrite.prefix])) before what is sent")
    }
    if !rewrite.answerPrefix.isEmpty {
      texts.append("puts \(quoted([rewrite.answerPrefix])) before what comes back")
    }
    if !rewrite.trailers.isEmpty { texts.append("adds \(headers(rewrite.trailers, "trailer"))") }
    if let deadline = rewrite.deadline {
      texts.append("gives calls a deadline of \(deadline.exactText)")
    }
    if let failFast = rewrite.failFast {
      texts.append(
        failFast
          ? "lets calls fail if their channel has failed"
          : "lets calls wait if their channel has failed")
    }
    if let flowControl = rewrite.hasFlowControl {
      texts.append(
        flowControl
          ? "lets messages come only as they are asked for" : "lets messages come unasked")
    }
    let options = ScriptNames.options(rewrite.options)
    if !options.isEmpty { texts.append("asks for \(options)") }
    if rewrite.links != nil { texts.append("names other interceptors, without effect") }
    return texts
  }

  // MARK: Calls

  /// Returns the details of a call that concern its chain.
  func chainDetails(of call: ScriptCall) -> [String] {
    let chain = script.configuration.chain
    guard !chain.links.isEmpty else { return [] }
    guard call.isIntercepted(by: chain) else { return ["it goes through no interceptor"] }
    var details: [String] = []
    if call.path != ScriptCall(id: "", host: 0, kind: .unary, takes: nil).path {
      details.append("it asks for \(VisibleText.of(call.path))")
    }
    if call.safety != .standard { details.append("it is \(Self.phrase(call.safety))") }
    if !call.metadata.isEmpty { details.append("it has \(headers(call.metadata, "header"))") }
    if call.hasFlowControl { details.append("its messages come only as they are asked for") }
    switch call.marshaller {
    case nil: break
    case .reversed:
      details.append("its messages are written from last to first behind all interceptors")
    case .unwritable: details.append("no bytes can be made of its messages")
    case .unreadable: details.append("no messages can be made of the bytes it gets")
    }
    return details
  }

  private static func phrase(_ safety: CallSafety) -> String {
    switch safety {
    case .standard: "neither idempotent nor cacheable"
    case .idempotent: "idempotent"
    case .cacheable: "cacheable"
    }
  }

  private func headers(_ headers: [ScriptHeader], _ noun: String) -> String {
    let texts = headers.map { "\"\(VisibleText.of($0.key)): \(VisibleText.of($0.value))\"" }
    return "the \(noun)\(headers.count == 1 ? "" : "s") \(ScriptNames.listed(texts))"
  }

  private func quoted(_ texts: [String]) -> String {
    ScriptNames.listed(texts.map { "\"\(VisibleText.of($0))\"" })
  }
}
