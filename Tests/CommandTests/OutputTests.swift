import Foundation
import Glibc
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A run of the command with a redirected standard output.
private struct RedirectedRun {
  var status: Int32
  var reason: Process.TerminationReason
  var errors: String

  /// Runs the command in a shell, so that its standard output can be anything.
  init(_ script: String, _ arguments: String...) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "err")
    try Data().write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, CommandLineRun.command.path] + arguments
    process.currentDirectoryURL = packageRoot
    process.standardInput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: file)
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    reason = process.terminationReason
    errors = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}

@Suite("Output of the command")
struct OutputTests {
  /// Command lines that write to standard output.
  ///
  /// `%` is replaced by a scenario.
  static let writing = [
    "run %", "run % -o jsonl=-", "run % -o junit=-", "check %", "list %", "explain %",
    "matrix %", "matrix % -o html=-", "new -", "backend new", "spec Scenarios", "format -",
    "--help", "--version", "compare R R", "run % --help", "watch --count 1",
    "watch --count 1 -o jsonl", "record -o - --for 10ms", "profiles", "schema", "explain D8a",
    "check % -o json", "shrink Fixtures/Canary/must-fail.json",
    "explore sockets-monitor --calls 1 --acts plain",
    "explore sockets-monitor --calls 1 --acts plain --defect double-end",
    "explore sockets-monitor --swarm 2 --seed 1", "spec Scenarios/stalls --space",
    "explore sockets --against model --acts calls --defect unsent --depth 2", "merge R",
    "selftest --explore unsent",
  ]

