import HandoverDispatcher
package import HandoverMachines

/// The counterexample of a dispatcher as a scenario file; callers run it before they show it.
///
/// A unit of the exploration is one second. A server answers at the time at which the exploration
/// finished the request. Events that no server can cause are omitted, such as a request that the
/// transport could not start.
package struct DispatcherScenario: Hashable, Sendable {
  /// The text of the file.
  package let text: String

  /// Creates the scenario of a counterexample.
  package init(
    _ counterexample: DispatcherCounterexample, _ setup: DispatcherSetup, on profile: Profile
  ) {
    var path = DispatcherPath(setup)
    path.play(counterexample)
    if counterexample.breach == .waitsBesideFreeSlot { path.expectRunning(after: counterexample) }
    text = path.text(counterexample.breach, profile)
  }
}

private struct DispatcherPath {
  private struct Request {
    var endpoint: Int
    var shape: DispatcherSetup.Shape
    var arrived: Instant
    var began: Instant?
    var responds: Interval?
    var takes: Interval?
    var cancelled: Instant?
  }

  private let setup: DispatcherSetup
  private var entries: [(at: Instant, text: String, request: Int?)] = []
  private var requests: [Request] = []
  private var places: [RequestID: Int] = [:]  // lookup only
  private var hasBudget = false
  private var isOnWiFi = true

  /// The number of requests per endpoint that a correct dispatcher runs at the end, and the instant
  /// of the end.
  ///
  /// The array is empty if the violation does not concern a free slot.
  private var running: [Int] = []
  private var end = Instant.zero

  init(_ setup: DispatcherSetup) { self.setup = setup }

  /// Computes which requests a correct dispatcher runs at the end.
  ///
  /// A dispatcher without the injected bug behaves identically up to the last action, and then
  /// starts every request that may run.
  mutating func expectRunning(after counterexample: DispatcherCounterexample) {
    var right = setup
    right.defects = []
    var log = EffectLog<DispatcherEffect>()
    var state = DispatcherState(right)
    for act in counterexample.acts {
      _ = state.play(act, right.shapes, &log)
    }
    let model = state.model
    running = (0..<setup.endpoints).map {
      model.count(on: UInt32(truncatingIfNeeded: $0), where: \.holdsSlot)
    }
    end = state.now
  }

  mutating func play(_ counterexample: DispatcherCounterexample) {
    let shapes = setup.shapes
    var log = EffectLog<DispatcherEffect>()
    var state = DispatcherState(setup)
    for act in counterexample.acts {
      let subject = Int(act.subject)
      let known = subject < state.model.requests.count ? state.model.requests[subject].id : nil
      if act.kind == .arrives { places[state.dispatcher.nextRequestID] = requests.count }
      write(act, known.flatMap { places[$0] }, shapes, at: state.now)
      _ = state.play(act, shapes, &log)
      for request in state.model.requests where request.holdsSlot || request.phase == .exempt {
        guard let place = places[request.id] else { continue }
        requests[place].began = requests[place].began ?? state.now
      }
    }
  }

