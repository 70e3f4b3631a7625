import Foundation
import Testing

/// Harnesses that are killed at any moment, with programs that leave their groups and sessions.
@Suite("A harness that is killed", .enabled(if: labIsThere), .serialized)
struct KilledHarnessTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  /// Where children are left: in the group, in sessions of their own, and theirs.
  private static let leaves =
    "sleep 600 & setsid sleep 600 & setsid sh -c 'setsid sleep 600 & sleep 600' &"

  /// The commands that start programs, each with programs that leave children behind.
  private func commands() throws -> [[String]] {
    let file = try scratch.write(
      """
      { "format": 1, "id": "killed", "profiles": ["linux-sockets"],
        "initial": { "flags": ["Reachable"] }, "hosts": { "a:1": {} },
        "config": { "until": "20s" },
        "timeline": [{ "at": "0s", "call": { "id": "s", "host": "a:1", "kind": "streaming" } },
          { "at": "300ms", "app": "background" }, { "at": "900ms", "app": "foreground" },
          { "at": "15s", "cancel": "s" }] }
      """, to: "killed.json")
    func leaving(_ name: String, _ command: String) throws -> String {
      "sh " + (try scratch.write("\(Self.leaves) exec \(command)", to: name))
    }
    let live = "python3 \(packageRoot.path)/Fixtures/Backends/live.py"
    return [
      ["lab", "exec", file, "--", "sh", "-c", "\(Self.leaves) sleep 600"],
      [
        "run", file, "--require-lab", "--backend", "lab:\(try leaving("client", live))", "--server",
        try leaving("server", "\(live) --server"),
      ],
      // It says hello, and then nothing any more.
      [
        "run", file, "--patience", "60s", "--backend",
        "exec:\(try leaving("silent", "sh -c 'read line; echo {; read line; sleep 600'"))",
      ],
    ]
  }

  /// The namespaces that processes live in.
  private func namespaces(of processes: [Int32]) -> Set<String> {
    var found: Set<String> = []
    for process in processes {
      for kind in ["net", "pid", "mnt", "user"] {
        let path = "/proc/\(process)/ns/\(kind)"
        if let name = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
          found.insert(name)
        }
      }
    }
    return found
  }

  /// The time in the kernel's ticks of ten milliseconds.
  private static var ticksSinceBoot: Int {
    let text = (try? String(contentsOfFile: "/proc/uptime", encoding: .utf8)) ?? ""
    return Int((text.split(separator: " ").first.flatMap { Double($0) } ?? 0) * 100)
  }

  /// When a process that runs began, in such ticks; nil for one that has ended and waits to be
  /// told so.
  private static func start(of process: Int32) -> Int? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name stands in brackets, and may hold anything.
    let fields = text?.split(separator: ")").last?.split(separator: " ")
    return fields.flatMap { $0.count > 19 && $0[0] != "Z" ? Int($0[19]) : nil }
  }

  private static let seedName = "HANDOVER_KILL_SEED"

  /// What the moments are drawn by: the environment's, or one that no run had before.
  private static var seed: UInt64 {
    let said = ProcessInfo.processInfo.environment[seedName].flatMap { UInt64($0) }
    let seed = said ?? UInt64.random(in: 0...UInt64.max)
    print("Moments by \(seedName)=\(seed)")
    return seed
  }

  @Test("leaves nothing behind, whenever it is killed, and whatever left its session")
  func moments() throws {
    let seed = Self.seed
    var generator = Draw(state: seed)
    let before = Machine.now
    let own = namespaces(of: ProcessMarker.all)
    let commands = try commands()
    var killedWith: [Int] = []
    for moment in 0..<30 {
      let marker = ProcessMarker()
      let process = Process()
      process.executableURL = CommandLineRun.command
      process.arguments = commands[moment % commands.count]
      process.environment = ProcessInfo.processInfo.environment.merging(marker.environment) { $1 }
      process.currentDirectoryURL = packageRoot
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      // A moment is so many processes, and so many looks at them after that.
      let count = Int.random(in: 1...9, using: &generator)
      let looks = Int.random(in: 0...40, using: &generator)
      for _ in 0..<2_000 {
        if marker.processes.count >= count || !process.isRunning { break }
      }
      for _ in 0..<looks { _ = marker.processes }
      let met = marker.processes
      let inside = namespaces(of: met).subtracting(own)
      let killedAt = Self.ticksSinceBoot
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let story =
        "\(Self.seedName)=\(seed), moment \(moment): \(count) processes, \(looks) looks, "
        + "\(process.arguments ?? [])"
      #expect(marker.processesLeft() == [], "\(story)")
      // The number of a namespace that is gone may be somebody else's by now.
      let older = ProcessMarker.all.filter { Self.start(of: $0).map { $0 <= killedAt } == true }
      #expect(namespaces(of: older).isDisjoint(with: inside), "\(story)")
      killedWith.append(met.count)
    }
    #expect(Machine.now == before)
    // Most of them had children by then.
    #expect(killedWith.count { $0 > 3 } >= 10, "\(killedWith)")
  }
}

/// What of the machine must be after as it was before.
struct Machine: Equatable {
  var mounts: String
  var interfaces: [String]

  static var now: Machine {
    let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/net")) ?? []
    return Machine(mounts: mounts, interfaces: names.sorted())
  }
}

/// Draws the same from the same seed (SplitMix64).
struct Draw: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
