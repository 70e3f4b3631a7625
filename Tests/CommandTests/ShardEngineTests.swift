import Foundation
import Testing

@Suite("The shard that an engine assigns")
struct ShardEngineTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
    _ = try scratch.write(Sample.plain, to: "s.json")
  }

  private func run(
    _ argument: String, _ environment: [String: String]
  ) throws -> CommandLineRun {
    // Variables that an engine may have set for these tests are cleared.
    let none = [
      "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", "TEST_SHARD_STATUS_FILE", "GTEST_SHARD_INDEX",
      "GTEST_TOTAL_SHARDS", "GTEST_SHARD_STATUS_FILE", "SLURM_ARRAY_TASK_ID",
      "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT",
      "SLURM_ARRAY_TASK_STEP", "JOB_COMPLETION_INDEX",
    ].map { ($0, "") }
    return try CommandLineRun(
      ["run", scratch.url.path, "-o", "jsonl=-", "--shard=\(argument)"],
      environment: environment.merging(none) { one, _ in one })
  }

  /// Returns the variables of a Slurm array.
  private static func slurm(
    _ id: Int, _ least: Int, _ most: Int, _ count: Int, step: Int = 1
  ) -> [String: String] {
    [
      "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_MIN": "\(least)",
      "SLURM_ARRAY_TASK_MAX": "\(most)", "SLURM_ARRAY_TASK_COUNT": "\(count)",
      "SLURM_ARRAY_TASK_STEP": "\(step)",
    ]
  }

  @Test(
    "A shard is counted from 1, whatever the engine counts from",
    arguments: [
      (["TEST_SHARD_INDEX": "2", "TEST_TOTAL_SHARDS": "3"], "auto", "3/3"),
      (["GTEST_SHARD_INDEX": "0", "GTEST_TOTAL_SHARDS": "3"], "auto", "1/3"),
      (["TEST_SHARD_INDEX": "2", "TEST_TOTAL_SHARDS": "3"], "auto/3", "3/3"),
      (
        [
          "TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "3", "GTEST_SHARD_INDEX": "1",
          "GTEST_TOTAL_SHARDS": "3", "JOB_COMPLETION_INDEX": "1",
        ], "auto", "2/3"
      ),
      (slurm(1, 1, 8, 8), "auto", "1/8"), (slurm(0, 0, 7, 8), "auto/8", "1/8"),
      (slurm(18, 10, 18, 3, step: 4), "auto", "3/3"), (slurm(5, 5, 5, 1), "auto", "1/1"),
      (["JOB_COMPLETION_INDEX": "0"], "auto/3", "1/3"), ([:], "2/3", "2/3"),
    ] as [([String: String], String, String)])
  func reported(_ environment: [String: String], _ argument: String, _ shard: String) throws {
    let run = try run(argument, environment)
    #expect(run.status == 0, "\(run.errors)")
    let numbers = shard.split(separator: "/")
    #expect(
      run.output.contains("\"shard\":{\"index\":\(numbers[0]),\"count\":\(numbers[1]),"),
      "\(run.output)")
    // There is one scenario, so all shards but the first one are empty.
    #expect(
      run.errors.contains("is empty: there are fewer scenarios") == (numbers[0] != "1"),
      "\(run.errors)")
  }

  @Test(
    "A contradictory or missing assignment is reported with a hint",
    arguments: [
      ([:], "auto", "--shard auto found no shard"),
      (["JOB_COMPLETION_INDEX": "0"], "auto", "--shard auto/4"),
      (["JOB_COMPLETION_INDEX": "4"], "auto/4", "not less than 4"),
      (["SLURM_ARRAY_TASK_ID": "1"], "auto", "SLURM_ARRAY_TASK_COUNT is not"),
      (["TEST_SHARD_INDEX": "1"], "auto", "TEST_TOTAL_SHARDS is not"),
      (["TEST_TOTAL_SHARDS": "1"], "auto", "TEST_SHARD_INDEX is not"),
      (["TEST_SHARD_INDEX": "3", "TEST_TOTAL_SHARDS": "3"], "auto", "which is not less than 3"),
      (["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "0"], "auto", "must be from 1 to 100000"),
      (["TEST_SHARD_INDEX": "x", "TEST_TOTAL_SHARDS": "3"], "auto", "must be an integer from 0"),
      (["TEST_SHARD_INDEX": "+1", "TEST_TOTAL_SHARDS": "3"], "auto", "must be an integer from 0"),
      (
        ["TEST_SHARD_INDEX": "99999999999999999999", "TEST_TOTAL_SHARDS": "3"], "auto",
        "must be an integer from 0"
      ),
      (
        ["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "3"], "auto/4",
        "and --shard sets a total of 4"
      ),
      (
        [
          "TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "3", "JOB_COMPLETION_INDEX": "1",
        ], "auto/3", "Kubernetes sets shard 2"
      ),
      (
        slurm(1, 1, 4, 4).merging(["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "3"]) { $1 },
        "auto", "Bazel sets shard 1 of 3"
      ),
      // A single task of an array, an index list with gaps, and numbers that no array can have.
      (slurm(5, 5, 5, 1), "auto/8", "and --shard sets a total of 8"),
      (slurm(3, 1, 7, 3), "auto", "not one of consecutive numbers"),
      (slurm(3, 4, 6, 3), "auto", "not one of consecutive numbers"),
      (slurm(7, 4, 6, 3), "auto", "not one of consecutive numbers"),
      (slurm(1, 1, 0, 0), "auto", "not one of consecutive numbers"),
      (slurm(1, 1, 1, 1 << 39, step: 1 << 39), "auto", "not one of consecutive numbers"),
    ] as [([String: String], String, String)])
  func contradictions(
    _ environment: [String: String], _ argument: String, _ problem: String
  ) throws {
    let run = try run(argument, environment)
    #expect(run.status == 2)
    #expect(run.errors.contains(problem), "\(run.errors)")
    #expect(run.errors.contains("hint: "))
    #expect(run.output.isEmpty)
  }

  @Test(
    "An invalid --shard value is refused",
    arguments: [
      "0/3", "4/3", "1/100001", "auto/0", "auto/", "1/2/3", "-1/3", "1/+3", "/", "1", "1/ 3",
      "1/99999999999999999999", "AUTO",
    ])
  func usage(_ argument: String) throws {
    let run = try run(argument, [:])
    #expect(run.status == 2)
    #expect(run.errors.contains("invalid"), "\(run.errors)")
  }

  @Test("--shard auto creates the status file that shows Bazel that the test is sharded")
  func statusFile() throws {
    let file = scratch.url.appending(path: "status").path
    let bazel = ["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "2", "TEST_SHARD_STATUS_FILE": file]
    #expect(try run("1/2", bazel).status == 0)
    #expect(!FileManager.default.fileExists(atPath: file), "nobody asked the engine")
    #expect(try run("auto", bazel).status == 0)
    #expect(FileManager.default.fileExists(atPath: file))
    let run = try run(
      "auto", bazel.merging(["TEST_SHARD_STATUS_FILE": "\(file)/none/status"]) { $1 })
    #expect(run.status == 2)
    #expect(
      run.errors.contains("cannot create the file of TEST_SHARD_STATUS_FILE"), "\(run.errors)")
  }
}
