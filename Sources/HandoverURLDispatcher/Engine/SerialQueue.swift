import Dispatch
import HandoverThreadPool
import Synchronization

/// Runs the callbacks of one request in order, one at a time.
///
/// It occupies a thread only while callbacks are pending, so an idle stream needs no thread.
final class SerialQueue: Sendable {
  /// The threads that run the callbacks.
  enum Place: Sendable {
    /// Threads of a pool.
    case pool(ThreadPool)
    /// A thread that waits for callbacks; see ``runUntilEnd()``.
    case caller(DispatchSemaphore)
  }

  /// A callback.
  enum Item: Sendable {
    case step(@Sendable () -> Void)
    case end(@Sendable () -> Void)
  }

  private struct State {
    var items: [Item] = []
    /// The number of items that were already taken.
    var taken = 0
    /// Whether a thread is running callbacks or was requested to.
    var isScheduled = false
    /// Whether the end was added, after which no item is accepted.
    var isOver = false
  }

  private let place: Place
  private let state = Mutex(State())

  init(_ place: Place) {
    self.place = place
  }

  /// Adds a callback, or drops it if the end was already added (U49).
  func add(_ item: Item) {
    let isFirst = state.withLock { state -> Bool? in
      guard !state.isOver else { return nil }
      state.items.append(item)
      if case .end = item { state.isOver = true }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst == true { schedule() }
  }

  /// Runs callbacks on the calling thread until the end has run.
  func runUntilEnd() {
    guard case .caller(let semaphore) = place else { return }
    repeat { semaphore.wait() } while !run()
  }

  private func schedule() {
    switch place {
    case .pool(let pool): pool.run { _ = self.run() }
    case .caller(let semaphore): semaphore.signal()
    }
  }

  /// Runs all pending callbacks.
  ///
  /// - Returns: Whether the end has run.
  private func run() -> Bool {
    while let item = next() {
      switch item {
      case .step(let body):
        body()
      case .end(let body):
        body()
        return true
      }
    }
    return false
  }

  private func next() -> Item? {
    state.withLock { state in
      guard state.taken < state.items.count else {
        state.isScheduled = false
        return nil
      }
      let item = state.items[state.taken]
      state.taken += 1
      // Remove taken items, because the end retains the request, which retains this queue (a
      // cycle). If items keep arriving, the queue never becomes empty, so the items are also
      // removed in batches.
      let areMostTaken = state.taken >= 64 && state.taken * 2 >= state.items.count
      if areMostTaken || state.taken == state.items.count {
        state.items.removeFirst(state.taken)
        state.taken = 0
      }
      return item
    }
  }
}

extension ThreadPool {
  /// Runs a closure on a thread of the pool, or of Dispatch if the pool cannot create a thread.
  func run(_ work: @escaping @Sendable () -> Void) {
    do throws(ThreadPoolError) {
      try submit(work)
    } catch {
      // The system currently has no thread for this pool; Dispatch will have one eventually.
      DispatchQueue.global().async(execute: work)
    }
  }
}
