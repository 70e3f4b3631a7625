import FoundationEssentials
import Glibc
import HandoverCore
import HandoverLinux
import Synchronization

/// The destination of a report or another text that is written from its beginning to its end.
///
/// A file is written to a temporary name and renamed when it is complete, so readers see the old
/// file or the new one, but never a part. Pipes, devices, and files in a directory that allows no
/// new files are written directly.
struct OutputFile: Sendable {
  /// The name as given; `-` is standard output.
  let name: String
  private let stream: StandardStream
  /// The temporary path and the final path, or `nil` if the file is written directly.
  private let renaming: Renaming?
  /// The reason for the first failure, as `errno`, or `nil` if there was none.
  private(set) var problem: Int32?
  private var isOver = false

  private struct Renaming {
    var temporary: String
    var target: String
  }

  /// The temporary files that have not been renamed yet, and temporary folders with their files.
  private static let unfinished = Mutex<Set<String>>([])

  private init(_ name: String, _ stream: StandardStream, _ renaming: Renaming? = nil) {
    self.name = name
    self.stream = stream
    self.renaming = renaming
  }

  /// Opens a file for writing; `-` is standard output.
  ///
  /// - Throws: ``OutputFailure`` if the file cannot be written.
  init(_ file: String) throws(OutputFailure) {
    guard file != "-" else {
      self.init("-", .output)
      return
    }
    // If the file is a symbolic link, replace its target.
    let target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    let old = FileStatus(target)
    let isPlain = old?.isRegular ?? true
    let isWritable = old == nil || SystemFile.allows(W_OK, target)
    if isPlain, isWritable, let temporary = Self.temporary(for: target) {
      if let old { SystemFile.preserveAccess(of: old, on: temporary.descriptor) }
      self.init(
        file, StandardStream(descriptor: temporary.descriptor),
        Renaming(temporary: temporary.path, target: target))
      return
    }
    // Opening a pipe waits for its reader, except while the process is about to exit.
    let waiting = StandardStream.waitsHaveEnded ? O_NONBLOCK : 0
    let flags = O_WRONLY | O_CREAT | O_TRUNC | waiting
    let descriptor = SystemFile.open(target, flags, mode: 0o644)
    guard descriptor >= 0 else { throw OutputFailure(file: file, reason: errno) }
    self.init(file, StandardStream(descriptor: descriptor))
  }

  /// Opens a file to append to it.
  ///
  /// - Throws: ``OutputFailure`` if the file cannot be written.
  init(appendingTo file: String) throws(OutputFailure) {
    let descriptor = SystemFile.open(file, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
    guard descriptor >= 0 else { throw OutputFailure(file: file, reason: errno) }
    self.init(file, StandardStream(descriptor: descriptor))
  }

  /// Creates a temporary file in the directory of another file, or returns `nil` if that fails.
  ///
  /// If a signal ends the process, the temporary file is removed.
  static func temporary(for target: String) -> (path: String, descriptor: Int32)? {
    let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
    return unfinished.withLock { files in
      for number in 0..<100 {
        let path = "\(folder).handover-\(getpid())-\(number)"
        let descriptor = SystemFile.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
        if descriptor >= 0 {
          files.insert(path)
          return (path, descriptor)
        }
        guard errno == EEXIST else { return nil }
      }
      return nil
    }
  }

  /// Renames a temporary file, or removes it.
  ///
  /// - Parameters:
  ///   - temporary: The temporary file.
  ///   - target: Its new name, or `nil` to remove it.
  /// - Returns: The reason for a failure as `errno`, or `nil` on success.
  static func finish(_ temporary: String, as target: String?) -> Int32? {
    unfinished.withLock { files in
      var problem: Int32?
      if let target, !SystemFile.rename(temporary, to: target) { problem = errno }
      if target == nil || problem != nil { SystemFile.remove(temporary) }
      files.remove(temporary)
      return problem
    }
  }

  /// Creates a temporary folder.
  ///
  /// If a signal ends the process, the folder is removed.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - files: The names of its files, with their content.
  /// - Throws: The error of the file system; then no folder is left.
  static func makeTemporaryFolder(_ folder: URL, with files: [String: Data]) throws {
    try unfinished.withLock { paths in
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      let files = files.map { (file: folder.appending(path: $0), content: $1) }
      let parts = Set([folder.path] + files.map(\.file.path))
      do {
        for (file, content) in files { try content.write(to: file) }
      } catch {
        _ = remove(parts)
        throw error
      }
      paths.formUnion(parts)
    }
  }

  /// Removes a folder of ``makeTemporaryFolder(_:with:)``, and returns the reason for a failure as
  /// `errno`.
  static func removeTemporaryFolder(_ folder: URL) -> Int32? {
    unfinished.withLock { paths in
      let parts = paths.filter { $0 == folder.path || $0.hasPrefix("\(folder.path)/") }
      paths.subtract(parts)
      return remove(parts)
    }
  }

  /// Removes files and folders, and returns the reason for the last failure as `errno`.
  private static func remove(_ paths: Set<String>) -> Int32? {
    var problem: Int32?
    // A folder follows its files.
    for path in paths.sorted(by: >) where !SystemFile.remove(path) && errno != ENOENT {
      problem = errno
    }
    return problem
  }

  /// Returns whether a file is written directly because it is a pipe, a device or standard output.
  static func isSpecial(_ file: String) -> Bool {
    guard file != "-" else { return true }
    return FileStatus(file).map { !$0.isRegular && !$0.isDirectory } ?? false
  }

  /// Whether the file still accepts data.
  var isOpen: Bool { problem == nil && !isOver }

  /// Writes a text; after a failure, it writes nothing.
  mutating func write(_ text: String) {
    guard isOpen, !text.isEmpty else { return }
    if name == "-" {
      if !stream.write(text) { problem = StandardStream.outputProblem }
    } else {
      problem = StandardStream.write(text, to: stream.descriptor)
    }
  }

  /// Writes a report for people, like ``StandardStream/show(_:isColored:)``.
  mutating func show(_ text: String, isColored: Bool = false) {
    write(SafeText.shown(text, keepsColor: isColored))
  }

  /// Writes bytes; after a failure, it writes nothing.
  mutating func write(_ bytes: [UInt8]) {
    guard isOpen else { return }
    problem = StandardStream.write(bytes, to: stream.descriptor)
  }

  /// The descriptor for other writers; for standard output, the descriptor of that.
  var descriptor: Int32 { stream.descriptor }

  /// Records that another writer could not write to the file.
  mutating func fail(_ reason: Int32) {
    problem = problem ?? reason
  }

  /// Closes the file; a complete file is renamed, and an incomplete one is removed.
  mutating func finish() {
    guard !isOver else { return }
    isOver = true
    guard name != "-" else { return }
    // Some file systems report a full disk only on close.
    if close(stream.descriptor) != 0, problem == nil { problem = errno }
    guard let renaming else { return }
    let reason = Self.finish(renaming.temporary, as: problem == nil ? renaming.target : nil)
    problem = problem ?? reason
  }

  /// The failure, or `nil` if there was none.
  ///
  /// Failures of standard output are reported when the command exits.
  var failure: OutputFailure? {
    guard name != "-" else { return nil }
    return problem.map { OutputFailure(file: name, reason: $0) }
  }

  /// Removes all temporary files and folders, and ends the process.
  ///
  /// Meanwhile, no other thread creates or renames a temporary file. If a thread crashed while it
  /// did so, this function waits no longer than a tenth of a second.
  static func removeUnfinished(thenExit status: Int32) -> Never {
    for _ in 0..<100 {
      unfinished.withLockIfAvailable { files in
        _ = remove(files)
        _exit(status)
      }
      usleep(1_000)
    }
    _exit(status)
  }

  /// Opens a file, and prints a failure before the run begins.
  static func opened(_ file: String) throws -> OutputFile {
    do throws(OutputFailure) {
      return try OutputFile(file)
    } catch {
      throw ExitError(printing: error.description)
    }
  }
}

/// The failure to write a file.
struct OutputFailure: Error, Hashable, CustomStringConvertible {
  var file: String
  /// The reason, as `errno`.
  var reason: Int32

