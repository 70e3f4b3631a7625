import ArgumentParser
import FoundationEssentials
import Glibc
import HandoverCore
import HandoverLab
import HandoverLinux
import HandoverReport

/// The options for a device and its servers.
struct LabDeviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A command that starts your own server in each lab; may be repeated.",
      valueName: "command"))
  var server: [String] = []

  @Option(help: ArgumentHelp(ConditionArgument.help, valueName: "medium:key=value"))
  var condition: [ConditionArgument] = []

  @Option(
    help: ArgumentHelp(
      "What happens to connections of a network that the device left: linux keeps them, sockets "
        + "and cfstream end them, as iOS does.", valueName: "name"))
  var platform = PlatformArgument(.linux)

  @Option(
    help: ArgumentHelp(
      "Make programs trust the lab's TLS servers: on or off.",
      valueName: "choice"))
  var trust = TrustChoice.on

  func validate() throws { try ConditionArgument.validate(condition) }
}

/// The options for the program and its observation.
struct TryLabOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Show only matching output lines of the program in the timelines of the reports. If the "
        + "expression has a group, the group captures the number of a message.",
      valueName: "regex"))
  var progress: LinePattern?

  @Flag(help: "Give the program a terminal.")
  var tty = false

  @Option(
    help: ArgumentHelp(
      "Write the device's packets of each lab to this folder.", valueName: "folder"))
  var pcap: String?

  @Flag(
    help: "Rerun moves that hang while sending, with a short TCP timeout (about 14 s).")
  var afterTimeout = false
}

/// Whether programs trust the lab's certificate authority.
enum TrustChoice: String, ExpressibleByArgument, CaseIterable {
  case on
  case off
}

/// The thresholds for the program.
struct TryGateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Fail if data takes longer than this to arrive after a new connection would work, such as "
        + "5s.",
      valueName: "time"))
  var maxOutage: TimeLength?

  @Option(
    help: ArgumentHelp(
      "Fail if the program makes more than this number of connection attempts after the change, "
        + "such as 20.",
      valueName: "count"))
  var maxAttempts: Int?

  func validate() throws {
    if let maxAttempts, maxAttempts < 0 {
      throw ValidationError(
        "--max-attempts must be an integer from 0, such as --max-attempts 20.")
    }
  }

  var gates: TryGates {
    TryGates(maxOutage: maxOutage?.interval, maxAttempts: maxAttempts)
  }
}

/// The thresholds for the evidence of a program at one network change.
struct TryEvidenceGateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Fail if the program takes longer than this to end or open a connection, or to look up a "
        + "name, such as 5s.",
      valueName: "time"))
  var maxNotice: TimeLength?

  @Option(
    help: ArgumentHelp(
      "Fail if the program loses more than this number of numbered messages, such as 0.",
      valueName: "count"))
  var maxLost: Int?

  @Option(
    help: ArgumentHelp(
      "Fail if the program receives more than this number of numbered messages twice, such as 0.",
      valueName: "count"))
  var maxDuplicates: Int?

  func validate() throws {
    for (name, limit) in [("--max-lost", maxLost), ("--max-duplicates", maxDuplicates)] {
      if let limit, limit < 0 {
        throw ValidationError("\(name) must be an integer from 0, such as \(name) 0.")
      }
    }
  }

  /// Returns these thresholds together with those that other commands have too.
  func gates(_ common: TryGateOptions) -> TryGates {
    var gates = common.gates
    gates.maxNotice = maxNotice?.interval
    (gates.maxLost, gates.maxDuplicates) = (maxLost, maxDuplicates)
    return gates
  }
}

/// A folder of capture files, one for each lab.
struct FrameFolder {
  private let folder: URL
  private var names: Set<String> = []  // lookup only

  /// Creates the folder if it does not exist.
  init(_ path: String) throws {
    folder = URL(filePath: path)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw ExitError(
        printing: "\(path): error: cannot create the folder\n    hint: name another folder")
    }
  }

  /// Creates the file of a lab; its descriptor stays open until the process ends.
  mutating func file(_ move: TryMove, _ round: Int) throws -> CaptureTarget {
    // The names of scenarios contain slashes.
    let plain = move.name.replacing("/", with: "-")
    var number = round + 1
    var name: String { number == 1 ? plain : "\(plain)-\(number)" }
    // Two moves can have the same name, such as the second run of nat and the first of nat-2.
    while !names.insert(name).inserted { number += 1 }
    let path = folder.appending(path: "\(name).pcapng").path
    let descriptor = SystemFile.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    guard descriptor >= 0 else {
      throw ExitError(printing: OutputFailure(file: path, reason: errno).description)
    }
    return CaptureTarget(name: path, descriptor: descriptor)
  }
}
