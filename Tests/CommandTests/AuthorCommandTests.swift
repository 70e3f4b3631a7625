import Foundation
import Testing

/// Runs a shell script that starts the command, with standard input from a file.
private func shell(_ script: String, _ arguments: String...) throws -> CommandLineRun {
  try CommandLineRun(
    command: URL(fileURLWithPath: "/bin/sh"),
    ["-c", script, CommandLineRun.command.path] + arguments)
}

private func contents(_ path: String) throws -> String {
  try String(contentsOfFile: path, encoding: .utf8)
}

private func permissions(_ path: String) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}

@Suite("handover format")
struct FormatCommandTests {
  static let untidy =
    #"{"id":"untidy","format":1,"timeline":[{"flags":2,"at":"1000ms"}],"initial":{"flags":[]}}"#
  static let tidy = """
    {
      "format": 1,
      "id": "untidy",
      "initial": { "flags": [] },
      "timeline": [
        { "at": "1s", "flags": ["Reachable"] }
      ]
    }

    """

  @Test("The bundled scenarios are formatted")
  func bundled() throws {
    let run = try CommandLineRun("format", "--check")
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(" 0 not formatted, 0 errors"))
  }

  @Test("An unformatted file is rewritten, and a formatted one is not touched")
  func rewrites() throws {
    let scratch = try ScratchDirectory()
    let untidy = try scratch.write(Self.untidy, to: "untidy.json")
    let tidy = try scratch.write(Self.tidy.replacing("untidy", with: "tidy"), to: "tidy.json")
    let long = Date(timeIntervalSince1970: 1_000_000)
    for file in [untidy, tidy] {
      try FileManager.default.setAttributes(
        [.modificationDate: long, .posixPermissions: 0o640], ofItemAtPath: file)
    }
    let run = try CommandLineRun("format", scratch.url.path)
    #expect(run.status == 0)
    #expect(run.output == "\(untidy)\n")
    #expect(run.errors == "2 files read, 1 rewritten, 0 errors\n")
    #expect(try contents(untidy) == Self.tidy)
    #expect(try permissions(untidy) == 0o640)
    let date = try FileManager.default.attributesOfItem(atPath: tidy)[.modificationDate] as? Date
    #expect(date == long)
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    #expect(left.sorted() == ["tidy.json", "untidy.json"])
    #expect(try CommandLineRun("format", "--check", scratch.url.path).status == 0)
  }

  @Test("A symbolic link stays a link, and its target is formatted")
  func link() throws {
    let scratch = try ScratchDirectory()
    let target = try scratch.write(Self.untidy, to: "target.txt")
    let link = scratch.url.appending(path: "link.json").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.txt")
    #expect(try CommandLineRun("format", link).status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.txt")
    #expect(try contents(target) == Self.tidy)
  }

  @Test("--check changes nothing and prints the next step")
  func check() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.untidy, to: "untidy.json")
    let run = try CommandLineRun("format", "--check", file)
    #expect(run.status == 1)
    #expect(run.output == "\(file)\n")
    #expect(run.errors.contains("1 file read, 1 not formatted, 0 errors"))
    #expect(run.errors.contains("Next: handover format \(file)"))
    #expect(try contents(file) == Self.untidy)
  }

  @Test("A file with errors is reported as in check and left unchanged; the others are formatted")
  func errors() throws {
    let scratch = try ScratchDirectory()
    let wrong = #"{"format": 1, "id": "wrong", "initial": {"flags": ["Rechable"]}}"#
    let bad = try scratch.write(wrong, to: "bad.json")
    let good = try scratch.write(Self.untidy, to: "good.json")
    let run = try CommandLineRun("format", scratch.url.path)
    #expect(run.status == 2)
    let reported = try CommandLineRun("check", bad).errors
    #expect(run.errors.hasPrefix(reported))
    #expect(reported.contains("did you mean \"Reachable\"?"))
    #expect(try contents(bad) == wrong)
    #expect(try contents(good) == Self.tidy)
    let missing = try CommandLineRun("format", "no/such/file.json")
    #expect(missing.status == 2)
    #expect(missing.errors.contains("[no-such-path]"))
  }

  @Test("- reads standard input and writes standard output")
  func standardInput() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.untidy, to: "untidy.json")
    let run = try shell(#""$0" format - < "$1""#, file)
    #expect(run.status == 0)
    #expect(run.output == Self.tidy)
    #expect(run.errors.isEmpty)
    let check = try shell(#""$0" format --check - < "$1""#, file)
    #expect(check.status == 1)
    #expect(check.output.isEmpty)
    let empty = try shell(#""$0" format - < /dev/null"#)
    #expect(empty.status == 2)
    #expect(empty.errors.contains("standard input:1:1: error: "))
    #expect(try CommandLineRun("format", "-", file).status == 2)
  }

  @Test(
    "A standard input that does not block is waited for", arguments: ["check", "format", "run"])
  func nonblockingInput(_ command: String) throws {
    // short wait: the command must find the pipe empty at first.
    let script = """
      import os, subprocess, sys, time
      (reader, writer) = os.pipe()
      os.set_blocking(reader, False)
      child = subprocess.Popen([sys.argv[1], sys.argv[2], "-"], stdin=reader)
      time.sleep(0.5)
      os.write(writer, sys.argv[3].encode())
      os.close(writer)
      sys.exit(child.wait())
      """
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"),
      ["python3", "-c", script, CommandLineRun.command.path, command, Sample.plain])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("A file without write permission stays unchanged", .enabled(if: getuid() == 0))
  func readOnly() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.untidy, to: "untidy.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
    let run = try CommandLineRun(
      command: try scratch.copyOfCommand(), ["format", file], as: 65534)
    #expect(run.status == 2)
    #expect(run.errors.contains("\(file): error: the file cannot be written: "))
    #expect(run.errors.contains("hint: "))
    #expect(try contents(file) == Self.untidy)
  }

  @Test("A directory without scenarios is reported")
  func nothing() throws {
    let scratch = try ScratchDirectory()
    let run = try CommandLineRun("format", scratch.url.path)
    #expect(run.status == 4)
    #expect(
      run.errors == "Nothing to format: no *.json file under \(scratch.url.path).\n")
  }
}

