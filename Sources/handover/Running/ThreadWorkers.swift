import Glibc
import HandoverExploration
import HandoverLinux

/// A team of threads for the work of an exploration.
///
/// Threads are created for each piece of work and end with it, which takes about 1 % of its time.
struct ThreadWorkers: WorkerPool {
  let count: Int

  /// Creates a team.
  ///
  /// - Parameter count: The number of threads, or `nil` for one on each core.
  init(_ count: Int?) {
    self.count = count ?? Self.cores(atMost: Self.range.upperBound)
  }

  static let range = 1...64

  /// Returns the number of cores, up to a limit.
  static func cores(atMost limit: Int) -> Int {
    min(limit, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  func work(_ part: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(part) { part in
      var threads: [OSThread] = []
      var first = 1
      while first < count {
        let worker = first
        // If the system cannot create more threads, this thread does the rest.
        guard let thread = try? OSThread.start({ part(worker) }) else { break }
        threads.append(thread)
        first += 1
      }
      part(0)
      while first < count {
        part(first)
        first += 1
      }
      for thread in threads { thread.join() }
    }
  }
}
