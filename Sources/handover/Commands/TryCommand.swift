import ArgumentParser
import FoundationEssentials
import Glibc
import HandoverCore
import HandoverLab
import HandoverLabServers
import HandoverLinux
import HandoverReport
import HandoverScenario
import HandoverTry

struct TryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Change the network under any program, and report a verdict.",
    usage: "handover try [<options>] -- <program> [<argument> ...]",
    discussion: """
      Runs the program unchanged, once for each network change (move), each time on
      an emulated device in network namespaces. This machine's network is not
      changed, and no packet leaves the machine. In the lab, every name and every
      address answers: HTTP/1.1 and WebSocket on ports 80 and 8080 (GET /drip is an
      endless stream, GET /poll/N answers after N seconds), the same and HTTP/2 over
      TLS on ports 443 and 8443, gRPC on port 50051, and an echo on port 7.
      The network changes once the program has received data. The verdict is derived
      from the program's packets and sockets:

        UNHARMED      no connection was lost
        RECOVERS      data arrives again at most 5 s later than the change explains
        LATE          data arrives again later, or not while the program is watched
        HANGS         it waits for a server, and gets neither data nor an error
        GIVES UP      it failed, or stopped trying
        CUTS          it ended a connection that could have continued
        INCONCLUSIVE  the observations allow no verdict

      `handover explain HANGS` explains a verdict.

      With --search, the network changes are random timelines. If the program fails
      at one, the timeline is shortened and written to a scenario file.

      Exit status: 0 the program recovered after every move; 1 it hung, gave up, did
      not recover while it was watched, or exceeded a limit; 2 bad usage; 3 no lab
      is possible on this machine, no move has a verdict, or the program cannot be
      searched; 129, 130 or 143 interrupted.

      Examples:
        handover try -- curl -sN http://api.example/drip
        handover try --move cellular-to-wifi --watch 60s -- my-client --verbose
        handover try --move nat --move Scenarios/stalls/killed.json -- my-client
        handover try --move walk-out --move train -- my-client
        handover try --search 5min -- my-client
      """)

  @Option(
    help: ArgumentHelp(
      "A network change to make; may be repeated. A name that --list-moves lists, or a scenario "
        + "file. Of a scenario, the entries about the device, its networks and its connections "
        + "are used. Without it: \(TryMove.all.map(\.name).joined(separator: ", ")).",
      valueName: "name|file"))
  var move: [String] = []

  @Flag(help: "List the network changes with names, and run nothing.")
  var listMoves = false

  @Option(
    help: ArgumentHelp(
      "How long to watch after a new connection would work, from 5s to 20min. Default: "
        + "\(defaultWatch.text), or \(SearchOptions.defaultWatch.text) with --search.",
      valueName: "time"))
  var watch: TimeLength?

  @Option(
    help: ArgumentHelp(
      "The number of parallel labs, from 1 to 32. Default: 8, or 16 with --search.",
      valueName: "count"))
  var jobs: Int?
  var jobCount: Int { jobs ?? (searchOptions.search == nil ? 8 : 16) }

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "How often to make each network change, from 1 to 100 times.", valueName: "count"))
  var repetitions = 1

  @OptionGroup var searchOptions: SearchOptions

  @Option(
    help: ArgumentHelp(
      "With --search: the seed of the timelines. Default: a random number.",
      valueName: "number"))
  var seed: UInt64?

  @OptionGroup var gateOptions: TryGateOptions
  @OptionGroup var evidenceGates: TryEvidenceGateOptions
  @OptionGroup var deviceOptions: LabDeviceOptions
  @OptionGroup var labOptions: TryLabOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write \(TryOutput.Format.allCases.map(\.rawValue).joined(separator: ", ")) to a file, "
        + "or - for standard output; may be repeated. Without it: pretty=-.",
      valueName: "format=file"))
  var output: [TryOutput] = []

  @Option(
    help: ArgumentHelp(
      "A file of expected verdicts; may be repeated. A line is MOVE or MOVE [VERDICT], such as "
        + "nat [HANGS]. Listed verdicts do not fail the run.",
      valueName: "file"), completion: .file())
  var knownFailing: [String] = []

  @Option(name: .long, help: "Color: auto, always or never.")
  var color = ColorChoice.auto

  @Argument(
    parsing: .postTerminator, help: "The program and its arguments, after --.")
  var command: [String] = []

  func validate() throws {
    if listMoves { return }
    try ProgramName.validate(command)
    guard (Interval.seconds(5)...Interval.minutes(20)).contains(usedWatch) else {
      throw ValidationError("--watch must be a time from 5s to 20min, such as --watch 30s.")
    }
    guard (1...32).contains(jobCount) else {
      throw ValidationError("--jobs must be an integer from 1 to 32, such as --jobs 8.")
    }
    guard (1...100).contains(repetitions) else {
      throw ValidationError("--repeat must be an integer from 1 to 100, such as --repeat 10.")
    }
    if let maxNotice = evidenceGates.maxNotice?.interval, maxNotice > usedWatch {
      throw ValidationError(
        "--max-notice must not be longer than --watch, because the program is watched for "
          + "\(usedWatch.readable) only. Use a longer --watch, such as --watch 60s.")
    }
    try TryOutput.validateFiles(of: output)
    try validateSearch()
    if let name = TryMoves(move).unknown {
      throw ValidationError(
        "Unknown move \"\(name)\"."
          + didYouMean(name, among: TryMoves.names) + " Moves: "
          + TryMoves.names.joined(separator: ", ")
          + ". The name of a scenario file must end in .json.")
    }
  }

  /// The time for which a program is watched by default.
  private static let defaultWatch = Interval.seconds(30)

  /// The time for which a program is watched.
  var usedWatch: Interval {
    watch?.interval
      ?? (searchOptions.search == nil ? Self.defaultWatch : SearchOptions.defaultWatch)
  }

  func run() throws {
    if listMoves {
      let width = StandardStream.output.columnCount
      StandardStream.output.show(TryMoves.list(width: width))
      return
    }
    if let time = searchOptions.search { return try search(for: time.interval) }
    try LabEntry.enterBeforeReading(TryMoves(move).files + knownFailing)
    // The first run changes nothing, to determine the program's rhythm.
    let moves = [.nothing] + (try TryMoves(move).read())
    let known = try KnownVerdicts(knownFailing)
    try LabEntry.enter(isRequired: true)
    let written = output.isEmpty ? [.standard] : output
    try FileIdentity.refuse(written.map(\.file), over: TryMoves(move).files + knownFailing)
    let summary = OutputFile.stepSummary(
      isRequested: written.contains { $0.format == .githubSummary })
    let files = try written.map { try OutputFile.opened($0.file) } + summary
    let reports = written + summary.map { TryOutput(format: .githubSummary, file: $0.name) }
    let interruption = Interruption()
    try interruption.listen()
    guard ResolverFiles.cover([LabServers.nameServer]) else { throw ExitError(.breakdown) }
    let trust = try deviceOptions.makeTrust()
    defer { trust.remove() }
    let began = LocalTime.now
    var (result, isWhole) = try tried(moves, trust, interruption)
    known.apply(to: &result)
    result.harness = Executable.harness
    (result.began, result.ended) = (began, LocalTime.now)
    result.runID = Environment.runID
    result.wasInterrupted = interruption.received != nil
    let failures = zip(reports, files).compactMap { $0.write(result, to: $1, color) }
    for failure in failures { printError(failure.description) }
    known.warnOfUnmatched(among: moves)
    if let status = interruption.exitStatus { throw ExitError(status) }
    if !failures.isEmpty || !isWhole { throw ExitError(.badInput) }
    if result.isBad { throw ExitError(.failure) }
    if !result.isDecided { throw ExitError(.breakdown) }
  }

  /// Returns the results of the network changes, and whether all requested outputs could be made.
  private func tried(
    _ moves: [TryMove], _ trust: TryTrust, _ interruption: Interruption
  ) throws -> (result: TryResult, isWhole: Bool) {
    var frames = try labOptions.pcap.map { try FrameFolder($0) }
    // The run without a change starts first, because the others are compared with it. The longest
    // changes follow, so that all end early.
    let order = [.nothing] + moves.dropFirst().sorted { $0.length > $1.length }
    let runs = try (0..<repetitions).flatMap { round in
      try order.map { move in
        var run = run(move, trust)
        run.capture = try frames?.file(move, round)
        return run
      }
    }
    printError(
      "\(counted(runs.count, "lab")), \(usedWatch.readable) in each after the change.")
    var tries = try TrySession(runs, jobs: jobCount, interruption).outcomesWithRepetition()
    PIDNamespaceWarning.show()
    let lost = tries.compactMap(\.outcome.captureProblem).map {
      OutputFailure(file: $0.file, reason: $0.reason)
    }
    for failure in lost { printError(failure.description) }
    let progress = labOptions.progress
    let matches = try progress?.matches(among: tries.flatMap { $0.outcome.lines.map(\.text) })
    if let numbers = matches?.numbers {
      for index in tries.indices { tries[index].outcome.notePrinted(numbers) }
    }
    var result = TryResult(command, moves, tries, evidenceGates.gates(gateOptions)) {
      matches?.lines.contains($0) ?? (progress == nil)
    }
    if labOptions.afterTimeout { try add(&result, moves, trust, interruption) }
    return (result, lost.isEmpty && (progress == nil || matches != nil))
  }

  /// Repeats the changes at which the program hangs with unacknowledged data, on a kernel that
  /// gives up early.
  private func add(
    _ result: inout TryResult, _ moves: [TryMove], _ trust: TryTrust,
    _ interruption: Interruption
  ) throws {
    let names = result.namesOfSenders
    let runs = moves.filter { names.contains($0.name) }.map { move in
      var run = run(move, trust)
      run.retransmissionLimit = Self.shortLimit
      run.watch = max(run.watch, Self.shortWatch)
      return run
    }
    guard !runs.isEmpty, interruption.received == nil else { return }
    printError("Repeating \(counted(runs.count, "move")) with a short TCP timeout.")
    result.add(afterTimeout: try TrySession(runs, jobs: jobCount, interruption).outcomes())
  }

  /// The number of retransmissions that makes a kernel give up after about 14 s.
  private static let shortLimit = 5
  /// The shortest observation with a kernel that gives up early.
  private static let shortWatch = Interval.seconds(30)

  private func run(_ move: TryMove, _ trust: TryTrust) -> TryRun {
    var run = deviceOptions.makeRun(move, command, watch: usedWatch, trust)
    run.hasTerminal = labOptions.tty
    return run
  }
}

