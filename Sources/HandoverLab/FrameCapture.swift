import Glibc
public import HandoverLinux
public import HandoverTry
import Synchronization

/// Writes the frames of a lab's device to a file that `tcpdump -r` and Wireshark can read (pcapng,
/// with microseconds).
///
/// Large segments of the kernel are written as individual packets with complete checksums, as on a
/// wire.
public final class FrameCapture: Sendable {
  private let socket: PacketSocket
  private let loopback: Int32
  private let file: Int32
  private let wakeup: WakeupPipe
  private let state: Mutex<State>
  private let thread = Mutex<OSThread?>(nil)

  private struct State {
    var isClosed = false
    var problem: Int32?
    /// The last frames, which are not written yet.
    var held = HeldFrames()
    /// The comments of the next frame.
    var comments: [String] = []
    var count = 0
    var index = FrameIndex()
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
  }

  /// The `errno` value if a frame could not be written; otherwise `nil`.
  public var problem: Int32? { state.withLock { $0.problem } }

  /// The frames of each flow so far.
  public var index: FrameIndex { state.withLock { $0.index } }

  /// The number of frames so far.
  public var count: Int { state.withLock { $0.count } }

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
    state = Mutex(State())
    state.withLock { write(CaptureBlocks.header, &$0) }
    let thread = try OSThread.start { self.capture() }
    self.thread.withLock { $0 = thread }
  }

  /// Writes all frames that were captured so far, and stops.
  public func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
  }

  /// Adds a comment to the next frame, or to the last one if no other frame follows.
  ///
  /// - Returns: the number of the next frame, counted from 1.
  public func add(comment: String) -> Int {
    state.withLock { state in
      takeFrames(&state)
      state.comments.append(comment)
      return state.count + 1
    }
  }

  /// Adds the keys of a TLS connection, as lines of a key log in the format of NSS.
  public func add(keys: [UInt8]) {
    state.withLock { state in
      guard !state.isClosed else { return }
      write(CaptureBlocks.secrets(keys), &state)
    }
  }

  private func capture() {
    while true {
      // Checked before the waiting frames are read, so that no earlier frame is missed.
      let isLast = state.withLock { state in
        let isLast = state.isClosed
        takeFrames(&state)
        if isLast {
          state.held.addToLast(state.comments)
          while let first = state.held.take() { write(first, &state) }
        }
        return isLast || state.problem != nil
      }
      if isLast { return }
      do throws(LinuxError) {
        _ = try waitReadable([socket.number, wakeup.descriptor], atMost: nil)
      } catch {
        state.withLock { $0.problem = $0.problem ?? error.number }
        return
      }
    }
  }

  private func takeFrames(_ state: inout State) {
    do throws(LinuxError) {
      while state.problem == nil, let frame = try socket.receive(into: &state.room) {
        if frame.interface != loopback { record(frame.length, &state) }
      }
    } catch {
      state.problem = state.problem ?? error.number
    }
  }

  /// Records the frame in the buffer.
  private func record(_ length: Int, _ state: inout State) {
    let time = wallMicroseconds()
    for packet in FrameSegments.split(state.room[..<length], areWhole: true) {
      let bytes = Array(packet.dropFirst(PacketSocket.segmentHeaderLength))
      state.held.append(.init(time: time, bytes: bytes, comments: state.comments))
      state.comments = []
      state.count += 1
      if let packet = ObservedPacket(frame: bytes[...]) {
        state.index.add(packet, frame: state.count)
      }
      while let first = state.held.take(before: time) { write(first, &state) }
    }
  }

  private func write(_ frame: HeldFrames.Frame, _ state: inout State) {
    write(CaptureBlocks.frame(frame.bytes, at: frame.time, frame.comments), &state)
  }

  /// Writes bytes, or nothing after a failure.
  private func write(_ bytes: [UInt8], _ state: inout State) {
    guard state.problem == nil else { return }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = SystemFile.write(rest.span, to: file)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        state.problem = count == 0 ? EIO : errno
        return
      }
    }
  }
}

/// Frames that are written a little later.
///
/// A reader finds the keys of a frame only before it in the file, but a server knows them only
/// after the frame has arrived. The last frame stays, because it may get comments.
struct HeldFrames: Sendable {
  struct Frame: Hashable, Sendable {
    /// The time in microseconds since 1970.
    var time: Int64
    var bytes: [UInt8]
    var comments: [String] = []
  }

  /// The time in microseconds for which a frame is held.
  static let time: Int64 = 1_000_000
  /// The maximum number of bytes in all frames except the last one.
  static let maximumLength = 1 << 20

  private var frames: ArraySlice<Frame> = []
  private var length = 0

  mutating func append(_ frame: Frame) {
    frames.append(frame)
    length += frame.bytes.count
  }

  /// Adds comments to the last frame.
  mutating func addToLast(_ comments: [String]) {
    if let last = frames.indices.last { frames[last].comments += comments }
  }

  /// Returns and removes the first frame if it has been held long enough, or if there are too many.
  mutating func take(before now: Int64) -> Frame? {
    guard frames.count > 1, let first = frames.first,
      first.time <= now - Self.time || length > Self.maximumLength
    else { return nil }
    return take()
  }

  /// Returns and removes the first frame.
  mutating func take() -> Frame? {
    guard let first = frames.popFirst() else { return nil }
    length -= first.bytes.count
    return first
  }
}

/// The blocks of a pcapng file, with numbers in host byte order.
enum CaptureBlocks {
  /// The beginning of a file: a section of version 1.0, and one interface with Ethernet frames.
  static var header: [UInt8] {
    block(
      0x0A0D_0D0A,
      bytes(0x1A2B_3C4D as UInt32) + bytes(1 as UInt16) + bytes(0 as UInt16) + bytes(-1 as Int64))
      + block(
        1,
        bytes(1 as UInt16) + bytes(0 as UInt16)
          + bytes(UInt32(PacketSocket.maximumFrameLength)))
  }

  /// Returns a frame with its time in microseconds since 1970.
  static func frame(_ frame: [UInt8], at time: Int64, _ comments: [String]) -> [UInt8] {
    let length = bytes(UInt32(frame.count))
    var body =
      bytes(0 as UInt32) + bytes(UInt32(truncatingIfNeeded: time >> 32))
      + bytes(UInt32(truncatingIfNeeded: time)) + length + length + padded(frame)
    for comment in comments {
      let text = Array(String(comment.unicodeScalars.prefix(longestComment)).utf8)
      body += bytes(1 as UInt16) + bytes(UInt16(text.count)) + padded(text)
    }
    if !comments.isEmpty { body += bytes(0 as UInt32) }
    return block(6, body)
  }

  /// Returns the keys of TLS connections.
  static func secrets(_ keys: [UInt8]) -> [UInt8] {
    block(10, bytes(0x544C_534B as UInt32) + bytes(UInt32(keys.count)) + padded(keys))
  }

  /// The maximum length of a comment in Unicode scalars.
  private static let longestComment = 1_000

  private static func block(_ kind: UInt32, _ body: [UInt8]) -> [UInt8] {
    let length = bytes(UInt32(body.count + 12))
    return bytes(kind) + length + body + length
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// Returns the bytes of a number, low byte first.
  ///
  /// The first number of a file shows its byte order to readers.
  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
