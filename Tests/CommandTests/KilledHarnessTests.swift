import Foundation
import Testing

/// Harnesses that are killed at random moments, with programs that leave their groups and sessions.
@Suite("A harness that is killed", .enabled(if: labIsThere), .serialized)
struct KilledHarnessTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  /// Shell commands that leave children in the group and in other sessions, nested too.
  ///
  /// One child has no environment, so that only its namespace identifies it.
  private static let leaves =
    "sleep 600 & setsid sleep 600 & setsid sh -c 'setsid sleep 600 & sleep 600' & "
    + "setsid env -i sleep 600 &"

  /// Returns commands that start programs, each of which leaves children behind.
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
      // This client sends its handshake and nothing after it.
      [
        "run", file, "--timeout", "60s", "--backend",
        "exec:\(try leaving("silent", "sh -c 'read line; echo {; read line; sleep 600'"))",
      ],
    ]
  }

  private static let kinds = ["net", "pid", "mnt", "user"]

  /// Returns the namespaces of the given processes, by their numbers.
  private func namespaces(of processes: [Int32]) -> Set<String> {
    var found: Set<String> = []
    for process in processes {
      for kind in Self.kinds {
        let path = "/proc/\(process)/ns/\(kind)"
        if let name = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
          found.insert(name)
        }
      }
    }
    return found
  }

  /// Holds open the namespaces of the processes that have a marker, except the test's own.
  ///
  /// The kernel reuses the number of a removed namespace, so a number alone could soon belong to
  /// another one.
  private func hold(namespacesOf marker: ProcessMarker) -> [FileHandle] {
    let own = namespaces(of: [getpid()])
    var held: [String: (handle: FileHandle, process: Int32)] = [:]
    for process in marker.processes {
      for kind in Self.kinds {
        guard let handle = FileHandle(forReadingAtPath: "/proc/\(process)/ns/\(kind)"),
          let name = Self.name(of: handle), !own.contains(name)
        else { continue }
        held[name] = held[name] ?? (handle, process)
      }
    }
    // The number of a process that has ended may belong to another process by now.
    let stillThere = Set(marker.processes)
    return held.values.filter { stillThere.contains($0.process) }.map(\.handle)
  }

  private static func name(of namespace: FileHandle) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/fd/\(namespace.fileDescriptor)")
  }

  /// Returns the processes in one of the given namespaces, with or without a marker.
  ///
  /// An ending process stays in its namespaces for a while, so the check is repeated.
  private func processesLeft(in names: Set<String>) -> [Int32] {
    ProcessMarker.left {
      ProcessMarker.all.filter { process in
        Self.runs(process) && !namespaces(of: [process]).isDisjoint(with: names)
      }
    }
  }

  /// Whether a process has not ended.
  ///
  /// A zombie keeps its namespaces until its parent has waited for it.
  private static func runs(_ process: Int32) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The process name is in parentheses, and may contain any character.
    let state = text?.split(separator: ")").last?.split(separator: " ").first
    return state != nil && state != "Z" && state != "X"
  }

  private static let seedName = "HANDOVER_KILL_SEED"

  /// The seed of the random moments: from the environment, or a random one.
  private static var seed: UInt64 {
    let said = ProcessInfo.processInfo.environment[seedName].flatMap { UInt64($0) }
    let seed = said ?? UInt64.random(in: 0...UInt64.max)
    print("Moments by \(seedName)=\(seed)")
    return seed
  }

  @Test("A killed harness leaves nothing behind, at any moment and in any session")
  func moments() throws {
    let seed = Self.seed
    var generator = Draw(state: seed)
    let before = Machine.now
    let commands = try commands()
    var killedWith: [Int] = []
    var insides = 0
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
      // A moment: a number of processes to wait for, and a number of scans after that.
      let count = Int.random(in: 1...9, using: &generator)
      let looks = Int.random(in: 0...40, using: &generator)
      for _ in 0..<2_000 {
        if marker.processes.count >= count || !process.isRunning { break }
      }
      for _ in 0..<looks { _ = marker.processes }
      let met = marker.processes
      let inside = hold(namespacesOf: marker)
      kill(process.processIdentifier, SIGKILL)
      let story =
        "\(Self.seedName)=\(seed), moment \(moment): \(count) processes, \(looks) looks, "
        + "\(process.arguments ?? [])"
      let names = Set(inside.compactMap(Self.name))
      let left = (marker.processesLeft(), processesLeft(in: names))
      #expect(left == ([], []), "\(story)")
      // The leftover processes hold the pipe that signals the end of the harness, so waiting would
      // block.
      guard left == ([], []) else { return }
      process.waitUntilExit()
      for namespace in inside { try namespace.close() }
      insides += names.isEmpty ? 0 : 1
      killedWith.append(met.count)
    }
    #expect(Machine.now == before)
    // Most of the killed harnesses had children by then.
    #expect(killedWith.count { $0 > 3 } >= 10, "\(killedWith)")
    #expect(insides >= 10, "namespaces were seen at \(insides) moments")
  }
}

/// The state of the machine that must be the same afterward.
struct Machine: Equatable {
  var mounts: String
  var interfaces: [String]

  static var now: Machine {
    let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/net")) ?? []
    return Machine(mounts: mounts, interfaces: names.sorted())
  }
}

/// A seeded random number generator (SplitMix64).
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
