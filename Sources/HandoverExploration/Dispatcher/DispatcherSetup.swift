package import HandoverCore

/// The subject of the exploration of a request dispatcher: its limits and the possible events.
package struct DispatcherSetup: Hashable, Sendable {
  /// The possible numbers of simultaneous requests.
  package static let requestRange = 1...6

  /// The numbers of concurrent requests and of concurrent long requests that an endpoint may run.
  package var limits: ConnectionLimits
  /// The maximum number of simultaneous requests, over all endpoints.
  package var requests: Int
  /// The number of endpoints.
  package var endpoints: Int
  /// Whether to explore deadlines, every policy, lost connections, changes of the limit, and stream
  /// budgets.
  package var isFull: Bool
  /// Bugs that are injected into the dispatcher, to test that the exploration detects them.
  package var defects: DispatcherDefects

  /// Creates a setup.
  ///
  /// - Throws: A `ConnectionLimitsError` if the limits are invalid.
  package init(
    total: UInt32 = 2, requests: Int = 3, endpoints: Int = 1, isFull: Bool = true,
    defects: DispatcherDefects = []
  ) throws(ConnectionLimitsError) {
    precondition(Self.requestRange.contains(requests) && endpoints > 0)
    limits = try ConnectionLimits(total: total, long: total / 2)
    self.requests = requests
    self.endpoints = endpoints
    self.isFull = isFull
    self.defects = defects
  }

  /// The unit of time; every timeout, deadline and pause is a small multiple of it.
  static let unit = Interval.seconds(1)

  /// The properties of a request that arrives.
  struct Shape: Hashable, Sendable {
    var kind: RequestKind
    /// The timeout in units, or zero for none.
    var timeout = 2
    /// The deadline in units, or `nil` for none.
    var deadline: Int?
    var policy: LongLimitPolicy?

    func settings(at now: Instant) -> RequestSettings {
      RequestSettings(
        kind, timeout: Self.interval(timeout),
        deadline: deadline.map { now + Self.interval($0) } ?? .never, policy: policy)
    }

    static func interval(_ units: Int) -> Interval {
      Interval(microseconds: Int64(units) * DispatcherSetup.unit.microseconds)
    }
  }

  /// Every kind of request that can arrive.
  var shapes: [Shape] {
    var shapes = [
      Shape(kind: .synchronous), Shape(kind: .short), Shape(kind: .short, timeout: 0),
      Shape(kind: .long, policy: .throw), Shape(kind: .long, policy: .enqueue),
    ]
    guard isFull else { return shapes }
    shapes += [
      Shape(kind: .short, timeout: 2, deadline: 1), Shape(kind: .exempt),
      Shape(kind: .long, policy: .fail), Shape(kind: .long, policy: .ignore),
      Shape(kind: .long, policy: .takeSpare), Shape(kind: .long, policy: .poll(every: Self.unit)),
    ]
    return shapes
  }

  func makeDispatcher() -> EndpointDispatcher {
    var dispatcher = EndpointDispatcher(
      DispatcherConfiguration(limits: limits, defects: defects))
    for endpoint in 0..<endpoints {
      guard let key = EndpointKey(host: "host-\(endpoint + 1).example", port: 80) else { continue }
      _ = dispatcher.register(key)
    }
    return dispatcher
  }
}

/// An action: one thing that can happen to a dispatcher.
package struct DispatcherAction: BitwiseCopyable, Hashable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// A request of a shape arrives at an endpoint.
    case arrives
    // Events of a request, which is given by its position in the order of arrival.
    case responded, pollAnswered, finished, failed, notStarted, cancelled
    /// Events of an endpoint.
    case connectionsLost, budget, noBudget
    /// The long limit changes.
    case longLimit
    /// One unit of time passes.
    case timePasses
  }

  package var kind: Kind
  package var subject: UInt8
  package var detail: UInt8

  package init(_ kind: Kind, _ subject: Int = 0, _ detail: Int = 0) {
    self.kind = kind
    self.subject = UInt8(truncatingIfNeeded: subject)
    self.detail = UInt8(truncatingIfNeeded: detail)
  }

  /// Returns a one-line description of the action.
  package func sentence(in setup: DispatcherSetup) -> String {
    let request = "request \(subject + 1)"
    let endpoint = "endpoint \(subject + 1)"
    return switch kind {
    case .arrives: "a request arrives at endpoint \(subject + 1): \(shapeText(setup))"
    case .responded: "the headers of \(request) arrive"
    case .pollAnswered: "a poll of \(request) is answered"
    case .finished: "\(request) is finished"
    case .failed: "\(request) fails"
    case .notStarted: "the transport could not begin \(request)"
    case .cancelled: "the user cancels \(request)"
    case .connectionsLost: "all connections to \(endpoint) are lost"
    case .budget: "\(endpoint) accepts \(detail) concurrent streams"
    case .noBudget: "\(endpoint) no longer uses HTTP/2"
    case .longLimit: "the long limit is \(subject)"
    case .timePasses: "a second passes"
    }
  }

  private func shapeText(_ setup: DispatcherSetup) -> String {
    let shapes = setup.shapes
    let shape = shapes[min(Int(detail), shapes.count - 1)]
    let policy =
      switch shape.policy {
      case nil: ""
      case .throw: ", else refused"
      case .fail: ", else failing"
      case .enqueue: ", else waiting"
      case .ignore: ", else frozen"
      case .takeSpare: ", else on a spare slot"
      case .poll: ", else in polls"
      }
    let timeout = shape.timeout == 0 ? ", without a timeout" : ""
    let deadline = shape.deadline == nil ? "" : ", with a deadline"
    return "\(shape.kind)\(policy)\(timeout)\(deadline)"
  }
}
