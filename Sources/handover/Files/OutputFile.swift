import HandoverJSON
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Something that a report or another text is written to, from its beginning to its end.
///
/// A file gets its name when it is whole: until then it is written beside, so that whoever looks
/// finds the old one or the new one and never a part. What is no plain file, such as a pipe or a
/// device, is written as it comes, and so is a file in a directory that takes no other.
struct OutputFile: Sendable {
  /// How it was named; `-` is standard output.
  let name: String
  private let stream: StandardStream
  /// Where it is written, and the name it gets; nil where it has its name already.
  private let renaming: Renaming?
  /// Why it could not be written, as `errno`; nil as long as all is well.
  private(set) var problem: Int32?
  private var isOver = false

  private struct Renaming {
    var temporary: String
    var target: String
  }

  /// The files that are written beside and have no name yet.
  private static let unfinished = Mutex<Set<String>>([])

  private init(_ name: String, _ stream: StandardStream, _ renaming: Renaming? = nil) {
    self.name = name
    self.stream = stream
    self.renaming = renaming
  }

  /// Begins a file; `-` is standard output.
  ///
  /// - Throws: ``OutputFailure`` where it cannot be written.
  init(_ file: String) throws(OutputFailure) {
    guard file != "-" else {
      self.init("-", .output)
      return
    }
    // A link stays a link: the file that it leads to is replaced.
    let target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    var old = stat()
    let isThere = unsafe stat(target, &old) == 0
    let isPlain = !isThere || old.st_mode & S_IFMT == S_IFREG
    let isWritable = unsafe !isThere || access(target, W_OK) == 0
    if isPlain, isWritable, let temporary = Self.temporary(for: target) {
      // Only root can give a file away; whoever cannot keeps it for himself.
      if isThere {
        _ = fchown(temporary.descriptor, old.st_uid, old.st_gid)
        _ = fchmod(temporary.descriptor, old.st_mode & 0o7777)
      }
      self.init(
        file, StandardStream(descriptor: temporary.descriptor),
        Renaming(temporary: temporary.path, target: target))
      return
    }
    // A pipe is open when its reader is there, whom nobody waits for at the end.
    let waiting = StandardStream.waitsNoMore ? O_NONBLOCK : 0
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | waiting
    let descriptor = unsafe open(target, flags, 0o644)
    guard descriptor >= 0 else { throw OutputFailure(file: file, reason: errno) }
    self.init(file, StandardStream(descriptor: descriptor))
  }

  /// Makes a temporary file in the directory of another file; nil if that is not possible.
  ///
  /// If the process ends by a signal that it receives, the temporary file is removed.
  static func temporary(for target: String) -> (path: String, descriptor: Int32)? {
    let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
    return unfinished.withLock { files in
      for number in 0..<100 {
        let path = "\(folder).handover-\(getpid())-\(number)"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if descriptor >= 0 {
          files.insert(path)
          return (path, descriptor)
        }
        guard errno == EEXIST else { return nil }
      }
      return nil
    }
  }

  /// Gives a temporary file the name of another, or removes it.
  ///
  /// - Parameters:
  ///   - temporary: the temporary file.
  ///   - target: its new name; nil removes it.
  /// - Returns: why it could not be renamed, as `errno`; nil if all is well.
  static func settle(_ temporary: String, as target: String?) -> Int32? {
    unfinished.withLock { files in
      var problem: Int32?
      if let target, unsafe rename(temporary, target) != 0 { problem = errno }
      if target == nil || problem != nil { _ = unsafe unlink(temporary) }
      files.remove(temporary)
      return problem
    }
  }

