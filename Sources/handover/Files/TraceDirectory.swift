import Glibc
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverReport
import HandoverScenario
import Synchronization

/// The directory for a trace of each case.
final class TraceDirectory: Sendable {
  /// The path of the directory, as given.
  let path: String
  private let backend: String
  private let defects: [Defect]
  /// The results of the traces that were written as soon as their cases ended: a complaint or
  /// `nil`.
  private let written = Mutex<[String: String?]>([:])  // lookup only

  /// Uses a directory, which is created if it does not exist.
  init(_ path: String, backend: String, defects: [Defect]) throws {
    let path = ScenarioFiles.withoutTrailingSlashes(path)
    self.path = path
    self.backend = backend
    self.defects = defects
    // A directory that is not writable is reported before the run.
    guard Self.makeDirectory(path), SystemFile.allows(W_OK | X_OK, path) else {
      throw ExitError(printing: Self.complaint(about: path))
    }
  }

  /// Writes the traces of a scenario's cases that have not been written.
  ///
  /// - Returns: The complaints about all traces that could not be written.
  func write(_ result: ScenarioResult, describing run: RunDescription) -> [String] {
    result.cases.compactMap { one in
      guard let file = run.traceFile(of: one) else { return nil }
      if let complaint = written.withLock({ $0.removeValue(forKey: file) }) { return complaint }
      return one.trace.flatMap { write($0, of: one, result.scenario, to: file) }
    }
  }

  /// Returns a closure that writes the trace of a case as soon as it ends, on any thread.
  func writer(describing run: RunDescription) -> @Sendable (Scenario, CaseResult) -> Void {
    { scenario, one in self.writeImmediately(one, of: scenario, describing: run) }
  }

  private func writeImmediately(
    _ one: CaseResult, of scenario: Scenario, describing run: RunDescription
  ) {
    guard let trace = one.trace, let file = run.traceFile(of: one) else { return }
    let complaint = write(trace, of: one, scenario, to: file)
    written.withLock { _ = $0.updateValue(complaint, forKey: file) }
  }

  /// Writes a trace, and returns a complaint if it cannot be written.
  private func write(
    _ trace: Trace, of one: CaseResult, _ scenario: Scenario, to file: String
  ) -> String? {
    let header = TraceHeader(
      scenario: one.id, profile: one.profile, backend: backend, defects: defects)
    var isTooLong = false
    let isWritten = Self.write(to: file) { output in
      var writer = TraceWriter(scenario.script, for: trace)
      writer.write(header)
      isTooLong = writer.bytes.count > TraceReader.maximumLineByteCount
      var byteCount = 0
      func writePiece() {
        byteCount += writer.bytes.count
        isTooLong = isTooLong || byteCount > TraceReader.maximumByteCount
        if isTooLong { output.fail(EFBIG) }
        output.write(writer.bytes)
        writer.removeAll()
      }
      for record in trace.records where output.isOpen {
        writer.write(record)
        if writer.bytes.count >= Self.pieceByteCount { writePiece() }
      }
      writePiece()
    }
    if isTooLong { return Self.complaint(aboutLong: file) }
    return isWritten ? nil : Self.complaint(about: file)
  }

  /// Returns the complaint about a trace that `handover replay` would reject; it is not written.
  private static func complaint(aboutLong file: String) -> String {
    "\(file): error: the trace cannot be written: it has more than "
      + "\(TraceReader.maximumByteCount) bytes, or its first line has more than "
      + "\(TraceReader.maximumLineByteCount)\n"
      + "    hint: end the run earlier with `config.until`, or use shorter names and messages"
  }

  private static func complaint(about file: String) -> String {
    let reason = errno
    let hint = OutputFailure.advice(
      for: reason, ifFull: "name a directory on a disk with free space",
      otherwise: "name a directory that you may write to")
    return
      "\(file): error: the trace cannot be written: \(systemErrorText(reason))\n    hint: \(hint)"
  }

  /// Creates a directory and its parents; on failure, returns `false` with the reason in `errno`.
  static func makeDirectory(_ path: String) -> Bool {
    if SystemFile.makeDirectory(path, mode: 0o755) || isDirectory(path) { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      return false
    }
    guard makeDirectory(String(path[..<slash])) else { return false }
    return SystemFile.makeDirectory(path, mode: 0o755) || isDirectory(path)
  }

  /// Returns whether a directory exists; `errno` is preserved.
  private static func isDirectory(_ path: String) -> Bool {
    let reason = errno
    defer { errno = reason }
    return FileStatus(path)?.isDirectory ?? false
  }

  /// The number of bytes of a trace that are in memory at a time.
  private static let pieceByteCount = 64 << 10

  private static func write(to file: String, _ write: (inout OutputFile) -> Void) -> Bool {
    if let slash = file.lastIndex(of: "/"), slash != file.startIndex {
      guard makeDirectory(String(file[..<slash])) else { return false }
    }
    do throws(OutputFailure) {
      var output = try OutputFile(file)
      write(&output)
      output.finish()
      guard let problem = output.problem else { return true }
      errno = problem
    } catch {
      errno = error.reason
    }
    return false
  }
}
