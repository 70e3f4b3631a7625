import Dispatch
import Foundation
import Synchronization

/// A delegate that collects a whole response.
final class BodyCollector: URLDispatcherDelegate {
  typealias Outcome = Result<URLDispatcherAnswer, URLDispatcherError>

  private struct State {
    var answer = URLDispatcherAnswer(response: nil, body: Data())
    var outcome: Outcome?
    var task: CheckedContinuation<Outcome, Never>?
  }

  /// Signaled at the end of the request.
  let end = DispatchSemaphore(value: 0)
  private let state = Mutex(State())
  /// Another delegate that receives the same events (U55).
  private let other: (any URLDispatcherDelegate)?

  init(passingOnTo other: (any URLDispatcherDelegate)? = nil) {
    self.other = other
  }

  func received(_ event: URLDispatcherEvent, of operation: URLDispatcherOperation) throws {
    defer { gather(event) }
    try other?.received(event, of: operation)
  }

  private func gather(_ event: URLDispatcherEvent) {
    let (outcome, task) = state.withLock {
      state -> (Outcome?, CheckedContinuation<Outcome, Never>?) in
      switch event {
      case .response(let response):
        // A second response discards the data of the first (U52).
        state.answer = URLDispatcherAnswer(response: response, body: Data())
      case .data(let data): state.answer.body.append(data)
      case .answered: break
      case .finished: state.outcome = .success(state.answer)
      case .failed(let error): state.outcome = .failure(error)
      }
      guard state.outcome != nil else { return (nil, nil) }
      return (state.outcome, state.task.take())
    }
    guard let outcome else { return }
    end.signal()
    task?.resume(returning: outcome)
  }

  /// The result of the request; available only after its end.
  var outcome: Outcome {
    guard let outcome = state.withLock({ $0.outcome }) else {
      preconditionFailure("the body was requested before the end of the response")
    }
    return outcome
  }

  /// Waits for the end of the request; only one task may wait.
  func wait() async -> Outcome {
    await withCheckedContinuation { task in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.task = task }
        return state.outcome
      }
      if let outcome { task.resume(returning: outcome) }
    }
  }
}
