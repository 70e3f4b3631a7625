import CLinux
import Glibc

/// A socket for the raw frames of one interface.
public struct PacketSocket: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// The longest frame there can be, the header of a large segment included.
  public static let maximumFrameLength = 65_536 + 64

  /// What a socket reads.
  public enum Direction: Hashable, Sendable {
    /// Only what comes in.
    case incoming
    /// What comes in and what goes out.
    case both
  }

  /// Opens a socket of an interface of a namespace.
  ///
  /// With `keepsSegments` frames carry a virtio header, so that large segments and partial checksums
  /// survive being written to another such socket.
  public init(
    _ interface: String, in namespace: NetworkNamespace, _ direction: Direction,
    keepsSegments: Bool
  ) throws(LinuxError) {
    let number = try namespace.run { () throws(LinuxError) in
      let index = unsafe if_nametoindex(interface)
      guard index != 0 else {
        throw LinuxError(call: "if_nametoindex(\(interface))", errno: errno)
      }
      let number = try checked(
        handover_packet_socket(index, keepsSegments ? 1 : 0), "socket(AF_PACKET) of \(interface)")
      if direction == .incoming {
        try checked(handover_ignore_outgoing(number), "PACKET_IGNORE_OUTGOING")
      }
      return number
    }
    descriptor = Descriptor(owning: number)
  }

  /// The descriptor that can be read once there is a frame.
  public var number: Int32 { descriptor.number }

  /// Reads a frame into a room, where what does not fit is cut off; nil where none waits.
  ///
  /// The answer is how many bytes were read.
  public func receive(into room: inout [UInt8]) throws(LinuxError) -> Int? {
    while true {
      let count = unsafe recv(
        descriptor.number, &room, room.count, 0)
      if count >= 0 { return count }
      switch errno {
      case EAGAIN: return nil
      // The interface is down; it may come back.
      case EINTR, ENETDOWN: continue
      case let number: throw LinuxError(call: "recv(AF_PACKET)", errno: number)
      }
    }
  }

  /// Sends a frame; one that cannot be sent is lost, as on any link.
  ///
  /// - Returns: whether it was sent.
  @discardableResult
  public func send(_ frame: ArraySlice<UInt8>) -> Bool {
    let sent = unsafe frame.withUnsafeBytes {
      unsafe Glibc.send(descriptor.number, $0.baseAddress, $0.count, 0)
    }
    return sent == frame.count
  }
}
