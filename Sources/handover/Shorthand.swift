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

  /// What is said of an option that there is not; nil where there are all.
  ///
  /// The parser looks at options last, when it has taken what should be the value of a misspelt one
  /// for something else and has complained about that.
  static func complaint(aboutOptionsOf arguments: [String]) -> String? {
    var path: [any ParsableCommand.Type] = [Handover.self]
    for word in arguments.prefix(2) {
      let below = path.last?.configuration.subcommands ?? []
      guard let next = below.first(where: { $0.configuration.commandName == word }) else { break }
      path.append(next)
    }
    guard path.count > 1, let command = path.last else { return nil }
    let help = Handover.helpMessage(for: command, includeHidden: true, columns: 200)
    let known = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })  // lookup only
    let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    let inherited: Set = ["--help", "--help-hidden", "--version"]  // lookup only
    guard
      let unknown = given.first(where: {
        !known.contains($0) && !inherited.contains($0) && !$0.hasPrefix("--experimental-")
          && !$0.hasPrefix("--generate-")
      })
    else { return nil }
    let names = path.dropFirst().compactMap { $0.configuration.commandName }.joined(separator: " ")
    let meant = Spelling.nearest(to: unknown, among: known.sorted())
    return "Error: Unknown option '\(unknown)'."
      + (meant.map { " Did you mean '\($0)'?" } ?? "")
      + "\nUsage: see 'handover \(names) --help'."
  }

  private static var commands: [String] {
    Handover.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }
}

/// The end of a complaint about a name that there is not: the name that was probably meant.
func didYouMean(_ name: String, among names: [String]) -> String {
  Spelling.nearest(to: name, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
}
