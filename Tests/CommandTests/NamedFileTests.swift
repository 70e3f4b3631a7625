import Foundation
import Glibc
import Testing

@Suite("Files that scenarios name, and folders that are searched")
struct NamedFileTests {
  /// Returns a scenario whose network follows a trace once for each of some entries.
  private static func scenario(_ trace: String, mentions: Int = 1) -> String {
    let entries = (0..<mentions).map {
      #"{ "at": "\#($0)ms", "network": { "id": "home", "quality": { "trace": "\#(trace)" } } }"#
    }
    return """
      { "format": 1, "id": "follows-trace", "profiles": ["sockets"], "initial": {},
        "networks": { "home": { "kind": "wifi", "state": "default" } },
        "hosts": { "api.example:443": {} },
        "timeline": [\(entries.joined(separator: ",\n")),
          { "at": "20s", "call": { "id": "c", "host": "api.example:443" } }],
        "expect": [{ "call": "c", "status": "OK" }] }
      """
  }

  /// Creates a folder that contains the scenario's folder, and files inside and outside of it.
  private static func tree() throws -> ScratchDirectory {
    let scratch = try ScratchDirectory()
    let files = FileManager.default
    for folder in ["outside", "folder", "folder/below", "folder-2"] {
      try files.createDirectory(
        at: scratch.url.appending(path: folder), withIntermediateDirectories: false)
    }
    for name in ["outside/a.trace", "folder/below/a.trace", "folder-2/a.trace"] {
      _ = try scratch.write("1\n2\n3\n", to: name)
    }
    for (name, target) in [
      ("leaves.trace", "../outside/a.trace"), ("leaves", "../outside"),
      ("stays.trace", "below/a.trace"),
      ("stays", "below"), ("dangling.trace", "nothing"), ("loop.trace", "loop.trace"),
      ("device.trace", "/dev/zero"),
    ] {
      try files.createSymbolicLink(
        atPath: scratch.url.appending(path: "folder/\(name)").path, withDestinationPath: target)
    }
    unsafe mkfifo(scratch.url.appending(path: "folder/pipe.trace").path, 0o600)
    return scratch
  }

  @Test(
    "A trace outside the scenario's folder, or that is not a regular file, is not opened",
    arguments: [
      "/etc/passwd", "/dev/stdin", "/dev/zero", "/proc/self/environ", "../outside/a.trace",
      "../folder-2/a.trace", "leaves.trace", "leaves/a.trace", "stays/../../outside/a.trace",
      "dangling.trace", "loop.trace", "device.trace", "pipe.trace", "below", "no/such.trace",
    ])
  func refused(_ name: String) throws {
    let scratch = try Self.tree()
    let file = try scratch.write(Self.scenario(name), to: "folder/s.json")
    // Standard input stays open, so a read from it would never end.
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      [
        "-c", "exec timeout 30 \"$0\" check \"$1\" 0<>\"$2\"", CommandLineRun.command.path, file,
        scratch.url.appending(path: "folder/pipe.trace").path,
      ])
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains("cannot be read [invalid-trace]"), "\(run.errors)")
  }

  @Test(
    "A trace in the scenario's folder can be read by every path that stays in the folder",
    arguments: [
      "below/a.trace", "./below/a.trace", "below/../below/a.trace", "stays.trace", "stays/a.trace",
      "ABSOLUTE/folder/below/a.trace",
    ])
  func read(_ name: String) throws {
    let scratch = try Self.tree()
    let name = name.replacing("ABSOLUTE", with: scratch.url.path)
    let file = try scratch.write(Self.scenario(name), to: "folder/s.json")
    let run = try CommandLineRun("run", file)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test("A long trace that many entries and scenarios name is in memory once")
  func onlyOnce() throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write((1...999_999).map { "\($0)\n" }.joined(), to: "long.trace")
    for number in 0..<4 {
      let names = number % 2 == 0 ? "long.trace" : "./long.trace"
      let text = Self.scenario(names, mentions: 250)
        .replacing("follows-trace", with: "follows-trace-\(number)")
      _ = try scratch.write(text, to: "s-\(number).json")
    }
    // If each mention had its own copy, the traces would need 4 GB.
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      [
        "-c", "ulimit -v 1500000; exec \"$0\" check \"$1\"", CommandLineRun.command.path,
        scratch.url.path,
      ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("4 files read, 0 errors"), "\(run.output)")
  }

  @Test(
    "Links that lead out of a folder are skipped and counted, and none of their contents are shown",
    arguments: ["check", "run", "list", "matrix", "format --check", "format", "check -o json"])
  func linkedFolders(_ line: String) throws {
    let scratch = try ScratchDirectory()
    let files = FileManager.default
    for folder in ["home", "repository", "repository/inner"] {
      try files.createDirectory(
        at: scratch.url.appending(path: folder), withIntermediateDirectories: false)
    }
    let secret = #"{"auths": {"registry.example": {"auth": "SECRET"}}}"#
    let config = try scratch.write(secret, to: "home/config.json")
    let good = try scratch.write(Sample.plain, to: "repository/inner/good.json")
    _ = try CommandLineRun("format", good)
    for (name, target) in [
      ("folder", "../home"), ("file.json", "../home/config.json"), ("absolute", config),
      ("again.json", "inner/good.json"), ("around", "inner"),
    ] {
      try files.createSymbolicLink(
        atPath: scratch.url.appending(path: "repository/\(name)").path,
        withDestinationPath: target)
    }
    let words = line.split(separator: " ").map(String.init)
    let run = try CommandLineRun(
      [words[0], scratch.url.appending(path: "repository").path] + words.dropFirst())
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(!(run.output + run.errors).contains("SECRET"))
    #expect(run.errors.contains("note: 3 symbolic links skipped"), "\(run.errors)")
    #expect(try String(contentsOfFile: config, encoding: .utf8) == secret)
    // A file that the user names is read, wherever it is.
    let named = try CommandLineRun(
      "check", scratch.url.appending(path: "repository/file.json").path)
    #expect(named.errors.contains("SECRET"))
  }

  @Test("A command for one scenario does not search a folder")
  func folders() throws {
    for line in [["explain", "/"], ["shrink", "/"], ["lab", "exec", "/", "--", "true"]] {
      let run = try CommandLineRun(
        command: URL(filePath: "/usr/bin/env"),
        ["timeout", "30", CommandLineRun.command.path] + line)
      #expect(run.status == 2, "\(line): \(run.errors)")
      #expect(run.errors.contains("/: error: this is a folder"), "\(line): \(run.errors)")
    }
  }
}
