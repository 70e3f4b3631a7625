import HandoverCore
import HandoverScenario
import HandoverTrace

/// What can be known of one call's chain of interceptors.
struct ChainState {
  /// One link, from its making on.
  struct Link {
    var position: UInt16
    var sees: [ChainStep] = []
    var breaks: [InterceptorBreach] = []
  }

  private(set) var attempts = 0
  private(set) var links: [Link] = []
  /// What the chain's user broke, where a rule was broken by no link.
  private(set) var userBreaks: [InterceptorBreach] = []
  /// Host and path of the last attempt.
  private(set) var target = ""
  private(set) var headers: [String] = []
  private(set) var sent: [String] = []
  private(set) var heard: [String] = []
  private(set) var trailers: [String] = []
  /// How the call ended for its user.
  private(set) var end: CallEnd?
  private(set) var endedAt = Instant.zero

  /// The link of a place in the script that was made last.
  func link(_ position: Int) -> Link? {
    links.last { $0.position == position }
  }

  mutating func apply(_ fact: ChainFact, _ texts: ContiguousArray<String>, at now: Instant) {
    func text(_ position: UInt32) -> String { position < texts.count ? texts[Int(position)] : "" }
    switch fact {
    case .linkMade(_, let position):
      // Links that a new attempt makes anew go on where the old ones were.
      if !links.contains(where: { $0.position == position }) {
        links.append(Link(position: position))
      }
    case .took(_, let position, let step):
      change(position) { $0.sees.append(step) }
    case .broke(_, let position, let breach):
      if position == ChainFact.ownLink {
        userBreaks.append(breach)
      } else {
        change(position) { $0.breaks.append(breach) }
      }
    case .attempted(_, let target):
      attempts += 1
      self.target = text(target)
      headers = []
      sent = []
    case .sentHeader(_, let position): headers.append(text(position))
    case .sentMessage(_, let position): sent.append(text(position))
    case .heard(_, .message, let position): heard.append(text(position))
    case .trailer(_, let position): trailers.append(text(position))
    case .closed(_, let end):
      guard self.end == nil else { return }
      self.end = end
      endedAt = now
    case .linkSkipped, .linkLeft, .noted, .heard: break
    }
  }

  private mutating func change(_ position: UInt16, _ change: (inout Link) -> Void) {
    guard let index = links.lastIndex(where: { $0.position == position }) else { return }
    change(&links[index])
  }
}

/// What all calls did together with one link of the script.
///
/// It spares a walk through the chains of all calls, of which most may have nothing to say.
struct LinkSum: Equatable {
  /// Whether it was made for any call.
  var isMade = false
  /// The events that it took, and the rules that it broke.
  var steps = Total()
  var breaches = Total()

  /// How many there are of something, and in which calls.
  struct Total: Equatable {
    private(set) var count = 0
    /// The calls, in the order of the script.
    ///
    /// Once there are more of them than an expectation can have words no more are noted: none holds
    /// then.
    private(set) var calls: [Int] = []

    mutating func add(in call: Int) {
      count += 1
      guard calls.count <= ScenarioLimits.words else { return }
      let position = calls.lastIndex { $0 <= call }
      if let position, calls[position] == call { return }
      calls.insert(call, at: position.map { $0 + 1 } ?? 0)
    }
  }
}
