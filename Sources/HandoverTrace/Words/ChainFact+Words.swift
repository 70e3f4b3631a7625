import HandoverCore

// The words of what happens in the chain of a call, and their parts.
extension ChainFact: CodedRecord {
  package static let examples: [ChainFact] = [
    .linkMade(call: 0, link: 0), .linkSkipped(call: 0, link: 0), .linkLeft(call: 0, link: 0),
    .took(call: 0, link: 0, ChainStep.allCases[0]), .noted(call: 0, link: 0, text: 0),
    .broke(call: 0, link: 0, InterceptorBreach.allCases[0]), .attempted(call: 0, target: 0),
    .sentHeader(call: 0, text: 0), .sentMessage(call: 0, text: 0),
    .heard(call: 0, ChainStep.allCases[0], text: 0), .closed(call: 0, CallEnd(.ok, .empty)),
    .trailer(call: 0, text: 0),
  ]

  package func coded<Coder: RecordCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> ChainFact {
    switch self {
    case .linkMade(let call, let link):
      return .linkMade(call: try coder.begin("linkMade", call: call), link: try coder.link(link))
    case .linkSkipped(let call, let link):
      return .linkSkipped(
        call: try coder.begin("linkSkipped", call: call), link: try coder.link(link))
    case .linkLeft(let call, let link):
      return .linkLeft(call: try coder.begin("linkLeft", call: call), link: try coder.link(link))
    case .took(let call, let link, let step):
      return .took(
        call: try coder.begin("took", call: call), link: try coder.link(link), try coder.step(step))
    case .noted(let call, let link, let text):
      return .noted(
        call: try coder.begin("noted", call: call), link: try coder.link(link),
        text: try coder.text(text))
    case .broke(let call, let link, let breach):
      return .broke(
        call: try coder.begin("broke", call: call), link: try coder.link(link),
        try coder.word("breach", breach, among: InterceptorBreach.allCases) { $0.rawValue })
    case .attempted(let call, let target):
      return .attempted(
        call: try coder.begin("attempted", call: call), target: try coder.text(target))
    case .sentHeader(let call, let text):
      return .sentHeader(
        call: try coder.begin("sentHeader", call: call), text: try coder.text(text))
    case .sentMessage(let call, let text):
      return .sentMessage(
        call: try coder.begin("sentMessage", call: call), text: try coder.text(text))
    case .heard(let call, let step, let text):
      return .heard(
        call: try coder.begin("heard", call: call), try coder.step(step), text: try coder.text(text)
      )
    case .closed(let call, let end):
      let call = try coder.begin("closed", call: call)
      let code = try coder.status(end.code)
      let text = try coder.word("message", end.text, among: StatusText.allCases) { $0.text }
      return .closed(call: call, CallEnd(code, text))
    case .trailer(let call, let text):
      return .trailer(call: try coder.begin("trailer", call: call), text: try coder.text(text))
    }
  }
}