  var description: String {
    "\(file): error: it cannot be written: \(systemErrorText(reason))" + Self.hint(for: reason)
  }

  /// Returns whether the reason is a lack of disk space.
  static func isFull(_ reason: Int32) -> Bool { reason == ENOSPC || reason == EDQUOT }

  /// The hint for a file that exceeds the maximum file size.
  static let longerFiles = "increase the limit of file sizes; `ulimit -f` shows it"

  /// Returns the hint for a file that cannot be written, as a separate line.
  ///
  /// The hint is empty if the reader of a pipe closed it.
  static func hint(for reason: Int32) -> String {
    guard reason != EPIPE, reason != StandardStream.unread else { return "" }
    let advice = advice(
      for: reason, ifFull: "name a file on a disk with free space",
      otherwise: "name a file in a directory that you may write to")
    return "\n    hint: \(advice)"
  }

  /// Returns the advice for a file that cannot be written.
  static func advice(
    for reason: Int32, ifFull full: String, otherwise other: String
  ) -> String {
    if isFull(reason) { return full }
    return reason == EFBIG ? longerFiles : other
  }
}

/// The identity of a file in the file system, independent of its path.
struct FileIdentity: Hashable {
  private var device: UInt64 = 0
  private var node: UInt64 = 0
  private var path = ""

  /// Determines the identity of a file; a file that does not exist is identified by its path.
  ///
  /// Returns `nil` for other kinds of files, such as devices, because they are not overwritten.
  init?(_ file: String) {
    if let status = FileStatus(file) {
      guard status.isRegular else { return nil }
      (device, node) = (status.device, status.node)
    } else {
      path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    }
  }

  /// Determines the identity of any file; a file that does not exist is identified by its path.
  init(ofAny path: String) {
    if let status = FileStatus(path) {
      (device, node) = (status.device, status.node)
    } else {
      self.path = path
    }
  }

  /// Rejects an output that would overwrite an input or another output.
  ///
  /// - Parameters:
  ///   - outputs: The files that will be written.
  ///   - inputs: The files that are read.
  /// - Throws: ``ExitError`` after an error message.
  static func refuse(_ outputs: [String], over inputs: [String]) throws {
    let files = outputs.filter { $0 != "-" }
    guard !files.isEmpty else { return }
    var taken: [FileIdentity: String] = [:]
    for input in inputs {
      if let identity = FileIdentity(input) { taken[identity] = "is an input of this command" }
    }
    for file in files {
      guard let identity = FileIdentity(file) else { continue }
      if let why = taken.updateValue("is already an output of this command", forKey: identity) {
        throw ExitError(
          printing: "\(file): error: the file \(why)\n    hint: name another file to write")
      }
    }
  }
}
