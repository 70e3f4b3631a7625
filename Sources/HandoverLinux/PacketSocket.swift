import CLinux
import Glibc

/// A socket for raw frames: those of one interface, or of every interface of a namespace.
public struct PacketSocket: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// The longest frame there can be, the header of a large segment included.
  public static let maximumFrameLength = 65_536 + 64

  /// How many bytes stand before a frame that keeps its segments: the virtio header.
  public static let segmentHeaderLength = 10

  /// What a socket reads.
  public enum Direction: Hashable, Sendable {
    /// Only what comes in.
    case incoming
    /// What comes in and what goes out.
    case both
  }

  /// A frame that was read.
  public struct Frame: Hashable, Sendable {
    /// How many bytes of the room it took.
    public var length: Int
    /// The number of the interface it came by, or left by.
    public var interface: Int32
  }

  /// Opens a socket of an interface of a namespace; nil is every interface, also those to come.
  ///
  /// With `keepsSegments` frames carry a virtio header, so that large segments and partial
  /// checksums survive being written to another such socket.
  public init(
    _ interface: String? = nil, in namespace: NetworkNamespace, _ direction: Direction,
    keepsSegments: Bool
  ) throws(LinuxError) {
    let number = try namespace.run { () throws(LinuxError) in
      var index: UInt32 = 0
      if let interface {
        index = unsafe if_nametoindex(interface)
        guard index != 0 else {
          throw LinuxError(call: "if_nametoindex(\(interface))", errno: errno)
        }
      }
      let number = try checked(
        handover_packet_socket(index, keepsSegments ? 1 : 0), "socket(AF_PACKET)")
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
  public func receive(into room: inout [UInt8]) throws(LinuxError) -> Frame? {
    while true {
      var interface: UInt32 = 0
      let count = unsafe handover_receive_frame(
        descriptor.number, &room, room.count, &interface)
      if count >= 0 { return Frame(length: Int(count), interface: Int32(interface)) }
      switch Int32(-count) {
      case EAGAIN: return nil
      // The interface is down; it may come back.
      case EINTR, ENETDOWN: continue
      case let number: throw LinuxError(call: "recvfrom(AF_PACKET)", errno: number)
      }
    }
  }

  /// Sends a frame by an interface; one that cannot be sent is lost, as on any link.
  ///
  /// - Returns: whether it was sent.
  @discardableResult
  public func send(_ frame: ArraySlice<UInt8>, by interface: Int32) -> Bool {
    let sent = unsafe frame.withUnsafeBytes {
      unsafe handover_send_frame(
        descriptor.number, $0.baseAddress, $0.count, UInt32(interface))
    }
    return sent == frame.count
  }
}
