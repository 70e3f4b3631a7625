import Synchronization

/// Detects time spans in which the machine did not run this process, from the gaps between its
/// ticks.
package final class StandstillWatch: Sendable {
  /// A span on the monotonic clock, in microseconds.
  package struct Span: Hashable, Sendable {
    package var from: Int64
    package var to: Int64

    package init(from: Int64, to: Int64) {
      (self.from, self.to) = (from, to)
    }
  }

  /// The minimum length of a gap that counts, in microseconds.
  private let shortest: Int64
  private let wakeup: WakeupPipe
  private let state = Mutex(State())
  private let thread = Mutex<OSThread?>(nil)

  /// The interval between two ticks, in microseconds.
  private static let period: Int64 = 50_000
  /// The maximum number of spans that are kept.
  private static let maximumCount = 1_000

  private struct State {
    var spans: [Span] = []
    var count = 0
    var isClosed = false
  }

  /// Starts to tick.
  ///
  /// - Parameter shortest: The minimum length of a gap that counts, in microseconds.
  /// - Throws: ``LinuxError`` if the system cannot create another thread.
  package init(shortest: Int64) throws(LinuxError) {
    self.shortest = shortest
    wakeup = try WakeupPipe()
    let thread = try OSThread.start { self.tick() }
    self.thread.withLock { $0 = thread }
  }

  /// The number of spans until now.
  package var count: Int { state.withLock { $0.count } }

  /// The first 1,000 spans until now, in order.
  package var spans: [Span] { state.withLock { $0.spans } }

  /// Stops ticking.
  package func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
  }

  private func tick() {
    OSThread.name("ticks")
    var last = monotonicMicroseconds()
    while !state.withLock({ $0.isClosed }) {
      // A failed wait causes a gap that is too short to count.
      _ = try? waitReadable([wakeup.descriptor], atMost: Self.period)
      let now = monotonicMicroseconds()
      note(Span(from: last, to: now))
      last = now
    }
  }

  /// Records the span between two ticks if it is long enough.
  package func note(_ span: Span) {
    guard span.to - span.from > shortest else { return }
    state.withLock { state in
      state.count += 1
      if state.spans.count < Self.maximumCount { state.spans.append(span) }
    }
  }
}
