import HandoverCore
import HandoverTrace

// What happened to requests.
extension RecordParts {
  /// What happened to a request; nil where there is nothing of that name.
  func requestFact() throws(InputError) -> RequestFact? {
    switch name {
    case "answered":
      .answered(question: try place("question", questions), try admission())
    case "heldSlot":
      .heldSlot(question: try place("question", questions), request: try request())
    case "arrived":
      .arrived(
        request: try request(),
        try fields.textOrNull("admission") == nil ? nil : try admission())
    case "limitReached": .limitReached(request: try request())
    case "waits": .waits(request: try request(), position: try number("position"))
    case "handedOver": .handedOver(request: try request())
    case "froze": .froze(request: try request())
    case "thawed": .thawed(request: try request())
    case "connectionOpened":
      .connectionOpened(
        try number("load"), host: try place("host", hosts), pool: try place("pool", pools),
        try path())
    case "carried": .carried(request: try request(), connection: try number("load"))
    case "threadMade": try thread(.made)
    case "threadRests": try thread(.rests)
    case "threadCollected": try thread(.collected)
    case "threadEnded": try thread(.ended)
    case "runsOn": .runsOn(request: try request(), thread: try number("thread"))
    case "responded": .responded(request: try request())
    case "received": .received(request: try request())
    case "pollAnswered": .pollAnswered(request: try request())
    case "connectionClosed": .connectionClosed(try number("load"))
    case "connectionLost": .connectionLost(try number("load"))
    case "slotReleased": .slotReleased(request: try request())
    case "ended": .ended(request: try request(), try end())
    case "longLimitChanged":
      .longLimitChanged(pool: try place("pool", pools), try number("long"))
    case "dispatcherClosed": .dispatcherClosed(pool: try place("pool", pools))
    default: nil
    }
  }

  private func request() throws(InputError) -> UInt32 { try place("request", requests) }

  private func thread(_ change: ThreadChange) throws(InputError) -> RequestFact {
    .thread(
      change, try number("thread"), host: try place("host", hosts), pool: try place("pool", pools))
  }

  private func admission() throws(InputError) -> Admission {
    switch try fields.word("admission", among: AdmissionWord.allCases, spelt: { $0.rawValue }) {
    case .startsNow: .startsNow
    case .waits: .waits(position: try number("position"))
    case .refused:
      .refused(try fields.word("refusal", among: RequestRefusal.all) { $0.traceName })
    case .freezes: .freezes
    case .polls: .polls(position: try number("position"))
    }
  }

  private func end() throws(InputError) -> RequestEnd {
    let end = try fields.word("end", among: RequestEnd.all) { $0.traceName }
    guard case .failed = end else { return end }
    return .failed(code: try fields.number("code", in: Int32.min...Int32.max))
  }
}
