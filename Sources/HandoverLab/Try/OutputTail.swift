import Glibc
import HandoverLinux
import Synchronization

/// Keeps the end of what a program writes, and drops the rest.
final class OutputTail: Sendable {
  /// What the program reads from: nothing.
  let nothing: Int32
  private let ends: Mutex<(read: Int32, write: Int32)>
  private let state = Mutex(State())
  private let wakening: Wakening
  private let thread = Mutex<OSThread?>(nil)

  /// How many bytes are kept.
  static let maximumLength = 8_192

  private struct State {
    var bytes: [UInt8] = []
    var isClosed = false
  }

  init() throws(LinuxError) {
    nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { throw LinuxError(call: "open(/dev/null)", errno: errno) }
    ends = Mutex(try BlockingPipe().release())
    wakening = try Wakening()
  }

  deinit {
    close()
    _ = Glibc.close(nothing)
  }

  /// The end that the program writes to; until ``begin()``.
  var writeEnd: Int32 { ends.withLock { $0.write } }

  /// Begins to read; the program has its own end by now.
  func begin() {
    let read = ends.withLock { ends in
      if ends.write >= 0 { _ = Glibc.close(ends.write) }
      ends.write = -1
      return ends.read
    }
    let thread = try? OSThread.start { self.keep(read) }
    self.thread.withLock { $0 = thread }
  }

  /// What was kept, as text.
  var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

  /// Ends the reading.
  func close() {
    state.withLock { $0.isClosed = true }
    wakening.signal()
    thread.withLock { $0.take() }?.join()
    ends.withLock { ends in
      if ends.read >= 0 { _ = Glibc.close(ends.read) }
      if ends.write >= 0 { _ = Glibc.close(ends.write) }
      ends = (-1, -1)
    }
  }

  private func keep(_ descriptor: Int32) {
    var room = [UInt8](repeating: 0, count: 4_096)
    while !state.withLock({ $0.isClosed }) {
      guard let ready = try? waitReadable([descriptor, wakening.descriptor], atMost: nil),
        ready[0]
      else { continue }
      let count = unsafe read(descriptor, &room, room.count)
      guard count > 0 else { return }
      state.withLock { state in
        state.bytes += room[..<count]
        if state.bytes.count > Self.maximumLength {
          state.bytes.removeFirst(state.bytes.count - Self.maximumLength)
        }
      }
    }
  }
}
