import CLinux
import Glibc

/// A file descriptor that is closed when nobody holds it any more.
public struct Descriptor: ~Copyable, Sendable {
  /// The number.
  public let number: Int32

  /// Takes over a descriptor that is open.
  public init(owning number: Int32) {
    self.number = number
  }

  deinit { _ = close(number) }

  /// Gives the number away; nobody closes it any more but the one who takes it.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}

/// Takes the next connection of a socket that listens; nil if there is none.
///
/// Reading and writing through it never wait, and no program inherits it.
public func acceptConnection(of socket: Int32) -> Int32? {
  let number = handover_accept(socket)
  return number >= 0 ? number : nil
}

/// Makes a file whose name is unused, which no program inherits.
///
/// - Parameter template: ends with `XXXXXX` and a zero; becomes the name.
/// - Returns: the descriptor; -1 if the file cannot be made, with the reason in `errno`.
public func makeTemporaryFile(_ template: inout [CChar]) -> Int32 {
  unsafe handover_temporary_file(&template)
}

/// Wakes a thread that waits for descriptors.
///
/// Anybody may call ``signal()``, at any time and as often as wanted.
public final class Wakening: Sendable {
  private let readEnd: Descriptor
  private let writeEnd: Descriptor

  /// Makes one that nobody has signalled.
  public init() throws(LinuxError) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutablePointer(to: &ends) {
      unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe handover_pipe($0) }
    }
    try checked(result, "pipe2")
    readEnd = Descriptor(owning: ends.0)
    writeEnd = Descriptor(owning: ends.1)
  }

  /// The descriptor that can be read once it is signalled.
  public var descriptor: Int32 { readEnd.number }

  /// What a byte can be written to in the place of ``signal()``, where nothing else is safe.
  public var signallingDescriptor: Int32 { writeEnd.number }

  /// Wakes whoever waits now, or will wait next.
  public func signal() {
    // A full pipe wakes as well as one more byte would.
    _ = unsafe withUnsafeBytes(of: UInt8(1)) { unsafe write(writeEnd.number, $0.baseAddress, 1) }
  }

  /// Forgets what was signalled.
  public func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    unsafe withUnsafeMutableBytes(of: &bytes) { room in
      while unsafe read(readEnd.number, room.baseAddress, room.count) == room.count {}
    }
  }
}

/// Waits until one of some descriptors can be read, has ended or failed.
///
/// There may be 64 of them. Without a time it waits for as long as it takes. The answer tells for
/// each whether it can be read; none can after that time or a signal.
public func waitReadable(
  _ descriptors: [Int32], atMost microseconds: Int64?
) throws(LinuxError) -> [Bool] {
  var ready = [UInt8](repeating: 0, count: descriptors.count)
  let result = unsafe handover_wait_readable(
    descriptors, &ready, UInt32(descriptors.count), microseconds.map { max(0, $0) } ?? -1)
  try checked(result, "ppoll")
  return ready.map { $0 != 0 }
}

/// The monotonic clock, in microseconds.
public func monotonicMicroseconds() -> Int64 { handover_monotonic_microseconds() }
