// The keywords and parts of events of requests.
extension RequestFact: CodedRecord {
  package static let examples: [RequestFact] =
    [
      .answered(question: 0, .startsNow), .heldSlot(question: 0, request: 0),
      .arrived(request: 0, nil), .limitReached(request: 0), .waits(request: 0, position: 0),
      .handedOver(request: 0), .froze(request: 0), .thawed(request: 0),
      .connectionOpened(0, host: 0, pool: 0, nil), .runsOn(request: 0, thread: 0),
      .carried(request: 0, connection: 0), .retried(request: 0, connection: 0),
      .responded(request: 0), .received(request: 0),
      .pollAnswered(request: 0), .connectionClosed(0), .connectionLost(0),
      .slotReleased(request: 0), .ended(request: 0, .finished), .longLimitChanged(pool: 0, 0),
      .dispatcherClosed(pool: 0), .answered(question: 0, .waits(position: 0)),
      .answered(question: 0, .refused(.closed)), .arrived(request: 0, .waits(position: 0)),
      .arrived(request: 0, .refused(.closed)), .ended(request: 0, .failed(code: 0)),
    ]
    + [ThreadChange.made, .rests, .collected, .ended].map { .thread($0, 0, host: 0, pool: 0) }

  package func coded<Coder: RecordCoder>(  // long: a flat switch, one case for each word
    by coder: inout Coder
  ) throws(Coder.Failure) -> RequestFact {
    switch self {
    case .answered(let question, let answer):
      coder.begin("answered")
      return .answered(
        question: try coder.index(of: .question, question), try coder.admission(answer))
    case .heldSlot(let question, let request):
      coder.begin("heldSlot")
      return .heldSlot(
        question: try coder.index(of: .question, question),
        request: try coder.index(of: .request, request))
    case .arrived(let request, let admission):
      let request = try coder.begin("arrived", request: request)
      let isUnknown = try coder.null("admission", admission == nil)
      return .arrived(
        request: request, isUnknown ? nil : try coder.admission(admission ?? .startsNow))
    case .limitReached(let request):
      return .limitReached(request: try coder.begin("limitReached", request: request))
    case .waits(let request, let position):
      return .waits(
        request: try coder.begin("waits", request: request),
        position: try coder.number("position", position))
    case .handedOver(let request):
      return .handedOver(request: try coder.begin("handedOver", request: request))
    case .froze(let request): return .froze(request: try coder.begin("froze", request: request))
    case .thawed(let request): return .thawed(request: try coder.begin("thawed", request: request))
    case .connectionOpened(let connection, let host, let pool, let path):
      coder.begin("connectionOpened")
      return .connectionOpened(
        try coder.number("load", connection), host: try coder.index(of: .host, host),
        pool: try coder.index(of: .pool, pool), try coder.path(path))
    case .thread(let change, let thread, let host, let pool):
      coder.begin(change.traceName)
      return .thread(
        change, try coder.number("thread", thread), host: try coder.index(of: .host, host),
        pool: try coder.index(of: .pool, pool))
    case .runsOn(let request, let thread):
      return .runsOn(
        request: try coder.begin("runsOn", request: request),
        thread: try coder.number("thread", thread))
    case .carried(let request, let connection):
      return .carried(
        request: try coder.begin("carried", request: request),
        connection: try coder.number("load", connection))
    case .retried(let request, let connection):
      return .retried(
        request: try coder.begin("retried", request: request),
        connection: try coder.number("load", connection))
    case .responded(let request):
      return .responded(request: try coder.begin("responded", request: request))
    case .received(let request):
      return .received(request: try coder.begin("received", request: request))
    case .pollAnswered(let request):
      return .pollAnswered(request: try coder.begin("pollAnswered", request: request))
    case .connectionClosed(let connection):
      coder.begin("connectionClosed")
      return .connectionClosed(try coder.number("load", connection))
    case .connectionLost(let connection):
      coder.begin("connectionLost")
      return .connectionLost(try coder.number("load", connection))
    case .slotReleased(let request):
      return .slotReleased(request: try coder.begin("slotReleased", request: request))
    case .ended(let request, let end):
      return .ended(request: try coder.begin("ended", request: request), try coder.end(end))
    case .longLimitChanged(let pool, let long):
      coder.begin("longLimitChanged")
      return .longLimitChanged(
        pool: try coder.index(of: .pool, pool), try coder.number("long", long))
    case .dispatcherClosed(let pool):
      coder.begin("dispatcherClosed")
      return .dispatcherClosed(pool: try coder.index(of: .pool, pool))
    }
  }
}

extension ThreadChange {
  package var traceName: String {
    switch self {
    case .made: "threadMade"
    case .rests: "threadRests"
    case .collected: "threadCollected"
    case .ended: "threadEnded"
    }
  }
}

extension RequestRefusal {
  package var traceName: String {
    switch self {
    case .longLimitThrowing: "throws"
    case .longLimitFailing: "fails"
    case .closed: "closed"
    }
  }

  package static let all: [RequestRefusal] = [.longLimitThrowing, .longLimitFailing, .closed]
}

extension RequestEnd {
  package var traceName: String {
    switch self {
    case .finished: "finished"
    case .failed: "failed"
    case .notStarted: "notStarted"
    case .connectionLost: "connectionLost"
    case .timedOut: "timedOut"
    case .queueTimeout: "heldBack"
    case .deadlineExceeded: "deadlineExceeded"
    case .cancelled: "cancelled"
    case .closed: "closed"
    }
  }

  /// All ends; the code of `.failed` is a placeholder.
  package static let all: [RequestEnd] = [
    .finished, .failed(code: 0), .notStarted, .connectionLost, .timedOut, .queueTimeout,
    .deadlineExceeded, .cancelled, .closed,
  ]
}