  /// Whether something is written as it comes, because it is no plain file: a pipe or a device.
  static func isSpecial(_ file: String) -> Bool {
    var status = stat()
    let isThere = unsafe file != "-" && stat(file, &status) == 0
    return file == "-"
      || isThere && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  /// Whether it still takes what is written.
  var isOpen: Bool { problem == nil && !isOver }

  /// Writes all of a text; after a problem, nothing.
  mutating func write(_ text: String) {
    guard isOpen, !text.isEmpty else { return }
    if name == "-" {
      if !stream.write(text) { problem = StandardStream.outputProblem }
    } else {
      problem = StandardStream.write(text, to: stream.descriptor)
    }
  }

  /// Writes a report for people, like ``StandardStream/show(_:isColoured:)``.
  mutating func show(_ text: String, isColoured: Bool = false) {
    write(SafeText.shown(text, keepsColour: isColoured))
  }

  /// Writes all of some bytes; after a problem, nothing.
  mutating func write(_ bytes: [UInt8]) {
    guard isOpen else { return }
    problem = StandardStream.write(bytes, to: stream.descriptor)
  }

  /// What others write to; the standard output's own for that.
  var descriptor: Int32 { stream.descriptor }

  /// Takes in that somebody else could not write to it.
  mutating func fail(_ reason: Int32) {
    problem = problem ?? reason
  }

  /// Ends it: what is whole gets its name, and what is not is taken away.
  mutating func finish() {
    guard !isOver else { return }
    isOver = true
    guard name != "-" else { return }
    // Some disks tell only now that they are full.
    if close(stream.descriptor) != 0, problem == nil { problem = errno }
    guard let renaming else { return }
    let reason = Self.settle(renaming.temporary, as: problem == nil ? renaming.target : nil)
    problem = problem ?? reason
  }

  /// What went wrong; nil where nothing did.
  ///
  /// The trouble of standard output is told by whoever leaves the command.
  var failure: OutputFailure? {
    guard name != "-" else { return nil }
    return problem.map { OutputFailure(file: name, reason: $0) }
  }

  /// Removes all temporary files and ends the process.
  ///
  /// No other thread makes or renames such a file in between. A thread that crashed while it did so
  /// is waited for no longer than a tenth of a second.
  static func removeUnfinished(thenExit status: Int32) -> Never {
    for _ in 0..<100 {
      unfinished.withLockIfAvailable { files in
        for file in files { _ = unsafe unlink(file) }
        _exit(status)
      }
      usleep(1_000)
    }
    _exit(status)
  }

  /// Begins files for people who wait for them; one that cannot be written is told before the run.
  static func opened(_ file: String) throws -> OutputFile {
    do throws(OutputFailure) {
      return try OutputFile(file)
    } catch {
      printError(error.description)
      throw Leave(.badInput)
    }
  }
}

/// That a file could not be written.
struct OutputFailure: Error, Hashable, CustomStringConvertible {
  var file: String
  /// Why, as `errno`.
  var reason: Int32

  var description: String {
    "\(file): error: it cannot be written: \(systemWords(reason))" + Self.hint(for: reason)
  }

  /// Whether there was no room for what was written.
  static func isFull(_ reason: Int32) -> Bool { reason == ENOSPC || reason == EDQUOT }

  /// What to do where a file became longer than files may be.
  static let longerFiles = "let files be longer: `ulimit -f` says how long they may be"

  /// What to do where a file cannot be written, as a line of its own; nothing where its reader went
  /// away.
  static func hint(for reason: Int32) -> String {
    if isFull(reason) { return "\n    hint: name a file on a disk that is not full" }
    if reason == EFBIG { return "\n    hint: \(longerFiles)" }
    guard reason != EPIPE, reason != StandardStream.unread else { return "" }
    return "\n    hint: name a file in a directory that you may write to"
  }
}

/// Files as the file system knows them, by whatever name they are called.
struct FileIdentity: Hashable {
  private var device: UInt64 = 0
  private var node: UInt64 = 0
  private var path = ""

  /// Looks at a file; one that is not there yet is known by its place.
  ///
  /// Nil for what is no plain file, such as a device, which nobody overwrites.
  init?(_ file: String) {
    var status = stat()
    if unsafe stat(file, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
    } else {
      path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    }
  }

  /// Looks at whatever is there; what is not is known by its path.
  init(ofAny path: String) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
    } else {
      self.path = path
    }
  }

  /// Refuses to write over what is read, and to write two things to one file.
  ///
  /// - Parameters:
  ///   - outputs: the files that will be written.
  ///   - inputs: the files that are read.
  /// - Throws: ``Leave`` after the complaint.
  static func refuse(_ outputs: [String], over inputs: [String]) throws {
    let files = outputs.filter { $0 != "-" }
    guard !files.isEmpty else { return }
    var taken: [FileIdentity: String] = [:]
    for input in inputs {
      if let identity = FileIdentity(input) { taken[identity] = "is read by this command" }
    }
    for file in files {
      guard let identity = FileIdentity(file) else { continue }
      if let why = taken.updateValue("is written by this command already", forKey: identity) {
        printError("\(file): error: the file \(why)\n    hint: name another file to write")
        throw Leave(.badInput)
      }
    }
  }
}
