import HandoverCore
import HandoverScenario

/// The state of one call's interceptor chain, derived from the records of the run.
struct ChainState {
  /// One interceptor, from its creation on.
  struct Link {
    var position: UInt16
    var sees: [ChainStep] = []
    var breaks: [InterceptorViolation] = []
  }

  private(set) var attempts = 0
  private(set) var links: [Link] = []
  /// The violations by the caller, as opposed to those by an interceptor.
  private(set) var userBreaks: [InterceptorViolation] = []
  /// The host and the path of the last attempt; empty if there is none.
  private(set) var host = ""
  private(set) var path = ""
  private(set) var headers: [String] = []
  private(set) var sent: [String] = []
  private(set) var received: [String] = []
  private(set) var trailers: [String] = []
  /// The end of the call as its caller saw it, or `nil` if the call has not ended.
  private(set) var end: CallEnd?
  private(set) var endedAt = Instant.zero

  /// Returns the interceptor that was created last at a position in the script.
  func link(_ position: Int) -> Link? {
    links.last { $0.position == position }
  }

  mutating func apply(
    _ fact: ChainFact, _ texts: ContiguousArray<String>, _ hosts: [ScriptHost], at now: Instant
  ) {
    func text(_ position: UInt32) -> String { position < texts.count ? texts[Int(position)] : "" }
    switch fact {
    case .linkMade(_, let position):
      // An interceptor that a new attempt creates again continues the record of its predecessor.
      if !links.contains(where: { $0.position == position }) {
        links.append(Link(position: position))
      }
    case .took(_, let position, let step):
      change(position) { $0.sees.append(step) }
    case .broke(_, let position, let violation):
      if position == ChainFact.ownLink {
        userBreaks.append(violation)
      } else {
        change(position) { $0.breaks.append(violation) }
      }
    case .attempted(_, let target):
      attempts += 1
      setTarget(text(target), hosts)
      headers = []
      sent = []
    case .sentHeader(_, let position): headers.append(text(position))
    case .sentMessage(_, let position): sent.append(text(position))
    case .received(_, .message, let position): received.append(text(position))
    case .trailer(_, let position): trailers.append(text(position))
    case .closed(_, let end):
      guard self.end == nil else { return }
      self.end = end
      endedAt = now
    case .linkSkipped, .linkLeft, .noted, .received: break
    }
  }

  /// Splits a target, such as `api.example:443 /chat`, into the host and the path.
  ///
  /// Both may contain spaces, so the longest declared host that the target begins with is preferred
  /// to the text before the first space.
  private mutating func setTarget(_ target: String, _ hosts: [ScriptHost]) {
    let words = target.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    host = words.first.map(String.init) ?? ""
    path = words.count > 1 ? String(words[1]) : ""
    guard path.contains(" ") else { return }
    for other in hosts
    where other.written.utf8.count > host.utf8.count && target.hasPrefix("\(other.written) ") {
      host = other.written
      path = String(target.dropFirst(host.count + 1))
    }
  }

  private mutating func change(_ position: UInt16, _ change: (inout Link) -> Void) {
    guard let index = links.lastIndex(where: { $0.position == position }) else { return }
    change(&links[index])
  }
}

/// The totals over all calls for one interceptor of the script.
///
/// The totals avoid a walk through the chains of all calls, most of which contribute nothing.
struct LinkSum: Equatable {
  /// Whether the interceptor was created for any call.
  var isMade = false
  /// The events that the interceptor received, and its violations of chain rules.
  var steps = Total()
  var violations = Total()

  /// The number of occurrences, and the calls in which they occurred.
  struct Total: Equatable {
    private(set) var count = 0
    /// The calls in script order.
    ///
    /// The list stops growing when it is longer than the list of any expectation, because no
    /// expectation can hold after that.
    private(set) var calls: [Int] = []

    mutating func add(in call: Int) {
      count += 1
      guard calls.count <= ScenarioLimits.keywords else { return }
      let position = calls.lastIndex { $0 <= call }
      if let position, calls[position] == call { return }
      calls.insert(call, at: position.map { $0 + 1 } ?? 0)
    }
  }
}