  @Test(
    "The hint about disk space appears only if the disk is full",
    arguments: [">&-", "1<F", ">/dev/full"])
  func hint(_ redirection: String) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write("", to: "empty")
    let run = try RedirectedRun("\"$0\" profiles \(redirection.replacing("F", with: file))")
    #expect(run.errors.contains("hint: free some space on the disk") == (redirection.last == "l"))
    #expect(run.errors.contains("it is not open for writing") == (redirection.last != "l"))
  }

  @Test(
    "A file above the size limit is reported, and no signal ends the command",
    arguments: ["run % -o jsonl=OUT", "run % -o trace=OUT", "new OUT", "new % --force"])
  func longFile(_ line: String) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let words = line.replacing("%", with: "'\(file)'")
      .replacing("OUT", with: scratch.url.appending(path: "out").path)
    // The messages go through a pipe, which has no size limit.
    let run = try RedirectedRun(
      "(ulimit -f 0; \"$0\" \(words) 2>&1; echo \"status $?\") | cat >&2")
    for words in ["File too large", "increase the limit of file sizes", "status 2\n"] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(!run.errors.contains("check the permissions"), "\(run.errors)")
  }

  /// Returns one of the lines above with a scenario and the report of its run filled in.
  private static func words(
    _ line: String, in scratch: ScratchDirectory
  ) throws -> (words: String, file: String) {
    let file = try scratch.write(Sample.plain, to: "s.json")
    let report = scratch.url.appending(path: "r.jsonl").path
    _ = try CommandLineRun("run", file, "--shard", "1/1", "-o", "jsonl=\(report)")
    return (line.replacing("%", with: file).replacing("R", with: report), file)
  }

  @Test("A full disk at standard output is reported and never passes", arguments: writing)
  func fullOutput(_ line: String) throws {
    let scratch = try ScratchDirectory()
    let (words, file) = try Self.words(line, in: scratch)
    let run = try RedirectedRun("\"$0\" \(words) <'\(file)' >/dev/full")
    #expect(run.status == 2, "\(line): \(run.errors)")
    #expect(run.errors.contains("standard output: error: it cannot be written: No space left"))
  }

  @Test("If the reader closes the pipe, the command ends cleanly", arguments: writing)
  func closedOutput(_ line: String) throws {
    let scratch = try ScratchDirectory()
    let (words, file) = try Self.words(line, in: scratch)
    // The reader closes its end before the command writes anything, and then opens the gate.
    let gate = scratch.url.appending(path: "gate").path
    unsafe mkfifo(gate, 0o600)
    let run = try RedirectedRun(
      "{ read _ <'\(gate)'; \"$0\" \(words) <'\(file)'; echo $? >'\(gate).status'; } "
        + "| { exec <&-; echo >'\(gate)'; }; wait; exit $(cat '\(gate).status')")
    #expect(run.status == 2, "\(line): \(run.errors)")
    #expect(run.errors.contains("the reader exited"))
  }

  @Test("A closed standard output is reported, and the command does not block", arguments: writing)
  func noOutput(_ line: String) throws {
    let scratch = try ScratchDirectory()
    let (words, file) = try Self.words(line, in: scratch)
    let run = try RedirectedRun("\(Self.limited) \(words) <'\(file)' >&-")
    #expect(run.status == 2, "\(line): \(run.errors)")
    #expect(run.errors.contains("standard output: error: it cannot be written"), "\(run.errors)")
  }

  /// The command, which is killed if it never ends.
  private static let limited = "timeout -s KILL 600 \"$0\""

  @Test(
    "A read-only standard output, or one closed with all other streams, is reported too",
    arguments: [
      "profiles 1<'F'", "profiles <&- >&- 2>&-", "run % <&- >&- 2>&-", "run - <&- >/dev/null",
    ])
  func unfitStreams(_ line: String) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let fifo = scratch.url.appending(path: "fifo").path
    unsafe mkfifo(fifo, 0o600)
    let words = line.replacing("%", with: file).replacing("F", with: fifo)
    let run = try RedirectedRun("exec 3<>'\(fifo)'; \(Self.limited) \(words)")
    #expect(run.status == 2, "\(run.errors)")
  }

  @Test(
    "Errors that cannot be printed do not block the command",
    arguments: ["run nosuch", "spec nosuch", "replay nosuch", "explore nosuch", "--nosuch"])
  func noErrors(_ line: String) throws {
    #expect(try RedirectedRun("\(Self.limited) \(line) >/dev/null 2>&-").status == 2)
  }

  @Test("A file never gets the descriptor of a closed stream")
  func filesBesideClosed() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let report = scratch.url.appending(path: "r.jsonl")
    let run = try RedirectedRun(
      "\(Self.limited) run '\(file)' nosuch -o jsonl='\(report.path)' <&- >&- 2>&-")
    #expect(run.status == 2)
    let lines = try String(contentsOf: report, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 2 && lines.allSatisfy { $0.hasPrefix("{") })
  }

  @Test(
    "A report that cannot be written is reported, and the other reports are complete",
    arguments: ["pretty", "tap", "junit", "jsonl", "github", "perfetto"])
  func fullFile(_ format: String) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let other = scratch.url.appending(path: "other.jsonl")
    let run = try CommandLineRun(
      "run", file, "-o", "\(format)=/dev/full", "-o", "jsonl=\(other.path)")
    // An empty report needs no space.
    guard format != "github" || run.status != 0 else { return }
    #expect(run.status == 2)
    #expect(run.errors.contains("/dev/full: error: it cannot be written: No space left on device"))
    #expect(try String(contentsOf: other, encoding: .utf8).contains("\"kind\":\"summary\""))
  }

  @Test(
    "A matrix that cannot be written is reported", arguments: ["html", "markdown", "json"])
  func fullMatrix(_ format: String) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let run = try CommandLineRun("matrix", file, "-o", "\(format)=/dev/full")
    #expect(run.status == 2)
    #expect(run.errors.contains("/dev/full: error: it cannot be written: No space left on device"))
  }

  /// Command lines that write a file `F`.
  ///
  /// `%` is replaced by a scenario.
  static let writingFiles = [
    "run % -o pretty=F", "run % -o jsonl=F", "run % -o junit=F", "run % -o trace=F",
    "run % -o tap=F", "run % -o perfetto=F", "run WRONG -o github=F", "matrix % -o html=F",
    "matrix % -o markdown=F", "matrix % -o json=F", "new F", "merge REPORT -o F",
    "shrink WRONG -o F",
    "record --import LOG --from log -o F",
    "try --watch 5s --move nat -o pretty=F -- true", "try --watch 5s --move nat -o html=F -- true",
    "try --watch 5s --move nat -o jsonl=F -- true", "try --watch 5s --move nat -o junit=F -- true",
    // short wait: the other shard never comes, so the whole timeout would be used up.
    "explore sockets-monitor --calls 1 --acts plain --shard 1/2 --timeout 1s --exchange D",
    "explore sockets-monitor --hosts 2 --calls 1 --acts plain --propose D",
    "record -o F --for 10ms", "lab exec % --pcap F -- true",
    "explore sockets-monitor --calls 1 --acts plain --report F",
    "explore sockets-monitor --acts plain --defect double-end -o F",
    "explore sockets --against model --acts calls --defect unsent -o F",
    "explore cfstream --calls 3 --budget 2000 --resume F",
  ]

  @Test(
    "A file on a full disk is reported, and no part of it remains",
    .enabled(if: CommandLineRun.mayMakeNamespaces && labIsThere), arguments: writingFiles)
  func fullDisk(_ line: String) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let disk = scratch.url.appending(path: "disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    let report = scratch.url.appending(path: "report").path
    if line.contains("REPORT") {
      _ = try CommandLineRun("run", file, "--shard", "1/1", "-o", "jsonl=\(report)")
    }
    let words = line.replacing("F", with: "\(disk)/file.json").replacing(" D", with: " \(disk)")
      .replacing("WRONG", with: "Fixtures/Canary/must-fail.json").replacing("REPORT", with: report)
      .replacing("LOG", with: "Fixtures/Recordings/device.log").replacing("%", with: file)
    let listing = scratch.url.appending(path: "listing").path
    let run = try RedirectedRun(
      "export COMMAND=\"$0\"; unshare -Urm sh -c \"mount -t tmpfs -o size=4k none '\(disk)'; "
        + "head -c 4096 /dev/zero >'\(disk)/filler'; '$COMMAND' \(words); status=\\$?; "
        + "find '\(disk)' -type f >'\(listing)'; exit \\$status\" >/dev/null")
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains("No space left on device"), "\(run.errors)")
    #expect(run.errors.contains(disk), "\(run.errors)")
    #expect(try String(contentsOfFile: listing, encoding: .utf8) == "\(disk)/filler\n")
  }

  @Test(
    "A full device, and a pipe whose reader has gone, are reported by name",
    arguments: [
      "run Scenarios -o jsonl=F", "run Scenarios -o pretty=F", "run Scenarios -o tap=F",
      "run Scenarios -o junit=F", "matrix Scenarios -o html=F", "merge REPORT -o F",
    ])
  func fullDevices(_ line: String) throws {
    let scratch = try ScratchDirectory()
    let report = scratch.url.appending(path: "report").path
    func words(_ file: String) -> String {
      line.replacing("F", with: file).replacing("REPORT", with: report)
    }
    if line.contains("REPORT") {
      _ = try CommandLineRun("run", "Scenarios", "--shard", "1/1", "-o", "jsonl=\(report)")
    }
    let full = try RedirectedRun("\"$0\" \(words("/dev/full"))")
    #expect(full.status == 2)
    #expect(full.errors.contains("/dev/full: error: it cannot be written: No space left on device"))
    // The report is longer than the capacity of a pipe.
    let pipe = scratch.url.appending(path: "pipe").path
    unsafe mkfifo(pipe, 0o600)
    let run = try RedirectedRun(
      "head -c 10 <'\(pipe)' >/dev/null & \(Self.limited) \(words(pipe))")
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains("\(pipe): error: it cannot be written: Broken pipe"))
  }

  @Test(
    "format leaves a file on a full disk unchanged",
    .enabled(if: CommandLineRun.mayMakeNamespaces && labIsThere))
  func formatOnFullDisk() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let disk = scratch.url.appending(path: "disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    let run = try RedirectedRun(
      "export COMMAND=\"$0\"; unshare -Urm sh -c \"mount -t tmpfs -o size=8k none '\(disk)'; "
        + "cp '\(file)' '\(disk)/s.json'; head -c 4096 /dev/zero >'\(disk)/filler'; "
        + "'$COMMAND' format '\(disk)'; status=\\$?; cmp '\(file)' '\(disk)/s.json' || exit 9; "
        + "test -z \\\"\\$(find '\(disk)' -name '.handover-*')\\\" || exit 8; exit \\$status\"")
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains("\(disk)/s.json: error: the file cannot be written: No space left"))
  }

  @Test("A path that is not a regular file is never replaced by one")
  func noPlainFile() throws {
    let scratch = try ScratchDirectory()
    let pipe = scratch.url.appending(path: "pipe.json").path
    unsafe mkfifo(pipe, 0o600)
    for command in [["new", pipe, "--force"], ["record", "-o", pipe, "--force", "--for", "1ms"]] {
      let run = try CommandLineRun(command)
      #expect(run.status == 2, "\(run.errors)")
      #expect(run.errors.contains("this is not a regular file"), "\(run.errors)")
    }
    var status = stat()
    unsafe stat(pipe, &status)
    #expect(status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test("A report gets its name when it is complete, and the old file stays until then")
  func wholeFiles() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let report = try scratch.write("the old one", to: "r.jsonl")
    let link = scratch.url.appending(path: "link.jsonl")
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "r.jsonl")
    // The case never ends, so the kill comes in the middle.
    let running = try StoppableRun(
      ["run", file, "-o", "jsonl=\(link.path)"],
      environment: ["HANDOVER_TRAP": "hang:**"])
    try running.waitForThreads()
    #expect(try String(contentsOfFile: report, encoding: .utf8) == "the old one")
    _ = running.end(by: SIGKILL)
    #expect(try String(contentsOfFile: report, encoding: .utf8) == "the old one")
    unsafe chmod(report, 0o600)
    #expect(try CommandLineRun("run", file, "-o", "jsonl=\(link.path)").status == 0)
    let text = try String(contentsOfFile: report, encoding: .utf8)
    #expect(text.contains("\"kind\":\"summary\""))
    var status = stat()
    unsafe stat(report, &status)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link.path).hasSuffix("r.jsonl"))
  }

  @Test(
    "A file that the command reads is never overwritten",
    arguments: [
      ["run", "s.json", "-o", "jsonl=s.json"],
      ["run", "s.json", "-o", "jsonl=./s.json"],
      ["run", ".", "-o", "jsonl=link.json"],
      ["run", "s.json", "--known-failing", "known.txt", "-o", "tap=known.txt"],
      ["run", "broken.json", "-o", "tap=broken.json"],
      ["matrix", "s.json", "-o", "html=s.json"],
      ["matrix", "s.json", "--known-failing", "known.txt", "-o", "json=known.txt"],
      ["run", "s.json", "-o", "jsonl=r", "-o", "tap=./r"],
    ])
  func inputs(_ arguments: [String]) throws {
    let scratch = try ScratchDirectory()
    let files = ["s.json": Sample.plain, "broken.json": "{", "known.txt": "# none\n"]
    for (name, text) in files { _ = try scratch.write(text, to: name) }
    unsafe symlink("s.json", scratch.url.appending(path: "link.json").path)
    let run = try RedirectedRun(
      "cd '\(scratch.url.path)'; \"$0\" "
        + arguments.map { "'\($0)'" }.joined(separator: " ") + " >/dev/null")
    #expect(run.status == 2, "\(run.errors)")
    #expect(
      run.errors.contains("this command") || run.errors.contains("cannot use the same file"),
      "\(run.errors)")
    for (name, text) in files {
      let file = scratch.url.appending(path: name)
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }

  @Test("JUnit contains the wall-clock time, and the time of the case as a property")
  func wallTime() throws {
    let scratch = try ScratchDirectory()
    let slow = Sample.plain.replacing("\"10ms\"", with: "\"10ms\"").replacing(
      "\"hosts\"", with: "\"config\": { \"until\": \"26h\" }, \"hosts\"")
    let file = try scratch.write(slow, to: "s.json")
    let began = ContinuousClock.now
    let run = try CommandLineRun("run", file, "-o", "junit=-")
    let took = ContinuousClock.now - began
    let root = try #require(XMLDocument(xmlString: run.output).rootElement())
    let time = try #require(
      Double(root.attribute(forName: "time")?.stringValue ?? ""), "\(run.output)")
    #expect(time > 0)
    #expect(.seconds(time) < took)
    let virtual = try root.nodes(
      forXPath: "//testcase/properties/property[@name='virtual-time']/@value")
    #expect(!virtual.isEmpty)
    #expect(virtual.allSatisfy { Double($0.stringValue ?? "") != nil })
    let lines = try CommandLineRun("run", file, "-o", "jsonl=-")
    #expect(try CommandLineRun("run", file, "-o", "jsonl=-").output == lines.output)
  }
}

