import Foundation
import Testing

/// The description of the command for other programs.
struct CommandTree: Decodable {
  struct Node: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }
      var names: [Name]?
    }

    var commandName: String
    var subcommands: [Node]?
    var arguments: [Argument]?

    /// The names of the options, with their hyphens.
    var options: Set<String> {
      let names = (arguments ?? []).flatMap { $0.names ?? [] }
      return Set(names.map { ($0.kind == "long" ? "--" : "-") + $0.name })
    }
  }

  var command: Node

  /// The command, with everything below it.
  static let root = Result {
    let dump = try CommandLineRun("--experimental-dump-help")
    return try JSONDecoder().decode(CommandTree.self, from: Data(dump.output.utf8)).command
  }

  /// Returns the arguments of every command below the root.
  static func paths() throws -> [[String]] {
    func below(_ node: Node, _ path: [String]) -> [[String]] {
      (node.subcommands ?? []).filter { $0.commandName != "help" }.flatMap { one in
        [path + [one.commandName]] + below(one, path + [one.commandName])
      }
    }
    return below(try root.get(), [])
  }
}

@Suite("Help")
struct HelpTests {
  @Test("Every command shows examples and keeps to 80 columns")
  func everyCommand() throws {
    let paths = try CommandTree.paths()
    #expect(paths.contains(["run"]))
    for path in [[]] + paths {
      let help = try CommandLineRun(path + ["--help"], environment: ["COLUMNS": "80"])
      let name = (["handover"] + path).joined(separator: " ")
      #expect(help.status == 0)
      #expect(help.output.contains("Examples:"), "\(name) --help shows no examples")
      for line in help.output.split(separator: "\n") {
        #expect(line.count <= 80, "\(name) --help is too wide: \(line)")
      }
      #expect(ragged(help.output) == [], "\(name) --help is ragged")
      #expect(brokenRows(help.output) == [], "\(name) --help breaks a row")
      // Lines that are too long are wrapped, and continue at the margin.
      let examples = help.output.components(separatedBy: "\nExamples:\n").dropFirst().first
      for line in examples?.components(separatedBy: "\n\n")[0].split(separator: "\n") ?? [] {
        #expect(line.hasPrefix("  "), "\(name) --help breaks an example: \(line)")
      }
    }
  }

  /// Returns each line of a help text in front of the usage, with the line that follows it.
  private func adjacentLines(_ help: String) -> [(line: Substring, next: Substring)] {
    let text = help.components(separatedBy: "\nUSAGE: ")[0]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return Array(zip(lines, lines.dropFirst()))
  }

  /// Returns the lines of a help text that continue a row of a list.
  ///
  /// Such a line is not moved with its row on a narrow terminal.
  private func brokenRows(_ help: String) -> [Substring] {
    adjacentLines(help).compactMap { line, next in
      guard line.hasPrefix("  "), !next.isEmpty else { return nil }
      let indentation = next.prefix { $0 == " " }.count
      return 2...6 ~= indentation ? nil : next
    }
  }

  /// Returns the lines of a help text on which the next word would have fit within 60 columns.
  private func ragged(_ help: String) -> [Substring] {
    adjacentLines(help).compactMap { line, next in
      let isText = !line.isEmpty && !line.hasPrefix(" ") && !line.hasSuffix(":")
      guard isText, !next.isEmpty, !next.hasPrefix(" ") else { return nil }
      let word = next.prefix { $0 != " " }
      return line.count + 1 + word.count > 60 ? nil : line
    }
  }

  @Test("On a narrow terminal text is filled, and wrapped examples are indented")
  func narrow() throws {
    for path in [[]] + (try CommandTree.paths()) {
      let help = try CommandLineRun(path + ["--help"], environment: ["COLUMNS": "60"]).output
      let name = (["handover"] + path).joined(separator: " ")
      for line in help.split(separator: "\n")
      where line.drop(while: { $0 == " " }).contains(" ") {
        #expect(line.count <= 60, "\(name) --help is too wide: \(line)")
      }
      #expect(ragged(help) == [], "\(name) --help is ragged")
      // The words are the same at every width.
      let wide = try CommandLineRun(path + ["--help"], environment: ["COLUMNS": "80"]).output
      let words = [help, wide].map { text in
        text.components(separatedBy: "\nUSAGE: ")[0].split(whereSeparator: \.isWhitespace)
      }
      #expect(words[0] == words[1])
    }
  }

  @Test(
    "Beginners are led to unmodified programs and to adapters with their own sockets",
    arguments: [
      ["--help"], ["backend", "--help"], ["backend", "new", "--help"], ["backend", "new"],
      ["backend", "new", "--language", "swift"], ["backend", "new", "--language", "go"],
    ])
  func firstPages(_ arguments: [String]) throws {
    let text = try CommandLineRun(arguments).output
    #expect(text.contains("handover try"))
    #expect(text.contains("--real-time"))
  }

