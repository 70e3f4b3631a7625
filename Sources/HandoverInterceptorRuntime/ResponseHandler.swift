public import Dispatch
public import HandoverInterceptors

/// What the user of a call wants to hear (L50, `GRPCResponseHandler`).
///
/// Every callback may be missing, and is skipped then (I31). They run one at a time, in order, on
/// the handler's place even where that is concurrent (I13).
public struct ResponseHandler: Sendable {
  /// Where the callbacks run.
  public var place: ExecutionPlace
  /// The server's headers came.
  public var didReceiveInitialMetadata: (@Sendable (Metadata?) -> Void)?
  /// A message came.
  public var didReceiveData: (@Sendable (Message) -> Void)?
  /// The bytes of a message came: the deprecated callback.
  public var didReceiveRawMessage: (@Sendable ([UInt8]) -> Void)?
  /// The call is over; nothing follows.
  public var didClose: (@Sendable (CallClose) -> Void)?
  /// A message was sent.
  public var didWriteData: (@Sendable () -> Void)?

  /// Makes a handler without callbacks.
  public init(on place: ExecutionPlace = .dispatch(.global())) {
    self.place = place
  }

  /// What becomes of a message where a handler has the deprecated callback too (I30).
  public enum RawMessages: Sendable {
    /// The deprecated callback gets it, with interceptors and without: as the code does.
    case always
    /// The deprecated callback gets it only where the call has no interceptor, as L50's text says.
    case withoutInterceptors
  }
}

extension ResponseHandler {
  func handle(_ response: ChainResponse, prefersRaw: Bool) {
    switch response {
    case .initialMetadata(let metadata): didReceiveInitialMetadata?(metadata)
    case .message(let message):
      // A value has no bytes that the deprecated callback could take.
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
