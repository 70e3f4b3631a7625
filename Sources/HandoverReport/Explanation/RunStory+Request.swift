import HandoverCore
import HandoverEngine

// Sentences about requests, with and without a dispatcher in front of the platform.
extension RunStory {
  mutating func describe(_ fact: RequestFact) {
    guard append(fact.sentence(self)) else { return }
    switch fact {
    case .answered(let question, let answer):
      let pool = script.questions[Int(question)].pool
      say(
        "\(self.question(question)), \(names.dispatcher(pool)) answers that such a "
          + "request \(Self.would(answer))", "U19")
    case .arrived(let request, let admission):
      arrived(Int(request), admission)
    default: break
    }
  }

  private mutating func arrived(_ index: Int, _ admission: Admission?) {
    let request = names.request(index)
    guard let admission else {
      // Only URL loading hides the course of a request.
      if profile.rules.contains(.requestLimits) {
        say("\(request) is handed to the OS; its further course cannot be observed", "U24")
      }
      return
    }
    switch admission {
    case .startsNow: say("\(request) is admitted and starts immediately")
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
        "\(request) becomes a series of short requests"
          + (position > 0 ? "; the first waits at place \(position)" : ""))
    }
  }

  private static func would(_ answer: Admission) -> String {
    switch answer {
    case .startsNow: "would start immediately"
    case .waits(let position): "would wait at place \(position)"
    case .refused: "would be refused"
    case .freezes: "would freeze"
    case .polls: "would become a series of short requests"
    }
  }
}
