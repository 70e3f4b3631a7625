import Glibc

/// Files of the host whose content is replaced for the programs in a lab.
public enum BindMountedFile {
  /// Bind-mounts a text over a file, for this process and all processes that it starts.
  ///
  /// The process must have entered its own mount namespace. In any other process the mount would
  /// change the host.
  ///
  /// - Throws: ``LinuxError`` if the file does not exist or cannot be covered.
  public static func cover(_ path: String, with text: String) throws(LinuxError) {
    guard case .entered = NamespaceEntry.current else {
      throw LinuxError(call: "mount(\(path)) outside of a lab", errno: EPERM)
    }
    let (number, name) = try temporaryFile()
    let file = Descriptor(owning: number)
    guard SystemFile.write(text.utf8.span, to: file.number) == text.utf8.count,
      fchmod(file.number, 0o444) == 0
    else { throw LinuxError(call: "write", errno: errno) }
    let result = SystemFile.cover(path, with: name)
    // The mount stays valid after its source file is removed.
    SystemFile.remove(name)
    if result == -ENOENT {
      throw LinuxError(finding: "there is no \(path) to replace; create the file, even empty")
    }
    try checked(result, "mount(\(path))")
  }

  /// The folders for temporary files, in the order in which they are tried.
  package static var temporaryFolders: [String] {
    [Environment.temporaryFolder, "/tmp"]
  }

  /// Creates a temporary file in `TMPDIR`, or in /tmp if `TMPDIR` names no writable folder.
  ///
  /// `TMPDIR` may name a folder of another system, because the environment can come from there.
  private static func temporaryFile() throws(LinuxError) -> (number: Int32, name: String) {
    for folder in temporaryFolders {
      if let file = SystemFile.makeTemporaryFile(in: folder) {
        return (file.descriptor, file.path)
      }
    }
    let reason = LinuxError(call: "mkstemp", errno: errno).reason
    throw LinuxError(
      finding: "no temporary file can be created in /tmp (\(reason)); set TMPDIR to a writable "
        + "folder")
  }
}
