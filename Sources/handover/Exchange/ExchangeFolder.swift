import FoundationEssentials
import Glibc
import HandoverCore
import HandoverExploration
import HandoverLinux
import HandoverReport

/// The reason why a shard cannot continue, with a hint.
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

/// The folder through which all shards of an exploration communicate.
///
/// Each shard writes into its own subfolder, and a file gets its name when it is complete. The
/// protocol uses no locks, and no clocks of other machines. A shard counts as alive while this
/// machine sees its heartbeat file change.
final class ExchangeFolder {
  let shard: RunDescription.Shard
  private let path: String
  private let identity: RoundFile.Identity
  /// The random identity of this process among all processes that have ever run this shard.
  private let instance = String(UInt64.random(in: 0...UInt64.max), radix: 16)
  private var beats = 0
  private var lastBeat: ContinuousClock.Instant?
  private static let beatPause = Duration.seconds(2)

  /// Registers a shard in a folder.
  ///
  /// - Parameters:
  ///   - path: The folder, which must exist.
  ///   - shard: The shard.
  ///   - words: The settings that must be equal in all shards, for people.
  ///   - identity: The same settings, for files.
  /// - Throws: ``ExchangeProblem`` if the folder is not writable, or contains another exploration.
  init(
    _ path: String, _ shard: RunDescription.Shard, _ words: String, _ identity: RoundFile.Identity
  ) throws(ExchangeProblem) {
    self.path = path
    self.shard = shard
    self.identity = identity
    guard let status = FileStatus(path) else {
      throw ExchangeProblem(
        "\(path): error: the folder does not exist",
        hint: "create it once with mkdir -p, in a place that all shards share")
    }
    guard status.isDirectory else {
      throw ExchangeProblem("\(path): error: this is not a folder", hint: "name a folder")
    }
    try expectSame(words)
    let own = folder(shard.index)
    if !SystemFile.makeDirectory(own, mode: 0o777), errno != EEXIST {
      throw ExchangeProblem(
        "\(own): error: cannot create the folder: \(systemErrorText(errno))",
        hint: "check the free space and the permissions")
    }
    removeLeftovers(in: own)
    try write("life", life(nil))
    lastBeat = .now
  }

  private func folder(_ index: Int) -> String { "\(path)/shard-\(index)" }

  /// Returns the path of a shard's file.
  func file(_ name: String, of index: Int) -> String { "\(folder(index))/\(name)" }

  // MARK: The exploration

  /// Writes the settings of the exploration if this shard is the first one, or else compares them.
  private func expectSame(_ words: String) throws(ExchangeProblem) {
    let file = "\(path)/exploration"
    let wanted = words + "\n"
    if FileStatus(file) == nil {
      try write(to: file, Array(wanted.utf8))
    }
    guard let bytes = InputFile.bytes(of: file) else {
      throw ExchangeProblem(
        "\(file): error: the file cannot be read", hint: "check the permissions of the folder")
    }
    let found = String(decoding: bytes, as: UTF8.self)
    guard found == wanted else {
      throw ExchangeProblem(
        "\(path): error: a different exploration uses this folder\n"
          + "    there: \(SafeText.line(String(found.prefix(300)).trimmed))\n    here:  \(words)",
        hint: "use the same options and version for every shard, or name an empty folder")
    }
  }

