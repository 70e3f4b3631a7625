import HandoverJSON
import HandoverReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Waits until every part has left a file, one after the other, and not for one that does not live.
struct ShardWait {
  let folder: ExchangeFolder
  /// How long nothing may be heard of a part.
  let timeout: Duration
  private static let longestPause: UInt32 = 200_000

  /// The files of all parts, in their order.
  ///
  /// - Parameters:
  ///   - name: the file's name, for people.
  ///   - round: of which round.
  ///   - read: what a part left; nil where it is not there yet.
  ///   - goesOn: is asked every now and then, with the part that is waited for and for how long
  ///     already.
  /// - Returns: the files; nil where it was stopped.
  /// - Throws: where a file is not what it should be, or a part does not live.
  func files<File>(
    _ name: String, round: Int, _ read: (Int) throws(ExchangeProblem) -> File?,
    goesOn: (_ index: Int, Duration) -> Bool
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
        // What a part shows of its life may be younger than the look for its file, so that
        // whoever is given up is looked for once more.
        if let problem { throw problem }
        try folder.beat()
        if life.isOver(after: timeout) { problem = lost(index, name, life) }
        if life.stops, name == Self.roundName(round) { problem = stopped(index, name) }
        if problem != nil { continue }
        guard goesOn(index, life.silence) else { return nil }
        usleep(pause)
        pause = min(Self.longestPause, pause + pause / 2)
      }
      guard goesOn(index, .zero) else { return nil }
    }
    return files
  }

  /// The name of a part's file of a round.
  static func roundName(_ round: Int) -> String { name("round", round) }

  /// The name of its file where all are stopped before a round.
  static func levelName(_ round: Int) -> String { name("level", round) }

  private static func name(_ kind: String, _ round: Int) -> String {
    let number = String(round)
    return "\(kind)-" + String(repeating: "0", count: max(0, 4 - number.count)) + number
  }

  /// A part that lives and waits for what this one never leaves would be waited for for ever.
  private func stopped(_ index: Int, _ name: String) -> ExchangeProblem {
    ExchangeProblem(
      "error: shard \(index) of \(folder.shard.count) is stopped by --depth or --budget before "
        + "\(name), and this one is not",
      hint: "give all shards the same --depth and --budget, and start them again")
  }

  private func lost(_ index: Int, _ file: String, _ life: PartLife) -> ExchangeProblem {
    let name = "shard \(index) of \(folder.shard.count)"
    let what =
      if let why = life.reasonOfLeaving {
        "it left: \(why)"
      } else if life.wasSeen {
        "nothing was heard of it for \(timeout.components.seconds) s"
      } else {
        "it was never here"
      }
    return ExchangeProblem(
      "error: \(name) has left no file \(file), and \(what)",
      hint: (life.wasSeen ? "" : "see that every shard is given the same folder; ")
        + "start \(name) with the options of this one, and this one again: both go on where they "
        + "were",
      status: .breakdown)
  }
}

/// What is heard of a part that is waited for: whether it lives is seen by that something changes,
/// and no clock but the one here has a word in it.
private struct PartLife {
  private let folder: ExchangeFolder
  private let index: Int
  private let began: ContinuousClock.Instant
  private var lastChange: ContinuousClock.Instant
  private var nextLook = ContinuousClock.now
  private var content: [UInt8]?

  init(_ folder: ExchangeFolder, _ index: Int) {
    self.folder = folder
    self.index = index
    content = folder.life(of: index)
    began = .now
    lastChange = began
  }

  /// Whether it lives, and shows that it makes no further round.
  var stops: Bool { lastChange > began && reasonOfLeaving == ExchangeFolder.stops }

  /// Whether the part was ever there.
  var wasSeen: Bool { content != nil }

  /// How long it has been waited for.
  var silence: Duration { ContinuousClock.now - began }

  /// Why it said that it leaves; nil where it did not.
  var reasonOfLeaving: String? {
    let lines = content.map { String(decoding: $0, as: UTF8.self).split(separator: "\n") } ?? []
    return lines.count > 1 ? SafeText.line(String(lines[1].prefix(200))) : nil
  }

  /// Whether nothing was heard of it for so long.
  mutating func isOver(after timeout: Duration) -> Bool {
    let now = ContinuousClock.now
    if now >= nextLook {
      nextLook = now + .seconds(1)
      let life = folder.life(of: index)
      if life != content {
        content = life
        lastChange = now
      }
    }
    return now - lastChange >= timeout
  }
}
