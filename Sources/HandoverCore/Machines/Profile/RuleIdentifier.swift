/// An invariant of every run of a profile, independent of the expectations of a scenario.
///
/// Findings report the raw value as the number of the violated invariant. A ``Profile`` lists the
/// invariants that apply to it.
public enum RuleIdentifier: Int, Hashable, Sendable, CaseIterable {
  /// A call ends exactly once.
  case callEndsOnce = 1
  /// A category change ends everything.
  case categoryChange = 2
  /// A callback with the current category ends nothing.
  case sameCategory = 3
  /// Calls with the same key share a channel and its connection.
  case sharedChannel = 4
  /// Waiting calls and connection attempts stay within their time limits.
  case waiting = 5
  /// Nothing is sent for a call that has ended, and its request ends once.
  case sending = 6
  /// Requests respect the limits of their endpoint.
  case requestLimits = 7
  /// Effects refer only to live objects, and nothing remains at the end.
  case aliveness = 8
  /// Interceptors of a chain run in order.
  case chainOrder = 9
  /// Channels change their state only as allowed.
  case channelStates = 10
  /// A connection pool keeps its limits, and repeats a request only after a lost connection.
  case connectionPool = 11

  /// The invariant in one sentence without a full stop.
  public var sentence: String {
    switch self {
    case .callEndsOnce: "a call ends once, and nothing is observed of it afterwards"
    case .categoryChange:
      "a callback of a different category is reported with both categories, destroys every "
        + "channel and "
        + "ends its calls UNAVAILABLE"
    case .sameCategory: "a callback of the current category is not reported and destroys nothing"
    case .sharedChannel:
      "calls of one key share its channel and its connection; a destroyed channel is "
        + "never used again"
    case .waiting:
      "a waiting call continues or ends at the first opportunity, and delays are within their "
        + "bounds"
    case .sending: "nothing is sent for a call after its end, and its requests end once"
    case .requestLimits:
      "requests respect the limits of their endpoint, none waits while a slot is free, each ends "
        + "once"
    case .aliveness:
      "time never runs backwards, effects name existing objects, and nothing remains after the end"
    case .chainOrder:
      "a user receives one end and nothing after it, and interceptors follow the rules of the chain"
    case .channelStates: "channels change their states only as B8 allows"
    case .connectionPool:
      "a pool keeps at most five idle connections, each connection carries one request, and a "
        + "request is repeated only after it failed on a used connection without a response"
    }
  }
}
