import FoundationEssentials
import Glibc

/// Files that are written where there were none.
enum NewFile {
  /// Writes a file.
  ///
  /// - Parameters:
  ///   - bytes: what is written.
  ///   - file: where to.
  ///   - isReplaced: whether a file that is there already is replaced.
  /// - Returns: what went wrong and what to do about it; nil where all is well.
  static func write(_ bytes: [UInt8], to file: String, replacing isReplaced: Bool) -> String? {
    var isDirectory = false
    let exists = FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory)
    guard !isDirectory else {
      return "this is a directory\n    hint: name a file in it, such as \(file)/my.json"
    }
    if exists, isReplaced { return FileReplacement.replace(file, with: bytes) }
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      switch errno {
      case EEXIST:
        return "the file is there already\n"
          + "    hint: name another file, or replace this one with --force"
      case ENOENT:
        return "its directory is not there\n    hint: make the directory first, with mkdir -p"
      default:
        return FileReplacement.failure("the file cannot be written", "choose another place for it")
      }
    }
    defer { _ = close(descriptor) }
    guard FileReplacement.write(bytes, to: descriptor) else {
      let problem = FileReplacement.failure(
        "the file cannot be written", "see whether there is room, or choose another place for it")
      _ = unsafe unlink(file)
      return problem
    }
    return nil
  }
}
