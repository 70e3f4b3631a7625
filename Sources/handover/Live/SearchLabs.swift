import HandoverLab
import HandoverLinux
import Synchronization

/// Labs for many short runs, several of them in parallel.
struct SearchLabs: Sendable {
  /// The next work of a thread.
  enum Work: Sendable {
    /// A run with its number.
    case run(Int, TryRun)
    /// There is no run yet.
    case later
    /// There will be no further run.
    case end
  }

  /// The maximum number of parallel labs.
  let jobs: Int
  /// Ends all runs when it is signaled.
  let stop: WakeupPipe

  /// The time between the starts of two labs in microseconds, because simultaneous starts disturb
  /// each other.
  private static let stagger: Int64 = 250_000
  /// The time in microseconds after which a thread without work checks again.
  private static let pause: Int64 = 50_000

  private struct Course: Sendable {
    var nextStart: Int64 = 0
    var hasFailed = false
  }

  /// Runs everything that `next` returns, until it returns ``Work/end``.
  ///
  /// - Parameters:
  ///   - next: Returns the next work. It is called by several threads.
  ///   - done: Receives the number and the outcome of each run that was not interrupted.
  /// - Throws: ``LinuxError`` if a lab cannot be created.
  func run(
    _ next: @escaping @Sendable () -> Work,
    _ done: @escaping @Sendable (Int, TryRun.Outcome) -> Void
  ) throws(LinuxError) {
    let course = Mutex(Course())
    _ = try OSThread.runAll(jobs) { (_) throws(LinuxError) in
      do throws(LinuxError) {
        try work(next, done, course)
      } catch {
        course.withLock { $0.hasFailed = true }
        throw error
      }
    }
  }

  private func work(
    _ next: @Sendable () -> Work, _ done: @Sendable (Int, TryRun.Outcome) -> Void,
    _ course: borrowing Mutex<Course>
  ) throws(LinuxError) {
    while !course.withLock({ $0.hasFailed }) {
      switch next() {
      case .end: return
      case .later:
        if try waitReadable([stop.descriptor], atMost: Self.pause)[0] { return }
      case .run(let number, let run):
        let start = course.withLock { course in
          let start = max(monotonicMicroseconds(), course.nextStart)
          course.nextStart = start + Self.stagger
          return start
        }
        if try waitReadable([stop.descriptor], atMost: start - monotonicMicroseconds())[0] {
          return
        }
        let outcome = try run.run(interruption: stop)
        guard !outcome.isInterrupted else { return }
        done(number, outcome)
      }
    }
  }

  /// Runs all runs of a list.
  ///
  /// - Parameter runs: The runs.
  /// - Returns: The outcomes in the order of the runs, with `nil` for an interrupted run.
  /// - Throws: ``LinuxError`` if a lab cannot be created.
  func outcomes(of runs: [TryRun]) throws(LinuxError) -> [TryRun.Outcome?] {
    let shared = Shared(runs.count)
    try SearchLabs(jobs: min(jobs, runs.count), stop: stop).run {
      shared.state.withLock { state in
        guard state.next < runs.count else { return .end }
        defer { state.next += 1 }
        return .run(state.next, runs[state.next])
      }
    } _: { number, outcome in
      shared.state.withLock { $0.outcomes[number] = outcome }
    }
    return shared.state.withLock { $0.outcomes }
  }

  /// State that the threads of a list share.
  private final class Shared: Sendable {
    struct State: Sendable {
      var next = 0
      var outcomes: [TryRun.Outcome?]
    }

    let state: Mutex<State>

    init(_ count: Int) {
      state = Mutex(State(outcomes: Array(repeating: nil, count: count)))
    }
  }
}
