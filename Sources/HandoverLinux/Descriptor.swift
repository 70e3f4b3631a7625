import CLinux
import Glibc

/// A file descriptor that is closed when its owner is destroyed.
public struct Descriptor: ~Copyable, Sendable {
  /// The number.
  public let number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) {
    self.number = number
  }

  deinit { _ = close(number) }

  /// Returns the number and gives up ownership; the caller must close the descriptor.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}

/// Accepts the next connection of a listening socket, or returns `nil` if none is waiting.
///
/// The connection is non-blocking, and no program inherits it.
public func acceptConnection(of socket: Int32) -> Int32? {
  let number = handover_accept(socket)
  return number >= 0 ? number : nil
}

/// Returns two descriptors, or throws an error if the call that opens them failed.
func opened(
  _ ends: handover_ends, _ call: @autoclosure () -> String
) throws(LinuxError) -> handover_ends {
  try checked(ends.result, call())
  return ends
}

/// Wakes a thread that waits for descriptors.
///
/// Any thread may call ``signal()``, at any time and any number of times.
public final class WakeupPipe: Sendable {
  private let readEnd: Descriptor
  private let writeEnd: Descriptor

  /// Creates a wakeup that is not signaled yet.
  public init() throws(LinuxError) {
    let ends = try opened(handover_pipe(), "pipe2")
    readEnd = Descriptor(owning: ends.first)
    writeEnd = Descriptor(owning: ends.second)
  }

  /// The descriptor that becomes readable after a signal.
  public var descriptor: Int32 { readEnd.number }

  /// The descriptor to write a byte to in code that cannot call ``signal()``, such as a signal
  /// handler.
  public var signallingDescriptor: Int32 { writeEnd.number }

  /// Wakes the thread that waits now, or makes the next wait return immediately.
  public func signal() {
    // If the pipe is full, it is readable already, so a failed write needs no handling.
    _ = SystemFile.write([1 as UInt8].span, to: writeEnd.number)
  }

  /// Discards all pending signals.
  public func clear() {
    var room = [UInt8](repeating: 0, count: 16)
    while SystemFile.read(readEnd.number, into: &room) == room.count {}
  }
}

/// Waits until at least one descriptor is readable, is closed by its peer or has failed.
///
/// If `microseconds` is `nil`, the wait has no time limit. The result states for each descriptor
/// whether it is ready. No descriptor is ready after a timeout or an interrupting signal.
public func waitReadable(
  _ descriptors: [Int32], atMost microseconds: Int64?
) throws(LinuxError) -> [Bool] {
  var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  let result = SystemFile.poll(&polled, atMost: microseconds)
  if result != -EINTR { try checked(result, "ppoll") }
  return polled.map { result > 0 && $0.revents != 0 }
}

/// Returns the time of the monotonic clock in microseconds.
public func monotonicMicroseconds() -> Int64 { handover_monotonic_microseconds() }

/// Returns the wall-clock time in microseconds since 1970.
package func wallMicroseconds() -> Int64 { handover_wall_microseconds() }
