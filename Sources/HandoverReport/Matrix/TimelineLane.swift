import HandoverCore

/// The states of one subject of a run: the network, a channel, a connection, a thread or a call.
struct TimelineLane: Hashable, Sendable {
  /// The kind of subject; causes are above their effects.
  enum Kind: Int, Hashable, Sendable, Comparable {
    case device
    case channel
    case connection
    case thread
    case call

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// The appearance of a state, in addition to its text.
  typealias Tone = FactTone

  /// A state with its duration, or an event if both instants are equal.
  struct Span: Hashable, Sendable {
    var from: Instant
    var to: Instant
    var text: String
    var tone: Tone

    var isInstant: Bool { from >= to }
  }

  var kind: Kind
  var name: String
  var spans: [Span] = []
  /// Events during the states, which do not change them.
  var marks: [Span] = []
  /// The name of the connection that carried the call last, or `nil` if none is known.
  var carrier: String?
}
