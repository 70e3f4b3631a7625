import Dispatch
import HandoverLinux
import Synchronization

/// A team of threads for work items, in which a crash costs only the current item.
///
/// A crashed thread never releases what it held, so work items must not share mutable state.
enum GuardedWorkers {
  /// Performs work items.
  ///
  /// - Parameters:
  ///   - jobs: The number of threads.
  ///   - next: A closure that returns the number of the next item, or `nil` if there are no more.
  ///   - work: A closure that performs one item.
  ///   - lost: A closure that receives an item whose thread crashed. Each item is assigned once, so
  ///     the number of crashes is limited.
  static func run(
    jobs: Int, next: @escaping @Sendable () -> Int?, work: @escaping @Sendable (Int) -> Void,
    lost: @escaping @Sendable (Int, Fault) -> Void
  ) {
    let wakeup = try? WakeupPipe()
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      while true {
        let slot = WorkerSlot()
        let body: @Sendable () -> Void = {
          while let number = next() {
            slot.number.store(number, ordering: .releasing)
            work(number)
          }
        }
        guard let wakeup,
          let thread = try? GuardedThread.start(wakeup: wakeup.signallingDescriptor, body)
        else {
          // Without a separate thread, a crash ends the process.
          return body()
        }
        thread.join()
        guard let fault = thread.fault else { return }
        lost(slot.number.load(ordering: .acquiring), fault)
      }
    }
  }

  /// The item that a thread is working on.
  private final class WorkerSlot: Sendable {
    let number = Atomic<Int>(0)
  }
}
