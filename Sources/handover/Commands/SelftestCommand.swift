import ArgumentParser
import HandoverCore
import HandoverFaults
import HandoverReport
import HandoverScenario
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct SelftestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Plant faults in the built-in client and its world; each must be convicted.",
    usage: "handover selftest [<options>] [<names> ...]",
    discussion: """
      A harness that cannot see a fault proves nothing by passing. Each fault is one
      thing that is wrong: a switch in a machine, another number of the contract, an
      order that is not given, another transport, something told otherwise. It is
      against items of the documents. It is convicted where the bundled scenarios
      that it names fail, and with them an expectation that shows each of the items.
      Most must be found by an exploration too, within a stated number of acts: those
      of the states of a client are made each time, those against the model with
      --explore only, which takes longer. `--defect NAME` gives a fault to `run`,
      `shrink` and `explore`. One that ends its thread is told, and costs no other.

      Besides, clients in another process that are wrong must be convicted over the
      protocol, where there is python3; the reference judges what the client does in
      all scenarios; and a planted dependence on the order of hashes must show
      between processes.

      Examples:
        handover selftest
        handover selftest --list
        handover selftest C10 row-110-wifi
        handover selftest --survey total+1   all that convicts it
        handover selftest --canary           what a fault looks like that survives
        handover selftest -o json
        handover selftest --explore total+1  and how it is found

      Exit status: 0 all are convicted; 1 one survives, or something else does not
      hold; 2 bad usage; 129, 130 or 143 interrupted.
      """)

  @Argument(
    help: "The faults, by name; all, where none is named.",
    completion: .list(PlantedFault.all.map(\.name)))
  var names: [String] = []

  @Flag(name: .long, help: "List the faults, and play nothing.")
  var list = false

  @Flag(
    name: .long,
    help: "Play each fault on every scenario, and list those that convict it with the items.")
  var survey = false

  @Flag(name: .long, help: "Look for each fault with explorations against the model too.")
  var explore = false

  @Flag(name: .long, help: "Add a fault that changes nothing, which must survive.")
  var canary = false

  @Option(
    name: .shortAndLong, help: "pretty, for people; or json, one object on standard output.")
  var output = CheckCommand.Format.pretty

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How many faults at once; as many as cores.", valueName: "number"))
  var jobs: Int?

  @OptionGroup var progressOptions: ProgressOptions

  @Flag(name: .customLong("hash-order-digests"), help: .hidden)
  var hashOrderDigests = false

  func validate() throws {
    for name in names where PlantedFault.named(name) == nil {
      throw ValidationError(
        "There is no fault \"\(name)\"." + didYouMean(name, among: PlantedFault.all.map(\.name))
          + " `handover selftest --list` names all.")
    }
    if let jobs { try ParallelRun.validate(jobs: jobs) }
  }

  func run() throws {
    var named: Set<String> = []
    let faults =
      (names.isEmpty
        ? PlantedFault.all
        : names.filter { named.insert($0).inserted }.compactMap(PlantedFault.named))
      + (canary ? [.canary] : [])
    let width = StandardStream.output.columnCount
    if list {
      var rows = faults.map { SelftestReport.Row(Selftest.Outcome(fault: $0)) }
      #if os(Linux)
        if names.isEmpty {
          let (backends, skipped) = WrongBackend.listed()
          rows += backends
          if let skipped { printError(skipped) }
        }
      #endif
      let report = SelftestReport(rows, width: width)
      StandardStream.output.show(output == .json ? report.listJSON : report.list)
      return
    }
    // Child processes do not repeat messages that this process has printed.
    let reading = Reading([BundledFiles.scenarios], tellsOrigin: !hashOrderDigests)
    reading.showComplaints()
    guard reading.errorCount == 0 else { throw Leave(.badInput) }
    let selftest = Selftest(
      reading.scenarios, isTotal: survey, explores: survey ? .none : explore ? .all : .states)
    guard !hashOrderDigests else {
      StandardStream.output.write(HashOrderTest.digests(selftest))
      return
    }
    let interruption = Interruption()
    try interruption.listen()
    let outcomes = play(faults, selftest, interruption)
    StandardStream.clearPassing()
    if let status = interruption.exitStatus {
      printError("Interrupted after \(outcomes.count) of \(counted(faults.count, "fault")).")
      throw Leave(status)
    }
    guard !survey else {
      outcomes.forEach { say(Self.surveyed($0)) }
      return
    }
    var (rows, checks) = (outcomes.map(SelftestReport.Row.init), [SelftestReport.Check]())
    if names.isEmpty {
      checks = self.checks(selftest)
      #if os(Linux)
        let (backends, skipped) = WrongBackend.played(on: reading.scenarios, jobs: jobCount)
        rows += backends
        if let skipped { checks.append(SelftestReport.Check(skipped, isGood: true)) }
      #endif
    }
    let report = SelftestReport(rows, checks: checks, width: width)
    StandardStream.output.show(output == .json ? report.json : report.text)
    if !report.isGood { throw Leave(.failure) }
  }

  /// The number of mutants that run in parallel.
  private var jobCount: Int { jobs ?? min(256, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  private func play(
    _ faults: [PlantedFault], _ selftest: Selftest, _ interruption: Interruption
  ) -> [Selftest.Outcome] {
    let progress = ProgressBoard(
      Progress(progressOptions.progress, of: ProgressText(total: faults.count, noun: "fault")))
    let jobs = jobCount
    return selftest.run(faults, jobs: jobs) { done, survivors in
      progress.show(done: done, running: min(jobs, faults.count - done), failed: survivors)
      return interruption.received == nil
    }
  }

  private func checks(_ selftest: Selftest) -> [SelftestReport.Check] {
    let reference = selftest.reference()
    var checks = [
      SelftestReport.Check(
        reference.broken.map { "The reference does not agree: \($0)" }
          ?? "The reference agrees with the client in "
          + "\(VisibleCount.of(reference.histories, "history", "histories")).",
        isGood: reference.broken == nil)
    ]
    #if os(Linux)
      checks.append(HashOrderTest.check())
    #endif
    return checks
  }

  private static func surveyed(_ outcome: Selftest.Outcome) -> String {
    var text = outcome.fault.name
    for one in outcome.convictions where one.finding != nil {
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

/// A count with its noun, for nouns with an irregular plural.
enum VisibleCount {
  static func of(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