/// A run of the command that can be stopped in the middle.
final class StoppableRun {
  let process = Process()
  let scratch: ScratchDirectory

  /// Starts the run, with one signal ignored if its name is given.
  init(
    _ arguments: [String], environment: [String: String] = [:], ignoring signal: String? = nil,
    input: Pipe? = nil
  ) throws {
    scratch = try ScratchDirectory()
    process.executableURL = CommandLineRun.command
    process.arguments = arguments
    if let signal {
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments =
        ["-c", "trap '' \(signal); exec \"$0\" \"$@\"", CommandLineRun.command.path] + arguments
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = packageRoot
    for name in ["out", "err"] { try Data().write(to: scratch.url.appending(path: name)) }
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = try FileHandle(
      forWritingTo: scratch.url.appending(path: "out"))
    process.standardError = try FileHandle(
      forWritingTo: scratch.url.appending(path: "err"))
    try process.run()
  }

  var output: String { text("out") }
  var errors: String { text("err") }

  private func text(_ name: String) -> String {
    (try? String(contentsOf: scratch.url.appending(path: name), encoding: .utf8)) ?? ""
  }

  /// Waits until the run listens for signals.
  func waitForListener() throws {
    let tasks = "/proc/\(process.processIdentifier)/task"
    try wait { ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).count > 1 }
  }

