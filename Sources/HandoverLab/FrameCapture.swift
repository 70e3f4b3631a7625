import Glibc
public import HandoverLinux
import Synchronization

/// Writes the frames of a lab's device to a file that `tcpdump -r` and Wireshark can read (pcap,
/// with microseconds).
///
/// Large segments of the kernel are written as individual packets with complete checksums, as on a
/// wire.
public final class FrameCapture: Sendable {
  private let socket: PacketSocket
  private let loopback: Int32
  private let file: Int32
  private let wakeup: WakeupPipe
  private let isClosed = Mutex(false)
  private let lost = Mutex<Int32?>(nil)

  /// The `errno` value if a frame could not be written; otherwise `nil`.
  public var problem: Int32? { lost.withLock { $0 } }

  private let thread = Mutex<OSThread?>(nil)

  /// Starts to write the frames of the device's networks, without those of its loopback interface.
  ///
  /// - Parameters:
  ///   - device: the namespace of the device.
  ///   - file: a descriptor that stays open for writing while this object exists.
  /// - Throws: ``LinuxError`` if frames cannot be captured.
  public init(of device: NetworkNamespace, to file: Int32) throws(LinuxError) {
    self.file = file
    loopback = try NetworkController(in: device).link("lo")?.index ?? 0
    socket = try PacketSocket(in: device, .both, keepsSegments: true)
    wakeup = try WakeupPipe()
    // A lab that is made again for the same run replaces the frames of the first one. Files such as
    // pipes cannot be truncated.
    if ftruncate(file, 0) == 0 { _ = lseek(file, 0, SEEK_SET) }
    // Version 2.4, no time zone, Ethernet frames.
    write([0xA1B2_C3D4, 4 << 16 | 2, 0, 0, UInt32(PacketSocket.maximumFrameLength), 1], [])
    let thread = try OSThread.start { self.capture() }
    self.thread.withLock { $0 = thread }
  }

  /// Writes all frames that were captured so far, and stops.
  public func close() {
    isClosed.withLock { $0 = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
  }

  private func capture() {
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    while true {
      // Checked before the waiting frames are read, so that no earlier frame is missed.
      let isLast = isClosed.withLock { $0 }
      do throws(LinuxError) {
        while let frame = try socket.receive(into: &room) {
          if frame.interface != loopback { record(room[..<frame.length]) }
        }
        if isLast { return }
        _ = try waitReadable([socket.number, wakeup.descriptor], atMost: nil)
      } catch {
        lost.withLock { $0 = $0 ?? error.number }
        return
      }
    }
  }

  private func record(_ frame: ArraySlice<UInt8>) {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
    for packet in FrameSegments.split(frame, areWhole: true) {
      let bytes = packet.dropFirst(PacketSocket.segmentHeaderLength)
      let length = UInt32(bytes.count)
      write(
        [UInt32(truncatingIfNeeded: now.tv_sec), UInt32(now.tv_nsec / 1_000), length, length],
        bytes)
    }
  }

  /// Writes words in host byte order, followed by bytes.
  ///
  /// Writes nothing after a failure.
  private func write(_ words: [UInt32], _ bytes: ArraySlice<UInt8>) {
    var record = words.flatMap { word in unsafe withUnsafeBytes(of: word) { unsafe Array($0) } }
    record += bytes
    guard problem == nil else { return }
    var rest = record[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { room in
        unsafe Glibc.write(file, room.baseAddress, room.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        lost.withLock { $0 = count == 0 ? EIO : errno }
        return
      }
    }
  }
}
