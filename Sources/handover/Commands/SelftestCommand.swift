import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverReport
import HandoverScenario
import Synchronization

struct SelftestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Inject bugs into the built-in client; each must be detected.",
    usage: "handover selftest [<options>] [<names> ...]",
    discussion: """
      Mutation testing of Handover itself: a harness that cannot detect a bug proves
      nothing when it passes. Each injected bug changes one thing: a switch in a
      state machine, a number of the model, an order, a transport, or a report. A
      bug violates certain requirements. It counts as detected if the bundled
      scenarios that it names fail, and with them an expectation for each of these
      requirements.

      Most bugs must also be found by an exploration within a given number of
      actions. Explorations of states run every time. Explorations against the model
      need more time and run only with --explore. `--defect NAME` injects a bug into
      `run`, `shrink` and `explore`. A bug that crashes its thread is reported as
      CRASHED; the other bugs still run.

      The command also runs three more checks. Wrong clients in other processes must
      be detected over the backend protocol, if python3 is installed. An independent
      reference checks the client in all scenarios. An injected dependence on hash
      order must show a difference between processes.

      Examples:
        handover selftest
        handover selftest --list
        handover selftest C10 row-110-wifi
        handover selftest --survey total+1   every scenario that detects it
        handover selftest --canary           show the output for a bug that survives
        handover selftest -o json
        handover selftest --explore total+1  also find it by exploration

      Exit status: 0 all bugs are detected; 1 a bug survives, or another check
      fails; 2 bad usage; 129, 130 or 143 interrupted.
      """)

  @Argument(
    help: "The names of bugs, such as C10. Default: all bugs.",
    completion: .list(Mutant.names))
  var names: [String] = []

  @Flag(name: .long, help: "List the bugs without running them.")
  var list = false

  @Flag(
    name: .long,
    help: "Run each bug on every scenario, and list the scenarios that detect it.")
  var survey = false

  @Flag(name: .long, help: "Also search for each bug with explorations against the model.")
  var explore = false

  @Flag(name: .long, help: "Add a bug that changes nothing, and therefore must survive.")
  var canary = false

  @Option(
    name: .shortAndLong, help: "The format: pretty or json (one object).")
  var output = CheckCommand.Format.pretty

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Bugs to run in parallel. Default: one per core.", valueName: "number"))
  var jobs: Int?

  @OptionGroup var progressOptions: ProgressOptions

  @Flag(name: .customLong("hash-order-digests"), help: .hidden)
  var hashOrderDigests = false

  func validate() throws {
    for name in names where Mutant.named(name) == nil {
      throw ValidationError(
        "Unknown bug \"\(name)\"." + didYouMean(name, among: Mutant.names)
          + " `handover selftest --list` lists all bugs.")
    }
    if let jobs { try ParallelRun.validate(jobs: jobs) }
  }

  func run() throws {
    var named: Set<String> = []
    let mutants =
      (names.isEmpty
        ? Mutant.all
        : names.filter { named.insert($0).inserted }.compactMap(Mutant.named))
      + (canary ? [.canary] : [])
    let width = StandardStream.output.columnCount
    if list {
      var rows = mutants.map { SelftestReport.Row(Selftest.Outcome(mutant: $0)) }
      if names.isEmpty {
        let (backends, skipped) = WrongBackend.listed()
        rows += backends
        if let skipped { printError(skipped) }
      }
      let report = SelftestReport(rows, width: width)
      StandardStream.output.show(output == .json ? report.listJSON : report.list)
      return
    }
    // Child processes do not repeat messages that this process has printed.
    let reading = Reading([BundledFiles.scenarios], tellsOrigin: !hashOrderDigests)
    reading.showComplaints()
    guard reading.errorCount == 0 else { throw ExitError(.badInput) }
    let selftest = Selftest(
      reading.scenarios, isTotal: survey, explores: survey ? .none : explore ? .all : .states)
    guard !hashOrderDigests else {
      StandardStream.output.write(HashOrderTest.digests(selftest))
      return
    }
    let interruption = Interruption()
    try interruption.listen()
    let outcomes = play(mutants, selftest, interruption)
    StandardStream.clearTransient()
    if let status = interruption.exitStatus {
      printError("Interrupted after \(outcomes.count) of \(counted(mutants.count, "bug")).")
      throw ExitError(status)
    }
    guard !survey else {
      outcomes.forEach { say(Self.surveyed($0)) }
      return
    }
    var (rows, checks) = (outcomes.map(SelftestReport.Row.init), [SelftestReport.Check]())
    if names.isEmpty {
      checks = self.checks(selftest)
      interruption.asLastResort {
        printError("Interrupted before all wrong backends had run.")
        return .done
      }
      let (backends, skipped) = WrongBackend.played(on: reading.scenarios, jobs: jobCount)
      rows += backends
      if let skipped { checks.append(SelftestReport.Check(skipped, isGood: true)) }
    }
    let report = SelftestReport(rows, checks: checks, width: width)
    StandardStream.output.show(output == .json ? report.json : report.text)
    if !report.isGood { throw ExitError(.failure) }
  }

  /// The number of mutants that run in parallel.
  private var jobCount: Int { jobs ?? ThreadWorkers.cores(atMost: 256) }

  private func play(
    _ mutants: [Mutant], _ selftest: Selftest, _ interruption: Interruption
  ) -> [Selftest.Outcome] {
    let progress = ProgressBoard(
      Progress(progressOptions.progress, of: ProgressText(total: mutants.count, noun: "bug")))
    let jobs = jobCount
    return selftest.run(mutants, jobs: jobs) { done, survivors in
      progress.show(done: done, running: min(jobs, mutants.count - done), failed: survivors)
      return interruption.received == nil
    }
  }

  private func checks(_ selftest: Selftest) -> [SelftestReport.Check] {
    let reference = selftest.reference()
    var checks = [
      SelftestReport.Check(
        reference.broken.map { "The reference checker disagrees: \($0)" }
          ?? "The reference checker agrees with the client in "
          + "\(counted(reference.histories, "history", "histories")).",
        isGood: reference.broken == nil)
    ]
    checks.append(HashOrderTest.check())
    return checks
  }

  private static func surveyed(_ outcome: Selftest.Outcome) -> String {
    var text = outcome.mutant.name
    for one in outcome.kills where one.finding != nil {
      let items = one.broken.map { $0.split(separator: " ").last.map(String.init) ?? $0 }
      text += "\n  \(one.scenario)  \(items.joined(separator: " "))"
    }
    return text
  }
}

/// The shared progress of several threads.
private final class ProgressBoard: Sendable {
  private let progress: Mutex<Progress?>

  init(_ progress: Progress?) { self.progress = Mutex(progress) }

  func show(done: Int, running: Int, failed: Int) {
    progress.withLock { $0?.show(done: done, running: running, failed: failed) }
  }
}
