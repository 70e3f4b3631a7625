import ArgumentParser
import HandoverScenario

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What stands on the command line for something longer.
enum Shorthand {
  /// The command line with all that it means: a file in the place of a command is run.
  static func expanded(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first),
      unsafe first.hasSuffix(".json") || access(first, F_OK) == 0
    else { return arguments }
    return ["run"] + arguments
  }

  /// What is said of a command that there is not; nil where there is one, or none is named.
  static func complaint(about arguments: [String]) -> String? {
    guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first) else {
      return nil
    }
    let meant = Spelling.nearest(to: first, among: commands)
    return "Error: there is no command \"\(first)\", and no file of that name."
      + (meant.map { " Did you mean \"\($0)\"?" } ?? "")
      + "\nUsage: handover <command>; handover --help lists the commands."
  }

  private static var commands: [String] {
    Handover.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }
}

/// The end of a complaint about a name that there is not: the name that was probably meant.
func didYouMean(_ name: String, among names: [String]) -> String {
  Spelling.nearest(to: name, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
}