  // long: a flat switch with a few lines per action
  private mutating func write(
    _ act: DispatcherAction, _ request: Int?, _ shapes: [DispatcherSetup.Shape], at now: Instant
  ) {
    let subject = Int(act.subject)
    func since(_ start: Instant?) -> Interval {
      Interval(microseconds: now.microseconds - (start ?? now).microseconds)
    }
    switch act.kind {
    case .arrives:
      entries.append((now, "", requests.count))
      requests.append(
        Request(endpoint: subject, shape: shapes[Int(act.detail)], arrived: now))
    case .finished, .pollAnswered:
      if let request { requests[request].takes = since(requests[request].began) }
    case .responded:
      if let request { requests[request].responds = since(requests[request].began) }
    case .failed:
      guard let request else { return }
      let host = name(requests[request].endpoint)
      entries.append((now, #""server": { "host": "\#(host)", "do": "reset" }"#, nil))
    case .cancelled:
      guard let request else { return }
      requests[request].cancelled = now
      entries.append((now, #""cancel": "\#(id(request))""#, nil))
    case .connectionsLost:
      isOnWiFi.toggle()
      let flags = isOnWiFi ? #"["Reachable"]"# : #"["Reachable", "IsWWAN"]"#
      entries.append((now, #""flags": \#(flags)"#, nil))
    case .budget:
      hasBudget = true
    case .longLimit:
      entries.append((now, #""dispatcher": { "do": "limit", "long": \#(subject) }"#, nil))
    case .notStarted, .noBudget, .timePasses:
      break
    }
  }

  private func name(_ endpoint: Int) -> String { "host-\(endpoint + 1).example:80" }
  private func id(_ request: Int) -> String { "request-\(request + 1)" }

  func text(_ breach: DispatcherViolation, _ profile: Profile) -> String {
    let streams = hasBudget ? #""streams": \#(setup.limits.total + 1)"# : ""
    let hosts = (0..<setup.endpoints).map { #""\#(name($0))": { \#(streams) }"# }
    let timeline = entries.map { entry in
      #"    { "at": "\#(entry.at.text)", \#(entry.request.map(text(of:)) ?? entry.text) }"#
    }
    return """
      {
        "format": 1,
        "id": "explored/dispatcher-rule-\(breach.rule.rawValue)",
        "title": "Invariant \(breach.rule.rawValue) is violated: \(breach.rule.sentence)",
        "profiles": ["\(profile.name)"],
        "initial": { "flags": ["Reachable"] },
        "hosts": { \(hosts.joined(separator: ", ")) },
        "config": {
          "requests": { "total": \(setup.limits.total), "long": \(setup.limits.long) },
          "until": "1h"
        },
        "timeline": [
      \(timeline.joined(separator: ",\n"))
        ],
        "expect": [
      \(expectations.joined(separator: ",\n"))
        ]
      }

      """
  }

  /// The expectations that a correct dispatcher meets: cancelled requests end, and no request
  /// outlives its time.
  private var expectations: [String] {
    let running = running.enumerated().map { endpoint, count in
      #"    { "requests": { "host": "\#(name(endpoint))", "running": \#(count) }, "#
        + #""at": "\#(end.text)" }"#
    }
    return running + ends
  }

  private var ends: [String] {
    requests.indices.compactMap { index in
      let request = requests[index]
      if let cancelled = request.cancelled {
        return
          #"    { "request": "\#(id(index))", "before": "\#((cancelled + .seconds(1)).text)" }"#
      }
      let isBounded = request.shape.kind == .synchronous || request.shape.deadline != nil
      guard isBounded else { return nil }
      let end = request.arrived + .seconds(3)
      return #"    { "request": "\#(id(index))", "before": "\#(end.text)" }"#
    }
  }

  private func text(of index: Int) -> String {
    let request = requests[index]
    let kind = request.shape.kind == .exempt ? "websocket" : "\(request.shape.kind)"
    var parts = [
      #""id": "\#(id(index))", "host": "\#(name(request.endpoint))", "kind": "\#(kind)""#,
      #""timeout": "\#(DispatcherSetup.Shape.interval(request.shape.timeout).text)""#,
      #""takes": "\#((request.takes ?? .seconds(30)).text)""#,
    ]
    if let responds = request.responds, responds <= request.takes ?? .seconds(30) {
      parts.append(#""responds": "\#(responds.text)""#)
    } else if request.takes == nil {
      parts.append(#""responds": "30s""#)
    }
    if let deadline = request.shape.deadline {
      parts.append(#""deadline": "\#(DispatcherSetup.Shape.interval(deadline).text)""#)
    }
    switch request.shape.policy {
    case nil: break
    case .throw: parts.append(#""policy": "throw""#)
    case .fail: parts.append(#""policy": "fail""#)
    case .enqueue: parts.append(#""policy": "enqueue""#)
    case .ignore: parts.append(#""policy": "ignore""#)
    case .takeSpare: parts.append(#""policy": "take-spare""#)
    case .poll: parts.append(#""policy": "poll", "poll": "1s""#)
    }
    return #""request": { \#(parts.joined(separator: ", ")) }"#
  }
}
