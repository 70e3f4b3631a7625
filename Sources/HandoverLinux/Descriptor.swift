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

/// Creates a file with an unused name, which no program inherits.
///
/// - Parameter template: The path, which ends with `XXXXXX` and a zero byte; it is replaced by the
///   path of the file.
/// - Returns: The descriptor, or -1 if the file cannot be created; `errno` then has the reason.
public func makeTemporaryFile(_ template: inout [CChar]) -> Int32 {
  unsafe handover_temporary_file(&template)
}

/// Wakes a thread that waits for descriptors.
///
/// Any thread may call ``signal()``, at any time and any number of times.
public final class WakeupPipe: Sendable {
  private let readEnd: Descriptor
  private let writeEnd: Descriptor

  /// Creates a wakeup that is not signaled yet.
  public init() throws(LinuxError) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutablePointer(to: &ends) {
      unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe handover_pipe($0) }
    }
    try checked(result, "pipe2")
    readEnd = Descriptor(owning: ends.0)
    writeEnd = Descriptor(owning: ends.1)
  }

  /// The descriptor that becomes readable after a signal.
  public var descriptor: Int32 { readEnd.number }

  /// The descriptor to write a byte to in code that cannot call ``signal()``, such as a signal
  /// handler.
  public var signallingDescriptor: Int32 { writeEnd.number }

  /// Wakes the thread that waits now, or makes the next wait return immediately.
  public func signal() {
    // If the pipe is full, it is readable already, so a failed write needs no handling.
    _ = unsafe withUnsafeBytes(of: UInt8(1)) { unsafe write(writeEnd.number, $0.baseAddress, 1) }
  }

  /// Discards all pending signals.
  public func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    unsafe withUnsafeMutableBytes(of: &bytes) { room in
      while unsafe read(readEnd.number, room.baseAddress, room.count) == room.count {}
    }
  }
}

/// Waits until at least one descriptor is readable, is closed by its peer or has failed.
///
/// At most 64 descriptors are supported. If `microseconds` is `nil`, the wait has no time limit.
/// The result states for each descriptor whether it is ready. No descriptor is ready after a
/// timeout or an interrupting signal.
public func waitReadable(
  _ descriptors: [Int32], atMost microseconds: Int64?
) throws(LinuxError) -> [Bool] {
  var ready = [UInt8](repeating: 0, count: descriptors.count)
  let result = unsafe handover_wait_readable(
    descriptors, &ready, UInt32(descriptors.count), microseconds.map { max(0, $0) } ?? -1)
  try checked(result, "ppoll")
  return ready.map { $0 != 0 }
}

/// Returns the time of the monotonic clock in microseconds.
public func monotonicMicroseconds() -> Int64 { handover_monotonic_microseconds() }
