import Dispatch
import HandoverThreadPool
import Synchronization

/// What happens to one request, told to its delegate in order and one at a time.
///
/// It takes a thread only while there is something to do: a stream that is silent has none.
final class SerialQueue: Sendable {
  /// Where what there is to do is done.
  enum Place: Sendable {
    /// By the threads of a pool.
    case pool(ThreadPool)
    /// By a thread that waits for it, see ``runUntilEnd()``.
    case caller(DispatchSemaphore)
  }

  /// Something to do.
  enum Item: Sendable {
    case step(@Sendable () -> Void)
    case end(@Sendable () -> Void)
  }

  private struct State {
    var items: [Item] = []
    /// How many of the items were taken.
    var taken = 0
    /// Whether a thread does what there is to do, or is called to.
    var isScheduled = false
    /// Whether the end is among the items: nothing is accepted after it.
    var isOver = false
  }

  private let place: Place
  private let state = Mutex(State())

  init(_ place: Place) {
    self.place = place
  }

  /// Adds something to do; after the end it is dropped (U49).
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

  /// Does what there is to do on the calling thread until the end is done.
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

  /// Does what there is to do.
  ///
  /// - Returns: whether the end is done.
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
      // What was taken is let go, or the end would hold the request, which holds this, for ever.
      // Where items keep coming there is never none left, and it is let go all the same.
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
  /// Lets a thread run something: one of another pool where this one can have none.
  func run(_ work: @escaping @Sendable () -> Void) {
    do throws(ThreadPoolError) {
      try submit(work)
    } catch {
      // The system has no thread for the pool just now; its own pool will have one some time.
      DispatchQueue.global().async(execute: work)
    }
  }
}
