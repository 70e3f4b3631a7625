import ArgumentParser
import HandoverLinux
import HandoverScenario

/// Abbreviations on the command line.
enum Shorthand {
  /// Returns the expanded command line: if a file takes the place of a command, it is run.
  static func expanded(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first),
      first.hasSuffix(".json") || FileStatus(first) != nil
    else { return arguments }
    return ["run"] + arguments
  }

  /// Returns the message about an unknown command, or `nil` if the command is known or missing.
  static func complaint(about arguments: [String]) -> String? {
    guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first) else {
      return nil
    }
    let meant = Spelling.nearest(to: first, among: commands)
    return "Error: \"\(first)\" is neither a command nor a file."
      + (meant.map { " Did you mean \"\($0)\"?" } ?? "")
      + "\nUsage: handover <command>. `handover --help` lists the commands."
  }

  /// Returns the message about an unknown option, or `nil` if all options are known.
  ///
  /// The parser checks options last. Before, it may take the value of a misspelled option for
  /// another argument and complain about that.
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
    let before = arguments.dropFirst(path.count - 1).prefix { !$0.hasPrefix(unknown) }
    let isOfProgram =
      help.contains(" -- <") && !arguments.contains("--")
      && before.contains { !$0.hasPrefix("-") }
    let meant = Spelling.nearest(to: unknown, among: known.sorted())
    let hint =
      isOfProgram
      ? " Write the program after --, as in -- my-client."
      : meant.map { " Did you mean '\($0)'?" } ?? ""
    return "Error: Unknown option '\(unknown)'.\(hint)\nUsage: see 'handover \(names) --help'."
  }

  private static var commands: [String] {
    Handover.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }
}

/// Returns the suggestion at the end of a message about an unknown name.
func didYouMean(_ name: String, among names: [String]) -> String {
  Spelling.nearest(to: name, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
}
