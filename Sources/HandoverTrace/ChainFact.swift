public import HandoverCore

/// Something that happened to a call in its chain of interceptors.
///
/// Calls and links are given by their places in the script, texts by their places in
/// ``Trace/texts``.
@frozen
public enum ChainFact: BitwiseCopyable, Hashable, Sendable {
  /// A link was made for the call.
  case linkMade(call: UInt32, link: UInt16)
  /// A factory made no link for the call (I5).
  case linkSkipped(call: UInt32, link: UInt16)
  /// A link left the chain.
  case linkLeft(call: UInt32, link: UInt16)
  /// A link took something.
  case took(call: UInt32, link: UInt16, ChainStep)
  /// A link told a listener something.
  case noted(call: UInt32, link: UInt16, text: UInt32)
  /// A link broke a rule; `ownLink` where it was not a link but the chain's user.
  case broke(call: UInt32, link: UInt16, InterceptorBreach)
  /// The chain starts an attempt on the transport: host and path.
  case attempted(call: UInt32, target: UInt32)
  /// A header that the attempt sends, as `key: value`.
  case sentHeader(call: UInt32, text: UInt32)
  /// A message that the attempt sends.
  case sentMessage(call: UInt32, text: UInt32)
  /// The user was given something of the server: headers, a message, a write that was done.
  case heard(call: UInt32, ChainStep, text: UInt32)
  /// The user heard the end.
  case closed(call: UInt32, CallEnd)
  /// A trailer that came with the end, as `key: value`.
  case trailer(call: UInt32, text: UInt32)

  /// The place of a link that is none: the call's user.
  public static let ownLink = UInt16.max

  /// The call.
  @inlinable
  public var call: UInt32 {
    switch self {
    case .linkMade(let call, _), .linkSkipped(let call, _), .linkLeft(let call, _),
      .took(let call, _, _), .noted(let call, _, _), .broke(let call, _, _),
      .attempted(let call, _), .sentHeader(let call, _), .sentMessage(let call, _),
      .heard(let call, _, _), .closed(let call, _), .trailer(let call, _):
      call
    }
  }
}
