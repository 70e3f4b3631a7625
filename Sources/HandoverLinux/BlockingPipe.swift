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
    var ends: [Int32] = [-1, -1]
    try checked(unsafe handover_blocking_pipe(&ends), "pipe2")
    readEnd = Descriptor(owning: ends[0])
    writeEnd = Descriptor(owning: ends[1])
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
  var ends: (Int32, Int32) = (-1, -1)
  try checked(unsafe handover_open_terminal(&ends.0, &ends.1), "openpty")
  return (ends.0, ends.1)
}

/// Makes a descriptor non-blocking: reads and writes return immediately instead of waiting.
public func setNonBlocking(_ descriptor: Int32) throws(LinuxError) {
  let flags = fcntl(descriptor, F_GETFL)
  try checked(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0, "fcntl")
}
