import Glibc
import HandoverExploration
import HandoverLinux

/// An unlinked temporary file for the part of a frontier that does not fit into memory.
///
/// Its name is removed right after its creation, so the file disappears with the process, however
/// the process ends.
final class FrontierFile: FrontierStore {
  private let descriptor: Int32
  private let folder: String
  private var end = 0

  init() throws(FrontierProblem) {
    let wanted = Environment.variable("TMPDIR")
    folder = wanted.isEmpty ? "/tmp" : wanted
    var template = Array("\(folder)/handover-XXXXXX".utf8CString)
    descriptor = makeTemporaryFile(&template)
    guard descriptor >= 0 else { throw Self.problem("create a file in \(folder)", errno) }
    _ = unsafe unlink(template)
  }

  deinit {
    close(descriptor)
  }

  private static func problem(_ what: String, _ code: Int32) -> FrontierProblem {
    FrontierProblem("cannot \(what): \(unsafe String(cString: strerror(code)))")
  }

  func append(_ bytes: [UInt8]) throws(FrontierProblem) -> Int {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, end + done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.problem("write to a file in \(folder)", errno) }
      done += count
    }
    defer { end += done }
    return end
  }

  func read(at place: Int, count: Int) throws(FrontierProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe pread(
          descriptor, bytes.baseAddress?.advanced(by: done), count - done, place + done)
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else {
        throw Self.problem("read from a file in \(folder)", got < 0 ? errno : EIO)
      }
      done += got
    }
    return bytes
  }

  func removeAll() {
    end = 0
    _ = ftruncate(descriptor, 0)
  }
}
