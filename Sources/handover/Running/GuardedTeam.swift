import Dispatch
import HandoverLinux
import Synchronization

/// Works that threads do side by side, where a thread that a fault ends costs one of them.
///
/// Whatever such a thread held is never given back, so that works share nothing that they change.
enum GuardedTeam {
  /// Does works.
  ///
  /// - Parameters:
  ///   - jobs: how many threads there are.
  ///   - next: gives out the next work by its number; nil where there is none any more.
  ///   - work: does one.
  ///   - lost: is told of a work whose thread a fault has ended. Each is given out once, so that
  ///     there are no more faults than works.
  static func run(
    jobs: Int, next: @escaping @Sendable () -> Int?, work: @escaping @Sendable (Int) -> Void,
    lost: @escaping @Sendable (Int, Fault) -> Void
  ) {
    let wakening = try? Wakening()
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      while true {
        let seat = Seat()
        let labour: @Sendable () -> Void = {
          while let number = next() {
            seat.number.store(number, ordering: .releasing)
            work(number)
          }
        }
        guard let wakening,
          let thread = try? GuardedThread.start(wakening: wakening.signallingDescriptor, labour)
        else {
          // Without a thread of their own, faults are the process'.
          return labour()
        }
        thread.join()
        guard let fault = thread.fault else { return }
        lost(seat.number.load(ordering: .acquiring), fault)
      }
    }
  }

  /// Which work a thread has.
  private final class Seat: Sendable {
    let number = Atomic<Int>(0)
  }
}
