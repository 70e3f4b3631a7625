import HandoverCore

/// The messages of a language client, which are separated by their lengths.
///
/// At most one message and the data of one read stay in memory.
struct MessageFrames {
  /// A complete message, or the reason why there is none.
  enum Frame: Hashable {
    /// The content of a message.
    case message([UInt8])
    /// A message that exceeds the maximum length; its content is discarded.
    case tooLong
    /// A header without a valid length; what follows is read as another header.
    case invalidHeader
  }

  /// The maximum length of a message in bytes.
  static let maximumLength = JSONReader.maximumByteCount
  /// The maximum length of a header in bytes.
  static let maximumHeaderLength = 4_096

  private var frames: [Frame] = []
  private var header: [UInt8] = []
  private var content: [UInt8] = []
  /// The number of bytes that the current message still needs, or `nil` in a header.
  private var missing: Int?
  private var isTooLong = false
  /// Whether a header was too long, so that no message can be found anymore.
  private(set) var isBroken = false

  /// Adds data.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty, !isBroken {
      guard let missing else {
        readHeader(&rest)
        continue
      }
      let part = rest.prefix(missing)
      rest = rest.dropFirst(part.count)
      if !isTooLong { content += part }
      self.missing = missing - part.count
      finishMessage()
    }
  }

  /// Removes the next complete message, and returns it, or `nil` if there is none.
  mutating func next() -> Frame? { frames.isEmpty ? nil : frames.removeFirst() }

  private mutating func readHeader(_ rest: inout ArraySlice<UInt8>) {
    while let byte = rest.popFirst() {
      header.append(byte)
      // The standard requires CR LF. A lone LF is accepted, because scripts write it.
      if header == [0x0A] || header == [0x0D, 0x0A] {
        header = []
        continue
      }
      if header.hasSuffix([0x0A, 0x0D, 0x0A]) || header.hasSuffix([0x0A, 0x0A]) {
        beginMessage()
        return
      }
      if header.count >= Self.maximumHeaderLength {
        frames.append(.invalidHeader)
        isBroken = true
        return
      }
    }
  }

  private mutating func beginMessage() {
    defer { header = [] }
    let lines = String(decoding: header, as: UTF8.self).split(whereSeparator: \.isNewline)
    let lengths = lines.compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
      let digits = parts[1].filter { $0 != " " }
      // More digits are never a length that can be read.
      guard digits.utf8.allSatisfy(\.isDigit), digits.utf8.count <= 18 else { return nil }
      return Int(digits)
    }
    guard let length = lengths.first else {
      frames.append(.invalidHeader)
      return
    }
    missing = length
    isTooLong = length > Self.maximumLength
    finishMessage()
  }

  private mutating func finishMessage() {
    guard missing == 0 else { return }
    frames.append(isTooLong ? .tooLong : .message(content))
    (content, missing, isTooLong) = ([], nil, false)
  }

  /// Returns the text of a message with its header.
  static func text(of content: String) -> String {
    "Content-Length: \(content.utf8.count)\r\n\r\n\(content)"
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
