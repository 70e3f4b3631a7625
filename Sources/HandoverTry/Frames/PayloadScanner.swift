/// A scanner that separates application data from bytes that only keep a connection alive.
///
/// In HTTP/2, only HEADERS and DATA frames count as application data. In WebSocket, only text,
/// binary and continuation frames do. In TLS, only application-data records after the client's
/// first request do. In every other protocol, and after a truncated or malformed frame, every byte
/// counts.
public struct PayloadScanner: Hashable, Sendable {
  private enum Mode: Hashable {
    case undecided
    case plain
    case http2
    case webSocket
    case tls
  }

  /// The records of the client, if the connection uses TLS.
  private var client = TLSRecords()
  private var records = TLSRecords()
  private var mode = Mode.undecided
  private var pending: [UInt8] = []
  /// The number of bytes of an already classified frame that are still to come.
  private var skipped = 0
  private var skippedCount = false

  /// The maximum number of bytes stored from the beginning of a connection.
  private static let maximumPending = 16_384

  /// Creates a scanner for the beginning of a connection.
  public init() {}

  /// Scans the next bytes of the connection.
  ///
  /// - Parameters:
  ///   - bytes: The captured part of the bytes.
  ///   - length: The total number of bytes.
  /// - Returns: Whether the bytes contain application data.
  public mutating func scan(_ bytes: ArraySlice<UInt8>, length: Int) -> Bool {
    guard mode != .plain else { return length > 0 }
    if mode == .tls, bytes.count == length { return scanRecords(bytes) }
    // Uncaptured bytes cannot be parsed; from then on every byte counts.
    guard bytes.count == length || skipped >= length else { return treatAsPlainText() }
    var rest = bytes
    var isUseful = false
    if skipped > 0 {
      isUseful = skippedCount
      let count = min(skipped, length)
      skipped -= count
      rest = rest.dropFirst(count)
    }
    pending += rest
    if mode == .undecided { decide() }
    switch mode {
    case .undecided: return pending.isEmpty == false
    case .plain: return treatAsPlainText()
    case .http2: return scanFrames(of: Self.http2Frame) || isUseful
    case .webSocket: return scanFrames(of: Self.webSocketFrame) || isUseful
    case .tls:
      defer { pending = [] }
      return scanRecords(pending[...])
    }
  }

  /// Scans bytes that the client sends.
  mutating func scanFromClient(_ bytes: ArraySlice<UInt8>) { client.append(bytes) }

  /// Whether the client has ended the TLS handshake with which the connection begins.
  var isSecured: Bool { client.hasFinished }

  private mutating func scanRecords(_ bytes: ArraySlice<UInt8>) -> Bool {
    let before = records.dataCount
    records.append(bytes)
    return records.dataCount > before && client.hasAsked
  }

  private mutating func treatAsPlainText() -> Bool {
    mode = .plain
    pending = []
    return true
  }

  /// Detects the protocol from the first bytes of the server.
  ///
  /// HTTP/2 begins with SETTINGS on stream 0, and WebSocket with its status line.
  private mutating func decide() {
    let upgrade = Array("HTTP/1.1 101".utf8)
    if TLSRecords.canBegin(pending) {
      if pending.count >= 2 { mode = .tls }
      return
    }
    if pending.starts(with: upgrade) {
      guard let end = Self.endOfHeaders(pending) else {
        if pending.count > Self.maximumPending { mode = .plain }
        return
      }
      pending.removeFirst(end)
      mode = .webSocket
    } else if pending.count >= 9 {
      mode =
        pending[0] == 0 && pending[3] == 4 && pending[5..<9].allSatisfy { $0 == 0 }
        ? .http2 : .plain
    } else if !upgrade.starts(with: pending), pending.first != 0 {
      mode = .plain
    }
  }

  private static func endOfHeaders(_ bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= end.count else { return nil }
    return (0...(bytes.count - end.count)).first { bytes[$0..<($0 + 4)].elementsEqual(end) }
      .map { $0 + 4 }
  }

  private struct FrameHead {
    var length: Int
    var isUseful: Bool
  }

  private mutating func scanFrames(of head: (ArraySlice<UInt8>) -> FrameHead?) -> Bool {
    var isUseful = false
    var rest = pending[...]
    while let frame = head(rest) {
      if frame.isUseful { isUseful = true }
      if frame.length > rest.count {
        skipped = frame.length - rest.count
        skippedCount = frame.isUseful
        rest = []
        break
      }
      rest = rest.dropFirst(frame.length)
    }
    pending = Array(rest)
    return isUseful
  }

  private static func http2Frame(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
    guard bytes.count >= 9 else { return nil }
    let head = Array(bytes.prefix(9))
    let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
    return FrameHead(length: 9 + length, isUseful: head[3] <= 1)
  }

  private static func webSocketFrame(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
    let head = Array(bytes.prefix(14))
    guard head.count >= 2 else { return nil }
    var length = Int(head[1] & 0x7F)
    var headLength = head[1] & 0x80 == 0 ? 2 : 6
    if length >= 126 {
      let count = length == 126 ? 2 : 8
      guard head.count >= 2 + count else { return nil }
      headLength += count
      // No frame in the lab is longer than 32 bits can express.
      length = head[2..<(2 + count)].suffix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    return FrameHead(length: headLength + length, isUseful: head[0] & 0xF <= 2)
  }
}
