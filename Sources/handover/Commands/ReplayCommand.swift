import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverReport
import HandoverScenario

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay a trace on a new client, or show the state after a record.",
    discussion: """
      Sends the recorded events to a new client with the same settings. At the first
      difference between the recorded and the new effects, the command prints the
      records around it side by side, and the exit status is 1.

      --step shows the state after a record instead: the device, the channels, the
      connections, and the calls or requests. Records are counted from 1. Record 1
      is the second line of the file.

      A trace of requests can only be shown, because it does not contain the events
      of its dispatcher.

      Examples:
        handover run my.json -o trace=traces
        handover replay traces/my.sockets.jsonl
        handover replay traces/my.sockets.jsonl --step 14
      """)

  @Argument(help: "A trace file, written by `handover run -o trace=DIR`.")
  var trace: String

  @Option(help: ArgumentHelp("Show the state after this record, such as 14.", valueName: "record"))
  var step: Int?

  func run() throws {
    let recorded = try read()
    if let step {
      try show(step, of: recorded)
      return
    }
    if let obstacle = TraceReplay.obstacle(to: recorded) {
      throw ExitError(
        printing: "\(trace): error: \(words(obstacle, recorded))\n"
          + "    hint: show a state with `handover replay \(ShellWord.quoted(trace)) --step N`")
    }
    let outcome = TraceReplay.run(recorded, altering: recorded.injectBugs)
    StandardStream.output.show(
      ReplayText.of(outcome, recorded, width: StandardStream.output.columnCount))
    if case .differs(let difference) = outcome {
      say("\nNext: handover replay \(ShellWord.quoted(trace)) --step \(difference.step)")
      throw ExitError(.failure)
    }
  }

  private func words(_ obstacle: TraceReplay.Obstacle, _ recorded: RecordedTrace) -> String {
    switch obstacle {
    case .otherClient:
      "only traces of the built-in client can be replayed, and this trace comes from the "
        + "backend \"\(recorded.header.backend)\""
    case .requests:
      "a trace of requests cannot be replayed, because it does not contain the events of its "
        + "dispatcher"
    }
  }

  private func read() throws -> RecordedTrace {
    let bytes = try InputFile.bytes(
      of: trace, atMost: TraceReader.maximumByteCount,
      hint: "create traces with `handover run my.json -o trace=DIR`")
    return try InputFile.read { () throws(InputError) in
      try TraceReader.read(file: trace, bytes: bytes)
    }
  }

  private func show(_ step: Int, of recorded: RecordedTrace) throws {
    let count = recorded.trace.records.count
    guard count > 0, (1...count).contains(step) else {
      throw ExitError(
        printing: "\(trace): error: the trace has no record \(step)\n    hint: "
          + (count == 0
            ? "record the trace again: it is empty"
            : "write a record from 1 to \(count), such as --step \(count)"))
    }
    StandardStream.output.show(
      StateView(recorded, after: step, altering: recorded.injectBugs)
        .text(width: StandardStream.output.columnCount))
  }
}

/// A file that a command line names and that is not a scenario.
enum InputFile {
  /// The maximum size in bytes; a trace with the maximum number of records is smaller.
  static let maximumByteCount = 1 << 30

  /// Returns the bytes of a file, or `nil` if it cannot be read or is too long.
  static func bytes(of file: String) -> [UInt8]? {
    guard case .bytes(let bytes) = BoundedFile.content(of: file, atMost: maximumByteCount) else {
      return nil
    }
    return bytes
  }

  /// Returns the bytes of a file; if it cannot be read, prints the reason and throws.
  static func bytes(
    of file: String, atMost limit: Int = maximumByteCount, hint: String
  ) throws -> [UInt8] {
    let problem: String
    switch BoundedFile.content(of: file, atMost: limit) {
    case .bytes(let bytes): return bytes
    case .tooLarge: problem = "it is longer than \(limit) bytes"
    case .unreadable(let reason): problem = systemErrorText(reason)
    }
    throw ExitError(
      printing: "\(file): error: the file cannot be read: \(problem)\n    hint: \(hint)")
  }

  /// Returns the result of a closure; if the input is invalid, prints the reason and throws.
  static func read<Value>(_ body: () throws(InputError) -> Value) throws -> Value {
    do throws(InputError) {
      return try body()
    } catch {
      throw ExitError(printing: error.description)
    }
  }
}

extension RecordedTrace {
  /// Injects the bugs of the recorded client.
  fileprivate func injectBugs(_ settings: inout PoolConfiguration) {
    for defect in header.defects { Mutant.named(defect.rawValue)?.alter(&settings) }
  }
}
