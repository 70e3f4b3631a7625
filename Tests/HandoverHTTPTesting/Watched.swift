import Dispatch
import Synchronization

/// A value whose changes tasks can wait for, with a watchdog.
public final class Watched<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    var number: Int
    var isDone: @Sendable (Value) -> Bool
    var task: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
    var number = 0
  }

  private let state: Mutex<State>

  /// Creates an object with an initial value.
  public init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  /// The current value.
  public var value: Value { state.withLock { $0.value } }

  /// Changes the value and resumes the tasks whose condition it satisfies.
  @discardableResult
  public func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, done) = state.withLock { state in
      let result = body(&state.value)
      let done = state.waiters.filter { $0.isDone(state.value) }
      state.waiters.removeAll { waiter in done.contains { $0.number == waiter.number } }
      return (result, done)
    }
    for waiter in done { waiter.task.resume(returning: true) }
    return result
  }

  /// Waits until the value satisfies a condition.
  ///
  /// - Parameters:
  ///   - what: The awaited condition, in words.
  ///   - isDone: Whether a value satisfies the condition.
  /// - Throws: ``ScenarioFailure`` if the condition is not satisfied within ten minutes.
  public func wait(
    for what: String, until isDone: @escaping @Sendable (Value) -> Bool
  ) async throws {
    let isPresent = await withCheckedContinuation { task in
      let number = state.withLock { state -> Int? in
        guard !isDone(state.value) else { return nil }
        state.number += 1
        state.waiters.append(Waiter(number: state.number, isDone: isDone, task: task))
        return state.number
      }
      guard let number else { return task.resume(returning: true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(600)) { [weak self] in
        self?.giveUp(number)
      }
    }
    if !isPresent { throw ScenarioFailure("in vain waited for \(what), and had \(value)") }
  }

  private func giveUp(_ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiters.remove(at: index)
    }
    waiter?.task.resume(returning: false)
  }
}

/// An expectation that was not met.
public struct ScenarioFailure: Error, CustomStringConvertible {
  /// The failure in words.
  public let description: String

  /// Creates a failure.
  public init(_ description: String) {
    self.description = description
  }
}

/// Throws a failure if a condition is false.
public func check(_ isTrue: Bool, _ what: @autoclosure () -> String) throws(ScenarioFailure) {
  if !isTrue { throw ScenarioFailure(what()) }
}
