package import Glibc

/// The kind, size and identity of a file.
package struct FileStatus {
  private let status: stat

  /// Reads the status of a file, or returns `nil` with the reason in `errno`.
  ///
  /// The status of a symbolic link is the status of its target.
  package init?(_ path: String) {
    guard let status = SystemFile.status(of: path, in: AT_FDCWD, flags: 0) else { return nil }
    self.status = status
  }

  /// Reads the status of a file whose last component may be a symbolic link, or returns `nil`.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - folder: The descriptor of the folder of a relative path.
  package init?(ofLink path: String, in folder: Int32 = AT_FDCWD) {
    guard let status = SystemFile.status(of: path, in: folder, flags: AT_SYMLINK_NOFOLLOW) else {
      return nil
    }
    self.status = status
  }

  /// Reads the status of an open file, or returns `nil` with the reason in `errno`.
  package init?(_ descriptor: Int32) {
    guard let status = SystemFile.status(of: descriptor) else { return nil }
    self.status = status
  }

  private var kind: mode_t { status.st_mode & S_IFMT }
  package var isRegular: Bool { kind == S_IFREG }
  package var isDirectory: Bool { kind == S_IFDIR }
  package var isLink: Bool { kind == S_IFLNK }
  package var isPipe: Bool { kind == S_IFIFO }
  /// Whether the file is a pipe, a socket or a device that handles characters, such as a terminal.
  package var hasReader: Bool { [S_IFIFO, S_IFSOCK, S_IFCHR].contains(kind) }

  package var byteCount: Int { Int(status.st_size) }
  /// The permissions, without the kind of the file.
  package var permissions: mode_t { status.st_mode & 0o7777 }
  package var owner: (user: uid_t, group: gid_t) { (status.st_uid, status.st_gid) }
  package var device: UInt64 { UInt64(status.st_dev) }
  package var node: UInt64 { UInt64(status.st_ino) }
  /// The attributes that distinguish versions of a file.
  ///
  /// A save by renaming changes the node. The time of the status change advances even if a save
  /// preserves size and time.
  package struct Version: Hashable, Sendable {
    private var device: UInt64
    private var node: UInt64
    private var byteCount: Int
    private var seconds: Int
    private var nanoseconds: Int

    fileprivate init(_ status: FileStatus) {
      device = status.device
      node = status.node
      byteCount = status.byteCount
      (seconds, nanoseconds) = status.changed
    }
  }

  package var version: Version { Version(self) }

  /// The time of the last change of the content or the status.
  package var changed: (seconds: Int, nanoseconds: Int) {
    (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }
}
