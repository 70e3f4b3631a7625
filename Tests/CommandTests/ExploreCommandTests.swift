import Foundation
import Testing

@Suite("handover explore")
struct ExploreCommandTests {
  @Test("A complete exploration proves the invariants and reports its size immediately")
  func closes() throws {
    let run = try CommandLineRun(
      "explore", "sockets", "--calls", "1", "--acts", "plain")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("complete: 137 states, "))
    #expect(run.output.contains("the invariants hold for sequences of any length"))
    #expect(
      run.output.contains("(sockets, 1 host, up to 1 simultaneous call, plain actions; untimed"))
    // Progress is shown only on a terminal.
    #expect(run.errors.isEmpty)
  }

  @Test("The report names the time model, and zones find failures that appear only in time")
  func zones() throws {
    let arguments = ["explore", "sockets-monitor", "--calls", "1", "--acts", "plain"]
    let closed = try CommandLineRun(arguments + ["--time", "zones"])
    #expect(closed.status == 0, "\(closed.output)\(closed.errors)")
    #expect(
      closed.output.hasPrefix("complete: 548 states, 672 zones, 5296 transitions: the invariants"))
    #expect(
      closed.output.contains("zones: timers fire in the order of the specifications' constants"))
    let early = arguments + ["--defect", "early-timers"]
    #expect(try CommandLineRun(early).status == 0)
    let found = try CommandLineRun(early + ["--time", "zones"])
    #expect(found.status == 1)
    #expect(
      found.output.hasPrefix(
        "invariant 5 is violated after 3 actions: a timer fires before it is due"))
    let together = try CommandLineRun(arguments + ["--time", "zones", "--jobs", "3"])
    #expect(together.output == closed.output)
    for options in [["--swarm", "1"], ["--resume", "seen.bin"], ["--report", "seen.json"]] {
      let run = try CommandLineRun(arguments + ["--time", "zones"] + options)
      #expect(run.status == 2, "\(options)")
      #expect(run.errors.contains("--time zones cannot be combined with"))
    }
  }

  @Test(
    "States beyond the memory limit go to a file, and a file that cannot be created is reported")
  func spills() throws {
    let calls = ["explore", "sockets", "--calls"]
    let arguments = calls + ["2", "--memory"]
    let whole = try CommandLineRun(arguments + ["100"])
    #expect(whole.status == 0)
    #expect(try CommandLineRun(arguments + ["0"]).output == whole.output)
    for arguments in [arguments + ["0"], calls + ["1", "--scope", "world", "--memory", "0"]] {
      let run = try CommandLineRun(arguments, environment: ["TMPDIR": "/nonexistent"])
      #expect(run.status == 2)
      #expect(
        run.output.hasPrefix("stopped because it cannot create a file in /nonexistent: "),
        "\(run.output)\(run.errors)")
      #expect(run.output.contains("This proves nothing"))
    }
  }

  @Test("The result does not depend on the number of threads", arguments: ["1", "2", "5"])
  func jobs(_ jobs: String) throws {
    let arguments = ["explore", "sockets-monitor", "--acts", "plain"]
    let run = try CommandLineRun(arguments + ["--jobs", jobs])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("complete: 2196 states, 25868 transitions, depth 40: "))
    #expect(try CommandLineRun(arguments + ["--jobs", "0"]).status == 2)
  }

  @Test(
    "An exploration that was stopped proves nothing",
    arguments: [
      (["--depth", "3"], "of --depth"), (["--budget", "100"], "of --budget"),
      (["--acts", "endless"], "these grow without limit: messages that wait for a connection"),
    ])
  func stops(_ options: [String], _ words: String) throws {
    let run = try CommandLineRun(["explore", "sockets", "--calls", "1"] + options)
    #expect(run.status == 1)
    #expect(run.output.contains(words), "\(run.output)\(run.errors)")
    #expect(run.output.contains("This proves nothing"))
  }

  @Test(
    "Excluded events are listed, also in the report",
    arguments: [
      ([], "up to 1 simultaneous call; untimed", #""acts":"full","defects""#),
      (
        ["--without", "tokens", "deadlines"],
        "up to 1 simultaneous call, without deadlines and tokens; untimed",
        #""acts":"full","without":["deadlines","tokens"],"defects""#
      ),
      (
        ["--acts", "plain"], "up to 1 simultaneous call, plain actions; untimed",
        #""acts":"plain","defects""#
      ),
      (
        ["--acts", "plain", "--without", "tokens"],
        "up to 1 simultaneous call, plain actions; untimed", #""acts":"plain","defects""#
      ),
    ])
  func leavesOut(_ options: [String], _ words: String, _ report: String) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "report").path
    let run = try CommandLineRun(
      ["explore", "sockets", "--calls", "1", "--report", file] + options)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(words), "\(run.output)")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(report))
  }

  @Test(
    "Results are printed before a file fails, and destinations are checked first"
  )
  func saysFirst() throws {
    let arguments = ["explore", "sockets", "--calls", "1", "--acts", "plain"]
    let full = try CommandLineRun(arguments + ["--report", "/dev/full"])
    #expect(full.status == 2)
    #expect(full.output.hasPrefix("complete: "), "\(full.output)")
    #expect(full.errors.contains("/dev/full: error: "))
    let scratch = try ScratchDirectory()
    let nowhere = scratch.url.appending(path: "nowhere/report").path
    for options in [[], ["--swarm", "3"]] {
      let run = try CommandLineRun(arguments + ["--report", nowhere] + options)
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("its directory does not exist"), "\(run.errors)")
    }
    let one = scratch.url.appending(path: "one").path
    for options in [["-o", one, "--report", one], ["-o", one, "--resume", one]] {
      let run = try CommandLineRun(arguments + options)
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("is already an output of this command"), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: one))
    }
    // A scenario that cannot be written does not prevent the report.
    let report = scratch.url.appending(path: "report").path
    let broken = try CommandLineRun(
      arguments + ["--defect", "double-end", "-o", "/dev/full", "--report", report])
    #expect(broken.status == 2)
    #expect(broken.errors.contains("this is not a regular file"), "\(broken.errors)")
  }

  @Test("No scenario claims an order of timers that was not tried")
  func triesFew() throws {
    let arguments = ["explore", "sockets-monitor", "--calls", "2", "--defect", "kept-unused-delay"]
    let few = try CommandLineRun(arguments + ["--budget", "1500"])
    #expect(few.status == 1)
    #expect(few.output.contains("in the sequences so far"), "\(few.output)")
    #expect(few.output.contains("At\nmost 1000 sequences are tried."))
    #expect(few.output.contains("a larger --budget"))
    #expect(try CommandLineRun(arguments).output.contains("\n  \"format\": 1,\n"))
  }

  @Test("A violation is shown as a scenario, which fails again")
  func breaks() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let arguments = [
      "explore", "sockets-monitor", "--acts", "plain", "--defect", "double-end", "-o", file,
    ]
    let run = try CommandLineRun(arguments)
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("invariant 1 is violated after 4 actions: "), "\(run.output)")
    #expect(run.output.contains("\n   4. "))
    #expect(run.output.contains("handover run \(file) --defect double-end"), "\(run.output)")
    #expect(try CommandLineRun("check", file).status == 0)
    #expect(try CommandLineRun("format", "--check", file).status == 0)
    #expect(try CommandLineRun("run", file, "--defect", "double-end").status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
    // An existing file is not overwritten.
    let again = try CommandLineRun(arguments)
    #expect(again.status == 2)
    #expect(again.errors.contains("the file exists"))
    #expect(again.output.isEmpty)
  }

  @Test("A whole world is explored, and its bounds are reported")
  func world() throws {
    let run = try CommandLineRun(
      "explore", "sockets", "--scope", "world", "--calls", "1", "--acts", "plain")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("complete: 7292 states, "), "\(run.output)")
    #expect(run.output.contains("from every state calls end and the client becomes idle"))
    #expect(
      run.output.contains(
        "(sockets in its network, 1 host, up to 1 simultaneous call, plain actions;"))
    let stopped = try CommandLineRun(
      "explore", "sockets", "--scope", "world", "--depth", "4")
    #expect(stopped.status == 1)
    #expect(stopped.output.contains("This proves nothing"))
  }

  @Test(
    "A violation in a world is shown as a scenario, which fails again",
    arguments: [
      "ignored-recovery", "C9", "C10", "C11", "double-end", "kept-backoff", "endless-backoff",
    ])
  func breaksInWorld(_ defect: String) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let run = try CommandLineRun(
      "explore", "sockets-monitor", "--scope", "world", "--acts", "plain", "--defect", defect,
      "-o", file)
    #expect(run.status == 1)
    #expect(run.output.contains("handover run \(file) --defect \(defect)"), "\(run.output)")
    #expect(try CommandLineRun("check", file).status == 0)
    #expect(try CommandLineRun("run", file, "--defect", defect).status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
  }

  @Test(
    "The dispatcher is explored, and one with a mutant is detected",
    arguments: ["U79", "U80", "U82", "U87"])
  func dispatcher(_ defect: String) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let arguments = ["explore", "url-dispatcher", "--scope", "dispatcher", "--acts", "plain"]
    let right = try CommandLineRun(arguments + ["--calls", "2"])
    #expect(right.status == 0, "\(right.output)\(right.errors)")
    #expect(right.output.contains("from every state every request ends"))
    let run = try CommandLineRun(
      arguments + ["--calls", "4", "--hosts", "2", "--defect", defect, "-o", file])
    #expect(run.status == 1)
    #expect(run.output.contains("handover run \(file) --defect \(defect)"), "\(run.output)")
    #expect(try CommandLineRun("run", file, "--defect", defect).status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
  }

  @Test(
    "Options for the client alone are refused in other scopes before any exploration",
    arguments: ["--scope world", "--scope dispatcher"],
    [
      "--shard 1/2 --exchange x", "--exchange x", "--propose x", "--time zones",
      "--report x.jsonl", "--swarm 3", "--seed 1",
    ])
  func isOfClientAlone(_ scope: String, _ option: String) throws {
    let profile = scope.hasSuffix("world") ? "sockets-monitor" : "url-dispatcher"
    let words = "\(scope) \(option)".split(separator: " ").map(String.init)
    let run = try CommandLineRun(["explore", profile] + words)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    let name = option == "--time zones" ? option : String(words[2])
    #expect(
      run.errors.contains("\(name) requires --scope client."),
      "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: "x"))
  }

  @Test("The scenario goes to standard output unless a file is named")
  func prints() throws {
    let run = try CommandLineRun(
      "explore", "sockets-monitor", "--acts", "plain", "--defect", "C10")
    #expect(run.status == 1)
    #expect(run.output.contains("\n  \"format\": 1,\n"))
    #expect(run.output.contains("handover run FILE --defect C10"))
    let named = try CommandLineRun(
      "explore", "sockets-monitor", "--acts", "plain", "--defect", "C10", "-o", "-")
    #expect(named.output == run.output)
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }

  @Test("A stopped exploration resumes, and a file of another kind is refused")
  func resumes() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "seen.bin").path
    let arguments = ["explore", "sockets-monitor", "--acts", "plain", "--resume", file]
    let stopped = try CommandLineRun(arguments + ["--budget", "500"])
    #expect(stopped.status == 1, "\(stopped.errors)")
    #expect(stopped.errors.contains("Run the same command again to continue."))
    let closed = try CommandLineRun(arguments)
    #expect(closed.status == 0)
    #expect(closed.output == (try CommandLineRun(Array(arguments.dropLast(2)))).output)
    let other = try CommandLineRun(arguments + ["--calls", "3"])
    #expect(other.status == 2)
    #expect(other.errors.contains("the file belongs to a different exploration"))
    try Data("{}".utf8).write(to: scratch.url.appending(path: "seen.bin"))
    let wrong = try CommandLineRun(arguments)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("this is not the file of a stopped exploration"))
    #expect(wrong.output.isEmpty)
    for position in [scratch.url.path, "no-such/seen.bin", "/dev/full", ""] {
      let run = try CommandLineRun("explore", "sockets", "--resume", position, "--budget", "10")
      #expect(run.status == 2, "\(position): \(run.output)")
    }
  }

  @Test(
    "Worlds and the dispatcher accept threads, a memory limit and a resume file too",
    arguments: [
      (["sockets", "--scope", "world", "--calls", "1"], "500", "--hosts 2"),
      (["url-dispatcher", "--scope", "dispatcher", "--calls", "3"], "400", "--calls 2"),
    ])
  func worldsGoOn(_ what: [String], _ budget: String, _ other: String) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "seen.bin").path
    let arguments = ["explore"] + what + ["--acts", "plain"]
    let whole = try CommandLineRun(arguments + ["--jobs", "1"])
    #expect(whole.status == 0, "\(whole.output)\(whole.errors)")
    let several = try CommandLineRun(arguments + ["--jobs", "3", "--memory", "0"])
    #expect(several.output == whole.output)
    let kept = arguments + ["--resume", file]
    let stopped = try CommandLineRun(kept + ["--budget", budget, "--jobs", "2"])
    #expect(stopped.status == 1, "\(stopped.output)\(stopped.errors)")
    #expect(stopped.errors.contains("Run the same command again to continue."))
    let wrong = try CommandLineRun(kept + other.split(separator: " ").map(String.init))
    #expect(wrong.errors.contains("the file belongs to a different exploration"), "\(wrong.output)")
    let closed = try CommandLineRun(kept)
    #expect(closed.status == 0)
    #expect(closed.output == whole.output)
    for bad in [["--jobs", "0"], ["--memory", "-1"], ["--resume", ""]] {
      #expect(try CommandLineRun(arguments + bad).status == 2, "\(bad)")
    }
  }

  @Test("Random runs print the seed first and show a violation in few entries")
  func swarm() throws {
    let arguments = ["explore", "sockets-monitor", "--swarm", "30", "--depth", "60"]
    let good = try CommandLineRun(arguments + ["--seed", "3"])
    #expect(good.status == 0, "\(good.output)\(good.errors)")
    #expect(good.output.hasPrefix("swarm: 30 runs from seed 3 (sockets-monitor, 1 host, "))
    #expect(good.output.contains("\nEvery call ended, and the client became idle."))
    #expect(good.errors.isEmpty)
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let bad = try CommandLineRun(arguments + ["--seed", "3", "--defect", "C10", "-o", file])
    #expect(bad.status == 1, "\(bad.output)\(bad.errors)")
    #expect(bad.output.contains("The minimized scenario has 2 entries."), "\(bad.output)")
    #expect(try CommandLineRun("run", file, "--defect", "C10").status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
    #expect(try CommandLineRun("format", "--check", file).status == 0)
    let again = try CommandLineRun(
      arguments + ["--seed", "3", "--defect", "C10", "-o", file, "--force"])
    #expect(again.output == bad.output)
    // A generated seed is printed too.
    let brief = try CommandLineRun("explore", "sockets", "--swarm", "1000000", "--budget", "50ms")
    #expect(brief.status == 0)
    #expect(brief.output.contains("from seed "))
    #expect(brief.output.contains("stopped at the time of --budget"))
  }

  @Test(
    "Invalid option values are refused",
    arguments: [
      ["url-loading"], ["no-such-profile"], ["sockets", "--hosts", "5"],
      ["sockets", "--calls", "0"], ["sockets", "--depth", "0"], ["sockets", "--budget", "soon"],
      ["sockets", "--swarm", "0"], ["sockets", "--seed", "1"], ["sockets", "--swarm", "x"],
      ["sockets", "--swarm", "5", "--budget", "5"], ["sockets", "--swarm", "5", "--seed", "-1"],
      ["sockets", "--swarm", "5", "--depth", "1000000"], ["sockets", "--defect", "U79"],
      ["sockets", "--acts", "many"], [], ["sockets", "--scope", "everything"],
      ["sockets", "--scope", "world", "--hosts", "3"], ["sockets", "--scope", "dispatcher"],
      ["quic", "--scope", "world"],
      ["sockets", "--scope", "world", "--swarm", "3"],
      ["sockets", "--scope", "world", "--defect", "10302"], ["url-dispatcher"],
      ["url-dispatcher", "--scope", "dispatcher", "--defect", "C10"],
      ["url-dispatcher", "--scope", "dispatcher", "--without", "tokens"],
      ["url-dispatcher", "--scope", "dispatcher", "--acts", "endless"],
      ["sockets", "--scope", "world", "--acts", "endless"], ["sockets", "--without", "stalls"],
      ["sockets", "--swarm", "3", "--without", "rereads"],
      ["sockets", "--swarm", "3", "--jobs", "2"],
      ["sockets", "--timeout", "90s"],
    ])
  func usage(_ arguments: [String]) throws {
    let run = try CommandLineRun(["explore"] + arguments)
    #expect(run.status == 2, "\(run.output)")
    #expect(!run.errors.isEmpty)
    #expect(run.output.isEmpty)
  }

  @Test("--propose writes scenarios that pass, and resumes")
  func proposes() throws {
    let scratch = try ScratchDirectory()
    let folder = scratch.url.appending(path: "new/proposed").path
    let arguments = ["explore", "sockets-monitor", "--acts", "plain", "--propose", folder]
    let first = try CommandLineRun(arguments)
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    #expect(first.output.contains("of the 324 cells that the exploration reaches"))
    #expect(first.output.contains("100 scenarios for further cells to \(folder)"))
    #expect(first.output.contains("are left. Run the same command again to continue."))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 100)
    let run = try CommandLineRun("run", folder)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("100 passed, 0 failed"))
    #expect(try CommandLineRun("check", folder).status == 0)
    var last = first
    for _ in 1...5 where !last.output.contains("nothing to propose") {
      last = try CommandLineRun(arguments)
      #expect(last.status == 0)
    }
    #expect(last.output.contains(": 324 of the 324 cells that"), "\(last.output)")
    #expect(!last.output.contains("are left"))
    #expect(last.output.contains("nothing to propose"))
  }

  @Test(
    "--propose refuses options that it cannot be combined with",
    arguments: [
      ["sockets"], ["sockets-monitor", "--swarm", "5"], ["sockets-monitor", "--resume", "x"],
      ["sockets-monitor", "--defect", "C10"], ["sockets-monitor", "-o", "x"],
      ["sockets-monitor", "--report", "x"],
      ["sockets-monitor", "--shard", "1/2", "--exchange", "x"], ["sockets-monitor", "--jobs", "2"],
    ])
  func proposesNothing(_ arguments: [String]) throws {
    let run = try CommandLineRun(["explore"] + arguments + ["--propose", "nowhere"])
    #expect(run.status == 2)
    #expect(run.errors.contains("--propose"))
    #expect(!FileManager.default.fileExists(atPath: "nowhere"))
  }

  @Test("--propose reports a directory that cannot be created")
  func proposesNowhere() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write("here", to: "file")
    let run = try CommandLineRun(
      "explore", "sockets-monitor", "--acts", "plain", "--propose", file + "/below")
    #expect(run.status == 2)
    #expect(run.errors.contains("cannot create the directory"))
  }
}