@Suite("handover explain")
struct ExplainCommandTests {
  @Test("A scenario is explained: common facts first, then profile by profile")
  func tells() throws {
    let file = "Scenarios/transitions/cellular-to-wifi-unfinished-stream.json"
    let run = try CommandLineRun("explain", file)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let text = run.output.replacing(#/\n */#, with: " ")
    #expect(text.contains("Timeline The device is on the cellular network at first."))
    #expect(
      text.contains(
        "At 1 s WiFi appears. The connection over cellular stalls: the socket gives no error "
          + "and still accepts writes (D8a)."))
    #expect(
      text.contains(
        "the deadline of \"stream\" passes and it ends DEADLINE_EXCEEDED, 19 s after the change"))
    #expect(text.contains("All 4 expectations passed."))
  }

  @Test("--profile restricts the explanation to that profile")
  func profile() throws {
    let file = "Scenarios/transitions/cellular-to-wifi-unfinished-stream.json"
    let run = try CommandLineRun("explain", file, "--profile", "cfstream")
    #expect(run.status == 0)
    #expect(run.output.contains("\nOn cfstream\n"))
    #expect(!run.output.contains("\nOn sockets"))
    let wrong = try CommandLineRun("explain", file, "--profile", "sctp")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("Unknown profile \"sctp\". Profiles: sockets, "))
    let other = try CommandLineRun(
      "explain", "Scenarios/monitor/deaf.json", "--profile", "cfstream")
    #expect(other.status == 4)
    #expect(other.errors.contains("hint: choose one of its profiles: "))
  }

  @Test(
    "A profile that no scenario names has no expectations to check, in every command",
    arguments: ["run", "explain", "matrix"])
  func unnamed(_ command: String) throws {
    let file = "Scenarios/stalls/killed.json"
    let run = try CommandLineRun(command, file, "--profile", "quic")
    #expect(run.status == 4)
    #expect(run.errors.contains("Nothing was expected on quic: no scenario names this profile"))
    if command == "explain" {
      #expect(run.output.contains("Nothing is expected on this profile."))
    } else {
      // With a threshold, or with an additional profile, there is something to check.
      #expect(
        try CommandLineRun(command, file, "--profile", "quic", "--max-hang", "1h").status == 0)
      let both = try CommandLineRun(command, file, "--profile", "quic", "--profile", "sockets")
      #expect(both.status == 0)
    }
  }

  @Test(
    "Merged shards of a run on a profile that no scenario names keep the status of the whole run")
  func unnamedInParts() throws {
    let scratch = try ScratchDirectory()
    let files = try (1...2).map { index in
      let file = scratch.url.appending(path: "\(index)").path
      let run = try CommandLineRun(
        "run", "Scenarios/stalls", "--profile", "quic", "--shard", "\(index)/2", "-o",
        "jsonl=\(file)")
      #expect(run.status == 4)
      return file
    }
    #expect(try CommandLineRun(["merge"] + files).status == 4)
  }

  @Test("Repeated events are summarized, and the text of a long run is bounded")
  func long() throws {
    let scratch = try ScratchDirectory()
    func explained(every period: String) throws -> String {
      let file = try scratch.write(
        """
        {"format": 1, "id": "long", "profiles": ["sockets"], "initial": {"flags": ["Reachable"]},
        "hosts": {"a:1": {}}, "config": {"interceptors": [{"name": "tag", "kind": "rewrite",
        "prefix": "x", "answerPrefix": "\(String(repeating: "y", count: 200))"}]},
        "timeline": [{"at": "0s", "call": {"id": "c", "host": "a:1", "kind": "streaming",
        "every": "\(period)", "deadline": "2.5s"}}], "expect": []}
        """, to: "long.json")
      let run = try CommandLineRun("explain", file)
      #expect(run.status == 0, "\(run.errors)")
      return run.output.replacing(#/\n */#, with: " ")
    }
    let some = try explained(every: "100ms")
    #expect(some.contains(/From .* the same happens 2[0-9] more times\./))
    #expect(some.contains("ends DEADLINE_EXCEEDED"))
    let many = try explained(every: "20us")
    #expect(many.contains("further records are left out."))
    #expect(many.contains("Nothing is expected on this profile."))
    #expect(many.utf8.count < 100_000)
  }

  @Test("A failed expectation is shown, and the status is 1")
  func failure() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.withThreeMistakes, to: "three.json")
    let run = try CommandLineRun("explain", file)
    #expect(run.status == 1)
    let text = run.output.replacing(#/\n */#, with: " ")
    #expect(
      text.contains(
        "Expected: call \"next\" ends OK at 3 s. It failed: it ended OK at 2.06 s."))
    #expect(text.contains("1 of the 4 expectations passed."))
  }

  @Test("Bad input is reported as in other commands, with a hint")
  func badInput() throws {
    let scratch = try ScratchDirectory()
    let bad = try CommandLineRun("explain", try scratch.write("{}", to: "bad.json"))
    #expect(bad.status == 2)
    #expect(bad.errors.contains("bad.json:1:1: error: "))
    #expect(bad.output.isEmpty)
    let input = try shell(#"echo '{' | "$0" explain -"#)
    #expect(input.status == 2)
    #expect(!input.errors.contains("or a word"), "\(input.errors)")
    #expect(try CommandLineRun("explain").status == 2)
    #expect(try CommandLineRun("explain", "no/such.json").status == 2)
    let many = try CommandLineRun("explain", "Scenarios/names")
    #expect(many.status == 2)
    #expect(
      many.errors.contains(
        "Scenarios/names: error: this is a folder\n    hint: name one scenario file"))
  }
}

