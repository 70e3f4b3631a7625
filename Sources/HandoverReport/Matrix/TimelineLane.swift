import HandoverCore
import HandoverTrace

/// One thing of a run over time: the network, a channel, a connection, a thread, a call.
struct TimelineLane: Hashable, Sendable {
  /// What the lane is of; causes stand above what follows from them.
  enum Kind: Int, Hashable, Sendable, Comparable {
    case device
    case channel
    case connection
    case thread
    case call

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// How a state is drawn, beside its word.
  typealias Tone = FactTone

  /// A state for some time; where both instants are one, something that happened then.
  struct Span: Hashable, Sendable {
    var from: Instant
    var to: Instant
    var text: String
    var tone: Tone
  }

  var kind: Kind
  var name: String
  var spans: [Span] = []
}
