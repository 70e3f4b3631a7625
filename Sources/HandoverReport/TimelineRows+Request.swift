import HandoverCore
import HandoverTrace

// Requests, in rows: what becomes of them in the column of calls, connections in that of channels.
extension TimelineRows {
  mutating func describe(_ fact: RequestFact) {
    switch fact {
    case .answered(let question, let answer):
      add(.calls, "\(name(question: question)): \(Self.words(answer))")
    case .arrived(let request, let admission):
      add(.calls, name(request: request) + (admission.map { ": \(Self.words($0))" } ?? ""))
    case .limitReached(let request):
      add(.calls, "user told: the limit is reached for \(name(request: request))")
    case .waits(let request, let position):
      add(.calls, "\(name(request: request)) waits at place \(position)")
    case .froze(let request): add(.calls, "\(name(request: request)) freezes")
    case .thawed(let request): add(.calls, "\(name(request: request)) thaws")
    case .connectionOpened(let connection, let host, _, let path):
      add(
        .channels,
        "connection \(connection + 1)\(suffix(host: Int(host), " to ")) "
          + (path.map { "on \(name($0))" } ?? "without a network"))
    case .connectionClosed(let connection):
      add(.channels, "connection \(connection + 1) closed")
    case .connectionLost(let connection):
      add(.channels, "connection \(connection + 1) lost")
    case .carried(let request, let connection):
      add(.calls, "\(name(request: request)) on connection \(connection + 1)")
    case .thread(let change, let thread, let host, _):
      add(.channels, "thread \(thread)\(suffix(host: Int(host), " for ")) " + Self.words(change))
    case .runsOn(let request, let thread):
      add(.calls, "\(name(request: request)) on thread \(thread)")
    case .responded(let request): add(.calls, "\(name(request: request)) responded")
    case .received(let request):
      fold(.calls, "\(name(request: request)): ", one: "part", many: "parts")
    case .pollAnswered(let request):
      fold(.calls, "\(name(request: request)): ", one: "poll answered", many: "polls answered")
    case .ended(let request, let end):
      let code = end.errorCode.map { " (\($0))" } ?? ""
      add(
        .calls, "\(name(request: request)) ends \(RequestOutcome(end).rawValue)\(code)")
    case .longLimitChanged(_, let long): add(.calls, "long limit is \(long)")
    case .dispatcherClosed: add(.calls, "dispatcher closed")
    // They repeat what other rows say.
    case .heldSlot, .handedOver, .slotReleased: break
    }
  }

  private static func words(_ change: ThreadChange) -> String {
    switch change {
    case .made: "made"
    case .rests: "idle"
    case .collected: "collected"
    case .ended: "ends"
    }
  }

  private static func words(_ admission: Admission) -> String {
    let word = AdmissionWord(admission).rawValue
    switch admission {
    case .waits(let position), .polls(let position): return "\(word), place \(position)"
    case .startsNow, .refused, .freezes: return word
    }
  }

  func name(request index: UInt32) -> String {
    index < script.requests.count ? VisibleText.of(script.requests[Int(index)].id) : "unknown"
  }

  private func name(question index: UInt32) -> String {
    index < script.questions.count
      ? "asked \(VisibleText.of(script.questions[Int(index)].id))" : "asked"
  }
}
