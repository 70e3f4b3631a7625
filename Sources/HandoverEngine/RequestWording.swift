import HandoverCore
import HandoverScenario

/// Compares expectations about requests with the observed requests, and formats these as text.
struct RequestWording {
  private let names: ScriptNames

  init(_ script: Script) {
    names = ScriptNames(script: script)
  }

  // MARK: Evaluation

  static func holds(_ request: Int, _ wanted: RequestExpectation, _ state: RunProjection) -> Bool {
    let seen = state.requests.requests[request]
    // An expectation without any values requires only that the request has ended.
    guard wanted != RequestExpectation() else { return seen.outcome != nil }
    return (wanted.outcome == nil || wanted.outcome == seen.outcome)
      && (wanted.code == nil || wanted.code == seen.code)
      && (wanted.admission == nil || wanted.admission == seen.admission.map(AdmissionKind.init))
      && (wanted.position == nil || wanted.position == position(seen.admission))
      && (wanted.begins == nil || wanted.begins == seen.begins)
      && (wanted.polls == nil || wanted.polls == seen.polls)
      && (wanted.thread == nil || wanted.thread == seen.thread)
  }

  static func holds(_ question: Int, _ wanted: AnswerExpectation, _ state: RunProjection) -> Bool {
    let seen = state.requests.questions[question]
    return (wanted.answer == nil || wanted.answer == seen.answer.map(AdmissionKind.init))
      && (wanted.position == nil || wanted.position == position(seen.answer))
      && (wanted.holders == nil || wanted.holders == seen.holders)
  }

  static func holds(
    _ host: HostSelector, _ wanted: RequestsExpectation, _ state: RunProjection
  ) -> Bool {
    zip(parts(wanted), parts(state.requests.numbers(of: host))).allSatisfy { wanted, seen in
      wanted.count == nil || wanted.count == seen.count
    }
  }

  private static func position(_ admission: Admission?) -> Int? {
    switch admission {
    case .waits(let position), .polls(let position): Int(position)
    case .startsNow, .refused, .freezes, nil: nil
    }
  }

  /// Returns the counts of an expectation in a fixed order.
  static func counts(_ wanted: RequestsExpectation) -> [Int?] { parts(wanted).map(\.count) }

  private static func parts(_ wanted: RequestsExpectation) -> [(count: Int?, what: String)] {
    [
      (wanted.running, "running"), (wanted.waiting, "waiting"), (wanted.frozen, "frozen"),
      (wanted.ended, "ended"), (wanted.open, "connections open"),
      (wanted.opened, "connections opened"), (wanted.most, "connections open at most"),
      (wanted.limitReached, "notified that the limit is reached"),
      (wanted.threads, "threads"), (wanted.idleThreads, "threads idle"),
      (wanted.threadsMade, "threads made"), (wanted.mostThreads, "threads at most"),
    ]
  }

  // MARK: Observed text

  func seen(_ request: Int, _ wanted: RequestExpectation, _ state: RunProjection) -> TimedText {
    let seen = state.requests.requests[request]
    guard seen.phase != .notMade else { return "it was never made" }
    var parts: [TimedText?] = []
    if wanted.admission != nil || wanted.position != nil {
      parts.append(TimedText(phrase(seen.admission)))
    }
    if wanted.begins != nil {
      parts.append(seen.begins.map { "began at \($0)" } ?? "never began")
    }
    if wanted.polls != nil { parts.append("\(seen.polls) polls answered") }
    if wanted.thread != nil {
      parts.append(seen.thread.map { "ran on thread \($0)" } ?? "ran on no thread")
    }
    parts.append(end(seen))
    return .listed(parts)
  }

  private func end(_ seen: RequestStates.Request) -> TimedText {
    guard let outcome = seen.outcome else {
      return switch seen.phase {
      case .waiting: "it still waited when the run was over"
      case .frozen: "it was still frozen when the run was over"
      case .notMade, .running, .resting, .ended: "it was unfinished when the run was over"
      }
    }
    let code = seen.code.map { " (\($0))" } ?? ""
    return "it ended \(outcome.rawValue)\(code) at \(seen.endedAt)"
  }

  func seen(_ question: Int, _ wanted: AnswerExpectation, _ state: RunProjection) -> TimedText {
    let seen = state.requests.questions[question]
    guard let answer = seen.answer else { return "it was never answered" }
    return TimedText(
      Wording.listed([phrase(answer), wanted.holders.map { _ in holders(seen.holders) }]))
  }

  func seen(_ host: HostSelector, _ wanted: RequestsExpectation, _ state: RunProjection)
    -> TimedText
  {
    .listed(
      zip(Self.parts(wanted), Self.parts(state.requests.numbers(of: host))).map { part, seen in
        part.count.flatMap { _ in seen.count.map { "\($0) \(part.what)" } }
      })
  }

  // MARK: Formatting

  private func phrase(_ admission: Admission?) -> String {
    guard let admission else { return "no dispatcher was asked" }
    let index = Self.position(admission).map { " at place \($0)" } ?? ""
    return AdmissionKind(admission).rawValue + index
  }

  private func holders(_ requests: [Int]) -> String {
    requests.isEmpty
      ? "no slot is held"
      : "slots held by " + Wording.short(requests.lazy.map(names.request), of: requests.count)
  }
}