  /// Removes temporary files of a process that was killed.
  private func removeLeftovers(in own: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: own)) ?? []
    for name in names where name.hasPrefix(".handover-") { SystemFile.remove("\(own)/\(name)") }
  }

  // MARK: Files

  /// Writes a file of this shard.
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
        "\(error.file): error: it cannot be written: \(systemErrorText(error.reason))",
        hint: "free some space or fix the permissions, and run the same command again to continue")
    }
  }

  /// Returns another shard's result of a round with the slice for this shard, or `nil` if it is
  /// missing.
  func read(
    _ name: String, round: Int, of index: Int
  ) throws(ExchangeProblem) -> (summary: RoundSummary, slice: [UInt8])? {
    guard let access = FileAccess(file(name, of: index)) else { return nil }
    do throws(SavedFileProblem) {
      return try RoundFile.read(
        identity, shard: index - 1, round: round, for: shard.index - 1, access.bytes)
    } catch {
      throw problem(error, name, of: index)
    }
  }

  /// Returns this shard's result of a round, or `nil` if the file is missing or damaged.
  func own(_ name: String, round: Int) throws(ExchangeProblem) -> RoundSummary? {
    guard let access = FileAccess(file(name, of: shard.index)) else { return nil }
    do throws(SavedFileProblem) {
      return try RoundFile.check(identity, shard: shard.index - 1, round: round, access.bytes)
    } catch .damaged {
      printError(
        "\(file(name, of: shard.index)): warning: the file is truncated or was changed; "
          + "the round runs again")
      return nil
    } catch {
      throw problem(error, name, of: shard.index)
    }
  }

  private func problem(
    _ problem: SavedFileProblem, _ name: String, of index: Int
  ) -> ExchangeProblem {
    let file = file(name, of: index)
    return switch problem {
    case .foreign:
      ExchangeProblem(
        "\(file): error: this is not the file of an exploration",
        hint: "name a folder that no other program writes to")
    case .other:
      ExchangeProblem(
        "\(file): error: the file belongs to a different exploration, round or shard",
        hint: "name an empty folder, and start all shards again, because files were moved")
    case .damaged:
      ExchangeProblem(
        "\(file): error: the file is truncated or was changed",
        hint: "start shard \(index) again, which rewrites the file; then start this shard again")
    }
  }

  // MARK: Heartbeat

  /// The text in the heartbeat file of a shard that was stopped by a limit and runs no further
  /// round.
  static let stops = "--depth or --budget stopped it"
  private var stopsHere = false

  private func life(_ left: String?) -> [UInt8] {
    beats += 1
    return Array("\(instance) \(beats)\n\(left ?? (stopsHere ? Self.stops : ""))\n".utf8)
  }

  /// Updates the heartbeat file from time to time.
  ///
  /// - Throws: ``ExchangeProblem`` if another process has taken over this shard.
  func beat() throws(ExchangeProblem) {
    if let lastBeat, ContinuousClock.now - lastBeat < Self.beatPause { return }
    lastBeat = .now
    if let there = Self.content(of: file("life", of: shard.index)),
      !there.starts(with: Array(instance.utf8))
    {
      throw ExchangeProblem(
        "error: another process is running shard \(shard.index) of \(shard.count) in \(path)",
        hint: "start each shard once; the other process continues")
    }
    // A full disk is reported when a result is lost.
    try? write("life", life(nil))
  }

  /// Announces in the heartbeat file that this shard runs no further round.
  func stop() {
    stopsHere = true
    lastBeat = nil
  }

  /// Announces in the heartbeat file why this shard leaves.
  func leave(_ why: String) {
    guard let there = Self.content(of: file("life", of: shard.index)),
      there.starts(with: Array(instance.utf8))
    else { return }
    try? write("life", life(why))
  }

  /// Returns the content of a shard's heartbeat file, or `nil` if there is none.
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

/// A file that is open for random access.
///
/// It remains the same file even if another one takes its name.
final class FileAccess {
  private let descriptor: Int32

  /// Opens a file, or returns `nil` if there is none.
  init?(_ file: String) {
    descriptor = SystemFile.open(file, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Returns bytes of the file, or `nil` if they cannot be read.
  ///
  /// The result is shorter than requested if the file ends earlier.
  func bytes(from start: Int, count: Int) -> [UInt8]? {
    guard start >= 0, count >= 0 else { return nil }
    guard let status = FileStatus(descriptor), status.isRegular else { return nil }
    // A length from a damaged file must not determine the allocation.
    let wanted = min(count, max(0, status.byteCount - start))
    return SystemFile.readAll(descriptor, atMost: wanted, at: start)
  }
}
