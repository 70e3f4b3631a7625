package import CLinux
import Glibc

/// Calls of the system about files; failures have their reason in `errno`.
package enum SystemFile {
  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - flags: The flags of `open`.
  ///   - mode: The permissions of a file that the call creates.
  ///   - isInherited: Whether programs that this process starts inherit the descriptor.
  /// - Returns: The descriptor, or -1.
  package static func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0, isInherited: Bool = false
  ) -> Int32 {
    unsafe Glibc.open(path, isInherited ? flags : flags | O_CLOEXEC, mode)
  }

  /// Opens a file in an open folder, and returns its descriptor or -1.
  package static func open(_ path: String, in folder: Int32, _ flags: Int32) -> Int32 {
    unsafe openat(folder, path, flags | O_CLOEXEC)
  }

  /// Reads the status of a file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - folder: The descriptor of the folder of a relative path.
  ///   - flags: The flags of `fstatat`.
  /// - Returns: The status, or `nil` for a failure.
  static func status(of path: String, in folder: Int32, flags: Int32) -> stat? {
    var status = stat()
    return unsafe fstatat(folder, path, &status, flags) == 0 ? status : nil
  }

  /// Returns the status of an open file, or `nil`.
  static func status(of descriptor: Int32) -> stat? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Creates a file with an unused name in a folder, and returns its descriptor and its path, or
  /// `nil`.
  package static func makeTemporaryFile(
    in folder: String
  ) -> (descriptor: Int32, path: String)? {
    var template = temporaryName(in: folder)
    let descriptor = unsafe handover_temporary_file(&template)
    return descriptor >= 0 ? (descriptor, SystemText.string(template)) : nil
  }

  /// Returns a template, in which the system replaces the last six letters.
  private static func temporaryName(in folder: String) -> [CChar] {
    Array("\(folder)/handover-XXXXXX".utf8CString)
  }

  /// Mounts a file over another one in the mount namespace of the calling thread, and returns 0 or
  /// `-errno`.
  static func cover(_ path: String, with other: String) -> Int32 {
    unsafe handover_cover_file(path, other)
  }

  /// Adds a folder to those that an inotify descriptor watches.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - descriptor: The inotify descriptor.
  ///   - events: The events (`IN_…`) to report.
  /// - Returns: Whether it succeeded.
  package static func watch(_ folder: String, on descriptor: Int32, for events: UInt32) -> Bool {
    unsafe inotify_add_watch(descriptor, folder, events) >= 0
  }

  /// Returns whether this process may use a file in some ways, such as `W_OK | X_OK`.
  package static func allows(_ access: Int32, _ path: String) -> Bool {
    unsafe Glibc.access(path, access) == 0
  }

  /// Creates a folder, and returns whether it succeeded.
  package static func makeDirectory(_ path: String, mode: UInt32) -> Bool {
    unsafe mkdir(path, mode) == 0
  }

  /// Removes a file or an empty folder, and returns whether it succeeded.
  @discardableResult
  package static func remove(_ path: String) -> Bool { unsafe Glibc.remove(path) == 0 }

  /// Gives a new file the owner and the permissions of the file that it replaces.
  ///
  /// Only root can preserve another owner; for other users, the new file is theirs.
  ///
  /// - Returns: Whether the new file has the permissions.
  @discardableResult
  package static func preserveAccess(of old: FileStatus, on descriptor: Int32) -> Bool {
    _ = fchown(descriptor, old.owner.user, old.owner.group)
    return fchmod(descriptor, old.permissions) == 0
  }

  /// Renames a file, and returns whether it succeeded.
  package static func rename(_ path: String, to other: String) -> Bool {
    unsafe Glibc.rename(path, other) == 0
  }

  /// Returns the path of a file without symbolic links, or `nil` if there is no such file.
  package static func realPath(of path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(validatingCString: found)
  }

  /// Reads once, and returns at most this many bytes; they are empty at the end of the file.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - count: The number of bytes.
  ///   - position: The offset of the first byte, or `nil` for the current position.
  /// - Returns: The bytes, or `nil` for a failure.
  package static func read(_ descriptor: Int32, atMost count: Int, at position: Int? = nil)
    -> [UInt8]?
  {
    var read = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let position {
        read = unsafe pread(descriptor, buffer.baseAddress, count, position)
      } else {
        read = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
      }
      initialized = max(0, read)
    }
    return read < 0 ? nil : bytes
  }

  /// Reads once into a buffer, at most as many bytes as it has.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - room: The buffer, whose first bytes are replaced.
  ///   - position: The offset of the first byte, or `nil` for the current position.
  /// - Returns: The number of bytes, 0 at the end of the file, or -1.
  package static func read(
    _ descriptor: Int32, into room: inout [UInt8], at position: Int? = nil
  ) -> Int {
    if let position { return unsafe pread(descriptor, &room, room.count, position) }
    return unsafe Glibc.read(descriptor, &room, room.count)
  }

  /// Reads until the end of the file or until there are this many bytes.
  ///
  /// - Returns: The bytes, or `nil` for a failure.
  package static func readAll(_ descriptor: Int32, atMost count: Int, at position: Int) -> [UInt8]?
  {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = read(descriptor, atMost: count - bytes.count, at: position + bytes.count)
      else {
        if errno == EINTR { continue }
        return nil
      }
      guard !more.isEmpty else { break }
      bytes = bytes.isEmpty ? more : bytes + more
    }
    return bytes
  }

  /// Reads until the end of a file whose size is not known, such as a file in /proc.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - isAtStart: Whether to read from the start of the file instead of the current position.
  /// - Returns: The text, or `nil` for a failure.
  static func text(of descriptor: Int32, isAtStart: Bool = false) -> String? {
    var text: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, into: &room, at: isAtStart ? text.count : nil)
      guard count >= 0 else { return nil }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += room[..<count]
    }
  }

  /// Writes once.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - descriptor: The open file.
  ///   - position: The offset of the first byte, or `nil` for the current position.
  /// - Returns: The number of written bytes, or -1.
  package static func write(
    _ bytes: Span<UInt8>, to descriptor: Int32, at position: Int? = nil
  ) -> Int {
    unsafe bytes.withUnsafeBytes { bytes in
      if let position { return unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, position) }
      return unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  /// Waits until at least one descriptor is ready, or until a signal interrupts the wait.
  ///
  /// - Parameters:
  ///   - descriptors: The descriptors, whose `revents` are set.
  ///   - microseconds: The time limit, or `nil` for none; a negative limit is like zero.
  /// - Returns: The number of ready descriptors, or `-errno`.
  package static func poll(
    _ descriptors: inout [pollfd], atMost microseconds: Int64?
  ) -> Int32 {
    unsafe handover_poll(
      &descriptors, UInt32(descriptors.count), microseconds.map { max(0, $0) } ?? -1)
  }

  /// Waits until at least one descriptor is ready; a signal restarts the wait.
  ///
  /// - Parameters:
  ///   - descriptors: The descriptors, whose `revents` are set.
  ///   - microseconds: The time limit, or `nil` for none.
  /// - Returns: Whether a descriptor is ready.
  package static func waitUntilReady(
    _ descriptors: inout [pollfd], atMost microseconds: Int64?
  ) -> Bool {
    while true {
      let count = poll(&descriptors, atMost: microseconds)
      if count != -EINTR { return count > 0 }
    }
  }

  /// Returns the number of columns of a terminal, or `nil` if it is unknown.
  package static func columnCount(of terminal: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
