import Foundation
import Testing

/// Runs the command with the given arguments.
private func handover(_ arguments: String...) throws -> CommandLineRun {
  try CommandLineRun(arguments)
}

@Suite("handover run -o trace=DIR, and handover replay")
struct TraceCommandTests {
  private let scratch: ScratchDirectory
  private let traces: String
  private let file: String

  init() throws {
    scratch = try ScratchDirectory()
    traces = scratch.url.appending(path: "deep/traces").path
    file = try scratch.write(Sample.withThreeMistakes, to: "three.json")
  }

  private var trace: String { "\(traces)/mistakes/three.sockets-monitor.jsonl" }

  @Test("Each case has one trace, in folders that follow the id, and failures name their traces")
  func traceFiles() throws {
    let run = try handover("run", file, "-o", "trace=\(traces)/")
    #expect(run.status == 1)
    #expect(run.output.contains("trace     \(trace)"))
    #expect(FileManager.default.fileExists(atPath: trace))
    let all = try handover(
      "run", "Scenarios/stalls", "-o", "trace=\(traces)", "-o", "tap=-", "--jobs", "2")
    #expect(all.status == 0)
    let written = try FileManager.default.subpathsOfDirectory(atPath: "\(traces)/stalls")
    #expect(written.count == all.output.split(separator: "\n").count { $0.hasPrefix("ok ") })
  }

