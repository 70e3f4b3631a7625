import Dispatch
import Synchronization

/// A value that tasks wait for to become what they need, with a watchdog.
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

  /// A value to begin with.
  public init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  /// The value now.
  public var value: Value { state.withLock { $0.value } }

  /// Changes the value and lets those go on who have waited for it.
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

  /// Waits until the value is what is needed.
  ///
  /// - Parameters:
  ///   - what: what is waited for, in words.
  ///   - isDone: whether a value is it.
  /// - Throws: ``ScenarioFailure`` where it did not become so within ten minutes.
  public func wait(
    for what: String, until isDone: @escaping @Sendable (Value) -> Bool
  ) async throws {
    let isThere = await withCheckedContinuation { task in
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
    if !isThere { throw ScenarioFailure("in vain waited for \(what), and had \(value)") }
  }

  private func giveUp(_ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiters.remove(at: index)
    }
    waiter?.task.resume(returning: false)
  }
}

/// What was expected and did not come true.
public struct ScenarioFailure: Error, CustomStringConvertible {
  /// What it is, in words.
  public let description: String

  /// A failure.
  public init(_ description: String) {
    self.description = description
  }
}

/// Fails unless something holds.
public func check(_ isTrue: Bool, _ what: @autoclosure () -> String) throws(ScenarioFailure) {
  if !isTrue { throw ScenarioFailure(what()) }
}
