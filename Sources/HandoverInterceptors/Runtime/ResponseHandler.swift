public import Dispatch

/// The callbacks of a call (L50, `GRPCResponseHandler`).
///
/// A missing callback is skipped (I31). Callbacks run one at a time and in order on the handler's
/// executor, even if the executor is concurrent (I13).
public struct ResponseHandler: Sendable {
  /// The executor of the callbacks.
  public var place: ExecutionPlace
  /// Called when the server's headers arrive.
  public var didReceiveInitialMetadata: (@Sendable (Metadata?) -> Void)?
  /// Called when a message arrives.
  public var didReceiveData: (@Sendable (Message) -> Void)?
  /// The deprecated callback, called with the bytes of a message.
  public var didReceiveRawMessage: (@Sendable ([UInt8]) -> Void)?
  /// Called when the call has ended; no callback follows.
  public var didClose: (@Sendable (CallClose) -> Void)?
  /// Called when a message was sent.
  public var didWriteData: (@Sendable () -> Void)?

  /// Creates a handler without callbacks.
  public init(on place: ExecutionPlace = .dispatch(.global())) {
    self.place = place
  }

  /// The rule for messages if a handler has the deprecated callback as well (I30).
  public enum RawMessages: Sendable {
    /// The deprecated callback always receives the message, as in the code.
    case always
    /// The deprecated callback receives the message only without interceptors, as in the text of
    /// L50.
    case withoutInterceptors
  }
}

extension ResponseHandler {
  func handle(_ response: ChainResponse, prefersRaw: Bool) {
    switch response {
    case .initialMetadata(let metadata): didReceiveInitialMetadata?(metadata)
    case .message(let message):
      // A message that is a value has no bytes for the deprecated callback.
      if prefersRaw, let didReceiveRawMessage, let bytes = message.bytes {
        didReceiveRawMessage(bytes)
      } else {
        didReceiveData?(message)
      }
    case .rawMessage(let bytes): didReceiveRawMessage?(bytes)
    case .close(let close): didClose?(close)
    case .writeDone: didWriteData?()
    }
  }
}
