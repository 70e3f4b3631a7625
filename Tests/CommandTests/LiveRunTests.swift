import Foundation
import Synchronization
import Testing

@Suite("handover run --backend nio", .enabled(if: labIsThere), .serialized)
struct LiveRunTests {
  /// The tolerance for a TCP timeout that is doubled seven times.
  ///
  /// One more millisecond of packet delay on a busy machine then becomes an eighth of a second.
  private static let doubled = "15s"
  /// The tolerance for everything else on a busy machine.
  private static let late = ["--tolerance", "5s"]

  /// Returns the number of cases that match the simulation in everything, and the number of all
  /// cases.
  private func agreement(_ run: CommandLineRun) -> (same: Int, all: Int)? {
    guard
      let line = run.output.split(separator: "\n").last(where: {
        $0.contains(/match(es)? the simulation/)
      })
    else { return nil }
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    return numbers.count >= 2 ? (numbers[0], numbers[1]) : nil
  }

  @Test("Scenarios of a few seconds pass on the kernel and match the simulation")
  func corpus() throws {
    let folders = ["background", "calls", "monitor", "names", "server", "stalls", "transitions"]
    let options = ["--max-duration", "5s"] + Self.late
    let run = try CommandLineRun(
      ["run"] + folders.map { "Scenarios/\($0)" } + [
        "--backend", "nio", "--jobs", "24", "--require-lab",
      ] + options)
    #expect([0, 1].contains(run.status), "\(run.failures)")
    try LiveAgreementTests.expectAgreement(in: run, options)
    let (same, all) = try #require(agreement(run))
    print("On the kernel: \(all) cases, \(same) of them the same in everything")
    #expect(all >= 200, "\(run.output)")
  }

  @Test("Both documented stalls occur; the monitor ends one of them, and an event ends both (D8)")
  func stalls() throws {
    // The cases of one scenario run one after another, and each waits half a minute. Therefore each
    // profile has its own command, and all commands run in parallel.
    let profiles = ["sockets", "sockets-monitor", "cfstream", "sockets-2017"]
    let runs = Mutex<[String: Result<CommandLineRun, any Error>]>([:])
    let group = DispatchGroup()
    for profile in profiles {
      group.enter()
      Thread.detachNewThread {
        let run = Result {
          try CommandLineRun(
            "run", "Scenarios/transitions/cellular-to-wifi-unfinished-stream.json",
            "Scenarios/background/hotspot-change.json", "--profile", profile, "--backend", "nio",
            "--jobs", "2", "--max-duration", "40s", "--tolerance", Self.doubled, "--require-lab")
        }
        runs.withLock { $0[profile] = run }
        group.leave()
      }
    }
    group.wait()
    for profile in profiles {
      let run = try #require(runs.withLock { $0[profile] }).get()
      #expect(run.status == 0, "\(run.failures)")
      #expect(try #require(agreement(run)).all == 2, "\(run.output)")
      if profile == "sockets" {
        #expect(run.output.contains("instead of 15min (tcp_retries2)"), "\(run.output)")
      }
    }
  }

  @Test("A new client repeats what the client did on the kernel if it receives the same events")
  func replay() throws {
    let scratch = try ScratchDirectory()
    let run = try CommandLineRun(
      ["run", "Scenarios/transitions/wifi-to-cellular.json", "--backend", "nio", "--jobs", "4"]
        + ["--require-lab", "-o", "trace=\(scratch.url.path)"] + Self.late)
    #expect(run.status == 0, "\(run.failures)")
    for profile in ["sockets", "sockets-monitor", "cfstream", "sockets-2017"] {
      let trace = scratch.url.appending(path: "transitions/wifi-to-cellular.\(profile).jsonl")
      let replay = try CommandLineRun("replay", trace.path)
      #expect(replay.status == 0, "\(replay.output)\(replay.errors)")
    }
  }