@Suite("handover new")
struct NewCommandTests {
  @Test("A new scenario passes, is formatted and can be explained")
  func passes() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "my first.json").path
    let run = try CommandLineRun("new", file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("the scenario \"my-first\""))
    #expect(run.output.contains("handover run '\(file)'"))
    let text = try contents(file)
    #expect(text.contains("\"id\": \"my-first\""))
    #expect(text.contains("\"comment\": "))
    let check = try CommandLineRun("check", file)
    #expect(check.output == "1 file read, 0 errors, 0 warnings\n")
    #expect(try CommandLineRun("run", file).status == 0)
    #expect(try CommandLineRun("format", "--check", file).status == 0)
    #expect(try CommandLineRun("explain", file).status == 0)
  }

  @Test(
    "Every profile has its section",
    arguments: ["sockets", "sockets-monitor", "cfstream", "sockets-2017", "linux-sockets"])
  func profile(_ name: String) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "one.json").path
    let run = try CommandLineRun("new", file, "--profile", name, "--title", "A \"title\" \\ é")
    #expect(run.status == 0)
    let text = try contents(file)
    #expect(text.contains("\n  \"profiles\": [\"\(name)\"],\n"))
    #expect(text.contains(#""title": "A \"title\" \\ é","#))
    #expect(text.split(separator: "\n").count { $0.contains("\"call\": \"stream\"") } == 2)
    #expect(try CommandLineRun("run", file).status == 0)
  }

  @Test(
    "A new scenario with requests is written for the given profiles, and passes",
    arguments: [
      ["url-loading"], ["url-dispatcher"], ["okhttp-pool"], ["url-loading", "url-dispatcher"],
      ["url-dispatcher", "okhttp-pool"],
    ])
  func requests(_ profiles: [String]) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "requests.json").path
    let run = try CommandLineRun(["new", file] + profiles.flatMap { ["--profile", $0] })
    #expect(run.status == 0, "\(run.errors)")
    let names = profiles.map { "\"\($0)\"" }.joined(separator: ", ")
    #expect(try contents(file).contains("\n  \"profiles\": [\(names)],\n"))
    let check = try CommandLineRun("check", file)
    #expect(check.output == "1 file read, 0 errors, 0 warnings\n")
    let played = try CommandLineRun("run", file)
    #expect(played.status == 0, "\(played.output)")
    #expect(played.output.contains("\(profiles.count) passed"))
    #expect(try CommandLineRun("format", "--check", file).status == 0)
  }

  @Test("Calls and requests in one new scenario are refused, and no file is written")
  func mixed() throws {
    let run = try CommandLineRun("new", "-", "--profile", "url-loading", "--profile", "sockets")
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    let words = "A scenario cannot combine the profiles url-loading (requests) and sockets (calls)."
    #expect(run.errors.contains(words))
    #expect(run.errors.contains("Write one scenario for each."))
  }

  @Test("An existing file is replaced only with --force")
  func overwriting() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write("mine", to: "mine.json")
    let run = try CommandLineRun("new", file)
    #expect(run.status == 2)
    #expect(run.errors.contains("the file exists"))
    #expect(run.errors.contains("--force"))
    #expect(try contents(file) == "mine")
    #expect(try CommandLineRun("new", file, "--force").status == 0)
    #expect(try contents(file).contains("\"id\": \"mine\""))
    let directory = try CommandLineRun("new", scratch.url.path, "--force")
    #expect(directory.status == 2)
    #expect(directory.errors.contains("this is a directory"))
    let nowhere = try CommandLineRun("new", scratch.url.appending(path: "no/such.json").path)
    #expect(nowhere.status == 2)
    #expect(nowhere.errors.contains("hint: create the directory first"))
  }

  @Test("Below Scenarios the id is the path, and the file names the schema")
  func inCollection() throws {
    let scratch = try ScratchDirectory()
    let folder = scratch.url.appending(path: "Scenarios/stalls")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "mine.json").path
    #expect(try CommandLineRun("new", file).status == 0)
    let text = try contents(file)
    #expect(text.contains("\"id\": \"stalls/mine\""))
    #expect(text.contains(#""$schema": "../../Fixtures/Schemas/scenario-1.schema.json""#))
  }

  @Test("- writes only the scenario to standard output")
  func standardOutput() throws {
    let run = try CommandLineRun("new", "-")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("{\n") && run.output.hasSuffix("}\n"))
    #expect(run.errors.isEmpty)
    #expect(try shell(#""$0" new - | "$0" format --check -"#).status == 0)
  }

  @Test("Wrong arguments are reported with the valid ones")
  func usage() throws {
    let profile = try CommandLineRun("new", "-", "--profile", "sctp")
    #expect(profile.status == 2)
    #expect(profile.errors.contains("Profiles: sockets, "))
    let title = try CommandLineRun("new", "-", "--title", "two\nlines")
    #expect(title.status == 2)
    #expect(title.errors.contains("--title must be one line"))
    #expect(try CommandLineRun("new", "").status == 2)
  }

  @Test("Help shows examples", arguments: ["format", "explain", "new"])
  func help(_ command: String) throws {
    let run = try CommandLineRun(command, "--help")
    #expect(run.status == 0)
    #expect(run.output.contains("Examples:"))
    #expect(run.output.contains("Exit status:"))
    #expect(run.output.contains("handover \(command) "))
  }
}
