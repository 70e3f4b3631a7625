import CLinux
import Glibc

/// Two connected sockets with blocking ends, for a child process that expects blocking streams.
///
/// Unlike a write to a pipe, a write to a socket whose peer has closed can be made without SIGPIPE.
public struct SocketPair: ~Copyable, Sendable {
  /// The end for the other process.
  public let theirEnd: Descriptor
  /// The end that this process keeps.
  public let ownEnd: Descriptor

  /// Creates a pair with close-on-exec ends: a program inherits an end only if it is passed
  /// explicitly.
  public init() throws(LinuxError) {
    let ends = try opened(handover_socket_pair(), "socketpair")
    theirEnd = Descriptor(owning: ends.first)
    ownEnd = Descriptor(owning: ends.second)
  }

  /// Returns this process's end and closes the other.
  public consuming func takeOwnEnd() -> Descriptor { ownEnd }
}
