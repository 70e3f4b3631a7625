import Foundation
import Glibc
import Testing

@Suite("An exploration in shards, one process each")
struct ShardedExplorationTests {
  private let scratch: ScratchDirectory
  private let folder: String
  private static let usual = ["explore", "sockets", "--calls", "1", "--acts", "plain"]

  init() throws {
    scratch = try ScratchDirectory()
    folder = scratch.url.appending(path: "shared").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  private func path(_ name: String) -> String { scratch.url.appending(path: name).path }

  private func arguments(
    _ index: Int, of count: Int, _ more: [String] = [], client: [String] = Self.usual
  ) -> [String] {
    client + ["--shard", "\(index)/\(count)", "--exchange", folder] + more
  }

  private func start(
    _ index: Int, of count: Int, _ more: [String] = [], client: [String] = Self.usual
  ) throws -> StoppableRun {
    try StoppableRun(arguments(index, of: count, more, client: client))
  }

  private func shard(_ index: Int, of count: Int, _ more: [String] = []) throws -> CommandLineRun {
    try CommandLineRun(arguments(index, of: count, more))
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  private func hasFile(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(name)")
  }

  @Test(
    "A sharded exploration has the result and the merged report of one process"
  )
  func union() throws {
    let client = ["explore", "sockets-monitor", "--acts", "plain"]
    let one = try CommandLineRun(client + ["--report", path("one")])
    let runs = try (1...5).map {
      try start($0, of: 5, ["--report", path("\($0)")], client: client)
    }
    for run in runs {
      #expect(run.status() == 0, "\(run.errors)")
      #expect(run.output == one.output)
      #expect(run.errors.contains(" explored "))
    }
    let files = [4, 2, 5, 1, 3].map { path("\($0)") }
    let merge = try CommandLineRun(["merge", "-o", path("all")] + files)
    #expect(merge.status == 0)
    #expect(merge.errors == "5 shards: complete: 2196 states, 25868 transitions, depth 40\n")
    #expect(try bytes("all") == bytes("one"))
    for (given, problem) in [
      (Array(files.dropLast()), "of 5 shards 3 is missing"),
      (files + [files[0]], "shard 4 of 5 is also in"), ([path("one")], "not from a shard"),
    ] {
      let merge = try CommandLineRun(["merge", "-o", path("none")] + given)
      #expect(merge.status == 2)
      #expect(merge.errors.contains(problem), "\(merge.errors)")
      #expect(!FileManager.default.fileExists(atPath: path("none")))
    }
    // A report with the same shard number, but from an exploration with a different share.
    let text = String(decoding: try bytes("2"), as: UTF8.self)
    try text.replacing(/"transitions":[0-9]*,"levels"/, with: #""transitions":1,"levels""#)
      .write(toFile: path("2"), atomically: true, encoding: .utf8)
    let wrong = try CommandLineRun(["merge"] + files)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("transitions in total, and the reports have"), "\(wrong.errors)")
    // A repeated shard reads the existing files and prints the same output.
    #expect(try CommandLineRun(arguments(3, of: 5, client: client)).output == one.output)
  }

  @Test("A sharded exploration finds the sequence and the scenario that one process finds")
  func broken() throws {
    let client = [
      "explore", "sockets-monitor", "--acts", "plain", "--defect", "kept-while-connecting",
    ]
    let one = try CommandLineRun(client + ["-o", path("one.json"), "--report", path("one")])
    let runs = try (1...3).map {
      try start(
        $0, of: 3, ["-o", path("found.json"), "--report", path("\($0)")], client: client)
    }
    let actions = one.output.split(separator: "\n").filter { $0.contains(/^\s+[0-9]+\.\s/) }
    #expect(actions.count == 7)
    for run in runs {
      #expect(run.status() == 1, "\(run.errors)")
      for action in actions { #expect(run.output.contains(action)) }
    }
    #expect(try bytes("found.json") == bytes("one.json"))
    let merge = try CommandLineRun(["merge", "-o", path("all")] + (1...3).map { path("\($0)") })
    #expect(merge.status == 1)
    #expect(merge.errors.contains("is violated after 6 actions"), "\(merge.errors)")
    #expect(try bytes("all") == bytes("one"))
  }

  @Test("Shards that never run simultaneously progress round by round, whatever the clocks show")
  func oneAfterTheOther() throws {
    var closed: [Int: String] = [:]
    var turns = 0
    while closed.count < 2, turns < 200 {
      let index = turns % 2 + 1
      turns += 1
      let run = try shard(index, of: 2, ["--timeout", "0s"])
      if run.status == 0 {
        closed[index] = run.output
      } else {
        #expect(run.status == 3, "\(run.errors)")
        #expect(run.errors.contains(" of shard \(3 - index) of 2 is missing, and "))
        #expect(run.errors.contains("both continue where they were"))
      }
      // Clocks that differ by decades.
      let date = Date(timeIntervalSince1970: turns % 3 == 0 ? 0 : 4_000_000_000)
      for name in ["life", "round-0000"] where hasFile("shard-\(index)/\(name)") {
        try FileManager.default.setAttributes(
          [.modificationDate: date], ofItemAtPath: "\(folder)/shard-\(index)/\(name)")
      }
    }
    let one = try CommandLineRun(Self.usual)
    #expect(closed == [1: one.output, 2: one.output])
  }

  @Test(
    "A shard that is killed in the middle loses only its current round",
    arguments: [SIGKILL, SIGTERM])
  func killed(_ signal: Int32) throws {
    let client = ["explore", "sockets-monitor", "--calls", "3", "--acts", "plain"]
    let other = try start(2, of: 2, client: client)
    let killed = try start(1, of: 2, client: client)
    try killed.wait { hasFile("shard-1/round-0012") }
    let status = killed.end(by: signal)
    #expect(status == (signal == SIGKILL ? SIGKILL : 143), "\(killed.errors)")
    if signal == SIGTERM {
      #expect(killed.errors.contains("Interrupted, so nothing is proved"))
      #expect(killed.errors.contains("run the same command again to continue with round"))
    }
    #expect(other.process.isRunning)
    let kept = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/shard-1/round-0011"))
    // The temporary file of the killed process is removed.
    _ = FileManager.default.createFile(atPath: "\(folder)/shard-1/.handover-1-0", contents: Data())
    let again = try start(1, of: 2, client: client)
    #expect(again.status() == 0, "\(again.errors)")
    #expect(other.status() == 0, "\(other.errors)")
    #expect(again.output.hasPrefix("complete: 8692 states, 128924 transitions, depth 44"))
    #expect(other.output == again.output)
    #expect(!hasFile("shard-1/.handover-1-0"))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: "\(folder)/shard-1/round-0011")) == kept,
      "only its round is made again")
  }

  @Test("No shard waits forever for one that is gone, and the reason why it left is reported")
  func gone() throws {
    let waiting = try start(1, of: 2)
    try waiting.wait { hasFile("shard-1/round-0000") }
    #expect(waiting.end(by: SIGTERM) == 143)
    // short wait: the test needs the timeout to expire.
    let run = try shard(2, of: 2, ["--timeout", "300ms"])
    #expect(run.status == 3)
    #expect(run.errors.contains("it stopped: it was interrupted"), "\(run.errors)")
    let never = try shard(2, of: 2, ["--timeout", "0s", "--defect", "C10"])
    #expect(never.status == 2)
  }

  @Test("A second process for the same shard takes over, and the first one reports it and exits")
  func twice() throws {
    let first = try start(1, of: 2)
    try first.wait { hasFile("shard-1/round-0000") }
    let second = try start(1, of: 2)
    #expect(first.status() == 2)
    #expect(first.errors.contains("another process is running shard 1 of 2"))
    #expect(try shard(2, of: 2).status == 0)
    #expect(second.status() == 0, "\(second.errors)")
  }

  @Test(
    "A shard of a different exploration is reported, and changes nothing",
    arguments: [
      ["--calls", "2"], ["--hosts", "2"], ["--acts", "full"], ["--defect", "C10"],
    ])
  func otherOptions(_ more: [String]) throws {
    _ = try shard(1, of: 2, ["--timeout", "0s"])
    let run = try shard(2, of: 2, ["--timeout", "0s"] + more)
    #expect(run.status == 2)
    #expect(run.errors.contains("a different exploration uses this folder"), "\(run.errors)")
    #expect(run.errors.contains("there: handover"))
    #expect(!hasFile("shard-2"))
    let ofThree = try shard(2, of: 3, ["--timeout", "0s"])
    #expect(ofThree.status == 2)
    #expect(ofThree.errors.contains("a different exploration uses this folder"))
  }

  @Test("A shard that excludes events belongs to a different exploration, and so does its report")
  func leftOut() throws {
    let client = ["explore", "sockets", "--calls", "1"]
    _ = try CommandLineRun(arguments(1, of: 2, ["--timeout", "0s"], client: client))
    let less = client + ["--without", "deadlines"]
    let run = try CommandLineRun(arguments(2, of: 2, ["--timeout", "0s"], client: less))
    #expect(run.status == 2)
    #expect(run.errors.contains("a different exploration uses this folder"), "\(run.errors)")
    #expect(run.errors.contains("--acts full --without deadlines"), "\(run.errors)")
    #expect(!hasFile("shard-2"))
    for (name, client) in [("whole", client), ("less", less)] {
      try FileManager.default.createDirectory(
        atPath: path(name), withIntermediateDirectories: false)
      let runs = try (1...2).map { index in
        try StoppableRun(
          client + [
            "--shard", "\(index)/2", "--exchange", path(name), "--report", path("\(name)-\(index)"),
          ])
      }
      for run in runs { #expect(run.status() == 0, "\(run.errors)") }
    }
    let merge = try CommandLineRun("merge", path("whole-1"), path("less-2"))
    #expect(merge.status == 2)
    #expect(merge.errors.contains("exclusions or bugs are different from"))
    #expect(try CommandLineRun("merge", path("less-1"), path("less-2")).status == 0)
  }

  @Test("A truncated file is reported, and the shard that owns it repairs it")
  func cutOff() throws {
    _ = try shard(1, of: 2, ["--timeout", "0s"])
    let file = "\(folder)/shard-1/round-0000"
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    for size in [0, 10, 80, whole.count - 1] {
      try whole.prefix(size).write(to: URL(fileURLWithPath: file))
      // The last byte may belong to states for the shard itself, which no other shard reads.
      if size <= 80 {
        let other = try shard(2, of: 2, ["--timeout", "0s"])
        #expect(other.status == 2)
        #expect(other.errors.contains("the file is truncated or was changed"), "\(other.errors)")
        #expect(other.errors.contains("start shard 1 again"))
      }
      let own = try shard(1, of: 2, ["--timeout", "0s"])
      #expect(own.status == 3)
      #expect(own.errors.contains("the round runs again"), "\(own.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == whole)
    }
  }

  @Test("Files of others stay unchanged")
  func foreign() throws {
    let files = [
      "README": "x", "round-0000": "y", "shard-9": "z", "shard-2/round-0000": "{\"mine\": true}",
      "shard-1/notes": "n",
    ]
    for index in 1...2 {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/shard-\(index)", withIntermediateDirectories: true)
    }
    for (name, text) in files {
      try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
    for index in 1...2 {
      let run = try shard(index, of: 2, ["--timeout", "0s"])
      #expect(run.status == 2)
      #expect(run.errors.contains("this is not the file of an exploration"), "\(run.errors)")
    }
    for (name, text) in files {
      #expect(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) == text)
    }
  }

  @Test("A full disk is reported, and the next run with more space continues")
  func fullDisk() throws {
    // The maximum size of a file is one block.
    let client = ["explore", "sockets-monitor"]
    let script = #"ulimit -f 1; trap '' XFSZ; exec "$@""#
    let run = try CommandLineRun(
      command: URL(fileURLWithPath: "/bin/sh"),
      ["-c", script, "sh", CommandLineRun.command.path] + arguments(1, of: 1, client: client))
    #expect(run.status == 2)
    #expect(run.errors.contains("it cannot be written: File too large"), "\(run.errors)")
    #expect(run.errors.contains("run the same command again to continue"))
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/shard-1")
    #expect(names.filter { $0.hasPrefix(".") } == [])
    let again = try CommandLineRun(arguments(1, of: 1, client: client))
    #expect(again.status == 0)
    #expect(again.output.hasPrefix("complete: 23124 states, 411732 transitions"))
  }

  @Test("All shards stop at a limit, and continue without it")
  func limits() throws {
    let one = try CommandLineRun(Self.usual + ["--depth", "5"])
    for limit in [["--depth", "5"], ["--budget", "30"]] {
      let first = try start(1, of: 2, limit)
      let second = try shard(2, of: 2, limit)
      #expect(first.status() == 1)
      #expect(second.status == 1)
      #expect(second.output == first.output)
      #expect(second.output.contains("proves nothing"))
      if limit[0] == "--depth" { #expect(second.output == one.output) }
    }
    let whole = try start(1, of: 2)
    #expect(try shard(2, of: 2).status == 0)
    #expect(whole.status() == 0)
  }

  @Test("Two shards with different depths do not wait for each other forever")
  func otherLimits() throws {
    let stopped = try start(1, of: 2, ["--depth", "3", "--timeout", "60s"])
    let other = try start(2, of: 2)
    #expect(other.status() == 2)
    #expect(
      other.errors.contains("shard 1 of 2 was stopped by --depth or --budget before round-0003"))
    #expect(stopped.status() == 3)
    #expect(
      stopped.errors.contains("the file level-0003 of shard 2 of 2 is missing, and it stopped"))
    // Nothing of the earlier runs blocks shards that agree.
    let first = try start(1, of: 2)
    #expect(try shard(2, of: 2).status == 0)
    #expect(first.status() == 0)
  }

  @Test("A stopped exploration has a report too, equal to that of one process if possible")
  func stoppedReports() throws {
    for (limit, isEqual) in [
      (["--depth", "1"], true), (["--depth", "7"], true), (["--budget", "60"], false),
    ] {
      let one = try CommandLineRun(Self.usual + limit + ["--report", path("one")])
      #expect(one.status == 1)
      let first = try start(1, of: 2, limit + ["--report", path("1")])
      _ = try shard(2, of: 2, limit + ["--report", path("2")])
      #expect(first.status() == 1)
      let merge = try CommandLineRun("merge", path("1"), path("2"), "-o", path("all"))
      #expect(merge.status == 1)
      #expect(merge.errors.hasPrefix("2 shards: stopped, so nothing is proved: "))
      #expect(try (bytes("all") == bytes("one")) == isEqual)
      #expect(try CommandLineRun("merge", path("one")).errors.contains("not from a shard"))
    }
    let endless = ["explore", "sockets", "--calls", "1", "--acts", "endless"]
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let one = try CommandLineRun(endless + ["--report", path("one")])
    let shard = try CommandLineRun(
      arguments(1, of: 1, ["--report", path("1")], client: endless))
    #expect(shard.output == one.output)
    #expect(try CommandLineRun("merge", path("1"), "-o", path("all")).status == 1)
    #expect(try bytes("all") == bytes("one"))
  }

  @Test(
    "Options that contradict each other are reported",
    arguments: [
      ["--shard", "1/2"], ["--exchange", "."], ["--shard", "1/2", "--exchange", ""],
      ["--shard", "1/2", "--exchange", "no-such-folder"],
      ["--shard", "1/2", "--exchange", "Package.swift"],
      ["--shard", "1/2", "--exchange", ".", "--resume", "x"],
      ["--shard", "1/2", "--exchange", ".", "--jobs", "2"],
      ["--shard", "1/2", "--exchange", ".", "--timeout", "soon"],
      ["--report", "x", "--resume", "y"],
      ["--budget", "1000000000000"],
      ["--swarm", "3", "--shard", "1/2"], ["--swarm", "3", "--exchange", "."],
    ])
  func usage(_ arguments: [String]) throws {
    let run = try CommandLineRun(["explore", "sockets"] + arguments)
    #expect(run.status == 2)
    #expect(!run.errors.isEmpty && run.output.isEmpty)
  }

  // MARK: Random testing

  @Test(
    "A sharded swarm makes the runs of one process, up to the first failure",
    arguments: [[], ["--defect", "C10"]])
  func swarm(_ more: [String]) throws {
    let swarm =
      ["explore", "sockets-monitor", "--swarm", "20", "--seed", "3", "--depth", "60"] + more
    let one = try CommandLineRun(swarm + ["--report", path("one")])
    let runs = try (1...3).map {
      try StoppableRun(swarm + ["--shard", "\($0)/3", "--report", path("\($0)")])
    }
    for run in runs { #expect([0, 1].contains(run.status()), "\(run.errors)") }
    let files = (1...3).map { path("\($0)") }
    let merge = try CommandLineRun(["merge", "-o", path("all")] + files)
    #expect(merge.status == one.status)
    #expect(one.status == (more.isEmpty ? 0 : 1))
    #expect(try bytes("all") == bytes("one"))
    let lost = try CommandLineRun(["merge", "-o", path("none")] + files.dropLast())
    #expect(lost.status == 2)
    #expect(!FileManager.default.fileExists(atPath: path("none")))
  }

  @Test("A shard of a swarm without a run is not a failure")
  func emptySwarm() throws {
    let run = try CommandLineRun(
      "explore", "sockets", "--swarm", "2", "--seed", "1", "--shard", "3/3")
    #expect(run.status == 0)
    #expect(run.errors.contains("is empty: there are fewer runs than shards"), "\(run.errors)")
  }

  @Test("Reports of different explorations are not merged")
  func mixed() throws {
    _ = try CommandLineRun(Self.usual + ["--report", path("exploration")])
    _ = try CommandLineRun(
      "explore", "sockets", "--swarm", "1", "--seed", "1", "--report", path("swarm"))
    let merge = try CommandLineRun("merge", path("exploration"), path("swarm"))
    #expect(merge.status == 2)
    #expect(merge.errors.contains("not of the same kind"), "\(merge.errors)")
  }
}
