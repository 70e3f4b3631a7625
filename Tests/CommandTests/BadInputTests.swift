import Foundation
import Testing

@Suite("Bad input")
struct BadInputTests {
  @Test("Good files next to bad ones are still reported, and the status is 2")
  func goodFilesSurvive() throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write("{\"format\": 1,", to: "truncated.json")
    _ = try scratch.write(Sample.plain, to: "good.json")
    try FileManager.default.createDirectory(
      at: scratch.url.appending(path: "x.json"), withIntermediateDirectories: true)
    let run = try CommandLineRun("run", scratch.url.path, "-o", "tap=-")
    #expect(run.status == 2)
    #expect(run.output.contains("ok 1 - good"))
    #expect(run.errors.contains("truncated.json:1:"))
    #expect(run.errors.contains("[truncated]"))
    #expect(run.errors.contains("x.json: error: "))
    #expect(run.errors.contains("[directory-named-like-file]"))
    #expect(run.errors.contains("hint: "))
  }

  @Test(
    "A file without read permission is reported without a line number", .enabled(if: getuid() == 0))
  func unreadable() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "secret.json")
    _ = try scratch.write(Sample.plain, to: "good.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
    let command = try scratch.copyOfCommand()
    let run = try CommandLineRun(
      command: command, ["run", scratch.url.path, "-o", "tap=-"], as: 65534)
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "secret.json: error: the file cannot be read: Permission denied [unreadable-file]"))
    #expect(run.output.contains("ok 1 - "))
  }

  @Test(
    "A string of 16 MiB and a nesting of 10,000 levels are refused with a position, without a crash"
  )
  func monsters() throws {
    let scratch = try ScratchDirectory()
    let long = "{\"format\": 1, \"id\": \"" + String(repeating: "a", count: 16 << 20) + "\"}"
    _ = try scratch.write(long, to: "long.json")
    _ = try scratch.write(String(repeating: "[", count: 10_000), to: "deep.json")
    _ = try scratch.write("", to: "empty.json")
    let run = try CommandLineRun("check", scratch.url.path)
    #expect(run.status == 2)
    #expect(run.errors.contains("deep.json:1:65: error: "))
    #expect(run.errors.contains("long.json"))
    #expect(run.errors.contains("empty.json:1:1: error: "))
  }

  @Test("A sparse file of 1 TiB is refused without being read")
  func sparse() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write("{", to: "sparse.json")
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    for command in ["run", "check", "format"] {
      let run = try CommandLineRun(command, file)
      #expect(run.status == 2)
      #expect(
        run.errors.contains("the file has \(1 << 40) bytes, more than 16777216 [file-too-large]"))
    }
    let good = try scratch.write(Sample.plain, to: "good.json")
    let run = try CommandLineRun("run", good, "--known-failing", file)
    #expect(run.status == 2)
    #expect(run.errors.contains("[file-too-large]"))
  }

  @Test("A missing path is reported with a hint")
  func missing() throws {
    let run = try CommandLineRun("check", "no/such/file.json")
    #expect(run.status == 2)
    #expect(run.errors.contains("no/such/file.json: error: no such file or directory"))
  }

  @Test("Links that form a cycle are followed once", arguments: ["check", "format"])
  func loops(_ command: String) throws {
    let scratch = try ScratchDirectory()
    let folder = scratch.url.appending(path: "tree/a")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try scratch.write(Sample.plain, to: "tree/a/first.json")
    let tree = scratch.url.appending(path: "tree").path
    for (name, target) in [("up", ".."), ("abs", tree), ("itself", ".")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: name).path, withDestinationPath: target)
    }
    let run = try CommandLineRun(command, tree)
    #expect(run.status == 0, "\(run.errors)")
    #expect((run.output + run.errors).contains("1 file read"))
  }

  @Test(
    "A file with several names is read once",
    arguments: [
      ["S/first.json", "./S/first.json"], ["S", "./S/first.json"], ["S", "link.json"],
      ["folder", "S/first.json"], ["S", "S/../S"],
    ])
  func sameFile(_ names: [String]) throws {
    let scratch = try ScratchDirectory()
    try FileManager.default.createDirectory(
      at: scratch.url.appending(path: "S"), withIntermediateDirectories: true)
    _ = try scratch.write(Sample.plain, to: "S/first.json")
    for (name, target) in [("link.json", "S/first.json"), ("folder", "S")] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.url.appending(path: name).path, withDestinationPath: target)
    }
    let script =
      "cd '\(scratch.url.path)' && exec '\(CommandLineRun.command.path)' run "
      + names.joined(separator: " ")
    let run = try CommandLineRun(command: URL(filePath: "/bin/sh"), ["-c", script])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("1 scenario"))
  }

  @Test(
    "The reason why a file cannot be read is reported",
    arguments: ["merge %", "replay %", "compare % %", "record -o - --from log --import %"],
    [("nosuch", "No such file or directory"), ("", "Is a directory")])
  func reason(_ line: String, _ file: (name: String, words: String)) throws {
    let scratch = try ScratchDirectory()
    let path = scratch.url.path + "/" + file.name
    let run = try CommandLineRun(
      line.split(separator: " ").map { $0 == "%" ? path : String($0) })
    #expect(run.status == 2)
    #expect(run.errors.contains("\(path): error: the file cannot be read: \(file.words)\n"))
  }

  @Test("An empty path and a standard input that is a directory get specific messages")
  func nothing() throws {
    let empty = try CommandLineRun("run", "")
    #expect(empty.status == 2)
    #expect(empty.errors.contains("\"\": error: no such file or directory"))
    let script = #"cd / && exec "$0" run - < /"#
    let input = try CommandLineRun(
      command: URL(filePath: "/bin/sh"), ["-c", script, CommandLineRun.command.path])
    #expect(input.status == 2)
    #expect(input.errors.contains("hint: redirect a file, as in - < my.json"), "\(input.errors)")
  }

  @Test("format in a folder without Scenarios reports the missing folder and suggests no spelling")
  func noFolder() throws {
    let empty = try ScratchDirectory()
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      ["-c", "cd '\(empty.url.path)' && exec '\(CommandLineRun.command.path)' format"])
    #expect(run.status == 2)
    #expect(run.errors.contains("this directory has no folder Scenarios"), "\(run.errors)")
    #expect(!run.errors.contains("spelling"))
  }

  @Test("Two files with the same id are reported before any run")
  func sameID() throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write(Sample.plain, to: "a.json")
    _ = try scratch.write(Sample.plain, to: "b.json")
    let run = try CommandLineRun("run", scratch.url.path)
    #expect(run.status == 2)
    #expect(run.errors.contains("a.json has the same id \"good\""))
  }
}

@Suite("handover check, list, spec and others")
struct OtherCommandTests {
  @Test("The bundled scenarios have no errors")
  func check() throws {
    let run = try CommandLineRun("check")
    #expect(run.status == 0)
    #expect(run.output.contains("0 errors"))
  }

  @Test("list prints one line per scenario")
  func list() throws {
    let run = try CommandLineRun("list")
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count >= 80)
    #expect(lines.contains { $0.hasPrefix("stalls/killed ") && $0.contains("sockets,") })
  }

  @Test(
    "Help shows examples, and --version prints a version",
    arguments: ["run", "check", "list", "spec"])
  func help(_ command: String) throws {
    let run = try CommandLineRun(command, "--help")
    #expect(run.status == 0)
    #expect(run.output.contains("Examples:"))
    #expect(try CommandLineRun("--version").output.contains("."))
  }
}
