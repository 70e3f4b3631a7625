import ArgumentParser
import Glibc
import HandoverCore
import HandoverLinux
import HandoverNetlink
import HandoverScenario

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the changes of this host's network as a scenario.",
    usage: "handover record [<options>]",
    discussion: """
      Records each change of flags and of network as an entry of the timeline, until
      Ctrl-C or the end of --for. A different gateway on the same kind of interface
      is a different path: wifi, wifi-2. The scenario has one streaming call and no
      expectations. Run it to see when each profile loses the call.

      --import creates the scenario from a file: the output of `ip -ts monitor`
      (better: of `(ip addr; ip route; ip -ts monitor)`), a file of rtmon, lines of a
      device's log with flags such as `WR -------`, or the output of `ping -D`, from
      which delay and loss are taken.

      Examples:
        handover record -o subway.json
        handover record -o - --for 10min --anonymize >commute.json
        handover record -o field.json --import monitor.txt --from ip-monitor
        handover record -o phone.json --import device.log --from log
        handover record -o walk.json --import ping.txt --from ping
        handover run subway.json

      Exit status: 0 written; 129, 130 (Ctrl-C) or 143 written after a signal; 2 bad
      usage, or a file that cannot be imported or written; 3 if the kernel cannot be
      queried.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"))
  var output = "recording.json"

  @OptionGroup var live: LiveOptions

  @Flag(name: .long, help: "Replace interfaces, gateways and the host name by numbers.")
  var anonymize = false

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp("Use this file instead of the live network.", valueName: "file"),
    completion: .file())
  var imported: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The format of the imported file: ip-monitor, rtmon, log or ping.", valueName: "format"),
    completion: .list(Self.formats))
  var from: String?

  @Flag(name: .long, help: "Replace an existing file.")
  var force = false

  private static let formats = ImportFormat.allCases.map(\.rawValue) + [QualityRecording.format]

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("The file name is empty.") }
    guard (imported == nil) == (from == nil) else {
      throw ValidationError(
        "--import and --from must be used together, as in --import a.txt --from ip-monitor.")
    }
    if let from, !Self.formats.contains(from) {
      throw ValidationError(
        "--from must be \(Self.formats.joined(separator: ", ")), not \"\(from)\".")
    }
    guard imported == nil || live.duration == nil else {
      throw ValidationError("--for cannot be combined with --import. Remove --for.")
    }
  }

  func run() throws {
    // Check the output first, so that a recording of an hour is not lost.
    if output != "-" { try FileCreation.require(output, replacing: force) }
    guard let imported else { return try recordLive() }
    try FileIdentity.refuse([output], over: [imported])
    try Interruption.leaveAtSignals()
    let bytes = try InputFile.bytes(of: imported, hint: "name a readable file")
    do {
      try convert(bytes, of: imported)
    } catch let error as ImportError {
      throw ExitError(printing: error.description)
    }
  }
}

extension RecordCommand {
  /// Writes the scenario of a file that another tool has written.
  private func convert(_ bytes: [UInt8], of file: String) throws {
    if let format = from.flatMap(ImportFormat.init) {
      let recording = try Recording(
        importing: bytes, named: file, from: format, target: live.address, cellular: live.rule)
      return try write(recording, origin: origin(file))
    }
    let recording = try QualityRecording(importingPing: bytes, named: file)
    if !recording.isTimed {
      printError("\(file) has no times, so its packets count as one second apart: use `ping -D`.")
    }
    let scenario = recording.scenario(id: ScenarioPlace(output).id)
    try write([UInt8](scenario.text.utf8), changeCount: recording.moments.count - 1)
  }

  private func recordLive() throws {
    var recording = Recording()
    var monitor = ConnectivityMonitor()
    var beginning: Int64?
    let position = output == "-" ? "to standard output" : output
    printError("Recording. Press Ctrl-C to stop and write \(position).")
    printError(WatchedChange.titles(width: StandardStream.error.columnCount))
    let status = try live.follow { change in
      let watched = WatchedChange(change, &monitor)
      printError(watched.row(width: StandardStream.error.columnCount))
      let start = beginning ?? change.seenAt
      beginning = start
      recording.note(
        at: change.seenAt - start, change.reading.flags, path: change.reading.path)
      return !recording.isFull
    }
    if recording.isFull {
      printError("The recording has reached the maximum size of a scenario and stops here.")
    }
    guard !recording.moments.isEmpty else {
      printError("Nothing was written: the recording ended before the network was read.")
      throw ExitError(status ?? .nothingRan)
    }
    let begun = LocalTime(monotonic: beginning ?? monotonicMicroseconds()).readable
    let host = anonymize ? "host 1" : Self.hostName
    try write(recording, origin: "Recorded on \(host), starting at \(begun).")
    if let status { throw ExitError(status) }
  }

  private func write(_ recording: Recording, origin: String) throws {
    let position = ScenarioPlace(output)
    let scenario = RecordedScenario(
      recording, id: position.id, schema: position.schema, origin: [origin], isAnonymous: anonymize)
    try write(scenario.bytes, changeCount: recording.moments.count - 1)
  }

  private func write(_ scenario: [UInt8], changeCount: Int) throws {
    guard output != "-" else {
      StandardStream.output.write(String(decoding: scenario, as: UTF8.self))
      return
    }
    try FileCreation.create(output, with: scenario, replacing: force)
    let word = ShellWord.quoted(output)
    say(
      """
      \(output) written: \(counted(changeCount, "change")).
      Next:
        handover run \(word)        run it on each profile
        handover explain \(word)    describe what happens
      """)
  }

  /// Returns the origin of an imported recording, without the directories of its file.
  private func origin(_ file: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "Imported from \(anonymize ? "a file" : name) (\(from ?? ""))."
  }

  private static var hostName: String { SystemText.hostName ?? "this host" }
}
