import Glibc
import HandoverCore
import HandoverReport

/// A wait for a file of each shard in order, which ends if a shard is no longer alive.
struct ShardWait {
  let folder: ExchangeFolder
  /// The time after which a shard without a sign of life counts as lost.
  let timeout: Duration
  private static let longestPause: UInt32 = 200_000

  /// Returns the files of all shards, in their order.
  ///
  /// - Parameters:
  ///   - name: The name of the file, for people.
  ///   - round: The round of the file.
  ///   - read: A closure that returns a shard's file, or `nil` if it does not exist yet.
  ///   - shouldContinue: A closure that is called from time to time with the awaited shard and the
  ///     time waited so far. The wait stops if it returns `false`.
  /// - Returns: The files, or `nil` if the wait was stopped.
  /// - Throws: ``ExchangeProblem`` if a file is invalid, or if a shard is not alive.
  func files<File>(
    _ name: String, round: Int, _ read: (Int) throws(ExchangeProblem) -> File?,
    shouldContinue: (_ index: Int, Duration) -> Bool
  ) throws(ExchangeProblem) -> [File]? {
    var files: [File] = []
    for index in 1...folder.shard.count {
      var pause: UInt32 = 1_000
      var life = PartLife(folder, index)
      var problem: ExchangeProblem?
      while true {
        if let file = try read(index) {
          files.append(file)
          break
        }
        // The heartbeat may be newer than the last check for the file. Therefore the file is
        // checked once more before a shard is given up.
        if let problem { throw problem }
        try folder.beat()
        if life.isOver(after: timeout) { problem = lost(index, name, life) }
        if life.stops, name == Self.roundName(round) { problem = stopped(index, name) }
        if problem != nil { continue }
        guard shouldContinue(index, life.silence) else { return nil }
        usleep(pause)
        pause = min(Self.longestPause, pause + pause / 2)
      }
      guard shouldContinue(index, .zero) else { return nil }
    }
    return files
  }

  /// Returns the name of a shard's file of a round.
  static func roundName(_ round: Int) -> String { name("round", round) }

  /// Returns the name of a shard's file when all shards are stopped before a round.
  static func levelName(_ round: Int) -> String { name("level", round) }

  private static func name(_ kind: String, _ round: Int) -> String {
    let number = String(round)
    return "\(kind)-" + String(repeating: "0", count: max(0, 4 - number.count)) + number
  }

  /// Returns the error for a shard that is alive but will never write the awaited file.
  private func stopped(_ index: Int, _ name: String) -> ExchangeProblem {
    ExchangeProblem(
      "error: shard \(index) of \(folder.shard.count) was stopped by --depth or --budget before "
        + "\(name), and this shard was not",
      hint: "use the same --depth and --budget for all shards, and start them again")
  }

  private func lost(_ index: Int, _ file: String, _ life: PartLife) -> ExchangeProblem {
    let name = "shard \(index) of \(folder.shard.count)"
    let what =
      if let why = life.reasonOfLeaving {
        "it stopped: \(why)"
      } else if life.wasSeen {
        "it was silent for \(timeout.components.seconds) s"
      } else {
        "it never started"
      }
    return ExchangeProblem(
      "error: the file \(file) of \(name) is missing, and \(what)",
      hint: (life.wasSeen ? "" : "use the same folder for every shard; ")
        + "start \(name) with the options of this one, and this shard again: both continue where "
        + "they were",
      status: .breakdown)
  }
}

/// The liveness of an awaited shard.
///
/// A shard is alive while its heartbeat file changes, as measured with the local clock.
private struct PartLife {
  private let folder: ExchangeFolder
  private let index: Int
  private let began: ContinuousClock.Instant
  private var lastChange: ContinuousClock.Instant
  private var nextCheck = ContinuousClock.now
  private var content: [UInt8]?

  init(_ folder: ExchangeFolder, _ index: Int) {
    self.folder = folder
    self.index = index
    content = folder.life(of: index)
    began = .now
    lastChange = began
  }

  /// Whether the shard is alive and announces that it runs no further round.
  var stops: Bool { lastChange > began && reasonOfLeaving == ExchangeFolder.stops }

  /// Whether the shard has ever been seen.
  var wasSeen: Bool { content != nil }

  /// The time for which this process has waited for the shard.
  var silence: Duration { ContinuousClock.now - began }

  /// The reason for which the shard announced that it leaves, or `nil` if it did not.
  var reasonOfLeaving: String? {
    let lines = content.map { String(decoding: $0, as: UTF8.self).split(separator: "\n") } ?? []
    return lines.count > 1 ? SafeText.line(String(lines[1].prefix(200))) : nil
  }

  /// Returns whether the heartbeat file has not changed for the length of the timeout.
  mutating func isOver(after timeout: Duration) -> Bool {
    let now = ContinuousClock.now
    if now >= nextCheck {
      nextCheck = now + .seconds(1)
      let life = folder.life(of: index)
      if life != content {
        content = life
        lastChange = now
      }
    }
    return now - lastChange >= timeout
  }
}
