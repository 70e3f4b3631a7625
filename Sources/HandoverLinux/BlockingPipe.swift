import CLinux
import Glibc

/// A pipe with blocking ends, for a child process that expects blocking standard streams.
public struct BlockingPipe: ~Copyable, Sendable {
  /// The end to read from.
  public let readEnd: Descriptor
  /// The end to write to.
  public let writeEnd: Descriptor

  /// Creates a pipe with close-on-exec ends: a program inherits an end only if it is passed
  /// explicitly.
  public init() throws(LinuxError) {
    let ends = try opened(handover_blocking_pipe(), "pipe2")
    readEnd = Descriptor(owning: ends.first)
    writeEnd = Descriptor(owning: ends.second)
  }

  /// Returns the reading end and closes the writing end.
  public consuming func takeReadEnd() -> Descriptor { readEnd }

  /// Returns both ends and gives up ownership; the caller must close them.
  public consuming func release() -> (read: Int32, write: Int32) {
    (readEnd.release(), writeEnd.release())
  }
}

/// Opens a pseudo-terminal of 80 columns and 24 lines, and returns our end and the program's end.
public func openTerminal() throws(LinuxError) -> (ours: Int32, theirs: Int32) {
  let ends = try opened(handover_open_terminal(), "openpty")
  return (ends.first, ends.second)
}

/// Makes a descriptor non-blocking: reads and writes return immediately instead of waiting.
public func setNonBlocking(_ descriptor: Int32) throws(LinuxError) {
  let flags = fcntl(descriptor, F_GETFL)
  try checked(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0, "fcntl")
}
