public import Foundation
public import HandoverURLDispatcher

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What a delegate was told.
public struct Record: Sendable {
  /// The statuses of the responses.
  public var statuses: [Int] = []
  /// The body after the last response.
  public var body = Data()
  /// How many polls were answered.
  public var answered = 0
  /// How many ends there were.
  public var ends = 0
  /// The error of the end.
  public var error: URLDispatcherError?
  /// How often it was told something by the main thread.
  public var byMainThread = 0
  /// How often it was told something after the end.
  public var afterEnd = 0

  /// Whether the end has come.
  public var hasEnded: Bool { ends > 0 }
  /// Why it failed; nil where it did not.
  @inline(never)  // Inlined, it crashes the optimiser of Swift 6.3.
  public var code: URLDispatcherError.Code? { error?.code }
}

/// A delegate that notes what it is told.
public final class Recorder: URLDispatcherDelegate {
  /// What it was told.
  public let record = Watched(Record())
  private let also: (@Sendable (URLDispatcherEvent, URLDispatcherOperation) throws -> Void)?

  /// A delegate that notes what it is told, and does something else then.
  public init(
    also: (@Sendable (URLDispatcherEvent, URLDispatcherOperation) throws -> Void)? = nil
  ) {
    self.also = also
  }

  /// Notes an event.
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
  /// A request with a time-out.
  public init(_ url: URL, timeout: TimeInterval = 60) {
    self.init(url: url)
    // Foundation on Linux does not heed a time-out that the initialiser is given.
    timeoutInterval = timeout
  }
}

extension URLDispatcherEvent {
  /// What it is, to be compared.
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
