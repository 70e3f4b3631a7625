import HandoverCore
import HandoverTrace

// What happens to requests, with a dispatcher before the platform and without.
extension RunStory {
  mutating func describe(_ fact: RequestFact) {
    switch fact {
    case .answered(let question, let answer):
      let pool = script.questions[Int(question)].pool
      say(
        "asked \(names.question(Int(question))), \(names.dispatcher(pool)) says that such a "
          + "request \(Self.would(answer))", "U19")
    case .heldSlot(_, let request):
      say("\(names.request(Int(request))) holds a slot meanwhile")
    case .arrived(let request, let admission):
      arrived(Int(request), admission)
    case .limitReached(let request):
      say("the user is told that the long limit is reached for \(names.request(Int(request)))")
    case .waits(let request, let position):
      say("the next poll of \(names.request(Int(request))) waits at place \(position)")
    case .froze(let request):
      say(
        "no connection is left for \(names.request(Int(request))), which freezes; "
          + "nobody is told", "A3")
    case .thawed(let request): say("\(names.request(Int(request))) has a slot now", "U39")
    case .connectionOpened(let connection, let host, _, let path):
      say(
        "the platform opens connection #\(connection + 1) \(names.way(path))"
          + names.suffix("to", host: Int(host)))
    case .carried(let request, let connection):
      say("connection #\(connection + 1) carries \(names.request(Int(request)))")
    case .thread(let change, let thread, let host, let pool):
      describe(change, "thread #\(thread) of \(threads(Int(host), Int(pool)))")
    case .runsOn(let request, let thread):
      say("thread #\(thread) takes \(names.request(Int(request)))", "U69")
    case .responded(let request):
      say("the headers of \(names.request(Int(request))) arrive")
    case .pollAnswered(let request):
      say("a poll of \(names.request(Int(request))) is answered")
    case .connectionClosed(let connection):
      say("connection #\(connection + 1) is closed")
    case .connectionLost(let connection):
      say("connection #\(connection + 1) is lost")
    case .ended(let request, let end):
      ended(names.request(Int(request)), end)
    case .longLimitChanged(let pool, let long):
      say("\(names.dispatcher(Int(pool))) lets \(long) long requests run from now on", "U10")
    case .dispatcherClosed(let pool):
      say("\(names.dispatcher(Int(pool))) is closed", "U65")
    // Data comes again and again; what is handed over is carried, or freezes; a free slot shows in
    // who starts next.
    case .received, .handedOver, .slotReleased: break
    }
  }

  private mutating func describe(_ change: ThreadChange, _ thread: String) {
    switch change {
    case .made: say("\(thread) is made, because none is idle", "U67")
    case .rests: say("\(thread) has nothing left to do and waits")
    case .collected:
      say("the collector ends \(thread), which has been idle for long enough", "U70")
    case .ended: say("\(thread) ends with its pool")
    }
  }

  private func threads(_ host: Int, _ pool: Int) -> String {
    "\(names.dispatcher(pool))\(names.suffix("for", host: host))"
  }

  private mutating func arrived(_ index: Int, _ admission: Admission?) {
    let request = names.request(index)
    guard let admission else {
      say("\(request) is handed to the platform; nobody can say what becomes of it", "U24")
      return
    }
    switch admission {
    case .startsNow: say("\(request) is admitted and starts at once")
    case .waits(let position): say("\(request) waits for a slot at place \(position)", "U30")
    case .refused(.longLimitThrowing): say("\(request) is refused: the call itself throws", "U25")
    case .refused(.longLimitFailing): say("\(request) is refused: it fails with -1702", "U26")
    case .refused(.closed): say("\(request) is refused: the dispatcher is closed", "U65")
    case .freezes:
      let wanted = names.script.requests[index].policy
      switch wanted ?? names.script.configuration.requests.policy {
      case .takeSpare: say("\(request) goes beyond the long limit, and finds no spare slot")
      case .ignore, .throw, .fail, .enqueue, .poll:
        say("\(request) goes beyond the long limit, which its user ignores", "A26")
      }
    case .polls(let position):
      say(
        "\(request) becomes a row of short requests"
          + (position > 0 ? "; the first waits at place \(position)" : ""))
    }
  }

  private mutating func ended(_ request: String, _ end: RequestEnd) {
    switch end {
    case .finished: say("\(request) finishes")
    case .failed(RequestErrorCode.timedOut):
      say("\(request) ends -1001, as if the network were broken", "A11")
    case .failed(let code): say("\(request) fails with \(code)", "U59")
    case .notStarted: say("the platform cannot begin \(request): it ends -1701", "U81")
    case .connectionLost: say("\(request) ends -1005: its connection is lost")
    case .timedOut: say("the dispatcher's own time-out ends \(request) with -1001", "U44")
    case .queueTimeout: say("\(request) ends: the local limit held it back for too long")
    case .deadlineExceeded: say("\(request) ends: its deadline has passed")
    case .cancelled: say("\(request) ends: its user cancelled it", "U46")
    case .closed: say("\(request) ends: the dispatcher is closed", "U65")
    }
  }

  private static func would(_ answer: Admission) -> String {
    switch answer {
    case .startsNow: "would start at once"
    case .waits(let position): "would wait at place \(position)"
    case .refused: "would be refused"
    case .freezes: "would freeze"
    case .polls: "would become a row of short requests"
    }
  }
}
