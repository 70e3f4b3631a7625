import CLinux
import Glibc

/// Files of the host that the programs of a lab see differently.
public enum CoveredFile {
  /// Shows a text in the place of a file, to this process and to all that it starts.
  ///
  /// Only a process with a mount namespace of its own may do so; others would change the host.
  ///
  /// - Throws: ``LinuxError`` where the file is not there or cannot be covered.
  public static func cover(_ path: String, with text: String) throws(LinuxError) {
    guard case .entered = NamespaceEntry.current else {
      throw LinuxError(call: "mount(\(path)) outside of a lab", errno: EPERM)
    }
    let (number, name) = try temporaryFile()
    let file = Descriptor(owning: number)
    let bytes = Array(text.utf8)
    guard unsafe write(file.number, bytes, bytes.count) == bytes.count,
      fchmod(file.number, 0o444) == 0
    else { throw LinuxError(call: "write", errno: errno) }
    let result = unsafe handover_cover_file(path, name)
    // What is mounted needs its name no longer.
    _ = unsafe unlink(name)
    try checked(result, "mount(\(path))")
  }

  /// A file of one's own, where TMPDIR says, and under /tmp where that names no folder to write to:
  /// the environment of another system may have come along.
  private static func temporaryFile() throws(LinuxError) -> (number: Int32, name: [CChar]) {
    let own = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
    for folder in [own, "/tmp"].compactMap(\.self) {
      var name = Array("\(folder)/handover-XXXXXX".utf8CString)
      let number = makeTemporaryFile(&name)
      if number >= 0 { return (number, name) }
    }
    throw LinuxError(call: "mkstemp(/tmp)", errno: errno)
  }
}
