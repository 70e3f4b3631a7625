import CLinux
import Glibc

/// A socket for raw frames of one interface, or of all interfaces of a namespace.
public struct PacketSocket: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// The maximum length of a frame, including the header of a large segment.
  public static let maximumFrameLength = 65_536 + 64

  /// The length of the virtio header that precedes each frame if segments are kept.
  public static let segmentHeaderLength = 10

  /// The direction of the frames that a socket reads.
  public enum Direction: Hashable, Sendable {
    /// Only incoming frames.
    case incoming
    /// Incoming and outgoing frames.
    case both
  }

  /// The description of a received frame.
  public struct Frame: Hashable, Sendable {
    /// The number of bytes written to the buffer.
    public var length: Int
    /// The index of the interface that received or sent the frame.
    public var interface: Int32
  }

  /// Opens a socket for an interface, or for all current and future interfaces if `interface` is
  /// `nil`.
  ///
  /// With `keepsSegments`, frames carry a virtio header. The header preserves large segments and
  /// partial checksums when a frame is written to another such socket.
  public init(
    _ interface: String? = nil, in namespace: NetworkNamespace, _ direction: Direction,
    keepsSegments: Bool
  ) throws(LinuxError) {
    let number = try namespace.run { () throws(LinuxError) in
      var index: UInt32 = 0
      if let interface {
        index = SystemSocket.interfaceIndex(interface)
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

  /// The descriptor that becomes readable when a frame is waiting.
  public var number: Int32 { descriptor.number }

  /// Reads a frame into a buffer and truncates it if necessary, or returns `nil` if none is
  /// waiting.
  public func receive(into room: inout [UInt8]) throws(LinuxError) -> Frame? {
    while true {
      let (length, interface) = SystemSocket.receiveFrame(from: descriptor.number, into: &room)
      if length >= 0 { return Frame(length: length, interface: Int32(interface)) }
      switch Int32(-length) {
      case EAGAIN: return nil
      // If the interface is down, it may come up again.
      case EINTR, ENETDOWN: continue
      case let number: throw LinuxError(call: "recvfrom(AF_PACKET)", errno: number)
      }
    }
  }

  /// Sends a frame through an interface; a frame that cannot be sent is lost, as on a real link.
  ///
  /// - Returns: Whether the frame was sent.
  @discardableResult
  public func send(_ frame: ArraySlice<UInt8>, by interface: Int32) -> Bool {
    let sent = SystemSocket.sendFrame(
      frame.span, to: descriptor.number, through: UInt32(interface))
    return sent == frame.count
  }
}
