import HandoverCore
import HandoverJSON
import HandoverScenario
import Synchronization

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
    return content(of: descriptor, atMost: limit)
  }

  /// The descriptor of a regular file that another file names; nil if there is no such file.
  ///
  /// The file must be in a folder or below it: no absolute path, no `..` and no symbolic link leads
  /// out of the folder. Pipes, sockets and devices are not opened.
  ///
  /// - Parameters:
  ///   - name: the name of the file, which is relative to the folder if it does not begin with `/`.
  ///   - folder: the path of the folder.
  /// - Returns: a descriptor, which the caller closes.
  static func opened(_ name: String, below folder: String) -> Int32? {
    let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    guard let root = RealPath.of(folder), let file = RealPath.of(path),
      let rest = RealPath.part(of: file, below: root)
    else { return nil }
    // No component is a link now. If one becomes a link before it is opened, it is refused.
    let noLink = O_RDONLY | O_NOFOLLOW | O_CLOEXEC
    var descriptor = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let components = rest.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    for component in components.dropLast() where descriptor >= 0 {
      let next = unsafe openat(descriptor, component, noLink | O_DIRECTORY)
      close(descriptor)
      descriptor = next
    }
    guard descriptor >= 0, let last = components.last else { return nil }
    defer { close(descriptor) }
    var status = stat()
    // To open a device can have an effect, so that its kind is checked before.
    guard unsafe fstatat(descriptor, last, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    let found = unsafe openat(descriptor, last, noLink | O_NONBLOCK | O_NOCTTY)
    guard found >= 0 else { return nil }
    guard unsafe fstat(found, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(found)
      return nil
    }
    return found
  }

  /// Reads an open file from its current place.
  static func content(of descriptor: Int32, atMost limit: Int) -> Content {
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

/// Absolute paths without symbolic links.
enum RealPath {
  /// The path of a file that exists; nil if there is none.
  static func of(_ path: String) -> String? {
    guard let found = unsafe realpath(path.isEmpty ? "." : path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(validatingCString: found)
  }

  /// The part of a path that is below a folder; empty for the folder, nil for a path outside.
  ///
  /// Bytes are compared: two names that Unicode calls equivalent are two names of files.
  static func part(of path: String, below folder: String) -> Substring.UTF8View? {
    let start = folder == "/" ? folder : folder + "/"
    guard (path + "/").utf8.starts(with: start.utf8) else { return nil }
    return path.utf8.dropFirst(start.utf8.count)
  }
}

/// The recordings that scenarios name.
///
/// Each file is read once, however many scenarios and entries name it, until the file changes.
enum TraceFiles {
  private struct Key: Hashable {
    var device: UInt64
    var node: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  private static let read = Mutex<[Key: Result<LinkTrace, LinkTrace.Problem>]>([:])  // lookup only

  /// The recording of a name in a scenario file; nil if it cannot be read.
  ///
  /// - Throws: if the file is not a recording.
  static func trace(
    _ name: String, of scenarioFile: String
  ) throws(LinkTrace.Problem) -> LinkTrace? {
    let folder = scenarioFile.lastIndex(of: "/").map { String(scenarioFile[...$0]) } ?? "."
    guard let descriptor = BoundedFile.opened(name, below: folder) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    let key = Key(
      device: UInt64(status.st_dev), node: UInt64(status.st_ino), size: Int64(status.st_size),
      seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
    let result = read.withLock { read in
      if let known = read[key] { return known as Result<LinkTrace, LinkTrace.Problem>? }
      guard
        case .bytes(let bytes) = BoundedFile.content(
          of: descriptor, atMost: LinkTrace.maximumByteCount)
      else { return nil }
      let result = Result { () throws(LinkTrace.Problem) in
        try LinkTrace(name: name, bytes: bytes)
      }
      read[key] = result
      return result
    }
    guard var trace = try result?.get() else { return nil }
    trace.name = name
    return trace
  }
}
