import Foundation
import Testing

@Suite("The command alone, in an empty folder")
struct BundleTests {
  /// Runs the command in a separate folder through a shell.
  private static func run(
    in folder: ScratchDirectory, _ words: String
  ) throws -> CommandLineRun {
    let script = "cd '\(folder.url.path)' && exec '\(CommandLineRun.command.path)' \(words)"
    return try CommandLineRun(command: URL(filePath: "/bin/sh"), ["-c", script])
  }

  @Test("The list of bundled files equals the files on disk")
  func list() throws {
    let check = try CommandLineRun(
      command: packageRoot.appending(path: "Tests/Tools/bundle"), ["--check"])
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test("The command runs its bundled scenarios and reports where they come from")
  func scenarios() throws {
    let empty = try ScratchDirectory()
    let run = try Self.run(in: empty, "run --only 'stalls/*' -o jsonl=-")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.hasPrefix(
        "No Scenarios/ directory here; using the scenarios bundled with handover"))
    let here = try CommandLineRun("run", "--only", "stalls/*", "-o", "jsonl=-")
    #expect(here.errors.isEmpty)
    #expect(run.output == here.output)
    let list = try Self.run(in: empty, "list")
    #expect(list.output == (try CommandLineRun("list").output))
    let one = try Self.run(in: empty, "run ./Scenarios/stalls/killed.json --profile sockets")
    #expect(one.status == 0)
    #expect(try Self.run(in: empty, "explain stalls/killed").output.contains("Timeline"))
  }

  @Test("An id, or a folder of ids, selects its bundled file, in an empty folder as well")
  func ids() throws {
    let empty = try ScratchDirectory()
    for (id, path) in [
      ("stalls/killed", "Scenarios/stalls/killed.json"), ("names", "Scenarios/names"),
    ] {
      let wanted = try CommandLineRun("run", path, "-o", "jsonl=-")
      #expect(wanted.status == 0)
      #expect(try CommandLineRun("run", id, "-o", "jsonl=-").output == wanted.output)
      #expect(try Self.run(in: empty, "run \(id) -o jsonl=-").output == wanted.output)
    }
    for name in ["stalls/kiled", "../stalls/killed", "/stalls/killed", "stalls/killed.json"] {
      let run = try CommandLineRun("run", name)
      #expect(run.status == 2)
      #expect(run.errors.contains("handover list"), "\(run.errors)")
    }
    // Existing files take precedence.
    try FileManager.default.createDirectory(
      at: empty.url.appending(path: "stalls"), withIntermediateDirectories: true)
    _ = try empty.write(Sample.plain, to: "stalls/killed")
    #expect(try Self.run(in: empty, "run stalls/killed").errors.isEmpty)
  }

  @Test("Files on disk take precedence over bundled ones")
  func disk() throws {
    let folder = try ScratchDirectory()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "Scenarios"), withIntermediateDirectories: true)
    #expect(try Self.run(in: folder, "run").status == 4)
    #expect(try Self.run(in: folder, "run Scenarios/stalls/killed.json").status == 2)
    _ = try folder.write(Sample.plain, to: "Scenarios/own.json")
    let run = try Self.run(in: folder, "run")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.contains("1 scenario,"))
  }

  @Test("The command contains the requirements of the specifications and the schema")
  func documents() throws {
    let empty = try ScratchDirectory()
    let item = try Self.run(in: empty, "explain d8a")
    #expect(item.status == 0)
    #expect(item.output.hasPrefix("D8a  "))
    #expect(item.output.contains("Scenarios/stalls/"))
    let schema = try Self.run(in: empty, "schema")
    let file = packageRoot.appending(path: "Fixtures/Schemas/scenario-1.schema.json")
    #expect(schema.output == (try String(contentsOf: file, encoding: .utf8)))
    let matrix = try Self.run(in: empty, "matrix --only 'stalls/killed'")
    #expect(matrix.output.contains("network-transitions D2"))
  }

  @Test(
    "Every report names the version that wrote it",
    arguments: ["pretty", "tap", "junit", "jsonl", "github"])
  func harness(_ format: String) throws {
    let version = try CommandLineRun("--version").output.trimmingCharacters(in: .newlines)
    let kernel = try String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    let run = try CommandLineRun("run", "Scenarios/stalls", "-o", "\(format)=-")
    #expect(run.output.contains(version))
    #expect(run.output.contains("Linux \(kernel)"))
  }

  @Test("Every matrix names the version that wrote it", arguments: ["html", "markdown", "json"])
  func matrix(_ format: String) throws {
    let run = try CommandLineRun("matrix", "Scenarios/stalls", "-o", "\(format)=-")
    #expect(run.output.contains("Linux "))
  }
}

