/// An event in the interceptor chain of a call.
///
/// Calls and interceptors are identified by their positions in the script, texts by their positions
/// in ``Trace/texts``.
@frozen
public enum ChainFact: BitwiseCopyable, Hashable, Sendable {
  /// An interceptor was created for the call.
  case linkMade(call: UInt32, link: UInt16)
  /// A factory created no interceptor for the call (I5).
  case linkSkipped(call: UInt32, link: UInt16)
  /// An interceptor left the chain.
  case linkLeft(call: UInt32, link: UInt16)
  /// An interceptor received an event or an operation.
  case took(call: UInt32, link: UInt16, ChainStep)
  /// An interceptor reported a text to a listener.
  case noted(call: UInt32, link: UInt16, text: UInt32)
  /// An interceptor violated a rule of the chain; `link` is `ownLink` if the caller violated it.
  case broke(call: UInt32, link: UInt16, InterceptorViolation)
  /// The chain starts an attempt on the transport; `target` is the text of the host and path.
  case attempted(call: UInt32, target: UInt32)
  /// The attempt sends a header, written as `key: value`.
  case sentHeader(call: UInt32, text: UInt32)
  /// The attempt sends a message.
  case sentMessage(call: UInt32, text: UInt32)
  /// The caller received an event: response headers, a message, or the completion of a write.
  case received(call: UInt32, ChainStep, text: UInt32)
  /// The caller was notified that the call ended.
  case closed(call: UInt32, CallEnd)
  /// The end of the call carried a trailer, written as `key: value`.
  case trailer(call: UInt32, text: UInt32)

  /// The value of `link` that denotes the caller instead of an interceptor.
  public static let ownLink = UInt16.max

  /// The call that the fact is about.
  @inlinable
  public var call: UInt32 {
    switch self {
    case .linkMade(let call, _), .linkSkipped(let call, _), .linkLeft(let call, _),
      .took(let call, _, _), .noted(let call, _, _), .broke(let call, _, _),
      .attempted(let call, _), .sentHeader(let call, _), .sentMessage(let call, _),
      .received(let call, _, _), .closed(let call, _), .trailer(let call, _):
      call
    }
  }
}
