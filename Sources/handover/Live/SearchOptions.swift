import ArgumentParser
import HandoverCore

/// The options for a search for network timelines at which a program fails or a call hangs.
struct SearchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Search for a network timeline at which the program fails or a call hangs, for this time, "
        + "up to 12h.",
      valueName: "time"))
  var search: TimeLength?

  @Option(
    help: ArgumentHelp(
      "With --search: the new scenario file for the timeline. Default: search-SEED.json.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var save: String?

  /// The time for which a program is watched after each timeline by default.
  static let defaultWatch = Interval.seconds(15)

  func validate() throws {
    if search == nil, save != nil {
      throw ValidationError("--save requires --search, such as --search 5min.")
    }
    if save == "" { throw ValidationError("The file name of --save is empty.") }
  }

  /// Rejects an invalid time, and options that a search does not support.
  ///
  /// - Parameters:
  ///   - shortest: The shortest time of a search.
  ///   - reasons: The options, whether they are given, and why a search does not support them.
  /// - Throws: ``ValidationError`` for the first problem.
  func validateSearch(
    _ shortest: Interval, _ reasons: [(isGiven: Bool, option: String, reason: String)]
  ) throws {
    guard let search else { return }
    guard (shortest...Interval.minutes(720)).contains(search.interval) else {
      throw ValidationError(
        "--search must be a time from \(shortest.text) to 12h, such as --search 5min.")
    }
    if let wrong = reasons.first(where: \.isGiven) {
      throw ValidationError(
        "\(wrong.option) cannot be combined with --search, because \(wrong.reason).")
    }
  }

  /// The seed and the scenario file of a search that begins now.
  ///
  /// - Parameter seed: The requested seed, or `nil` for a random one.
  /// - Returns: The seed and the file.
  /// - Throws: ``ExitError`` if the file exists or cannot be written.
  func start(_ seed: UInt64?) throws -> (seed: UInt64, file: String) {
    let seed = seed ?? .random(in: 0...999_999)
    let file = save ?? "search-\(seed).json"
    if let obstacle = FileCreation.obstacle(to: file, replacing: false) {
      let other = obstacle.replacing(", or replace this one with --force", with: " with --save")
      throw ExitError(printing: "\(file): error: \(other)")
    }
    return (seed, file)
  }
}
