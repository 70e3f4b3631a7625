import ArgumentParser
import HandoverCore

/// The options for a search for network timelines at which a program fails.
struct SearchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Search for a timeline at which the program fails, for this time, from 30s to 12h.",
      valueName: "time"))
  var search: TimeLength?

  @Option(
    help: ArgumentHelp(
      "With --search: the seed of the timelines. Default: a random number.",
      valueName: "number"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "With --search: the new scenario file for the timeline. Default: search-SEED.json.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var save: String?

  /// The time for which a program is watched after each timeline by default.
  static let defaultWatch = Interval.seconds(15)

  func validate() throws {
    guard let search else {
      if seed != nil { throw ValidationError("--seed requires --search, such as --search 5min.") }
      if save != nil { throw ValidationError("--save requires --search, such as --search 5min.") }
      return
    }
    guard (Interval.seconds(30)...Interval.minutes(720)).contains(search.interval) else {
      throw ValidationError("--search must be a time from 30s to 12h, such as --search 5min.")
    }
    if save == "" { throw ValidationError("The file name of --save is empty.") }
  }
}

extension TryCommand {
  /// Rejects options that have no meaning for a search.
  func validateSearch() throws {
    guard searchOptions.search != nil else { return }
    let reasons: [(isGiven: Bool, option: String, reason: String)] = [
      (!move.isEmpty, "--move", "a search draws its own network changes"),
      (repetitions != 1, "--repeat", "a search repeats each failure three times"),
      (labOptions.afterTimeout, "--after-timeout", "it repeats single moves"),
      (!knownFailing.isEmpty, "--known-failing", "random timelines have no fixed names"),
      (labOptions.pcap != nil, "--pcap", "a search runs hundreds of labs"),
      (labOptions.progress != nil, "--progress", "a search has no -o html= report"),
    ]
    if let wrong = reasons.first(where: \.isGiven) {
      throw ValidationError(
        "\(wrong.option) cannot be combined with --search, because \(wrong.reason).")
    }
    if let other = output.first(where: { ![.pretty, .jsonl].contains($0.format) }) {
      throw ValidationError(
        "-o \(other.format.rawValue)= cannot be combined with --search. Use pretty or jsonl.")
    }
  }
}
