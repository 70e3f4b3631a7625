/// A rule that holds in every run of a contract, whatever a scenario expects.
///
/// The raw value is the number by which findings tell that it was broken. A ``Profile`` names the
/// rules of its contract.
public enum RuleIdentifier: Int, Hashable, Sendable, CaseIterable {
  /// A call ends once.
  case callEndsOnce = 1
  /// Another category ends everything.
  case categoryChange = 2
  /// The category held ends nothing.
  case sameCategory = 3
  /// Calls of one key share a channel and its connection.
  case sharedChannel = 4
  /// Waiting calls and attempts keep their bounds.
  case waiting = 5
  /// Nothing is sent for a call that has ended, and its requests end once.
  case sending = 6
  /// Requests keep the limits of their endpoint.
  case requestLimits = 7
  /// Orders name what is alive, and nothing is left at the end.
  case aliveness = 8
  /// The order of a chain of interceptors.
  case chainOrder = 9
  /// The moves of channels between their states.
  case channelStates = 10

  /// What the rule says, in one sentence without a full stop.
  public var sentence: String {
    switch self {
    case .callEndsOnce: "a call ends once, and nothing is observed of it afterwards"
    case .categoryChange:
      "a callback of another category is reported with both categories, destroys every channel and "
        + "ends its calls UNAVAILABLE"
    case .sameCategory: "a callback of the category held is not reported and destroys nothing"
    case .sharedChannel:
      "calls of one key share its channel and its connection; a channel that was destroyed is "
        + "never used again"
    case .waiting:
      "a waiting call goes on or ends at the first occasion, and delays keep their bounds"
    case .sending: "nothing is sent for a call after its end, and its requests end once"
    case .requestLimits:
      "requests keep their endpoint's limits, none waits beside a free slot, each ends once"
    case .aliveness:
      "time never runs backwards, orders name what is alive, and nothing remains after the end"
    case .chainOrder:
      "a user hears one end and nothing after it, and links keep the rules of the chain"
    case .channelStates: "channels change their states only as B8 allows"
    }
  }
}
