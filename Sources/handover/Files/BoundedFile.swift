import Glibc
import HandoverCore
import HandoverLinux
import HandoverScenario
import Synchronization

/// A reader of files with a size limit, which never loads longer files into memory.
enum BoundedFile {
  /// The result of reading a file.
  enum Content {
    case bytes([UInt8])
    /// The file exceeds the limit; its size is known only for regular files.
    case tooLarge(byteCount: Int?)
    /// The reason for the failure, as `errno`.
    case unreadable(Int32)
  }

  /// The number of bytes to read at a time if the size is unknown.
  private static let chunk = 64 << 10

  /// Reads a file, or a pipe up to its end; a pipe without a writer cannot be read.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - limit: The maximum number of bytes.
  /// - Returns: The bytes, or the reason why there are none.
  static func content(
    of file: String, atMost limit: Int = JSONReader.maximumByteCount
  ) -> Content {
    // Without O_NONBLOCK, opening a pipe would block until a writer opens it.
    let descriptor = SystemFile.open(file, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { return .unreadable(errno) }
    defer { close(descriptor) }
    let content = content(of: descriptor, atMost: limit)
    if case .bytes([]) = content, FileStatus(descriptor)?.isPipe ?? false {
      return .unreadable(ENODATA)
    }
    return content
  }

  /// Returns a descriptor of a regular file that another file names, or `nil` if there is no such
  /// file.
  ///
  /// The file must be in a folder or below it: no absolute path, no `..` and no symbolic link leads
  /// out of the folder. Pipes, sockets and devices are not opened.
  ///
  /// - Parameters:
  ///   - name: The name of the file, which is relative to the folder if it does not begin with `/`.
  ///   - folder: The path of the folder.
  /// - Returns: A descriptor, which the caller closes.
  static func opened(_ name: String, below folder: String) -> Int32? {
    let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    guard let root = RealPath.of(folder), let file = RealPath.of(path),
      let rest = RealPath.part(of: file, below: root)
    else { return nil }
    // No component is a link now. A component that becomes a link before it is opened is rejected.
    let noLink = O_RDONLY | O_NOFOLLOW
    var descriptor = SystemFile.open(root, O_RDONLY | O_DIRECTORY)
    let components = rest.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    for component in components.dropLast() where descriptor >= 0 {
      let next = SystemFile.open(component, in: descriptor, noLink | O_DIRECTORY)
      close(descriptor)
      descriptor = next
    }
    guard descriptor >= 0, let last = components.last else { return nil }
    defer { close(descriptor) }
    // Opening a device can have an effect, so the kind of file is checked first.
    guard FileStatus(ofLink: last, in: descriptor)?.isRegular ?? false else { return nil }
    let found = SystemFile.open(last, in: descriptor, noLink | O_NONBLOCK | O_NOCTTY)
    guard found >= 0 else { return nil }
    guard FileStatus(found)?.isRegular ?? false else {
      close(found)
      return nil
    }
    return found
  }

  /// Reads an open file from its current position.
  static func content(of descriptor: Int32, atMost limit: Int) -> Content {
    guard let status = FileStatus(descriptor) else { return .unreadable(errno) }
    guard !status.isDirectory else { return .unreadable(EISDIR) }
    if status.isRegular, status.byteCount > limit { return .tooLarge(byteCount: status.byteCount) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(status.isRegular ? status.byteCount : chunk)
    // A file may grow while it is read, and some files report a size of zero.
    while bytes.count <= limit {
      let wanted = min(chunk, limit + 1 - bytes.count)
      guard let read = more(wanted, of: descriptor) else { return .unreadable(errno) }
      if read.isEmpty { return .bytes(bytes) }
      bytes += read
    }
    return .tooLarge(byteCount: nil)
  }

  /// Reads the next bytes; returns an empty array at the end, or `nil` if the read fails.
  private static func more(_ count: Int, of descriptor: Int32) -> [UInt8]? {
    while true {
      if let bytes = SystemFile.read(descriptor, atMost: count) { return bytes }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        _ = try? waitReadable([descriptor], atMost: nil)
      default: return nil
      }
    }
  }
}

/// Absolute paths without symbolic links.
enum RealPath {
  /// Returns the path of a file that exists, or `nil` if there is none.
  static func of(_ path: String) -> String? {
    SystemFile.realPath(of: path.isEmpty ? "." : path)
  }

  /// Returns the part of a path below a folder.
  ///
  /// The result is empty for the folder itself, and `nil` for a path outside. Bytes are compared,
  /// because two names that Unicode considers equivalent are different file names.
  static func part(of path: String, below folder: String) -> Substring.UTF8View? {
    let start = folder == "/" ? folder : folder + "/"
    guard (path + "/").utf8.starts(with: start.utf8) else { return nil }
    return path.utf8.dropFirst(start.utf8.count)
  }
}

/// The trace files that scenarios name.
///
/// Each file is read once until it changes, however many scenarios and entries name it.
enum TraceFiles {
  // lookup only
  private static let read = Mutex<[FileStatus.Version: Result<LinkTrace, LinkTrace.Problem>]>([:])

  /// Returns the trace with a name in a scenario file, or `nil` if it cannot be read.
  ///
  /// - Throws: ``LinkTrace/Problem`` if the file is not a trace.
  static func trace(
    _ name: String, of scenarioFile: String
  ) throws(LinkTrace.Problem) -> LinkTrace? {
    let folder = scenarioFile.lastIndex(of: "/").map { String(scenarioFile[...$0]) } ?? "."
    guard let descriptor = BoundedFile.opened(name, below: folder) else { return nil }
    defer { close(descriptor) }
    guard let version = FileStatus(descriptor)?.version else { return nil }
    let result = read.withLock { read in
      if let known = read[version] { return known as Result<LinkTrace, LinkTrace.Problem>? }
      guard
        case .bytes(let bytes) = BoundedFile.content(
          of: descriptor, atMost: LinkTrace.maximumByteCount)
      else { return nil }
      let result = Result { () throws(LinkTrace.Problem) in
        try LinkTrace(name: name, bytes: bytes)
      }
      read[version] = result
      return result
    }
    guard var trace = try result?.get() else { return nil }
    trace.name = name
    return trace
  }
}
