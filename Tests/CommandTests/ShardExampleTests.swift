import Foundation
import Testing

/// The examples in Fixtures/Sharding, run with the engines that are installed.
@Suite("The sharding examples")
struct ShardExampleTests {
  private let scratch: ScratchDirectory
  private static let examples = packageRoot.appending(path: "Fixtures/Sharding")
  private static let closed = "complete: 2196 states, 25868 transitions, depth 40"

  init() throws {
    scratch = try ScratchDirectory()
  }

  private func path(_ name: String) -> String { scratch.url.appending(path: name).path }

  private static func has(_ programs: String...) -> Bool {
    let positions = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return programs.allSatisfy { program in
      positions.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
  }

  private func run(
    _ example: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> CommandLineRun {
    try CommandLineRun(
      command: Self.examples.appending(path: example), arguments,
      environment: environment.merging(["HANDOVER": CommandLineRun.command.path]) { one, _ in one })
  }

  @Test(
    "The example for GNU parallel works",
    .enabled(if: has("parallel"), "GNU parallel is not installed"))
  func parallel() throws {
    let run = try run(
      "parallel.sh", [path("shared"), "sockets-monitor", "--acts", "plain"], ["SHARDS": "3"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("3 shards: \(Self.closed)"), "\(run.errors)")
    let broken = try self.run(
      "parallel.sh", [path("other"), "sockets-monitor", "--acts", "plain", "--defect", "C9"],
      ["SHARDS": "3"])
    #expect(broken.status == 1, "\(broken.errors)")
    #expect(broken.errors.contains("3 shards: rule "), "\(broken.errors)")
  }

  @Test(
    "The example for Slurm works if a node dies in the middle",
    .enabled(
      if: has("slurmctld", "slurmd", "sbatch", "munged", "munge") && getuid() == 0,
      "slurm-wlm and munge are not installed, or this is not root"))
  func slurm() throws {
    let run = try run(
      "slurm-cluster", [CommandLineRun.command.path, path("shared")],
      ["PORT": "\(20_000 + getpid() % 10_000)"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let closed = "complete: 316964 states, 5752140 transitions, depth 76"
    #expect(run.errors.contains("4 shards: \(closed)"), "\(run.output)\(run.errors)")
    #expect(run.output.contains(/node-\d is killed in round \d+, with task 2 on it/))
    #expect(run.output.contains(/task 2 is started again: 2 node-\d/))
    #expect(run.output.matches(of: /task \d: complete: 316964 states/).count == 4)
  }

  @Test("The task of the Slurm example works with the environment variables alone")
  func slurmTask() throws {
    let folder = path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let tasks = try (1...2).map { task in
      let process = Process()
      process.executableURL = Self.examples.appending(path: "slurm.sh")
      process.arguments = [folder, "sockets", "--calls", "1", "--acts", "plain"]
      process.environment = ProcessInfo.processInfo.environment.merging([
        "HANDOVER": CommandLineRun.command.path, "SLURM_ARRAY_TASK_ID": "\(task)",
        "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "2", "SLURM_ARRAY_TASK_COUNT": "2",
        "SLURM_ARRAY_TASK_STEP": "1",
      ]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
    for task in tasks {
      task.waitUntilExit()
      #expect(task.terminationStatus == 0)
    }
    let merge = try CommandLineRun("merge", "\(folder)/report-1.jsonl", "\(folder)/report-2.jsonl")
    #expect(merge.errors.hasPrefix("2 shards: complete: 137 states"), "\(merge.errors)")
  }

  @Test("The test of the Bazel example works with the environment variables alone")
  func bazel() throws {
    for index in 0..<2 {
      let outputs = path("outputs-\(index)")
      try FileManager.default.createDirectory(atPath: outputs, withIntermediateDirectories: false)
      let run = try run(
        "bazel/transitions.sh", [CommandLineRun.command.path, "Scenarios/stalls"],
        [
          "TEST_SHARD_INDEX": "\(index)", "TEST_TOTAL_SHARDS": "2",
          "TEST_SHARD_STATUS_FILE": path("status-\(index)"),
          "XML_OUTPUT_FILE": path("\(index).xml"), "TEST_UNDECLARED_OUTPUTS_DIR": outputs,
        ])
      #expect(run.status == 0, "\(run.errors)")
      #expect(FileManager.default.fileExists(atPath: path("status-\(index)")))
      #expect(
        try String(contentsOfFile: path("\(index).xml"), encoding: .utf8).contains("<testsuite"))
    }
    let merge = try CommandLineRun(
      "merge", path("outputs-0") + "/shard.jsonl", path("outputs-1") + "/shard.jsonl")
    #expect(merge.status == 0)
    #expect(merge.errors.contains("0 failed"), "\(merge.errors)")
  }

  @Test("The Kubernetes job has as many shards as completions, each with its own number")
  func kubernetes() throws {
    let manifest = try JSONSerialization.jsonObject(
      with: Data(contentsOf: Self.examples.appending(path: "kubernetes.json")))
    let job = try #require(manifest as? [String: Any])
    let spec = try #require(job["spec"] as? [String: Any])
    #expect(spec["completionMode"] as? String == "Indexed")
    // All shards must run simultaneously, because they wait for each other.
    #expect(spec["parallelism"] as? Int == spec["completions"] as? Int)
    let template = try #require((spec["template"] as? [String: Any])?["spec"] as? [String: Any])
    let containers = try #require(template["containers"] as? [[String: Any]])
    let script = try #require((containers.first?["args"] as? [String])?.first)
    #expect(script.contains("--shard auto/\(spec["completions"] as? Int ?? 0) "))
    // Runs the line of the job with one shard and a local folder.
    let folder = path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let line = script.replacing("exec handover", with: "exec \(CommandLineRun.command.path)")
      .replacing("/shared", with: folder).replacing("auto/8", with: "auto/1")
    let run = try CommandLineRun(
      command: URL(fileURLWithPath: "/bin/sh"), ["-c", line],
      environment: ["JOB_COMPLETION_INDEX": "0"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("complete: 23124 states"))
  }

  // MARK: Mutants

  private func mutants(_ files: [String]) throws -> CommandLineRun {
    try CommandLineRun(
      command: packageRoot.appending(path: "Tests/Tools/mutants"), ["--merge"] + files)
  }

  private func report(
    _ index: Int, of count: Int, drawn: String = "d", change: String, killer: String?
  ) throws -> String {
    try scratch.write(
      """
      {"kind": "mutants", "shard": [\(index), \(count)], "drawn": "\(drawn)", "changes": 1,
       "results": [{"file": "Sources/HandoverEngine/Judge.swift", "line": 7,
                    "change": "\(change)", "killer": \(killer.map { "\"\($0)\"" } ?? "null")}]}
      """, to: "mutants-\(UUID().uuidString)")
  }

  @Test(
    "No tool has a local name that hides a function which it calls",
    .enabled(if: has("python3"), "python3 is not here"))
  func hiddenFunctions() throws {
    // Python reports a call of a hidden function only when the call runs, which may be after an
    // hour's build.
    let script = """
      import ast, os, sys
      for name in sorted(os.listdir("Tests/Tools")):
        text = open("Tests/Tools/" + name).read()
        if "python3" not in text[:40]: continue
        tree = ast.parse(text)
        functions = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
        for one in tree.body:
          code = compile(ast.Module([one], []), name, "exec")
          for made in [c for c in code.co_consts if hasattr(c, "co_varnames")]:
            hidden = functions & set(made.co_varnames + made.co_cellvars)
            called = {n.func.id for n in ast.walk(one)
              if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            for word in sorted(hidden & called): print(name, made.co_name, word)
      """
    let run = try CommandLineRun(command: URL(filePath: "/usr/bin/env"), ["python3", "-c", script])
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.errors)")
  }

  @Test(
    "No tool reads an option that it does not define",
    .enabled(if: has("python3"), "python3 is not here"))
  func options() throws {
    // Python reports an undefined option only when it is read.
    let script = """
      import ast, glob
      for path in sorted(glob.glob("Tests/Tools/*") + glob.glob("Tests/Benchmarks/*")):
        try: text = open(path).read()
        except (IsADirectoryError, UnicodeDecodeError): continue
        if not path.endswith(".py") and "python3" not in text[:40]: continue
        tree = ast.parse(text)
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and hasattr(n.func, "attr")]
        added = [n for n in calls if n.func.attr == "add_argument"]
        known = {n.args[0].value.lstrip("-").replace("-", "_") for n in added}
        known |= {k.value.value for n in added for k in n.keywords if k.arg == "dest"}
        for function in tree.body:
          nodes = list(ast.walk(function))
          parsed = {n.targets[0].id for n in nodes if isinstance(n, ast.Assign)
            and getattr(getattr(n.value, "func", None), "attr", "") == "parse_args"}
          for n in nodes:
            if isinstance(n, ast.Attribute) and getattr(n.value, "id", "") in parsed:
              if n.attr not in known: print(path, n.lineno, n.attr)
      """
    let run = try CommandLineRun(command: URL(filePath: "/usr/bin/env"), ["python3", "-c", script])
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.errors)")
  }

  @Test("mutants prints its usage", .enabled(if: has("python3"), "python3 is not here"))
  func mutantsUsage() throws {
    let tool = packageRoot.appending(path: "Tests/Tools/mutants")
    let run = try CommandLineRun(command: tool, ["--help"])
    #expect(run.status == 0 && run.output.contains("usage: Tests/Tools/mutants"))
  }

  @Test(
    "mutants finds its folders, and orders its modules by the manifest",
    .enabled(if: has("python3"), "python3 is not here"))
  func mutantsList() throws {
    let tool = packageRoot.appending(path: "Tests/Tools/mutants")
    let run = try CommandLineRun(command: tool, ["--list"])
    #expect(run.status == 0, "\(run.errors)")
    for folder in ["HandoverEngine", "HandoverCore/Machines", "HandoverScenario"] {
      #expect(run.output.contains("  \(folder)\n"), "\(run.output)")
    }
    #expect(!run.output.contains("     0  "), "\(run.output)")
    let order = run.output.split(separator: "build order: ").last?.split(separator: " ") ?? []
    let engine = try #require(order.firstIndex(of: "HandoverEngine"))
    let report = try #require(order.firstIndex(of: "HandoverReport"))
    #expect(order.first == "HandoverCore" && engine < report)
  }

  @Test(
    "Sharded mutant runs are reported as one", .enabled(if: has("python3"), "python3 is not here"))
  func mutants() throws {
    let killed = try report(1, of: 2, change: "one", killer: "corpus")
    let lives = try report(2, of: 2, change: "two", killer: nil)
    let all = try mutants([lives, killed])
    #expect(all.status == 1)
    #expect(all.output.contains("survives: Sources/HandoverEngine/Judge.swift:7: two"))
    #expect(all.output.contains(/all +2 +1 +0 +0 +1/), "\(all.output)")
    #expect(try mutants([killed, try report(2, of: 2, change: "two", killer: "Core")]).status == 0)
    for (files, problem) in [
      ([killed], "of 2 shards 2 are missing"), ([killed, lives, lives], "is present twice"),
      ([killed, try report(2, of: 3, change: "x", killer: nil)], "another number of shards"),
      ([killed, try report(2, of: 2, drawn: "e", change: "x", killer: nil)], "has other mutants"),
      ([killed, try report(2, of: 2, change: "one", killer: nil)], "a mutant is in two shards"),
      ([killed, packageRoot.appending(path: "LICENSE").path], "is not a report of a shard"),
      ([killed, path("nothing")], "is not a report of a shard"), ([], "--merge needs"),
    ] {
      let merge = try mutants(files)
      #expect(merge.status == 2)
      #expect(merge.errors.contains(problem), "\(merge.errors)")
    }
  }
}
