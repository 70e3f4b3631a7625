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
  ///   - round: of which round.
  ///   - read: what a part left; nil where it is not there yet.
  ///   - goesOn: is asked every now and then, with the part that is waited for and for how long
  ///     already.
  /// - Returns: the files; nil where it was stopped.
  /// - Throws: where a file is not what it should be, or a part does not live.
  func files<File>(
    round: Int, _ read: (Int) throws(ExchangeProblem) -> File?,
    goesOn: (_ index: Int, Duration) -> Bool
  ) throws(ExchangeProblem) -> [File]? {
    var files: [File] = []
    for index in 1...folder.shard.count {
      var pause: UInt32 = 1_000
      var life = PartLife(folder, index)
      while true {
        if let file = try read(index) {
          files.append(file)
          break
        }
        try folder.beat()
        if life.isOver(after: timeout) { throw lost(index, round, life) }
        guard goesOn(index, life.silence) else { return nil }
        usleep(pause)
        pause = min(Self.longestPause, pause + pause / 2)
      }
      guard goesOn(index, .zero) else { return nil }
    }
    return files
  }

  private func lost(_ index: Int, _ round: Int, _ life: PartLife) -> ExchangeProblem {
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
      "error: \(name) has left nothing for round \(round), and \(what)",
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
  private let began = ContinuousClock.now
  private var lastChange = ContinuousClock.now
  private var nextLook = ContinuousClock.now
  private var content: [UInt8]?

  init(_ folder: ExchangeFolder, _ index: Int) {
    self.folder = folder
    self.index = index
    content = folder.life(of: index)
  }

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
