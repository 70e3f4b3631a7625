/// The events of a request as an asynchronous sequence that finishes after the end of the request.
///
/// Only one task may iterate over it. A task that stops iterating before the end cancels the
/// request.
public struct URLDispatcherStream: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = URLDispatcherEvent

  /// The request.
  public let operation: URLDispatcherOperation
  let events: AsyncStream<URLDispatcherEvent>

  /// Returns an iterator over the events.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: events.makeAsyncIterator(), cancellation: Cancellation(operation))
  }

  /// An iterator over the events, which cancels the request when it is destroyed.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: AsyncStream<URLDispatcherEvent>.Iterator
    fileprivate let cancellation: Cancellation

    /// Returns the next event, or `nil` after the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> URLDispatcherEvent? {
      await events.next(isolation: actor)
    }
  }

  /// Cancels a request when its iterator is destroyed, which has no effect after the end.
  fileprivate final class Cancellation {
    private let operation: URLDispatcherOperation

    init(_ operation: URLDispatcherOperation) {
      self.operation = operation
    }

    deinit { operation.cancel() }
  }
}

/// A delegate that forwards all events to a sequence.
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
