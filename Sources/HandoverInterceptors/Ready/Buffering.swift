/// The limits of the events that an interceptor may buffer.
public struct BufferLimits: Hashable, Sendable {
  /// The maximum total size of the messages in bytes; a message that is a value counts as zero.
  public var bytes: Int
  /// The maximum number of events.
  public var events: Int

  /// Creates limits.
  public init(bytes: Int = 65_536, events: Int = 256) {
    self.bytes = bytes
    self.events = events
  }
}

/// Buffered requests of a call, in order.
struct RequestBuffer: Hashable, Sendable {
  private(set) var requests: [ChainRequest] = []
  private var bytes = 0

  mutating func append(_ request: ChainRequest) {
    if case .write(let message) = request { bytes += message.bytes?.count ?? 0 }
    requests.append(request)
  }

  func exceeds(_ limits: BufferLimits) -> Bool {
    bytes > limits.bytes || requests.count > limits.events
  }

  var messages: [Message] {
    requests.compactMap { if case .write(let message) = $0 { message } else { nil } }
  }

  /// The number of messages that the buffered requests ask for.
  var wantedMessages: Int {
    requests.reduce(0) { sum, request in
      if case .receiveNextMessages(let count) = request { sum.adding(wanted: count) } else { sum }
    }
  }
}

extension InterceptorManager {
  /// Forwards a request to the next interceptor unchanged.
  @inline(__always)
  mutating func forwardNextInterceptor(_ request: ChainRequest) {
    switch request {
    case .start(let start): startNextInterceptor(start)
    case .write(let message): writeNextInterceptor(message)
    case .finish: finishNextInterceptor()
    case .cancel: cancelNextInterceptor()
    case .receiveNextMessages(let count): receiveNextInterceptorMessages(count)
    }
  }

  /// Closes the call for a caller that cancels while nothing after the interceptor is in progress.
  ///
  /// The cancel is not forwarded, because that would create interceptors only to cancel them.
  mutating func closeCancelled() {
    forwardPreviousInterceptorClose(.cancelled)
    shutDown()
  }
}
