import Foundation
import Testing

@Suite("handover explore")
struct ExploreCommandTests {
  @Test("proves the rules where it closes, and says with how much at once")
  func closes() throws {
    let run = try CommandLineRun(
      "explore", "sockets", "--calls", "1", "--acts", "plain")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("closed: 137 states, "))
    #expect(run.output.contains("the rules hold for sequences of any length"))
    #expect(run.output.contains("(sockets, 1 host, up to 1 call at once; untimed"))
    // Whoever is no person sees no progress.
    #expect(run.errors.isEmpty)
  }

  @Test(
    "proves nothing where it is stopped",
    arguments: [
      (["--depth", "3"], "--depth allows"), (["--budget", "100"], "--budget allows"),
      (["--acts", "endless"], "there is no end to messages that wait for a connection"),
    ])
  func stops(_ options: [String], _ words: String) throws {
    let run = try CommandLineRun(["explore", "sockets", "--calls", "1"] + options)
    #expect(run.status == 1)
    #expect(run.output.contains(words), "\(run.output)\(run.errors)")
    #expect(run.output.contains("that proves nothing"))
  }

  @Test("shows a broken rule as a scenario, which fails again")
  func breaks() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let arguments = [
      "explore", "sockets-monitor", "--acts", "plain", "--defect", "double-end", "-o", file,
    ]
    let run = try CommandLineRun(arguments)
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("rule 1 is broken after 4 acts: "), "\(run.output)")
    #expect(run.output.contains("\n   4. "))
    #expect(run.output.contains("handover run \(file) --defect double-end"), "\(run.output)")
    #expect(try CommandLineRun("check", file).status == 0)
    #expect(try CommandLineRun("format", "--check", file).status == 0)
    #expect(try CommandLineRun("run", file, "--defect", "double-end").status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
    // What is there is not written over.
    let again = try CommandLineRun(arguments)
    #expect(again.status == 2)
    #expect(again.errors.contains("the file is there already"))
    #expect(again.output.isEmpty)
  }

  @Test("explores a whole world, and says within which bounds")
  func world() throws {
    let run = try CommandLineRun(
      "explore", "sockets", "--scope", "world", "--calls", "1", "--acts", "plain")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("closed: 14076 states, "), "\(run.output)")
    #expect(run.output.contains("from every state everything heals"))
    #expect(run.output.contains("(sockets in its world, 1 host, up to 1 call at once; untimed"))
    let stopped = try CommandLineRun(
      "explore", "sockets", "--scope", "world", "--depth", "4")
    #expect(stopped.status == 1)
    #expect(stopped.output.contains("that proves nothing"))
  }

  @Test(
    "shows a rule that breaks in a world as a scenario, which fails again",
    arguments: ["ignored-recovery", "C9", "C10", "C11", "double-end"])
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
    "explores the dispatcher, and convicts one with a defect", arguments: ["U82", "U87"])
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

  @Test("shows the scenario on standard output unless a file is named")
  func prints() throws {
    let run = try CommandLineRun(
      "explore", "sockets-monitor", "--acts", "plain", "--defect", "C10")
    #expect(run.status == 1)
    #expect(run.output.contains("\n  \"format\": 1,\n"))
    #expect(run.output.contains("handover run FILE --defect C10"))
  }

  @Test("goes on from where it was stopped, and tells what is no such file")
  func resumes() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "seen.bin").path
    let arguments = ["explore", "sockets-monitor", "--acts", "plain", "--resume", file]
    let stopped = try CommandLineRun(arguments + ["--budget", "500"])
    #expect(stopped.status == 1, "\(stopped.errors)")
    #expect(stopped.errors.contains("the same command goes on from there"))
    let closed = try CommandLineRun(arguments)
    #expect(closed.status == 0)
    #expect(closed.output == (try CommandLineRun(Array(arguments.dropLast(2)))).output)
    let other = try CommandLineRun(arguments + ["--calls", "3"])
    #expect(other.status == 2)
    #expect(other.errors.contains("this is another exploration"))
    try Data("{}".utf8).write(to: scratch.url.appending(path: "seen.bin"))
    let wrong = try CommandLineRun(arguments)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("this is no exploration that was stopped"))
    #expect(wrong.output.isEmpty)
    for place in [scratch.url.path, "no-such/seen.bin", "/dev/full", ""] {
      let run = try CommandLineRun("explore", "sockets", "--resume", place, "--budget", "10")
      #expect(run.status == 2, "\(place): \(run.output)")
    }
  }

  @Test("plays random runs, tells the seed first, and shows a breach in few entries")
  func swarm() throws {
    let arguments = ["explore", "sockets-monitor", "--swarm", "30", "--depth", "60"]
    let good = try CommandLineRun(arguments + ["--seed", "3"])
    #expect(good.status == 0, "\(good.output)\(good.errors)")
    #expect(good.output.hasPrefix("swarm: 30 runs from seed 3 (sockets-monitor, 1 host, "))
    #expect(good.output.contains("\nEvery call ended, and the client came to rest."))
    #expect(good.errors.isEmpty)
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let bad = try CommandLineRun(arguments + ["--seed", "3", "--defect", "C10", "-o", file])
    #expect(bad.status == 1, "\(bad.output)\(bad.errors)")
    #expect(bad.output.contains("It is shown by 2 entries."), "\(bad.output)")
    #expect(try CommandLineRun("run", file, "--defect", "C10").status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
    #expect(try CommandLineRun("format", "--check", file).status == 0)
    let again = try CommandLineRun(
      arguments + ["--seed", "3", "--defect", "C10", "-o", file, "--force"])
    #expect(again.output == bad.output)
    // A seed that nobody gave is told all the same.
    let brief = try CommandLineRun("explore", "sockets", "--swarm", "1000000", "--budget", "50ms")
    #expect(brief.status == 0)
    #expect(brief.output.contains("from seed "))
    #expect(brief.output.contains("stopped at the time that --budget allows"))
  }

  @Test(
    "tells what it does not take",
    arguments: [
      ["url-loading"], ["no-such-profile"], ["sockets", "--hosts", "5"],
      ["sockets", "--calls", "0"], ["sockets", "--depth", "0"], ["sockets", "--budget", "soon"],
      ["sockets", "--swarm", "0"], ["sockets", "--seed", "1"], ["sockets", "--swarm", "x"],
      ["sockets", "--swarm", "5", "--budget", "5"], ["sockets", "--swarm", "5", "--seed", "-1"],
      ["sockets", "--swarm", "5", "--depth", "1000000"], ["sockets", "--defect", "U79"],
      ["sockets", "--acts", "many"], [], ["sockets", "--scope", "everything"],
      ["sockets", "--scope", "world", "--hosts", "3"], ["sockets", "--scope", "dispatcher"],
      ["sockets", "--scope", "world", "--swarm", "3"],
      ["sockets", "--scope", "world", "--defect", "10302"], ["url-dispatcher"],
      ["url-dispatcher", "--scope", "dispatcher", "--defect", "C10"],
    ])
  func usage(_ arguments: [String]) throws {
    let run = try CommandLineRun(["explore"] + arguments)
    #expect(run.status == 2, "\(run.output)")
    #expect(!run.errors.isEmpty)
    #expect(run.output.isEmpty)
  }
}
