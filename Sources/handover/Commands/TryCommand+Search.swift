import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverLab
import HandoverLabServers
import HandoverLinux
import HandoverReport
import HandoverScenario
import HandoverTry
import Synchronization

extension TryCommand {
  /// Rejects options that a search does not support, or that require one.
  func validateSearch() throws {
    if searchOptions.search == nil, seed != nil {
      throw ValidationError("--seed requires --search, such as --search 5min.")
    }
    try searchOptions.validateSearch(
      .seconds(30),
      [
        (!move.isEmpty, "--move", "a search draws its own network changes"),
        (repetitions != 1, "--repeat", "a search repeats each failure three times"),
        (labOptions.afterTimeout, "--after-timeout", "it repeats single moves"),
        (!knownFailing.isEmpty, "--known-failing", "random timelines have no fixed names"),
        (labOptions.pcap != nil, "--pcap", "a search runs hundreds of labs"),
        (labOptions.progress != nil, "--progress", "a search has no -o html= report"),
      ])
    if searchOptions.search != nil,
      let other = output.first(where: { ![.pretty, .jsonl].contains($0.format) })
    {
      throw ValidationError(
        "-o \(other.format.rawValue)= cannot be combined with --search. Use pretty or jsonl.")
    }
  }

  /// Searches for a timeline of network changes at which the program fails.
  ///
  /// - Parameter time: The time of the search.
  /// - Throws: ``ExitError`` if the program fails, or if no search is possible.
  func search(for time: Interval) throws {
    try LabEntry.enter(isRequired: true)
    let (seed, file) = try searchOptions.start(seed)
    let written = output.isEmpty ? [.standard] : output
    try FileIdentity.refuse(written.map(\.file) + [file], over: [])
    let files = try SearchOutputs(written)
    let interruption = Interruption()
    try interruption.listen()
    guard ResolverFiles.cover([LabServers.nameServer]) else { throw ExitError(.breakdown) }
    let trust = try deviceOptions.makeTrust()
    defer { trust.remove() }
    let watch = usedWatch
    printError(
      "Searching for \(time.readable) with seed \(seed), \(counted(jobCount, "lab")) at a time.")
    var status: ExitStatus?
    do throws(LinuxError) {
      let search = try TrySearch(
        command, seed: seed, time: time, jobs: jobCount, gates: evidenceGates.gates(gateOptions),
        interruption,
        makeRun: { move in
          var run = deviceOptions.makeRun(move, command, watch: watch, trust)
          run.hasTerminal = labOptions.tty
          return run
        }, trialEnded: { files.write($0) })
      let (rhythm, reason) = try search.rhythm()
      PIDNamespaceWarning.show()
      if let rhythm {
        files.begin(command, seed: seed, lag: TrySearch.lag(jobCount), time: time)
        let findings = try search.findings(rhythm)
        let report = SearchReport(
          subject: "program", course: search.course, outcomes: search.outcomes,
          unconfirmedCount: search.unconfirmedCount,
          hasUnrepeatedFailure: search.hasUnrepeatedFailure, findings: findings, file: file,
          repetition: repetition(file, watch))
        status = report.status
        if let problem = report.save({ $0.scenario(id: $1, title: $2) }) {
          printError("\(file): error: \(problem)")
          status = .badInput
        }
        files.finish(report)
      } else {
        printError("No search is possible: \(reason).")
        status = .breakdown
      }
    } catch {
      throw TrySession.failure(error, of: command)
    }
    let failures = files.failures
    for failure in failures { printError(failure.description) }
    if let status = interruption.exitStatus { throw ExitError(status) }
    if !failures.isEmpty { throw ExitError(.badInput) }
    if let status { throw ExitError(status) }
  }

  /// Returns the command that repeats a failure.
  func repetition(_ file: String, _ watch: Interval) -> String {
    // A name without a slash or extension would be taken for the name of a move.
    let isNamed = TryMoves.isFile(file)
    var arguments = ["handover", "try", "--move", isNamed ? file : "./\(file)"]
    arguments += ["--watch", watch.text]
    if let limit = gateOptions.maxOutage { arguments += ["--max-outage", limit.description] }
    if let limit = gateOptions.maxAttempts { arguments += ["--max-attempts", "\(limit)"] }
    if let limit = evidenceGates.maxNotice { arguments += ["--max-notice", limit.description] }
    if let limit = evidenceGates.maxLost { arguments += ["--max-lost", "\(limit)"] }
    if let limit = evidenceGates.maxDuplicates { arguments += ["--max-duplicates", "\(limit)"] }
    arguments += deviceOptions.arguments
    if labOptions.tty { arguments.append("--tty") }
    return (arguments + ["--"] + command).map(ShellWord.quoted).joined(separator: " ")
  }
}

/// The requested reports of a search; timelines are written as soon as they have a verdict.
final class SearchOutputs: Sendable {
  private let requested: [TryOutput]
  private let files: Mutex<[OutputFile]>

  /// Opens the files.
  ///
  /// - Throws: ``ExitError`` if a file cannot be written, after an error message.
  init(_ requested: [TryOutput]) throws {
    self.requested = requested
    files = Mutex(try requested.map { try OutputFile.opened($0.file) })
  }

  /// The failures to write a file.
  var failures: [OutputFailure] { files.withLock { $0.compactMap(\.failure) } }

  /// Writes the beginning.
  func begin(_ command: [String], seed: UInt64, lag: Int, time: Interval) {
    write(.jsonl, SearchReport.header(command, seed: seed, lag: lag, time: time))
  }

  /// Writes a timeline with its verdict.
  func write(_ trial: TrySearch.Trial) { write(.jsonl, SearchReport.line(trial)) }

  /// Writes the result, and closes the files.
  func finish(_ report: SearchReport) {
    write(.jsonl, report.summary)
    write(.pretty, report.text)
    files.withLock { files in
      for index in files.indices { files[index].finish() }
    }
  }

  private func write(_ format: TryOutput.Format, _ text: String) {
    files.withLock { files in
      for (index, output) in requested.enumerated() where output.format == format {
        if format == .pretty {
          files[index].show(text)
        } else {
          files[index].write(text)
        }
      }
    }
  }
}
