import HandoverExploration
import HandoverJSON
import HandoverReport

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

/// Why a part cannot go on, and what to do about it.
struct ExchangeProblem: Error {
  var status: ExitStatus
  var message: String
  var hint: String

  init(_ message: String, hint: String, status: ExitStatus = .badInput) {
    self.status = status
    self.message = message
    self.hint = hint
  }
}

/// The folder that all parts of an exploration share: the only way in which they hear of each
/// other.
///
/// Every part writes into a folder of its own in it, and a file has its name when it is whole. No
/// lock and no clock of another machine is relied on: a part lives as long as what stands in its
/// file of life changes, as seen from here.
final class ExchangeFolder {
  let shard: RunDescription.Shard
  private let path: String
  private let identity: RoundFile.Identity
  /// This process among all that ever had this part.
  private let instance = String(UInt64.random(in: 0...UInt64.max), radix: 16)
  private var beats = 0
  private var lastBeat: ContinuousClock.Instant?
  private static let beatPause = Duration.seconds(2)

  /// Takes the place of a part in a folder.
  ///
  /// - Parameters:
  ///   - path: the folder, which is there.
  ///   - shard: the part.
  ///   - words: all that must be the same in each part, for people.
  ///   - identity: the same, for files.
  /// - Throws: where it cannot be written to, or something else is explored there.
  init(
    _ path: String, _ shard: RunDescription.Shard, _ words: String, _ identity: RoundFile.Identity
  ) throws(ExchangeProblem) {
    self.path = path
    self.shard = shard
    self.identity = identity
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw ExchangeProblem(
        "\(path): error: the folder is not there",
        hint: "make it once, with mkdir -p, where every shard sees the same one")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw ExchangeProblem("\(path): error: this is no folder", hint: "name a folder")
    }
    try expectSame(words)
    let own = folder(shard.index)
    if unsafe mkdir(own, 0o777) != 0, errno != EEXIST {
      throw ExchangeProblem(
        "\(own): error: the folder cannot be made: \(systemWords(errno))",
        hint: "see whether there is room, and who may write there")
    }
    removeLeftovers(in: own)
    try write("life", life(nil))
    lastBeat = .now
  }

  private func folder(_ index: Int) -> String { "\(path)/shard-\(index)" }

  /// What others see a file as.
  func file(_ name: String, of index: Int) -> String { "\(folder(index))/\(name)" }

  // MARK: What is explored

  /// The first part that comes writes what is explored; all others must mean the same.
  private func expectSame(_ words: String) throws(ExchangeProblem) {
    let file = "\(path)/exploration"
    let wanted = words + "\n"
    if unsafe access(file, F_OK) != 0 {
      try write(to: file, Array(wanted.utf8))
    }
    guard let bytes = InputFile.bytes(of: file) else {
      throw ExchangeProblem(
        "\(file): error: the file cannot be read", hint: "see who may read in the folder")
    }
    let found = String(decoding: bytes, as: UTF8.self)
    guard found == wanted else {
      throw ExchangeProblem(
        "\(path): error: another exploration is made there\n"
          + "    there: \(SafeText.line(String(found.prefix(300)).trimmed))\n    here:  \(words)",
        hint: "give every shard the same options and the same handover, or name an empty folder")
    }
  }

  /// Takes away what a process that was killed left half written.
  private func removeLeftovers(in own: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: own)) ?? []
    for name in names where name.hasPrefix(".handover-") { _ = unsafe unlink("\(own)/\(name)") }
  }

  // MARK: Files

  /// Writes a file of this part.
  func write(_ name: String, _ bytes: [UInt8]) throws(ExchangeProblem) {
    try write(to: file(name, of: shard.index), bytes)
  }

  private func write(to file: String, _ bytes: [UInt8]) throws(ExchangeProblem) {
    do throws(OutputFailure) {
      var output = try OutputFile(file)
      output.write(bytes)
      output.finish()
      if let failure = output.failure { throw failure }
    } catch {
      throw ExchangeProblem(
        "\(error.file): error: it cannot be written: \(systemWords(error.reason))",
        hint: "make room, or see who may write there; the same command then goes on where it was")
    }
  }

  /// What a part left of a round, with what is this part's; nil where it is not there yet.
  func read(
    _ name: String, round: Int, of index: Int
  ) throws(ExchangeProblem) -> (summary: RoundSummary, slice: [UInt8])? {
    guard let access = FileAccess(file(name, of: index)) else { return nil }
    do throws(RoundFileProblem) {
      return try RoundFile.read(
        identity, shard: index - 1, round: round, for: shard.index - 1, access.bytes)
    } catch {
      throw problem(error, name, of: index)
    }
  }

  /// What this part left of a round, where the file is there and whole.
  func own(_ name: String, round: Int) throws(ExchangeProblem) -> RoundSummary? {
    guard let access = FileAccess(file(name, of: shard.index)) else { return nil }
    do throws(RoundFileProblem) {
      return try RoundFile.check(identity, shard: shard.index - 1, round: round, access.bytes)
    } catch .damaged {
      printError(
        "\(file(name, of: shard.index)): warning: the file is cut off or was changed; "
          + "the round is made again")
      return nil
    } catch {
      throw problem(error, name, of: shard.index)
    }
  }

  private func problem(
    _ problem: RoundFileProblem, _ name: String, of index: Int
  ) -> ExchangeProblem {
    let file = file(name, of: index)
    return switch problem {
    case .foreign:
      ExchangeProblem(
        "\(file): error: this is no file of an exploration",
        hint: "name a folder that nobody else writes to")
    case .other:
      ExchangeProblem(
        "\(file): error: this is of another exploration, round or shard",
        hint: "somebody moved files; name an empty folder, and begin again")
    case .damaged:
      ExchangeProblem(
        "\(file): error: the file is cut off or was changed",
        hint: "start shard \(index) again: it writes the file anew; then this one")
    }
  }

  // MARK: Life

  /// What a part shows that makes no further round, because it was told to stop there.
  static let stops = "--depth or --budget stopped it"
  private var stopsHere = false

  private func life(_ left: String?) -> [UInt8] {
    beats += 1
    return Array("\(instance) \(beats)\n\(left ?? (stopsHere ? Self.stops : ""))\n".utf8)
  }

  /// Shows the others now and then that this part lives.
  ///
  /// - Throws: where another process has taken its place.
  func beat() throws(ExchangeProblem) {
    if let lastBeat, ContinuousClock.now - lastBeat < Self.beatPause { return }
    lastBeat = .now
    if let there = Self.content(of: file("life", of: shard.index)),
      !there.starts(with: Array(instance.utf8))
    {
      throw ExchangeProblem(
        "error: another process has begun to be shard \(shard.index) of \(shard.count) in \(path)",
        hint: "start each shard once; the other one goes on")
    }
    // A full disk is told where something is lost.
    try? write("life", life(nil))
  }

  /// Shows the others from now on that this part makes no further round.
  func stop() {
    stopsHere = true
    lastBeat = nil
  }

  /// Tells the others why this part leaves.
  func leave(_ why: String) {
    guard let there = Self.content(of: file("life", of: shard.index)),
      there.starts(with: Array(instance.utf8))
    else { return }
    try? write("life", life(why))
  }

  /// What a part shows of its life; nil where it was never there.
  func life(of index: Int) -> [UInt8]? { Self.content(of: file("life", of: index)) }

  private static func content(of file: String) -> [UInt8]? {
    FileAccess(file)?.bytes(from: 0, count: 4_096)
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

/// A file that is read here and there.
///
/// It stays the one that was opened, also where another takes its name meanwhile.
final class FileAccess {
  private let descriptor: Int32

  /// Opens a file; nil where there is none.
  init?(_ file: String) {
    descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Some bytes of it, fewer where it ends before; nil where it cannot be read.
  func bytes(from start: Int, count: Int) -> [UInt8]? {
    guard start >= 0, count >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    // A length that a damaged file says takes no memory.
    let wanted = min(count, max(0, Int(status.st_size) - start))
    var (done, hasFailed) = (0, false)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
      while done < wanted {
        let read = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: done), wanted - done, off_t(start + done))
        if read < 0, errno == EINTR { continue }
        guard read > 0 else {
          hasFailed = read < 0
          break
        }
        done += read
      }
      initialized = done
    }
    return hasFailed ? nil : bytes
  }
}
