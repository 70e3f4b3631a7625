import HandoverReport

/// The shard of a process, according to the environment variables of an engine.
///
/// Engines may be nested, such as Bazel in a Slurm task. Therefore all are queried, and those that
/// define a shard must agree.
struct ShardEngine {
  /// The name of the engine.
  private var name: String
  /// The names of the variables for the index and the count.
  private var variables: String
  /// The index, counted from 0.
  private var index: Int
  /// The number of shards, or `nil` if the engine does not report it.
  private var count: Int?

  /// A function that returns the value of a variable, or `nil` if it is not set.
  typealias Variable = (String) -> String?

  /// Returns the shard that the engines report.
  ///
  /// - Parameters:
  ///   - count: The number of shards from the command line, or `nil` to use the engine's number.
  ///   - variable: The variables of the process.
  /// - Returns: The shard, counted from 1.
  /// - Throws: ``ShardProblem`` if no engine reports a shard, one reports an invalid value, or two
  ///   disagree.
  static func shard(
    of count: Int?, _ variable: Variable
  ) throws(ShardProblem) -> RunDescription.Shard {
    let engines = [
      try bazel("TEST", variable), try bazel("GTEST", variable), try slurm(variable),
      try kubernetes(variable),
    ].compactMap { $0 }
    guard let first = engines.first else {
      throw ShardProblem(
        "--shard auto found no shard: none of TEST_SHARD_INDEX, GTEST_SHARD_INDEX, "
          + "SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX is set",
        hint: "write the shard, such as --shard 1/4, or run inside Bazel, Slurm or Kubernetes")
    }
    // An engine without a count uses the count of another one.
    let others = engines.compactMap(\.count).first
    let shard = try first.shard(of: count ?? first.count ?? others)
    for other in engines.dropFirst() {
      guard try other.shard(of: count ?? other.count ?? others) != shard else { continue }
      throw ShardProblem(
        "\(first.name) sets \(first.words), and \(other.name) sets \(other.words)",
        hint: "write the shard that you mean, such as "
          + "--shard \(shard.index)/\(shard.count), or unset the variables of one of them")
    }
    return shard
  }

  private var words: String {
    "shard \(index + 1)" + (count.map { " of \($0)" } ?? "") + " (\(variables))"
  }

  private func shard(of said: Int?) throws(ShardProblem) -> RunDescription.Shard {
    if let said, let count, said != count {
      throw ShardProblem(
        "\(name) sets \(words), and --shard sets a total of \(said)",
        hint: "write --shard auto; to run a lost shard again, write its number, such as "
          + "--shard 2/\(said)")
    }
    guard let count = said ?? count else {
      throw ShardProblem(
        "\(name) sets \(words) without the number of shards",
        hint: "add the number of shards of the job, such as --shard auto/4")
    }
    guard (1...RunDescription.Shard.maximumCount).contains(count) else {
      throw ShardProblem(
        "\(name) sets \(words), and the number of shards must be from 1 to "
          + "\(RunDescription.Shard.maximumCount)",
        hint: "start fewer shards")
    }
    guard index < count else {
      throw ShardProblem(
        "\(name) sets shard \(index), counted from 0 (\(variables)), which is not less than "
          + "\(count)",
        hint: "write the correct number of shards, such as --shard auto/\(index + 1)")
    }
    return RunDescription.Shard(index: index + 1, count: count)
  }

  // MARK: Engines

  /// Returns the shard of Bazel's test runner or of googletest; both numbers count from 0.
  private static func bazel(
    _ prefix: String, _ variable: Variable
  ) throws(ShardProblem) -> ShardEngine? {
    let names = ("\(prefix)_SHARD_INDEX", "\(prefix)_TOTAL_SHARDS")
    let index = try number(names.0, variable)
    let count = try number(names.1, variable)
    guard index != nil || count != nil else { return nil }
    guard let index, let count else {
      let (there, missing) = index == nil ? (names.1, names.0) : names
      throw ShardProblem(
        "\(there) is set, and \(missing) is not",
        hint: "set both or neither; in Bazel, add shard_count to the test")
    }
    return ShardEngine(
      name: prefix == "TEST" ? "Bazel" : "the test runner", variables: "\(names.0), \(names.1)",
      index: index, count: count)
  }

  /// Returns the shard of Slurm, whose user numbers the tasks of an array in equal steps.
  private static func slurm(_ variable: Variable) throws(ShardProblem) -> ShardEngine? {
    guard let task = try number("SLURM_ARRAY_TASK_ID", variable) else { return nil }
    let least = try number("SLURM_ARRAY_TASK_MIN", variable)
    let most = try number("SLURM_ARRAY_TASK_MAX", variable)
    let count = try number("SLURM_ARRAY_TASK_COUNT", variable)
    guard let least, let count else {
      throw ShardProblem(
        "SLURM_ARRAY_TASK_ID is set, and SLURM_ARRAY_TASK_MIN or SLURM_ARRAY_TASK_COUNT is not",
        hint: "start an array with sbatch --array=1-4, or write the shard: --shard 1/4")
    }
    let step = max(1, try number("SLURM_ARRAY_TASK_STEP", variable) ?? 1)
    let (span, overflows) = step.multipliedReportingOverflow(by: max(0, count - 1))
    let isInStep = task >= least && (task - least) % step == 0 && (task - least) / step < count
    let isWhole = !overflows && most.map { $0 - least == span } ?? true
    guard count > 0, isInStep, isWhole else {
      throw ShardProblem(
        "task \(task) of Slurm's array of \(count) from \(least)"
          + (most.map { " to \($0)" } ?? "")
          + " in steps of \(step) is not one of consecutive numbers",
        hint:
          "use one range, such as --array=1-4; to run a lost shard again, write its number, such "
          + "as --shard 2/4")
    }
    return ShardEngine(
      name: "Slurm", variables: "SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT",
      index: (task - least) / step, count: count)
  }

  /// Returns the shard of Kubernetes, which reports the index of an indexed job but no count.
  private static func kubernetes(_ variable: Variable) throws(ShardProblem) -> ShardEngine? {
    guard let index = try number("JOB_COMPLETION_INDEX", variable) else { return nil }
    return ShardEngine(
      name: "Kubernetes", variables: "JOB_COMPLETION_INDEX", index: index, count: nil)
  }

  /// The largest number accepted from an engine, far above the maximum number of shards.
  private static let maximum = 1 << 40

  private static func number(
    _ name: String, _ variable: Variable
  ) throws(ShardProblem) -> Int? {
    guard let text = variable(name), !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      number <= maximum
    else {
      throw ShardProblem(
        "\(name) is \"\(text)\", and must be an integer from 0",
        hint: "unset the variable, or write the shard, such as --shard 1/4")
    }
    return number
  }
}
