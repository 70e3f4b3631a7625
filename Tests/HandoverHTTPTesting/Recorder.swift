public import Foundation
public import HandoverURLDispatcher

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The events that a delegate received.
public struct Record: Sendable {
  /// The statuses of the responses.
  public var statuses: [Int] = []
  /// The body after the last response.
  public var body = Data()
  /// The number of answered polls.
  public var answered = 0
  /// The number of ends.
  public var ends = 0
  /// The error of the end.
  public var error: URLDispatcherError?
  /// The number of events on the main thread.
  public var byMainThread = 0
  /// The number of events after the end.
  public var afterEnd = 0

  /// Whether the end has arrived.
  public var hasEnded: Bool { ends > 0 }
  /// The error code of the failure, or `nil` if the request did not fail.
  @inline(never)  // Inlining it crashes the optimizer of Swift 6.3.
  public var code: URLDispatcherError.Code? { error?.code }
}

/// A delegate that records the events that it receives.
public final class Recorder: URLDispatcherDelegate {
  /// The received events.
  public let record = Watched(Record())
  private let also: (@Sendable (URLDispatcherEvent, URLDispatcherOperation) throws -> Void)?

  /// Creates a delegate that records each event and then runs a closure.
  public init(
    also: (@Sendable (URLDispatcherEvent, URLDispatcherOperation) throws -> Void)? = nil
  ) {
    self.also = also
  }

  /// Records an event.
  public func received(_ event: URLDispatcherEvent, of operation: URLDispatcherOperation) throws {
    record.change { record in
      if Thread.isMainThread { record.byMainThread += 1 }
      if record.hasEnded { record.afterEnd += 1 }
    }
    defer { note(event) }
    try also?(event, operation)
  }

  private func note(_ event: URLDispatcherEvent) {
    record.change { record in
      switch event {
      case .response(let response):
        record.statuses.append(response.statusCode)
        record.body = Data()
      case .data(let data): record.body.append(data)
      case .answered: record.answered += 1
      case .finished: record.ends += 1
      case .failed(let error):
        record.ends += 1
        record.error = error
      }
    }
  }

  /// Waits for the end.
  @discardableResult
  public func ended() async throws -> Record {
    try await record.wait(for: "the end of a request") { $0.hasEnded }
    return record.value
  }

  /// Waits for the headers of a response.
  public func responded() async throws {
    try await record.wait(for: "a response") { !$0.statuses.isEmpty }
  }
}

extension URLRequest {
  /// Creates a request with a timeout.
  public init(_ url: URL, timeout: TimeInterval = 60) {
    self.init(url: url)
    // On Linux, Foundation ignores a timeout that is passed to the initializer.
    timeoutInterval = timeout
  }
}

extension URLDispatcherEvent {
  /// The name of the event, for comparisons.
  public var word: String {
    switch self {
    case .response: "response"
    case .data: "data"
    case .answered: "answered"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}