@Suite("Arguments of the command line")
struct ArgumentTests {
  @Test("A file in place of a command is run")
  func file() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "my.json")
    let run = try CommandLineRun(file, "--profile", "sockets")
    #expect(run.status == 0)
    #expect(run.output.contains("1 passed"))
    #expect(run.output.contains("  handover explain \(file)\n"))
    #expect(try CommandLineRun("no-such-file.json").status == 2)
  }

  @Test("Standard input is a file called -", arguments: ["run", "check", "explain", "list"])
  func standardInput(_ command: String) throws {
    let scratch = try ScratchDirectory()
    func run(_ text: String) throws -> CommandLineRun {
      let file = try scratch.write(text, to: "in.json")
      let script = "exec '\(CommandLineRun.command.path)' \(command) - <'\(file)'"
      return try CommandLineRun(command: URL(filePath: "/bin/sh"), ["-c", script])
    }
    let good = try run(Sample.plain)
    #expect(good.status == 0, "\(good.errors)")
    // Standard input has been consumed, so no command that would read it again is suggested.
    #expect(!good.output.contains("handover matrix -"), "\(good.output)")
    let bad = try run("{ \"format\": 1, ")
    #expect(bad.status == 2)
    #expect(bad.errors.contains("standard input:1:16: error: "))
  }

  @Test(
    "A misspelled command or value is reported with the intended one",
    arguments: [
      (["rnu"], "\"run\""), (["matirx", "Scenarios"], "\"matrix\""),
      (["run", "--profil", "sockets"], "--profile"),
      (["run", "--profile", "socket"], "\"sockets\""), (["run", "--defect", "C1O"], "\"C10\""),
    ])
  func misspelt(_ arguments: [String], _ meant: String) throws {
    let run = try CommandLineRun(arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains("Did you mean ") && run.errors.contains(meant), "\(run.errors)")
  }

  private static let afterDashes = "Write the program after --, as in -- my-client."

  @Test(
    "A misspelled option is reported before the arguments after it",
    arguments: [
      (["explore", "--hots", "2", "sockets"], "'--hots'. Did you mean '--hosts'?"),
      (["explore", "--hots=2", "socktes"], "'--hots'. Did you mean '--hosts'?"),
      (["try", "--wach", "5s", "--", "true", "--no-such"], "'--wach'. Did you mean '--watch'?"),
      (
        ["lab", "exec", "--untl", "5s", "x.json", "--", "true"], "'--untl'. Did you mean '--until'?"
      ),
      (["run", "--proflie", "sockets"], "'--proflie'. Did you mean '--profile'?"),
      (["try", "curl", "-sN", "--max-time", "5"], "'--max-time'. \(Self.afterDashes)"),
      (["lab", "exec", "x.json", "curl", "--max-time=5"], "'--max-time'. \(Self.afterDashes)"),
      (["run", "--quite-another-thing"], "'--quite-another-thing'."),
    ])
  func misspeltOptions(_ arguments: [String], _ reported: String) throws {
    let run = try CommandLineRun(arguments)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("Error: Unknown option \(reported)\n"), "\(run.errors)")
    #expect(run.errors.contains("handover \(arguments[0])"))
  }

  @Test(
    "Wrong uses of existing options are reported as before",
    arguments: [
      (["explore", "sockets", "--hosts", "9"], "--hosts must be an integer from 1 to 4"),
      (["explore", "sockts"], "Did you mean \"sockets\"?"),
      (["explore", "sockets", "--defect", "P80"], "Did you mean \"P8\"?"),
      (["run", "--timeout", "x"], "--timeout"), (["try", "--", "--hots"], "Program not found"),
    ])
  func wrongValues(_ arguments: [String], _ reported: String) throws {
    let run = try CommandLineRun(arguments)
    #expect(!run.errors.contains("Unknown option"), "\(run.errors)")
    #expect(run.errors.contains(reported), "\(run.errors)")
  }

  @Test(
    "A missing program is reported before a lab is created",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/ns/net")),
    arguments: [["try"], ["lab", "exec", "Scenarios/stalls/killed.json"]],
    [
      ("no-such-program", #"Program not found in PATH: "no-such-program"."#),
      ("./no-such-program", #"Program not found: "./no-such-program"."#),
      (
        "Makefile",
        #"Program not found in PATH: "Makefile". To run the file in this directory, write ./"#
      ),
      ("./Makefile", #""./Makefile" is not executable. Make it executable with chmod +x."#),
      ("./Tests", #"Program not found: "./Tests"."#),
    ])
  func noProgram(_ command: [String], _ name: (program: String, reported: String)) throws {
    let run = try CommandLineRun(command + ["--", name.program])
    #expect(run.status == 2)
    #expect(run.errors.contains(name.reported), "\(run.errors)")
    #expect(!run.errors.contains(" labs, "))
  }

  @Test("explain accepts a diagnostic code and a profile")
  func words() throws {
    let code = try CommandLineRun("explain", "in-background")
    #expect(code.status == 0)
    #expect(code.output.contains("The application acts while it is suspended."))
    for word in ["in-background", "HANGS", "PASSED", "UNAVAILABLE", "READY", "quic", "D8a", "1"] {
      let run = try CommandLineRun("explain", word)
      #expect(run.status == 0)
      #expect(run.output.contains("\n  Example: ") && run.output.contains("\n  Fix: "), "\(word)")
    }
    let profiles = try CommandLineRun("profiles")
    for line in ["sockets-monitor  ", "url-dispatcher"] { #expect(profiles.output.contains(line)) }
    let unknown = try CommandLineRun("explain", "no-such-word")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("no such file or directory"))
    #expect(unknown.errors.hasSuffix("such as HANGS or D8a\n"))
  }

  @Test(
    "explain introduces the reason why a requirement is not or only partly covered",
    arguments: [
      ("M13", "\n  Not covered: the line in the log;"),
      ("U4", "\n  Instead: Spellings of one host are one endpoint,"),
      ("I32", "\n  No expectation: A second global interceptor"),
      ("T3", "\n  Not expressible: This is a recommendation,"),
    ])
  func reasons(id: String, introduction: String) throws {
    let run = try CommandLineRun("explain", id)
    #expect(run.status == 0)
    #expect(run.output.contains(introduction), "\(run.output)")
  }

  @Test("Every diagnostic code is explained, including those about files and lists")
  func fileCodes() throws {
    let scratch = try ScratchDirectory()
    try FileManager.default.createDirectory(
      at: scratch.url.appending(path: "c.json"), withIntermediateDirectories: false)
    for name in ["a.json", "b.json"] { _ = try scratch.write(Sample.plain, to: name) }
    let list = try scratch.write("[sockets]\na b c\na\na\n\u{1}\n", to: "known.txt")
    let good = scratch.url.appending(path: "a.json").path
    let unmatched = try scratch.write("nobody\n", to: "unmatched.txt")
    let latin = scratch.url.appending(path: "latin.txt")
    try Data([0x61, 0xE9, 0x0A]).write(to: latin)
    var reported: Set<String> = []
    for arguments in [
      ["check", scratch.url.path, "no/such", "/dev/null"], ["run", good, "--known-failing", list],
      ["run", good, "--known-failing", unmatched], ["run", good, "--known-failing", latin.path],
      ["run", good, "--known-failing", "no/such"],
    ] {
      let errors = try CommandLineRun(arguments).errors
      reported.formUnion(
        errors.matches(of: /\[([a-z0-9]+(?:-[a-z0-9]+)*)\]\n/).map { String($0.1) })
    }
    #expect(reported.count == 11, "\(reported)")
    for code in reported {
      let run = try CommandLineRun("explain", code)
      #expect(run.output.hasPrefix("\(code)  "), "\(run.errors)")
      #expect(run.output.contains("\n  Example: ") && run.output.contains("\n  Fix: "), "\(code)")
    }
  }

  @Test("Bash completes ids and backends", .enabled(if: Program.exists("/bin/bash")))
  func completion() throws {
    let script = try CommandLineRun("--generate-completion-script", "bash").output
    #expect(script.contains("'exec:'"))
    let ids = try CommandLineRun("---completion", "run", "--", "--only", "0", "0")
    #expect(ids.output.contains("stalls/killed"), "\(ids.output)\(ids.errors)")
  }
}

@Suite("Mistakes in a file")
struct MistakeTests {
  /// Twenty-eight errors, one per line.
  static let text: String = {
    let lines = (0..<26).map { index in
      let entries = [
        #"{ "at": "0s", "cal": { "id": "c\#(index)", "host": "api.example:443" } },"#,
        #"{ "at": "\#(index)", "flags": ["Reachable"] },"#,
        #"{ "at": "0s", "flags": "wifi" },"#,
        #"{ "at": "0s", "flags": ["Reachabel"] },"#,
      ]
      return entries[index % 4]
    }
    return """
      {
        "format": 1, "id": "many", "hosts": { "api.example:443": {} }, "profiels": ["sockets"],
        "initial": { "flags": ["Reachable"] },
        "timeline": [
      \(lines.joined(separator: "\n"))
          { "at": "0s", "app": "sideways" }
        ]
      }
      """
  }()

  @Test("All twenty-eight errors are reported in one run, each with its line and a mark below it")
  func many() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.text, to: "many.json")
    let run = try CommandLineRun("check", file)
    #expect(run.status == 2)
    #expect(run.output.contains("1 file read, 28 errors, 0 warnings"), "\(run.output)\(run.errors)")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count { $0.contains(": error: ") } == 28)
    #expect(lines.count { $0.hasPrefix("    hint: ") } == 28)
    let marks = lines.indices.filter { lines[$0].contains(/^ +│ +\^/) }
    #expect(marks.count == 28)
    for index in marks {
      let (line, mark) = (Array(lines[index - 1]), Array(lines[index]))
      let start = try #require(mark.firstIndex(of: "^"))
      let end = mark.lastIndex(of: "~") ?? start
      let marked = String(line[start...end])
      // The column in the message is that of the mark.
      let column = Int(lines[index - 2].split(separator: ":")[2]) ?? 0
      #expect(start - 8 == column - 1, "\(marked)")
      #expect(marked.hasPrefix("\"") == marked.hasSuffix("\""), "\(marked)")
    }
    let colored = try CommandLineRun("check", file, "--color", "always")
    #expect(colored.errors.replacing(/\u{1b}\[[0-9;]*m/, with: "") == run.errors)
    #expect(colored.errors.contains("\u{1b}[32m^~"))
    let narrow = try CommandLineRun("check", file, environment: ["COLUMNS": "60"])
    for line in narrow.errors.split(separator: "\n") where !line.contains(": error: ") {
      #expect(line.count <= 60, "\(line)")
    }
  }

  @Test("Programs get the errors as one JSON object")
  func json() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.text, to: "many.json")
    let run = try CommandLineRun("check", file, "-o", "json")
    #expect(run.status == 2)
    #expect(run.errors.isEmpty)
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(object?["errors"] as? Int == 28)
    let problems = try #require(object?["problems"] as? [[String: Any]])
    #expect(problems.count == 28)
    #expect(problems[0]["code"] as? String == "unknown-key")
    #expect(problems[0]["line"] as? Int == 2)
    #expect(problems[0]["pointer"] as? String == "/profiels")
  }

  @Test(
    "A common word from elsewhere is reported with its name here",
    arguments: [
      (#""host": "api.example:443", "timeout": "5s""#, "did you mean \"deadline\"?"),
      (#""url": "api.example:443""#, "did you mean \"host\"?"),
      (#""host": “api.example:443”"#, "use straight double quotes"),
    ])
  func synonyms(_ members: String, _ hint: String) throws {
    let scratch = try ScratchDirectory()
    let text = """
      { "format": 1, "id": "a", "initial": { "flags": ["Reachable"] },
        "hosts": { "api.example:443": {} },
        "timeline": [{ "at": "0s", "call": { "id": "c", \(members) } }] }
      """
    let run = try CommandLineRun("check", try scratch.write(text, to: "a.json"))
    #expect(run.status == 2)
    #expect(run.errors.contains(hint), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count { $0.contains(": error: ") } == 1)
  }
}
