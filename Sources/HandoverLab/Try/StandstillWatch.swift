import HandoverLinux
import Synchronization

/// Detects time spans in which the machine did not run this process, from the gaps between its
/// ticks.
final class StandstillWatch: Sendable {
  /// A span on the monotonic clock, in microseconds.
  struct Span: Hashable, Sendable {
    var from: Int64
    var to: Int64
  }

  private let wakeup: WakeupPipe
  private let state = Mutex(State())
  private let thread = Mutex<OSThread?>(nil)

  /// The interval between two ticks, in microseconds.
  private static let period: Int64 = 50_000
  /// The minimum length of a gap that counts, in microseconds.
  static let shortest: Int64 = 500_000
  /// The maximum number of spans that are kept.
  private static let maximumCount = 1_000

  private struct State {
    var spans: [Span] = []
    var isClosed = false
  }

  /// Starts to tick.
  init() throws(LinuxError) {
    wakeup = try WakeupPipe()
    let thread = try OSThread.start { self.tick() }
    self.thread.withLock { $0 = thread }
  }

  /// The spans until now, in order.
  var spans: [Span] { state.withLock { $0.spans } }

  /// Stops ticking.
  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
  }

  private func tick() {
    OSThread.name("lab-ticks")
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
  func note(_ span: Span) {
    guard span.to - span.from > Self.shortest else { return }
    state.withLock { state in
      if state.spans.count < Self.maximumCount { state.spans.append(span) }
    }
  }
}
