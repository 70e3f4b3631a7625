/// The complete response of a server to one call.
public struct CallResponse: Hashable, Sendable {
  /// The headers, or `nil` for none.
  public var headers: Metadata?
  /// The messages, in order.
  public var messages: [Message]
  /// The close.
  public var close: CallClose

  /// Creates a response.
  public init(headers: Metadata? = nil, messages: [Message] = [], close: CallClose) {
    self.headers = headers
    self.messages = messages
    self.close = close
  }
}

/// A response that an interceptor delivers in place of a server, as the caller requests it (I26).
///
/// Headers come with the first message or the close (I29). With flow control, each message waits
/// until it is requested (I36), and the close waits until all messages are read (I38).
struct OwnResponse: Hashable, Sendable {
  private let response: CallResponse
  private let hasFlowControl: Bool
  private var wanted: Int
  private var delivered = 0

  init(_ response: CallResponse, hasFlowControl: Bool, wanted: Int) {
    self.response = response
    self.hasFlowControl = hasFlowControl
    self.wanted = wanted
  }

  mutating func allow(_ count: Int) {
    wanted = wanted.adding(wanted: count)
  }

  /// Delivers all events that are allowed now; after the close the interceptor leaves the chain.
  mutating func deliver(_ manager: inout InterceptorManager) {
    while delivered < response.messages.count, !hasFlowControl || delivered < wanted {
      if delivered == 0 { forwardHeaders(&manager) }
      manager.forwardPreviousInterceptor(message: response.messages[delivered])
      delivered += 1
    }
    guard delivered == response.messages.count else { return }
    if delivered == 0 { forwardHeaders(&manager) }
    manager.forwardPreviousInterceptorClose(response.close)
    manager.shutDown()
  }

  private func forwardHeaders(_ manager: inout InterceptorManager) {
    guard let headers = response.headers else { return }
    manager.forwardPreviousInterceptor(initialMetadata: headers)
  }
}
