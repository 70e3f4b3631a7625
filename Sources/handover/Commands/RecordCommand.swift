import ArgumentParser
import HandoverCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

#if canImport(HandoverNetlink)
  import HandoverLinux
  import HandoverNetlink
#endif

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the changes of this host's network as a scenario.",
    usage: "handover record [<options>]",
    discussion: """
      Until Ctrl-C or the end of --for, each change of flags and of network becomes
      an entry of the timeline. Another gateway on the same kind of interface is
      another path: wifi, wifi-2. One call streams throughout, without expectations:
      a replay shows where each profile loses it.

      --import makes the scenario from a file: the output of `ip -ts monitor`
      (better: of `(ip addr; ip route; ip -ts monitor)`), a file of rtmon, or lines
      of a device's log with flags such as `WR -------`. Live recording needs Linux.

      Examples:
        handover record -o subway.json
        handover record -o - --for 10min --anonymise >commute.json
        handover record -o field.json --import monitor.txt --from ip-monitor
        handover record -o phone.json --import device.log --from log
        handover run subway.json

      Exit status: 0 written; 129, 130 (Ctrl-C) or 143 written after a signal; 2 bad
      usage or a file that cannot be imported or written; 3 if the kernel cannot be
      asked.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"))
  var output = "recording.json"

  @OptionGroup var live: LiveOptions

  @Flag(name: .long, help: "Replace interfaces, gateways and the host by numbers in comments.")
  var anonymise = false

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp("Use this file instead of the live network.", valueName: "file"),
    completion: .file())
  var imported: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The format of the imported file: ip-monitor, rtmon or log.", valueName: "format"),
    completion: .list(Self.formats))
  var from: String?

  @Flag(name: .long, help: "Replace an existing file.")
  var force = false

  #if canImport(HandoverNetlink)
    private static let formats = ImportFormat.allCases.map(\.rawValue)
  #else
    private static let formats: [String] = []
  #endif

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("The file needs a name.") }
    guard (imported == nil) == (from == nil) else {
      throw ValidationError("--import and --from go together: a file, and what it is.")
    }
    if let from, !Self.formats.contains(from) {
      throw ValidationError(
        "--from takes \(Self.formats.joined(separator: ", ")), not \"\(from)\".")
    }
    guard imported == nil || live.duration == nil else {
      throw ValidationError("--for is for the live network; an import has its own end.")
    }
  }

  func run() throws {
    #if canImport(HandoverNetlink)
      try record()
    #else
      throw LiveOptions.refuse("record")
    #endif
  }
}

#if canImport(HandoverNetlink)
  extension RecordCommand {
    private func record() throws {
      // Check the output first, so that a recording of an hour is not lost.
      if output != "-", let obstacle = NewFile.obstacle(to: output, replacing: force) {
        printError("\(output): error: \(obstacle)")
        throw Leave(.badInput)
      }
      if let imported, let format = from.flatMap(ImportFormat.init) {
        try FileIdentity.refuse([output], over: [imported])
        try Interruption.leaveAtSignals()
        let hint = "name a file that can be read"
        let bytes = try InputFile.bytes(of: imported, hint: hint)
        let recording: Recording
        do throws(ImportError) {
          recording = try Recording(
            importing: bytes, named: imported, from: format, target: live.address,
            cellular: live.rule)
        } catch {
          printError(error.description)
          throw Leave(.badInput)
        }
        try write(recording, origin: origin(imported))
      } else {
        try recordLive()
      }
    }

    private func recordLive() throws {
      var recording = Recording()
      var monitor = ConnectivityMonitor()
      var beginning: Int64?
      let place = output == "-" ? "to standard output" : output
      printError("Recording; Ctrl-C ends and writes \(place).")
      printError(WatchedChange.titles(width: StandardStream.error.columnCount))
      let status = try live.follow { change in
        let watched = WatchedChange(change, &monitor)
        printError(watched.row(width: StandardStream.error.columnCount))
        let start = beginning ?? change.seenAt
        beginning = start
        recording.note(
          at: change.seenAt - start, change.reading.flags, way: change.reading.way)
        return !recording.isFull
      }
      if recording.isFull {
        printError("The recording holds all that a scenario can; it ends here.")
      }
      guard !recording.moments.isEmpty else {
        printError("Nothing is written: it ended before the first look at the network.")
        throw Leave(status ?? .nothingRan)
      }
      let begun = LocalTime(monotonic: beginning ?? monotonicMicroseconds()).readable
      let host = anonymise ? "host 1" : Self.hostName
      try write(recording, origin: "Recorded on \(host), beginning \(begun).")
      if let status { throw Leave(status) }
    }

    private func write(_ recording: Recording, origin: String) throws {
      let place = ScenarioPlace(output)
      let scenario = RecordedScenario(
        recording, id: place.id, schema: place.schema, origin: [origin], isAnonymous: anonymise)
      guard output != "-" else {
        StandardStream.output.write(String(decoding: scenario.bytes, as: UTF8.self))
        return
      }
      if let problem = NewFile.write(scenario.bytes, to: output, replacing: force) {
        printError("\(output): error: \(problem)")
        throw Leave(.badInput)
      }
      let word = ShellWord.quoted(output)
      say(
        """
        \(output) is written: \(counted(recording.moments.count - 1, "change")).
        Next:
          handover run \(word)        what each profile makes of it
          handover explain \(word)    what happens in it, in plain sentences
        """)
    }

    /// Returns the origin of an imported recording, without the directories of its file.
    private func origin(_ file: String) -> String {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      return "Imported from \(anonymise ? "a file" : name) (\(from ?? ""))."
    }

    private static var hostName: String {
      var name = [CChar](repeating: 0, count: 256)
      guard unsafe gethostname(&name, name.count - 1) == 0 else { return "this host" }
      return String(
        decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
#endif
