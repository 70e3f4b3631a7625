/// What happens to a request, as a sequence that ends after the end.
///
/// It is for one task to go through. Whoever stops before the end cancels the request.
public struct URLDispatcherStream: AsyncSequence, Sendable {
  /// What it is a sequence of.
  public typealias Element = URLDispatcherEvent

  /// The request.
  public let operation: URLDispatcherOperation
  let events: AsyncStream<URLDispatcherEvent>

  /// Goes from event to event.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: events.makeAsyncIterator(), leaver: Leaver(operation))
  }

  /// Goes from event to event, and cancels the request when it is gone.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: AsyncStream<URLDispatcherEvent>.Iterator
    fileprivate let leaver: Leaver

    /// The next event; nil after the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> URLDispatcherEvent? {
      await events.next(isolation: actor)
    }
  }

  /// Cancels a request when nobody goes through its events any more; after the end that is nothing.
  fileprivate final class Leaver {
    private let operation: URLDispatcherOperation

    init(_ operation: URLDispatcherOperation) {
      self.operation = operation
    }

    deinit { operation.cancel() }
  }
}

/// A delegate that passes everything on to a sequence.
struct Streamer: URLDispatcherDelegate {
  let continuation: AsyncStream<URLDispatcherEvent>.Continuation

  func received(_ event: URLDispatcherEvent, of operation: URLDispatcherOperation) {
    continuation.yield(event)
    switch event {
    case .finished, .failed: continuation.finish()
    case .response, .data, .answered: break
    }
  }
}