  @Test("The kernel's own behavior is a profile, and every network loss stalls on it")
  func linuxSockets() throws {
    let run = try CommandLineRun(
      ["run", "Scenarios/transitions/wifi-to-cellular.json", "--profile", "linux-sockets"]
        + ["--profile", "sockets", "--backend", "nio", "--require-lab"] + Self.late)
    #expect(run.status == 0, "\(run.failures)")
    let (same, all) = try #require(agreement(run))
    #expect(same == 2 && all == 2, "\(run.output)")
  }

  @Test("TCP_USER_TIMEOUT and keepalive are variants on the kernel too")
  func variants() throws {
    let run = try CommandLineRun(
      "run", "Scenarios/transitions/cellular-to-wifi-unfinished-stream.json", "--profile",
      "sockets", "--backend", "nio", "--max-duration", "40s", "--tolerance", Self.doubled,
      "--require-lab", "--variants=keepalive=2s/1s,user-timeout=3s")
    #expect(run.status == 0, "\(run.failures)")
    #expect(run.output.contains("sockets + keepalive 2s/1s"))
    #expect(run.output.contains("sockets + TCP_USER_TIMEOUT 3s"))
  }

  @Test("The kernel's counters are compared with the maximum that a scenario allows")
  func kernel() throws {
    let scratch = try ScratchDirectory()
    let calls = (0..<30).map {
      #"{ "at": "\#($0 * 100)ms", "call": { "id": "c\#($0)", "host": "api.example:443" } }"#
    }
    for (name, most) in [("lossy", 500), ("lossless", 0)] {
      let text = """
        {
          "format": 1, "id": "\(name)", "profiles": ["linux-sockets"],
          "initial": { "app": "foreground" },
          "networks": { "home": { "kind": "wifi", "state": "default" } },
          "hosts": { "api.example:443": { "connect": "10ms" } },
          "timeline": [
            { "at": "0s", "network": { "id": "home", "quality": { "loss": "30%" } } },
            \(calls.joined(separator: ",\n"))
          ],
          "expect": [
            { "kernel": { "retransmitted": \(most), "resets": 0, "sockets": 1 } },
            { "server": { "host": "api.example:443", "received": \(calls.count), "path": "home" } }
          ]
        }
        """
      let file = scratch.url.appending(path: "\(name).json")
      try Data(text.utf8).write(to: file)
      let run = try CommandLineRun(
        "run", file.path, "--backend", "nio", "--require-lab", "--tolerance", Self.doubled)
      #expect(run.status == (most == 0 ? 1 : 0), "\(run.failures)")
      #expect(
        run.output.contains("has counted no segment sent again") == (most == 0),
        "\(run.output)")
    }
  }

  @Test("The demonstration shows a stall and its fix")
  func demo() throws {
    let run = try CommandLineRun("lab", "demo", "--watch", "1s")
    #expect(run.status == 0, "\(run.failures)")
    #expect(run.output.contains("WiFi appears"))
    #expect(run.output.contains("the call ends UNAVAILABLE: Connectivity lost."))
    #expect(!run.output.contains("1 messages"), "\(run.output)")
  }

  @Test(
    "A user without privileges can create a lab too",
    .enabled(if: geteuid() == 0 && nobodyMayRunTheCommand))
  func unprivileged() throws {
    let run = try CommandLineRun(
      ["run", "Scenarios/transitions/wifi-to-cellular.json", "--profile", "sockets-monitor"]
        + ["--backend", "nio", "--require-lab"] + Self.late, as: 65_534)
    #expect(run.status == 0, "\(run.failures)")
  }

  @Test("An entry that cannot run in real time is unsupported, with a reason, and not a failure")
  func unsupported() throws {
    let run = try CommandLineRun(
      "run", "Scenarios/transitions/deadline-at-the-same-instant.json", "--backend", "nio",
      "--max-duration", "1s")
    #expect(run.status == 0, "\(run.failures)")
    #expect(run.output.contains("real time has no defined order for simultaneous events"))
  }
}

/// Whether an unprivileged user may read and run the build products.
private let nobodyMayRunTheCommand: Bool = {
  (try? CommandLineRun("--version", as: 65_534).status) == 0
}()
