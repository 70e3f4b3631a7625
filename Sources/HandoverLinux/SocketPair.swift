import CLinux
import Glibc

/// Two sockets that are connected to each other; whoever inherits one finds it blocking.
///
/// Unlike a pipe, one can be written to without a signal where nobody reads any more.
public struct SocketPair: ~Copyable, Sendable {
  /// The end for somebody else.
  public let theirEnd: Descriptor
  /// The end that stays here.
  public let ownEnd: Descriptor

  /// Makes a pair that no program inherits that is not given it.
  public init() throws(LinuxError) {
    var ends: [Int32] = [-1, -1]
    try checked(unsafe handover_socket_pair(&ends), "socketpair")
    theirEnd = Descriptor(owning: ends[0])
    ownEnd = Descriptor(owning: ends[1])
  }

  /// Gives the own end away and closes the other.
  public consuming func takeOwnEnd() -> Descriptor { ownEnd }
}
