/// How much a link may keep for later.
public struct BufferLimits: Hashable, Sendable {
  /// How many bytes all messages may have together; a message that is a value counts none.
  public var bytes: Int
  /// How many events.
  public var events: Int

  /// Makes limits.
  public init(bytes: Int = 65_536, events: Int = 256) {
    self.bytes = bytes
    self.events = events
  }
}

/// Requests of a call that are kept, in their order.
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

  /// How many messages the requests ask for.
  var wantedMessages: Int {
    requests.reduce(0) { sum, request in
      if case .receiveNextMessages(let count) = request { sum.adding(wanted: count) } else { sum }
    }
  }
}

extension InterceptorManager {
  /// Gives the next link a request as it came.
  mutating func forwardNextInterceptor(_ request: ChainRequest) {
    switch request {
    case .start(let start): startNextInterceptor(start)
    case .write(let message): writeNextInterceptor(message)
    case .finish: finishNextInterceptor()
    case .cancel: cancelNextInterceptor()
    case .receiveNextMessages(let count): receiveNextInterceptorMessages(count)
    }
  }

  /// Ends the call for the user who cancels where nothing behind the link is under way: nothing is
  /// made just to be cancelled.
  mutating func closeCancelled() {
    forwardPreviousInterceptorClose(.cancelled)
    shutDown()
  }
}
