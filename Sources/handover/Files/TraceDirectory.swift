import Glibc
import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import HandoverTrace

/// The directory that gets a trace of each case.
struct TraceDirectory: Sendable {
  /// The directory, as it was named.
  let path: String
  private let backend: String
  private let defects: [Defect]

  /// Takes a directory, which is made where it is not there.
  init(_ path: String, backend: String, defects: [Defect]) throws {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    self.backend = backend
    self.defects = defects
    // A directory that cannot be written is told before the run.
    guard Self.makeDirectory(path), unsafe access(path, W_OK | X_OK) == 0 else {
      printError(Self.complaint(about: path))
      throw Leave(.badInput)
    }
  }

  /// Writes the traces of a scenario's cases.
  ///
  /// - Returns: what could not be written, in words.
  func write(_ result: ScenarioResult, describing run: RunDescription) -> [String] {
    result.cases.compactMap { one in
      guard let trace = one.trace, let file = run.traceFile(of: one) else { return nil }
      let header = TraceHeader(
        scenario: one.id, profile: one.profile, backend: backend, defects: defects)
      let isWritten = Self.write(to: file) { descriptor in
        var writer = TraceWriter(result.scenario.script, for: trace)
        writer.write(header)
        for record in trace.records {
          writer.write(record)
          guard writer.bytes.count >= Self.pieceByteCount else { continue }
          guard Self.write(writer.bytes, to: descriptor) else { return false }
          writer.removeAll()
        }
        return Self.write(writer.bytes, to: descriptor)
      }
      return isWritten ? nil : Self.complaint(about: file)
    }
  }

  private static func complaint(about file: String) -> String {
    "\(file): error: the trace cannot be written: \(unsafe String(cString: strerror(errno)))\n"
      + "    hint: name a directory that you may write to, on a disk that is not full"
  }

  /// Makes a directory and those around it; false where that is not possible, with the reason in
  /// `errno`.
  private static func makeDirectory(_ path: String) -> Bool {
    if unsafe mkdir(path, 0o755) == 0 || isDirectory(path) { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      return false
    }
    guard makeDirectory(String(path[..<slash])) else { return false }
    return unsafe mkdir(path, 0o755) == 0 || isDirectory(path)
  }

  /// Whether a directory is there; `errno` stays as it was.
  private static func isDirectory(_ path: String) -> Bool {
    let reason = errno
    var status = stat()
    defer { errno = reason }
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// How many bytes of a trace are in memory at once.
  private static let pieceByteCount = 64 << 10

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor) }
  }

  private static func write(to file: String, _ write: (Int32) -> Bool) -> Bool {
    if let slash = file.lastIndex(of: "/"), slash != file.startIndex {
      guard makeDirectory(String(file[..<slash])) else { return false }
    }
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    let isWritten = write(descriptor)
    let reason = errno
    let isClosed = close(descriptor) == 0
    if !isWritten { errno = reason }
    return isWritten && isClosed
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let written = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    return true
  }
}
