import CLinux
import Glibc

/// A pipe; whoever inherits one of its ends finds it blocking.
public struct BlockingPipe: ~Copyable, Sendable {
  /// The end that is read.
  public let readEnd: Descriptor
  /// The end that is written.
  public let writeEnd: Descriptor

  /// Makes a pipe whose ends no program inherits that is not given them.
  public init() throws(LinuxError) {
    var ends: [Int32] = [-1, -1]
    try checked(unsafe handover_blocking_pipe(&ends), "pipe2")
    readEnd = Descriptor(owning: ends[0])
    writeEnd = Descriptor(owning: ends[1])
  }

  /// Gives the reading end away and closes the other.
  public consuming func takeReadEnd() -> Descriptor { readEnd }

  /// Gives both ends away; nobody closes them any more but the one who takes them.
  public consuming func release() -> (read: Int32, write: Int32) {
    (readEnd.release(), writeEnd.release())
  }
}

/// Makes a terminal of 80 columns and 24 lines: our end, and that of a program.
public func openTerminal() throws(LinuxError) -> (ours: Int32, theirs: Int32) {
  var ends: (Int32, Int32) = (-1, -1)
  try checked(unsafe handover_open_terminal(&ends.0, &ends.1), "openpty")
  return (ends.0, ends.1)
}

/// Makes reading and writing through a descriptor return at once where they would wait.
public func setNonBlocking(_ descriptor: Int32) throws(LinuxError) {
  let flags = fcntl(descriptor, F_GETFL)
  try checked(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0, "fcntl")
}