  @Test("A trace that cannot be written is reported, with exit status 2")
  func unwritable() throws {
    let blocked = try scratch.write("", to: "blocked")
    let early = try handover("run", file, "-o", "trace=\(blocked)")
    #expect(early.status == 2)
    #expect(early.errors.contains("blocked: error: the trace cannot be written"))
    #expect(early.output.isEmpty)
    // In the middle of the run, the path of a folder for an id is a file.
    try FileManager.default.createDirectory(atPath: traces, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(traces)/mistakes"))
    let late = try handover("run", file, "-o", "trace=\(traces)")
    #expect(late.status == 2)
    #expect(late.errors.contains("1 trace could not be written"))
    #expect(late.output.contains("expected  call \"next\" ends OK at 3 s"))
    for wrong in [["-o", "trace=-"], ["-o", "trace=a", "-o", "trace=b"]] {
      #expect(try CommandLineRun(["run", file] + wrong).status == 2)
    }
  }

  @Test("Long traces are written whole when their cases end, and each problem is reported once")
  func longTraces() throws {
    let long = try scratch.write(
      Sample.plain.replacing(
        #"443" }"#, with: #"443", "kind": "streaming", "every": "1ms", "deadline": "8s" }"#
      ).replacing(#""OK", "at": "10ms""#, with: #""DEADLINE_EXCEEDED", "at": "8s""#),
      to: "long.json")
    let line = [
      "run", long, "-o", "trace=\(traces)", "-o", "tap=-", "--jobs", "2", "--profile", "sockets",
      "--profile", "cfstream",
    ]
    let run = try CommandLineRun(line)
    let written = try FileManager.default.subpathsOfDirectory(atPath: traces)
      .filter { $0.hasSuffix(".jsonl") }.sorted()
    try #require(written.count == 2, "\(written) \(run.output)")
    for file in written {
      let replay = try handover("replay", "\(traces)/\(file)")
      #expect(replay.status == 0, "\(replay.errors)")
      let lines = try String(contentsOfFile: "\(traces)/\(file)", encoding: .utf8)
      #expect(lines.utf8.count { $0 == 10 } > 10_000)
    }
    // If the path of a trace is a folder, this is detected when the case ends.
    let blocked = "\(traces)/\(written[0])"
    try FileManager.default.removeItem(atPath: blocked)
    try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: true)
    let late = try CommandLineRun(line)
    #expect(late.status == 2)
    #expect(late.errors.contains("1 trace could not be written"), "\(late.errors)")
  }

  @Test("A trace replays with equal effects, also for a client with a mutant")
  func equal() throws {
    _ = try handover("run", file, "-o", "trace=\(traces)", "--defect", "C10")
    let replay = try handover("replay", trace)
    #expect(replay.status == 0)
    #expect(replay.output.contains(" events replayed, all effects equal\n"))
    #expect(!replay.output.contains("no end"))
    #expect(replay.errors.isEmpty)
    // A trace that is cut between two lines can be read, and is reported as incomplete.
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let entry = try #require(lines.lastIndex { $0.contains("entryPlayed") })
    let part = try scratch.write(
      lines[..<entry].joined(separator: "\n") + "\n", to: "part.jsonl")
    let cut = try handover("replay", part)
    #expect(cut.status == 0)
    #expect(cut.output.contains("the trace is incomplete: the file or its run was cut off\n"))
  }

  @Test("The first difference is shown side by side, with exit status 1 and the next step")
  func different() throws {
    _ = try handover("run", file, "-o", "trace=\(traces)")
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    let other = try scratch.write(
      text.replacing("\"reason\":\"transition\"", with: "\"reason\":\"unused\""),
      to: "the other.jsonl")
    let replay = try handover("replay", other)
    #expect(replay.status == 1)
    #expect(replay.output.contains("recorded"))
    #expect(replay.output.contains("│ effect channelDestroyed"))
    #expect(replay.output.contains("reason=unused"))
    #expect(replay.output.contains("reason=transition"))
    #expect(replay.output.contains("Next: handover replay '\(other)' --step "))
  }

  @Test("--step shows the state, or the valid range if there is no such record")
  func step() throws {
    _ = try handover("run", file, "-o", "trace=\(traces)")
    let step = try handover("replay", trace, "--step", "14")
    #expect(step.status == 0)
    for part in ["record 14 of ", "device  path cellular", "READY", "stream  running"] {
      #expect(step.output.contains(part), "\(part)")
    }
    for number in ["0", "4000"] {
      let wrong = try handover("replay", trace, "--step", number)
      #expect(wrong.status == 2)
      #expect(wrong.errors.contains("write a record from 1 to "))
    }
  }

  @Test("A trace of another client is shown but not replayed")
  func otherBackend() throws {
    _ = try handover("run", file, "-o", "trace=\(traces)")
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    let other = try scratch.write(
      text.replacing("\"backend\":\"simulated\"", with: "\"backend\":\"mine\""), to: "o'.jsonl")
    let replay = try handover("replay", other)
    #expect(replay.status == 2)
    let quoted = other.replacing("'", with: "'\\''")
    #expect(replay.errors.contains("handover replay '\(quoted)' --step N"))
    let step = try handover("replay", other, "--step", "14")
    #expect(step.status == 0)
    #expect(step.output.contains("backend mine"))
  }

  @Test("A trace of requests is shown, with slots, queues and frozen requests, but not replayed")
  func requests() throws {
    func state(of name: String, _ profile: String, _ find: String) throws -> String {
      let id = "connection-limits/\(name)"
      _ = try handover("run", "Scenarios/\(id).json", "-o", "trace=\(traces)")
      let trace = "\(traces)/\(id).\(profile).jsonl"
      let replay = try handover("replay", trace)
      #expect(replay.status == 2)
      #expect(replay.output.isEmpty)
      #expect(replay.errors.contains("a trace of requests cannot be"))
      #expect(replay.errors.contains("hint: show a state with `handover replay \(trace) --step N"))
      let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      let step = try #require(lines.lastIndex { $0.contains(find) })
      let shown = try handover("replay", trace, "--step", "\(step)")
      #expect(shown.status == 0, "\(shown.errors)")
      return shown.output.replacing(#/ +/#, with: " ")
    }
    let frozen = try state(of: "article/ignored", "url-dispatcher", "froze")
    for part in [
      " #3 push.example:80 wifi three\n", " three long push.example:80 running held #3\n",
      " four long push.example:80 frozen - -\n", " five long push.example:80 frozen - -\n",
    ] { #expect(frozen.contains(part), "\(part) in \(frozen)") }
    let waiting = try state(of: "policies/enqueue", "url-dispatcher", "\"question\":\"full\"")
    for part in [
      " two long push.example:80 running held #2\n",
      " three long push.example:80 waiting, place 1 - -\n",
      " four long push.example:80 waiting, place 2 - -\n",
    ] { #expect(waiting.contains(part), "\(part) in \(waiting)") }
    let alone = try state(of: "article/refused", "url-loading", "froze")
    for part in ["device path wifi", " one long push.example:80 running - #1\n"] {
      #expect(alone.contains(part), "\(part) in \(alone)")
    }
  }

  @Test("A file that is not a trace exits with status 2, a position and a hint")
  func badTraces() throws {
    for (text, problem) in [
      ("", "the file is empty"), ("{\n", "bad.jsonl:1:2: error:"),
      ("{\"v\":2,\"kind\":\"trace\"}\n", "version 2"), ("{\"v\":1", "the last line is incomplete"),
    ] {
      let run = try handover("replay", try scratch.write(text, to: "bad.jsonl"))
      #expect(run.status == 2)
      #expect(run.errors.contains(problem), "\(run.errors)")
      #expect(run.errors.contains("hint:"))
      #expect(run.output.isEmpty)
    }
    #expect(try handover("replay", "no/such/file").status == 2)
    let help = try handover("replay", "--help")
    #expect(help.output.contains("Examples:"))
  }
}

@Suite("handover compare")
struct CompareCommandTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  private func report(_ name: String, _ arguments: String...) throws -> String {
    let file = scratch.url.appending(path: name).path
    _ = try CommandLineRun(["run", "-o", "jsonl=\(file)"] + arguments)
    return file
  }

  @Test("A regression exits with status 1; an improvement or no change exits with 0")
  func verdicts() throws {
    let good = try report("good.jsonl", "Scenarios/transitions")
    let bad = try report("bad.jsonl", "Scenarios/transitions", "--defect", "C10")
    let worse = try handover("compare", good, bad)
    #expect(worse.status == 1)
    #expect(worse.output.contains("Worse ("))
    #expect(worse.output.contains("PASSED → FAILED"))
    let better = try handover("compare", bad, good)
    #expect(better.status == 0)
    #expect(better.output.contains("Better ("))
    let same = try handover("compare", good, good)
    #expect(same.status == 0)
    #expect(same.output.contains("0 worse, 0 better"))
  }

  @Test("Cases in one report only, and different traces with the same verdict, are listed")
  func cases() throws {
    let one = try report("one.jsonl", "Scenarios/stalls", "Scenarios/backoff/jitter.json")
    let two = try report(
      "two.jsonl", "Scenarios/backoff/jitter.json", "Scenarios/pool/states.json", "--seed", "2")
    let run = try handover("compare", one, two, "--all")
    #expect(run.status == 1)
    #expect(run.output.contains("Only in \(one) ("))
    #expect(run.output.contains("Only in \(two) ("))
    #expect(run.output.contains("Different seed: from the files → 2"))
  }

  @Test("A missing case exits with status 1, and a new one with 0")
  func missing() throws {
    let all = try report("all.jsonl", "Scenarios/stalls")
    let fewer = try report("fewer.jsonl", "Scenarios/stalls/killed.json")
    #expect(try handover("compare", all, fewer).status == 1)
    #expect(try handover("compare", fewer, all).status == 0)
  }

  @Test("A bad report exits with status 2 and its line number")
  func badReports() throws {
    let good = try report("good.jsonl", "Scenarios/backoff/jitter.json")
    let text = try String(contentsOfFile: good, encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    for (text, problem) in [
      ("", ":1:1: error: the file is empty"),
      (lines[0] + "\n", ":2:1: error: the report ends before its summary"),
      (text.dropLast() + "", "the last line is incomplete"),
      (lines[1] + "\n", ":1:15: error: the report must begin with a header"),
      (text.replacing("\"PASSED\"", with: "\"FINE\""), ":2:"),
      (text.replacing("\"cases\":", with: "\"cases\":1"), "the summary counts"),
      (text.replacing("\"digest\":", with: "\"more\":1,\"digest\":"), "has no key \"more\""),
      ([lines[0], lines[1], lines[1]].joined(separator: "\n") + "\n", ":3:"),
    ] {
      let bad = try scratch.write(text, to: "bad.jsonl")
      for arguments in [[good, bad], [bad, good]] {
        let run = try CommandLineRun(["compare"] + arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains("bad.jsonl:"))
        #expect(run.errors.contains(problem), "\(run.errors)")
        #expect(run.output.isEmpty)
      }
    }
    #expect(try handover("compare", good, "no/such").status == 2)
    #expect(try handover("compare", good).status == 2)
  }
}

@Suite("handover run -o github=-")
struct GitHubCommandTests {
  @Test("A failure annotates its line of the file, and a passing run annotates nothing")
  func annotations() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.withThreeMistakes, to: "three.json")
    let run = try handover("run", file, "-o", "github=-")
    #expect(run.status == 1)
    for line in [14, 15, 16] {
      #expect(run.output.contains("::error file=\(file),line=\(line),col="))
    }
    let good = try handover("run", "Scenarios/backoff", "-o", "github=-")
    #expect(good.status == 0)
    #expect(!good.output.contains("::"))
    #expect(good.output.contains(" 0 failed"))
  }
}