  /// Waits until all threads wait for nothing but a signal: main, the listener, and a worker.
  ///
  /// The scan inspects the threads one by one, and a thread seen asleep may wake another before the
  /// scan reaches it. Therefore each thread must be asleep in two scans, and must not have run in
  /// between.
  func waitForThreads(_ count: Int = 3) throws {
    try wait {
      guard let first = sleepingThreads(), first.count >= count else { return false }
      return sleepingThreads() == first
    }
  }

  /// Returns the threads with the number of their context switches, or `nil` if one is not asleep.
  private func sleepingThreads() -> [String: [Substring]]? {
    let tasks = "/proc/\(process.processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    var found: [String: [Substring]] = [:]
    for thread in threads {
      let status = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
      let lines = (status ?? "").split(separator: "\n")
      guard lines.contains(where: { $0.hasPrefix("State:\tS") }) else { return nil }
      found[thread] = lines.filter { $0.contains("ctxt_switches") }
    }
    return found
  }

  /// Waits up to five minutes for a condition, or for the end of the run.
  func wait(_ isSo: () throws -> Bool) throws {
    try #require(try comesTrue(within: .seconds(300)) { try isSo() || !process.isRunning })
  }

  /// Returns the threads whose name satisfies a predicate.
  func threads(named isMeant: (String) -> Bool) -> [Int] {
    let tasks = "/proc/\(process.processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.compactMap { Int($0) }.sorted().filter { thread in
      (try? String(contentsOfFile: "\(tasks)/\(thread)/comm", encoding: .utf8)).map(isMeant)
        == true
    }
  }

  /// Sends a signal and returns the exit status.
  func end(by signal: Int32) -> Int32 {
    kill(process.processIdentifier, signal)
    return status()
  }

  /// Returns the exit status.
  ///
  /// A run that has not ended after five minutes is killed.
  func status() -> Int32 {
    if (try? wait { !process.isRunning }) == nil { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// Returns the incomplete temporary files of outputs.
///
/// None may be left at the end.
func unfinishedFiles(in scratch: ScratchDirectory) -> [String] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: scratch.url.path)) ?? []
  return names.filter { $0.hasPrefix(".handover-") }
}
