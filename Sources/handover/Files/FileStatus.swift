import Glibc

/// The kind, size and identity of a file.
struct FileStatus {
  private let status: stat

  /// Reads the status of a file, or returns `nil` with the reason in `errno`.
  ///
  /// The status of a symbolic link is the status of its target.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.status = status
  }

  /// Reads the status of a file whose last component may be a symbolic link, or returns `nil`.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - folder: The descriptor of the folder of a relative path.
  init?(ofLink path: String, in folder: Int32 = AT_FDCWD) {
    var status = stat()
    guard unsafe fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    self.status = status
  }

  /// Reads the status of an open file, or returns `nil` with the reason in `errno`.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.status = status
  }

  private var kind: mode_t { status.st_mode & S_IFMT }
  var isRegular: Bool { kind == S_IFREG }
  var isDirectory: Bool { kind == S_IFDIR }
  var isLink: Bool { kind == S_IFLNK }
  var isPipe: Bool { kind == S_IFIFO }
  /// Whether the file is a pipe, a socket or a device that handles characters, such as a terminal.
  var hasReader: Bool { [S_IFIFO, S_IFSOCK, S_IFCHR].contains(kind) }

  var byteCount: Int { Int(status.st_size) }
  /// The permissions, without the kind of the file.
  var permissions: mode_t { status.st_mode & 0o7777 }
  var owner: (user: uid_t, group: gid_t) { (status.st_uid, status.st_gid) }
  var device: UInt64 { UInt64(status.st_dev) }
  var node: UInt64 { UInt64(status.st_ino) }
  /// The time of the last change of the content or the status.
  var changed: (seconds: Int, nanoseconds: Int) { (status.st_ctim.tv_sec, status.st_ctim.tv_nsec) }
}

/// Calls of the system about files; failures have their reason in `errno`.
enum SystemFile {
  /// Opens a file, and returns its descriptor or -1.
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
    unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
  }

  /// Opens a file in an open folder, and returns its descriptor or -1.
  static func open(_ path: String, in folder: Int32, _ flags: Int32) -> Int32 {
    unsafe openat(folder, path, flags | O_CLOEXEC)
  }

  /// Returns whether this process may use a file in some ways, such as `W_OK | X_OK`.
  static func allows(_ access: Int32, _ path: String) -> Bool {
    unsafe Glibc.access(path, access) == 0
  }

  /// Creates a folder, and returns whether it succeeded.
  static func makeDirectory(_ path: String, mode: mode_t) -> Bool { unsafe mkdir(path, mode) == 0 }

  /// Removes a file or an empty folder, and returns whether it succeeded.
  @discardableResult
  static func remove(_ path: String) -> Bool { unsafe Glibc.remove(path) == 0 }

  /// Renames a file, and returns whether it succeeded.
  static func rename(_ path: String, to other: String) -> Bool {
    unsafe Glibc.rename(path, other) == 0
  }

  /// Returns the path of a file without symbolic links, or `nil` if there is no such file.
  static func realPath(of path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(validatingCString: found)
  }

  /// Reads once, and returns at most this many bytes; they are empty at the end of the file.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - count: The number of bytes.
  ///   - place: The offset of the first byte, or `nil` for the current position.
  /// - Returns: The bytes, or `nil` for a failure.
  static func read(_ descriptor: Int32, atMost count: Int, at place: Int? = nil) -> [UInt8]? {
    var read = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let place {
        read = unsafe pread(descriptor, buffer.baseAddress, count, place)
      } else {
        read = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
      }
      initialized = max(0, read)
    }
    return read < 0 ? nil : bytes
  }

  /// Reads until the end of the file or until there are this many bytes.
  ///
  /// - Returns: The bytes, or `nil` for a failure.
  static func readAll(_ descriptor: Int32, atMost count: Int, at place: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = read(descriptor, atMost: count - bytes.count, at: place + bytes.count)
      else {
        if errno == EINTR { continue }
        return nil
      }
      guard !more.isEmpty else { break }
      bytes = bytes.isEmpty ? more : bytes + more
    }
    return bytes
  }

  /// Writes once at an offset, and returns the number of written bytes, or -1.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, at place: Int) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, place) }
  }
}
