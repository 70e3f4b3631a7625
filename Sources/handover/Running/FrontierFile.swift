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
    folder = Environment.temporaryFolder
    guard let file = SystemFile.makeTemporaryFile(in: folder) else {
      throw Self.problem("create a file in \(folder)", errno)
    }
    descriptor = file.descriptor
    SystemFile.remove(file.path)
  }

  deinit {
    close(descriptor)
  }

  private static func problem(_ what: String, _ code: Int32) -> FrontierProblem {
    FrontierProblem("cannot \(what): \(systemErrorText(code))")
  }

  func append(_ bytes: [UInt8]) throws(FrontierProblem) -> Int {
    var done = 0
    while done < bytes.count {
      let count = SystemFile.write(
        bytes.span.extracting(done..<bytes.count), to: descriptor, at: end + done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.problem("write to a file in \(folder)", errno) }
      done += count
    }
    defer { end += done }
    return end
  }

  func read(at position: Int, count: Int) throws(FrontierProblem) -> [UInt8] {
    guard let bytes = SystemFile.readAll(descriptor, atMost: count, at: position) else {
      throw Self.problem("read from a file in \(folder)", errno)
    }
    guard bytes.count == count else {
      throw Self.problem("read from a file in \(folder)", EIO)
    }
    return bytes
  }

  func removeAll() {
    end = 0
    _ = ftruncate(descriptor, 0)
  }
}