/// A requested report of `handover try`.
struct TryOutput: FileOutput {
  enum Format: String, CaseIterable {
    case pretty
    case junit
    case jsonl
    case github
    case githubSummary = "github-summary"
    case ctrf
    case otlp
    case perfetto
    case html
  }

  var format: Format
  var file: String

  /// The default report.
  static let standard = TryOutput(format: .pretty, file: "-")

  /// Writes the report.
  ///
  /// - Returns: The problem, or `nil` if there was none.
  func write(
    _ result: TryResult, to file: OutputFile, _ color: ColorChoice
  ) -> OutputFailure? {
    var file = file
    switch format {
    case .pretty: show(result, in: &file, color)
    case .junit: file.write(result.junit)
    case .jsonl: file.write(result.jsonLines)
    case .github: file.write(result.github)
    case .githubSummary: file.write(result.githubSummary)
    case .ctrf: file.write(result.ctrf)
    case .otlp: file.write(result.otlp)
    case .perfetto: file.write(result.perfetto)
    case .html: file.write(result.html)
    }
    file.finish()
    return file.failure
  }
}

extension TryOutput {
  /// Writes the report for people; only a terminal gets colors and lines of its width.
  private func show(_ result: TryResult, in file: inout OutputFile, _ color: ColorChoice) {
    let stream = StandardStream.output
    let isForScreen = self.file == "-"
    let style = isForScreen ? .of(stream, color) : Style(isColored: color == .always)
    file.show(result.text(style: style, width: style.width), isColored: style.isColored)
  }
}
