package import HandoverCore

// What happened to requests.
extension TraceWriter {
  mutating func write(_ fact: RequestFact) {
    switch fact {
    case .answered(let question, let answer):
      begin("answered")
      write(question: question)
      write(answer)
    case .heldSlot(let question, let request):
      begin("heldSlot")
      write(question: question)
      write(requestAt: request)
    case .arrived(let request, let admission):
      begin("arrived", requestAt: request)
      if let admission { write(admission) } else { json.member("admission", nil as String?) }
    case .limitReached(let request): begin("limitReached", requestAt: request)
    case .waits(let request, let position):
      begin("waits", requestAt: request)
      json.member("position", Int(position))
    case .handedOver(let request): begin("handedOver", requestAt: request)
    case .froze(let request): begin("froze", requestAt: request)
    case .thawed(let request): begin("thawed", requestAt: request)
    case .connectionOpened(let connection, let host, let pool, let path):
      begin("connectionOpened", load: connection)
      write(host: host)
      write(pool: pool)
      write(path)
    case .carried(let request, let connection):
      begin("carried", requestAt: request)
      json.member("load", Int(connection))
    case .thread(let change, let thread, let host, let pool):
      begin(change.traceName)
      json.member("thread", Int(thread))
      write(host: host)
      write(pool: pool)
    case .runsOn(let request, let thread):
      begin("runsOn", requestAt: request)
      json.member("thread", Int(thread))
    case .responded(let request): begin("responded", requestAt: request)
    case .received(let request): begin("received", requestAt: request)
    case .pollAnswered(let request): begin("pollAnswered", requestAt: request)
    case .connectionClosed(let connection): begin("connectionClosed", load: connection)
    case .connectionLost(let connection): begin("connectionLost", load: connection)
    case .slotReleased(let request): begin("slotReleased", requestAt: request)
    case .ended(let request, let end):
      begin("ended", requestAt: request)
      json.member("end", end.traceName)
      if case .failed(let code) = end { json.member("code", Int(code)) }
    case .longLimitChanged(let pool, let long):
      begin("longLimitChanged")
      write(pool: pool)
      json.member("long", Int(long))
    case .dispatcherClosed(let pool):
      begin("dispatcherClosed")
      write(pool: pool)
    }
    json.endObject()
  }

  private mutating func begin(_ name: String, requestAt place: UInt32) {
    begin(name)
    write(requestAt: place)
  }

  private mutating func begin(_ name: String, load connection: UInt32) {
    begin(name)
    json.member("load", Int(connection))
  }

  private mutating func write(requestAt place: UInt32) {
    let known = place < script.requests.count
    write("request", place, known ? script.requests[Int(place)].id : nil)
  }

  private mutating func write(question place: UInt32) {
    let known = place < script.questions.count
    write("question", place, known ? script.questions[Int(place)].id : nil)
  }

  private mutating func write(pool place: UInt32) {
    let known = place < script.pools.count
    write("pool", place, known ? script.pools[Int(place)] : nil)
  }

  /// Writes a name, or the place itself where the script has no such thing.
  private mutating func write(_ key: String, _ place: UInt32, _ name: String?) {
    json.key(key)
    if let name { json.value(name) } else { json.value(place) }
  }

  private mutating func write(_ admission: Admission) {
    json.member("admission", AdmissionWord(admission).rawValue)
    switch admission {
    case .waits(let position), .polls(let position): json.member("position", Int(position))
    case .refused(let refusal): json.member("refusal", refusal.traceName)
    case .startsNow, .freezes: break
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
    case .heldBackThrowing: "throws"
    case .heldBackFailing: "fails"
    case .closed: "closed"
    }
  }

  package static let all: [RequestRefusal] = [.heldBackThrowing, .heldBackFailing, .closed]
}

extension RequestEnd {
  package var traceName: String {
    switch self {
    case .finished: "finished"
    case .failed: "failed"
    case .notStarted: "notStarted"
    case .connectionLost: "connectionLost"
    case .timedOut: "timedOut"
    case .heldBack: "heldBack"
    case .deadlineExceeded: "deadlineExceeded"
    case .cancelled: "cancelled"
    case .closed: "closed"
    }
  }

  /// Every end; that of a transport with no code of its own.
  package static let all: [RequestEnd] = [
    .finished, .failed(code: 0), .notStarted, .connectionLost, .timedOut, .heldBack,
    .deadlineExceeded, .cancelled, .closed,
  ]
}
