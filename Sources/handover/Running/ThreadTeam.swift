import Glibc
import HandoverExploration
import HandoverLinux

/// Threads that do the work of an exploration at the same time.
///
/// They are made for each piece of work and end with it: that takes a hundredth of the time of the
/// work.
struct ThreadTeam: Team {
  let count: Int

  /// - Parameter count: how many threads; nil for one on each core.
  init(_ count: Int?) {
    self.count = count ?? Self.cores
  }

  static let range = 1...64

  private static var cores: Int {
    min(range.upperBound, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  func work(_ part: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(part) { part in
      var threads: [OSThread] = []
      var first = 1
      while first < count {
        let worker = first
        // Where the system has no more threads, this one does the rest.
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
