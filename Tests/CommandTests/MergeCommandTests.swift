import Foundation
import Testing

@Suite("Runs in shards, and handover merge")
struct MergeCommandTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  private func path(_ name: String) -> String { scratch.url.appending(path: name).path }

  /// Writes a report of some scenarios, or of one shard of them.
  private func report(
    _ name: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (file: String, status: Int32) {
    let file = path(name)
    let run = try CommandLineRun(
      ["run", "-o", "jsonl=\(file)"] + arguments, environment: environment)
    return (file, run.status)
  }

  private func parts(_ count: Int, _ arguments: [String]) throws -> [String] {
    try (1...count).map {
      try report("\(count)-\($0)", arguments + ["--shard", "\($0)/\(count)"]).file
    }
  }

  @Test(
    "Merged shards equal the report of the whole run, byte for byte, with its exit status",
    arguments: [1, 2, 7, 24],
    [
      ["Scenarios/stalls"], ["Scenarios/transitions", "--defect", "C10", "--max-hang", "5s"],
      ["Scenarios/stalls", "--seed", "7", "--repeat", "2"],
    ])
  func union(count: Int, arguments: [String]) throws {
    let whole = try report("whole", arguments)
    // The order of the files does not matter.
    let files = try parts(count, arguments).reversed()
    let merge = try CommandLineRun(["merge", "-o", path("all")] + files)
    #expect(merge.status == whole.status)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: path("all")))
        == Data(contentsOf: URL(fileURLWithPath: whole.file)))
    #expect(merge.errors.hasPrefix(count == 1 ? "1 shard: " : "\(count) shards: "))
  }

  @Test("Shards that are not exactly one whole run are refused, and nothing is written")
  func refusals() throws {
    let files = try parts(3, ["Scenarios/stalls"])
    let whole = try report("whole", ["Scenarios/stalls"]).file
    let other = try report("other", ["Scenarios/stalls", "--shard", "2/3", "--seed", "9"]).file
    let fewer = try report("fewer", ["Scenarios/stalls/killed.json", "--shard", "2/3"]).file
    let defect = try report("defect", ["Scenarios/stalls", "--shard", "2/3", "--defect", "C9"]).file
    let ofFour = try report("four", ["Scenarios/stalls", "--shard", "2/4"]).file
    let variants = try report("v", ["Scenarios/stalls", "--shard", "2/3", "--variants"]).file
    // Reports of versions that wrote no digest of the plan.
    let old = try files.enumerated().map { index, file in
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let old = path("old-\(index)")
      try text.replacing(/,"plan":"[0-9a-f]*"/, with: "").write(
        toFile: old, atomically: true, encoding: .utf8)
      return old
    }
    let few = path("few")
    try String(contentsOfFile: fewer, encoding: .utf8).replacing(/,"plan":"[0-9a-f]*"/, with: "")
      .write(toFile: few, atomically: true, encoding: .utf8)
    for (given, problem) in [
      ([files[0], files[2]], "of 3 shards 2 is missing"),
      ([files[0]], "of 3 shards 2, 3 are missing"),
      (files + [files[1]], "shard 2 of 3 is also in"),
      ([whole], "not from a shard"),
      ([files[0], other, files[2]], "the seed differs from"),
      ([files[0], ofFour, files[2]], "the number of shards differs"),
      ([files[0], fewer, files[2]], "a scenario, a known failure or an option differs from"),
      ([files[0], defect, files[2]], "a scenario, a known failure or an option differs from"),
      ([files[0], variants, files[2]], "a scenario, a known failure or an option differs from"),
      ([old[0], few, old[2]], "scenarios, and would have"),
    ] {
      let merge = try CommandLineRun(["merge", "-o", path("none")] + given)
      #expect(merge.status == 2)
      #expect(merge.errors.contains(problem), "\(merge.errors)")
      #expect(merge.errors.contains("hint: "))
      #expect(!FileManager.default.fileExists(atPath: path("none")))
    }
  }

  @Test("Shards with other limits, other known failures or other contents of files are refused")
  func otherContents() throws {
    let folder = path("scenarios")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    _ = try scratch.write(Sample.withThreeMistakes, to: "scenarios/a.json")
    _ = try scratch.write(Sample.plain, to: "scenarios/b.json")
    let known = try scratch.write("mistakes/three\n", to: "known.txt")
    let process = [
      folder, "--known-failing", known, "--backend",
      "exec:\(CommandLineRun.command.path) backend serve",
    ]
    let options = process + ["--timeout", "61s"]
    let first = try report("first", options + ["--shard", "1/2"]).file
    let last = ["--shard", "2/2"]
    let second = try report("second", options + last).file
    let merge = try CommandLineRun("merge", first, second)
    #expect(merge.status == 0, "\(merge.errors)")
    var others = [try report("patient", process + last).file]
    _ = try scratch.write("mistakes/*\n", to: "known.txt")
    others.append(try report("known", options + last).file)
    _ = try scratch.write("mistakes/three\n", to: "known.txt")
    _ = try scratch.write(
      Sample.plain.replacing("\"10ms\"", with: "\"11ms\""), to: "scenarios/b.json")
    others.append(try report("changed", options + last).file)
    for other in others {
      let merge = try CommandLineRun("merge", first, other)
      #expect(merge.status == 2, "\(other)")
      #expect(merge.errors.contains("a scenario, a known failure or an option differs from"))
    }
  }

  @Test("A report with a value that no run writes is refused")
  func changedBodies() throws {
    var files = try parts(2, ["Scenarios/stalls", "Scenarios/names", "--defect", "C10"])
    let text = try String(contentsOfFile: files[1], encoding: .utf8)
    for (original, changed, problem) in [
      (/"id":"stalls/, #""id":"\u0000stalls"#, "control character"),
      (/"id":"stalls/, #""id":"../stalls"#, "is not the id of a scenario"),
      (/"ended_at_us":[0-9]+/, #""ended_at_us":"1""#, "\"ended_at_us\" must be a number"),
      (/"digest":"[0-9a-f]+"/, #""digest":"0""#, "must be 16 hexadecimal digits"),
      (/"status":"[A-Z_]+"/, #""status":"FINE""#, "is not a status"),
      (/"verdict":"PASSED"/, #""verdict":"FAILED""#, "the summary counts"),
      (
        /"verdict":"PASSED"/, #""verdict":"KNOWN""#,
        "\"known\" must be true exactly for the verdict KNOWN"
      ),
      (/"kind":"(?:expectation|invariant)"/, #""kind":"guess""#, "is not a value of"),
      (/"passed":/, #""passed":1"#, "the summary counts"),
      (/"scenarios":/, #""scenarios":1"#, "the summary counts"),
    ] as [(Regex<Substring>, String, String)] {
      guard let range = text.firstRange(of: original) else {
        Issue.record("no \(problem)")
        continue
      }
      files[1] = path("changed")
      try text.replacingCharacters(in: range, with: changed).write(
        toFile: files[1], atomically: true, encoding: .utf8)
      let merge = try CommandLineRun(["merge", "-o", path("none")] + files)
      #expect(merge.status == 2, "\(changed)")
      #expect(merge.errors.contains(problem), "\(changed): \(merge.errors)")
    }
  }

  @Test("A scenario in two shards is reported")
  func doubled() throws {
    let one = try report("one", ["Scenarios/stalls/killed.json", "--shard", "1/1"]).file
    let text = try String(contentsOfFile: one, encoding: .utf8)
    for index in 1...2 {
      try text.replacing(#""index":1,"count":1"#, with: #""index":\#(index),"count":2"#)
        .write(toFile: path("\(index)"), atomically: true, encoding: .utf8)
    }
    let merge = try CommandLineRun(["merge", path("1"), path("2")])
    #expect(merge.status == 2)
    #expect(merge.errors.contains("is also in"), "\(merge.errors)")
  }

  @Test("An interrupted or truncated shard is reported")
  func interrupted() throws {
    var files = try parts(2, ["Scenarios/stalls"])
    let text = try String(contentsOfFile: files[1], encoding: .utf8)
    for (broken, problem) in [
      (text.replacing(#""interrupted":false"#, with: #""interrupted":true"#), "was interrupted"),
      (String(text.dropLast(20)), "the last line is incomplete"),
    ] {
      files[1] = path("broken")
      try broken.write(toFile: files[1], atomically: true, encoding: .utf8)
      let merge = try CommandLineRun(["merge"] + files)
      #expect(merge.status == 2)
      #expect(merge.errors.contains(problem), "\(merge.errors)")
    }
  }

  @Test("An empty shard is not a failure, but a run without any case is")
  func empty() throws {
    #expect(try report("empty", ["Scenarios/stalls/killed.json", "--shard", "2/2"]).status == 0)
    #expect(try report("none", ["Scenarios", "--only", "none", "--shard", "2/2"]).status == 4)
  }

  @Test("The times of variants are not added up")
  func variants() throws {
    let arguments = ["Scenarios/transitions/cellular-to-wifi-unfinished-stream.json", "--variants"]
    let files = try parts(1, arguments)
    let merge = try CommandLineRun(["merge"] + files)
    #expect(merge.status == 2)
    #expect(merge.errors.contains("the times of variants cannot be merged"), "\(merge.errors)")
  }
}