  @Test(
    "An example with an endless stream sets a time at which it ends",
    arguments: [["lab"], ["lab", "exec"]])
  func endlessExample(_ command: [String]) throws {
    let help = try CommandLineRun(command + ["--help"]).output
    let streams = help.split(separator: "\n").filter { $0.contains("curl") }
    #expect(!streams.isEmpty && streams.allSatisfy { $0.contains("--until") }, "\(streams)")
  }

  @Test("Help lists the commands for beginners first")
  func order() throws {
    let help = try CommandLineRun("--help").output
    let commands = help.components(separatedBy: "SUBCOMMANDS:\n").last ?? ""
    let names = commands.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^  ([a-z]+) +/).map { String($0.output.1) }
    }
    #expect(names.prefix(5) == ["try", "backend", "run", "matrix", "explain"])
  }

  @Test("The examples in the help have a valid command line", .timeLimit(.minutes(30)))
  func examples() throws {
    let paths = try CommandTree.paths()
    for path in [[]] + paths {
      let help = try CommandLineRun(path + ["--help"]).output
      for line in help.split(separator: "\n") where line.hasPrefix("  handover ") {
        let word = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let isKnown = paths.contains { $0[0] == word } || word.hasSuffix(".json")
        #expect(word.hasPrefix("-") || isKnown, "\(line)")
        // Files that the user must provide are called my-something.
        for file in line.split(separator: " ")
        where file.hasPrefix("Scenarios/") && !file.contains("/my-") {
          let path = packageRoot.appending(path: String(file)).path
          #expect(FileManager.default.fileExists(atPath: path), "\(line)")
        }
      }
    }
  }
}

@Suite("Completion")
struct CompletionTests {
  @Test("Each shell gets its script", arguments: ["bash", "zsh", "fish"])
  func scripts(_ shell: String) throws {
    let script = try CommandLineRun("--generate-completion-script", shell)
    #expect(script.status == 0)
    #expect(script.errors.isEmpty)
    for word in ["sockets-monitor", "junit=", "known-failing", "json"] {
      #expect(script.output.contains(word), "\(shell): \(word)")
    }
  }

  @Test("Help and completion offer exactly the profiles of the schema")
  func profiles() throws {
    let schema = try Data(
      contentsOf: packageRoot.appending(path: "Fixtures/Schemas/scenario-1.schema.json"))
    let root = try #require(try JSONSerialization.jsonObject(with: schema) as? [String: Any])
    let definitions = try #require(root["definitions"] as? [String: Any])
    let profile = try #require(definitions["profile"] as? [String: Any])
    let names = try #require(profile["enum"] as? [String])
    let help = try CommandLineRun("run", "--help").output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let offered = try #require(help.firstMatch(of: /--profile <name> .*? One of: (.*?)\. --only/))
    #expect(offered.1.split(separator: ", ").map(String.init) == names)
    let script = try CommandLineRun("--generate-completion-script", "bash").output
    let words = names.map { "'\($0)'" }.joined(separator: "$'\\n'")
    #expect(script.contains("-W \(words)\n"))
  }

  @Test("An unknown shell is a usage error")
  func unknown() throws {
    #expect(try CommandLineRun("--generate-completion-script", "tcsh").status == 2)
  }

  @Test(
    "Bash completes commands, profiles, formats and files",
    .enabled(if: Program.exists("/bin/bash")),
    arguments: [
      ("handover ru", "run"), ("handover run --profile sockets-m", "sockets-monitor"),
      ("handover run -o jun", "junit="), ("handover run --color al", "always"),
      ("handover run Fixtures/Canary/mu", "Fixtures/Canary/must-fail.json"),
    ])
  func bash(_ line: String, _ word: String) throws {
    let scratch = try ScratchDirectory()
    let script = try CommandLineRun("--generate-completion-script", "bash").output
    let file = try scratch.write(script, to: "completion.bash")
    let ask = """
      source '\(file)'
      COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
      read -ra COMP_WORDS <<<"$COMP_LINE"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      $(complete -p handover | sed 's/.*-F \\([^ ]*\\).*/\\1/') handover \
        "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = try CommandLineRun(command: URL(filePath: "/bin/bash"), ["-c", ask])
    let replies = run.output.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(replies.contains(word), "\(run.output)\(run.errors)")
  }
}

/// Programs that tests use if they are installed.
enum Program {
  /// A program that reads a stream, and starts another one after 1.5 s of silence.
  ///
  /// This is far below the 5 s that separate RECOVERS from LATE, because a busy machine adds to it.
  static let impatient = """
    import time, urllib.request
    while True:
      try:
        with urllib.request.urlopen("http://api.example/drip", timeout=1.5) as stream:
          while stream.readline(): pass
      except OSError:
        time.sleep(0.2)
    """

  static func exists(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: path)
  }

  /// Returns the path of a program, or `nil` if it is not installed.
  static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first(where: exists)
  }
}
