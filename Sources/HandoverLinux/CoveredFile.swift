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
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/handover-XXXXXX".utf8CString)
    let number = unsafe mkstemp(&name)
    guard number >= 0 else { throw LinuxError(call: "mkstemp(\(folder))", errno: errno) }
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
}
