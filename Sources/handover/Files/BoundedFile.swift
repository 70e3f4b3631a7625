import HandoverJSON
import HandoverScenario

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads files that may have so many bytes and no more; what is longer is never in memory.
enum BoundedFile {
  /// What came of reading a file.
  enum Content {
    case bytes([UInt8])
    /// It has more bytes than it may; how many is known of regular files only.
    case tooLarge(byteCount: Int?)
    /// Why, as `errno`.
    case unreadable(Int32)
  }

  /// How many bytes are read at once, where nobody knows how many there are.
  private static let chunk = 64 << 10

  /// Reads a file, or a pipe up to its end; one that nobody writes to cannot be read.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - limit: how many bytes it may have.
  /// - Returns: the bytes, or why there are none.
  static func content(
    of file: String, atMost limit: Int = JSONReader.maximumByteCount
  ) -> Content {
    // Without O_NONBLOCK a pipe would be waited for until somebody opens its other end.
    let descriptor = unsafe open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return .unreadable(errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { return .unreadable(EISDIR) }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    if isRegular, status.st_size > limit { return .tooLarge(byteCount: Int(status.st_size)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(isRegular ? Int(status.st_size) : chunk)
    // A file may grow while it is read, and some say that they are empty.
    while bytes.count <= limit {
      let wanted = min(chunk, limit + 1 - bytes.count)
      guard let read = more(wanted, of: descriptor) else { return .unreadable(errno) }
      if read.isEmpty {
        let isSilentPipe = bytes.isEmpty && status.st_mode & S_IFMT == S_IFIFO
        return isSilentPipe ? .unreadable(ENODATA) : .bytes(bytes)
      }
      bytes += read
    }
    return .tooLarge(byteCount: nil)
  }

  /// Reads what is there next; nothing at the end, and nil where it cannot be read.
  private static func more(_ count: Int, of descriptor: Int32) -> [UInt8]? {
    while true {
      var read = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        read = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
        initialized = max(0, read)
      }
      if read >= 0 { return bytes }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&polled, 1, -1)
      default: return nil
      }
    }
  }
}
