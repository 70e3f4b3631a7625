// The keywords, parts and descriptions of events in the interceptor chain of a call.
extension ChainFact: CodedRecord {
  package static let examples: [ChainFact] = [
    .linkMade(call: 0, link: 0), .linkSkipped(call: 0, link: 0), .linkLeft(call: 0, link: 0),
    .took(call: 0, link: 0, ChainStep.allCases[0]), .noted(call: 0, link: 0, text: 0),
    .broke(call: 0, link: 0, InterceptorViolation.allCases[0]), .attempted(call: 0, target: 0),
    .sentHeader(call: 0, text: 0), .sentMessage(call: 0, text: 0),
    .received(call: 0, ChainStep.allCases[0], text: 0), .closed(call: 0, CallEnd(.ok, .empty)),
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
    case .broke(let call, let link, let violation):
      return .broke(
        call: try coder.begin("broke", call: call), link: try coder.link(link),
        try coder.keyword("breach", violation, among: InterceptorViolation.allCases) { $0.rawValue }
      )
    case .attempted(let call, let target):
      return .attempted(
        call: try coder.begin("attempted", call: call), target: try coder.text(target))
    case .sentHeader(let call, let text):
      return .sentHeader(
        call: try coder.begin("sentHeader", call: call), text: try coder.text(text))
    case .sentMessage(let call, let text):
      return .sentMessage(
        call: try coder.begin("sentMessage", call: call), text: try coder.text(text))
    case .received(let call, let step, let text):
      return .received(
        call: try coder.begin("heard", call: call), try coder.step(step), text: try coder.text(text)
      )
    case .closed(let call, let end):
      let call = try coder.begin("closed", call: call)
      let code = try coder.status(end.code)
      let text = try coder.keyword("message", end.text, among: StatusText.allCases) { $0.text }
      return .closed(call: call, CallEnd(code, text))
    case .trailer(let call, let text):
      return .trailer(call: try coder.begin("trailer", call: call), text: try coder.text(text))
    }
  }
}

extension ChainFact: DescribedFact {
  package func described<Answer>(
    by reader: FactReader<Answer>, _ names: some FactNames
  ) -> Answer {
    switch self {
    case .linkMade(let call, let link):
      reader.describe(
        row: .text(.calls, "\(names.link(link)) made for \(names.call(call))"),
        sentence: .inContext)
    case .linkSkipped(let call, let link):
      reader.describe(
        row: .text(.calls, "no \(names.link(link)) for \(names.call(call))"),
        sentence: .text(
          "\(names.link(link)) is made for no part of \(names.call(call))", items: ["I5"]))
    case .noted(_, let link, let text):
      reader.describe(
        row: .none, sentence: .text("\(names.link(link)) notes \"\(names.text(text))\""))
    case .broke(_, let link, let violation):
      reader.describe(
        row: .text(.calls, "\(names.link(link)) \(violation.phrase)"),
        sentence: .text("\(names.link(link)) \(violation.phrase)"))
    case .attempted(let call, let target):
      reader.describe(
        row: .text(.calls, "\(names.call(call)) attempted: \(names.text(target))"),
        sentence: .text(
          "what comes out of the chain of \(names.call(call)) is a call to \(names.text(target))"))
    case .sentHeader(_, let text):
      reader.describe(row: .none, sentence: .text("it sends the header \(names.text(text))"))
    case .sentMessage(let call, let text):
      reader.describe(
        row: .none,
        sentence: .text("the chain of \(names.call(call)) sends \"\(names.text(text))\""))
    case .received(let call, .message, let text):
      reader.describe(
        row: .none,
        sentence: .text("the user of \(names.call(call)) gets \"\(names.text(text))\""))
    case .received(let call, .metadata, let text):
      reader.describe(
        row: .none,
        sentence: .text("the user of \(names.call(call)) gets the headers \(names.text(text))"))
    case .trailer(_, let text):
      reader.describe(
        row: .none, sentence: .text("with the end comes the trailer \(names.text(text))"))
    case .closed(let call, let end):
      reader.describe(
        row: .text(.calls, "user receives the end of \(names.call(call)): \(end.code)"),
        sentence: .text(
          "\(names.call(call)) ends \(end.code) for its user"
            + (end.text.text.isEmpty ? "" : " with \"\(end.text.text)\"")))
    // Omitted because each hop would add a sentence; other facts describe the results of the hops.
    case .took, .linkLeft, .received: reader.describe(row: .none, sentence: .none)
    }
  }
}
