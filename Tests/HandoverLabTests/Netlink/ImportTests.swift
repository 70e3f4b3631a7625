import Foundation
import HandoverCore
import HandoverLinux
@testable import HandoverNetlink
import Testing

/// Returns a file under Fixtures/Recordings, as other programs recorded it in a namespace.
func recordedFile(_ name: String) throws -> [UInt8] {
  let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return [UInt8](try Data(contentsOf: root.appending(path: "Fixtures/Recordings/\(name)")))
}

/// Imports lines as a file named `log`.
private func imported(
  _ lines: String..., from format: ImportFormat, target: IPAddress = ReachabilityProbe.anywhere
) throws(ImportError) -> Recording {
  try Recording(
    importing: Array(lines.joined(separator: "\n").utf8), named: "log", from: format,
    target: target)
}

extension Recording {
  /// The flags as text with their times in milliseconds.
  fileprivate var lines: [String] {
    moments.map { "\($0.microseconds / 1_000) \($0.flags.logText)" }
  }
}

@Suite("Imports of recordings by iproute2")
struct MonitorImportTests {
  @Test(
    "Each layout of ip monitor gives the same result, and so does rtmon",
    arguments: [
      ("monitor.txt", ImportFormat.ipMonitor, true), ("monitor-all.txt", .ipMonitor, false),
      ("monitor.rtmon", .rtmon, true),
    ])
  func layouts(file: String, format: ImportFormat, knowsBeginning: Bool) throws {
    let recording = try Recording(
      importing: try recordedFile(file), named: file, from: format)
    var states = try scenario(of: recording).states
    // rtmon does not report the initial network; ip addr and ip route do.
    if states.first == "None" { states.removeFirst() }
    let expected = ["WiFi wifi", "None", "WiFi wifi", "WiFi wifi-2"]
    #expect(states == (knowsBeginning ? ["Cellular cellular"] : []) + expected)
    #expect(recording.remarks.isEmpty == (file == "monitor.txt"))
  }

  private static let up = "2: wlan0: <BROADCAST,UP,LOWER_UP> mtu 1500 state UP"

  @Test("Changes that the kernel makes silently are made here too")
  func silence() throws {
    let recording = try imported(
      Self.up, "    link/ether 02:00:00:00:00:01",
      "2: wlan0    inet 192.168.1.2/24 scope global wlan0", "default via 192.168.1.1 dev wlan0",
      "[2026-01-01T00:00:01] 2: wlan0: <BROADCAST> mtu 1500 state DOWN",
      "[2026-01-01T00:00:02] \(Self.up)",
      "[2026-01-01T00:00:03] default via 192.168.1.1 dev wlan0",
      "[2026-01-01T00:00:04] Deleted 2: wlan0    inet 192.168.1.2/24 scope global wlan0",
      "[2026-01-01T00:00:05] default dev wlan0",
      "[2026-01-01T00:00:06] Deleted \(Self.up)", from: .ipMonitor)
    // The first time is the time of the initial state, in which the interface was already down.
    #expect(
      recording.lines == [
        "0 -R -------", "0 -- -------", "2000 -R -------", "3000 -- -------", "4000 -R -------",
        "5000 -- -------",
      ])
  }

  @Test("The longest prefix wins, then the lowest metric, and a prohibit route means no route")
  func routes() throws {
    let recording = try imported(
      Self.up, "3: wwan0: <UP,LOWER_UP> mtu 1500 state DORMANT", "    link/none",
      "4: usb0: <UP,LOWER_UP> mtu 1500 state UNKNOWN", "    link/ppp",
      "[2026-01-01T00:00:00] default via 10.0.0.1 dev wwan0 metric 700",
      "[2026-01-01T00:00:01] default via 192.168.1.1 dev wlan0 metric 600",
      "[2026-01-01T00:00:02] 192.0.2.0/24 via 10.9.9.9 dev usb0 metric 900",
      "[2026-01-01T00:00:03] unreachable 192.0.2.1",
      "[2026-01-01T00:00:04] Deleted unreachable 192.0.2.1",
      "[2026-01-01T00:00:05] Deleted 192.0.2.0/24 via 10.9.9.9 dev usb0 metric 900",
      "[2026-01-01T00:00:06] default table 99 via 10.0.0.2 dev usb0 metric 1",
      "[2026-01-01T00:00:07] 198.51.100.0/24 via 10.0.0.2 dev usb0",
      "[2026-01-01T00:00:08] Deleted default via 192.168.1.1 dev wlan0 metric 600",
      "[2026-01-01T00:00:09] default ",
      "\tnexthop via 192.168.1.7 dev wlan0 weight 1 ", "\tnexthop via 10.9.9.9 dev usb0 weight 1",
      from: .ipMonitor)
    #expect(
      recording.lines == [
        "0 -- -------", "0 WR -c-----", "1000 -R -------", "2000 WR -------", "3000 -- -------",
        "4000 WR -------", "5000 -R -------", "8000 WR -c-----", "9000 -R -------",
      ])
    #expect(recording.moments.last?.network?.gateway == "192.168.1.7")
  }

  @Test("For an IPv6 address the IPv6 routes are read")
  func version6() throws {
    let target = try #require(IPAddress("2001:db8::1"))
    let recording = try imported(
      "[2026-01-01T00:00:00] default via fe80::1 dev wwan0 proto ra metric 1024 pref medium",
      "[2026-01-01T00:00:01] default via 10.0.0.1 dev wlan0",
      "[2026-01-01T00:00:02] Deleted default via fe80::1 dev wwan0 proto ra metric 1024 pref low",
      from: .ipMonitor, target: target)
    #expect(recording.lines == ["0 -- -------", "0 WR -------", "2000 -- -------"])
  }

  @Test("Unrelated lines are ignored")
  func others() throws {
    let recording = try imported(
      "[2026-01-01T00:00:00] 192.168.1.9 dev wlan0 lladdr 02:00:00:00:00:09 REACHABLE",
      "[2026-01-01T00:00:00] 192.168.1.9 dev wlan0 FAILED",
      "[2026-01-01T00:00:00] [NETCONF]inet wlan0 forwarding on",
      "[2026-01-01T00:00:00] 32765:\tfrom 10.0.0.2 lookup 100",
      "[2026-01-01T00:00:00] inet wlan0 forwarding on", "",
      "Timestamp: Thu Jan  1 00:00:00 2026 500000 usec", "default dev wlan0", from: .ipMonitor)
    #expect(recording.lines == ["0 -- -------", "500 -R -------"])
  }

  @Test(
    "Bad text is reported with a position, the error and a hint",
    arguments: [
      ("", "log:1: error: the file is empty"),
      ("default dev wlan0", "log:1: error: no line has a time"),
      ("\n[2026-01-01T00:00:00] hello", "log:2: error: not an event"),
      (
        "\u{1b}[31m\u{202e}",
        "log:1: error: not an event of a link, an address or a route: \u{fffd}["
      ),
      ("Timestamp: today", "log:1: error: not a valid time: today"),
      ("[2026-01-01T00:00:00] 2:", "log:1: error: the line ends after the number"),
      ("[2026-01-01T00:00:00] 2: wlan0 sings", "log:1: error: the line has neither"),
      ("[2026-01-01T00:00:00] 2: wlan0 inet x", "log:1: error: the address after"),
      ("[2026-01-01T00:00:00] 10.0.0.0/33 dev wlan0", "log:1: error: not an event"),
      ("[2026-01-01T00:00:00] default dev a metric -1", "log:1: error: the metric of a route"),
      (
        "[2026-01-01T00:00:05] default dev a\n[2026-01-01T00:00:00] default dev b\n",
        "log:2: error: the time is earlier"
      ),
    ])
  func badText(text: String, complaint: String) {
    do throws(ImportError) {
      _ = try imported(text, from: .ipMonitor)
      Issue.record("it was read")
    } catch {
      #expect(error.description.hasPrefix(complaint), "\(error)")
      #expect(error.description.contains("\n    hint: "))
    }
  }

  @Test(
    "A file that is truncated or corrupted anywhere causes no crash",
    arguments: [
      ("monitor.txt", ImportFormat.ipMonitor), ("monitor-all.txt", .ipMonitor),
      ("monitor.rtmon", .rtmon), ("device.log", .log),
    ])
  func brokenFiles(file: String, format: ImportFormat) throws {
    let bytes = try recordedFile(file)
    for end in stride(from: 1, to: bytes.count, by: 97) {
      _ = try? Recording(importing: Array(bytes[..<end]), named: "x", from: format)
    }
    for position in stride(from: 0, to: bytes.count, by: 41) {
      for mask: UInt8 in [0xFF, 0x10] {
        var broken = bytes
        broken[position] ^= mask
        _ = try? Recording(importing: broken, named: "x", from: format)
      }
    }
  }

  @Test(
    "A file that is truncated at any byte gives a scenario or a reason",
    arguments: [
      ("monitor.txt", ImportFormat.ipMonitor), ("monitor-all.txt", .ipMonitor),
      ("monitor.rtmon", .rtmon), ("device.log", .log),
    ])
  func cutFiles(file: String, format: ImportFormat) throws {
    let bytes = try recordedFile(file).prefix(4_000)
    for end in 0..<bytes.count {
      do throws(ImportError) {
        let recording = try Recording(
          importing: Array(bytes[..<end]), named: "x", from: format)
        #expect(!recording.moments.isEmpty)
        // Only for every 50th length, because building a scenario takes longer than everything
        // else.
        if end % 50 == 0 { #expect(!RecordedScenario(recording, id: "x").bytes.isEmpty) }
      } catch {
        #expect(!error.hint.isEmpty)
      }
    }
  }

  @Test("An rtmon file that ends after its first time is reported")
  func onlyATime() throws {
    let bytes = Array(try recordedFile("monitor.rtmon").prefix(24))
    do throws(ImportError) {
      _ = try Recording(importing: bytes, named: "x", from: .rtmon)
      Issue.record("it was read")
    } catch {
      #expect(error.description.hasPrefix("x:byte 24: error: the file ends before the state"))
    }
  }

  @Test("A file of another format is refused")
  func otherFiles() {
    #expect(throws: ImportError.self) {
      _ = try Recording(
        importing: Array("hello, world, how are you?".utf8), named: "x", from: .rtmon)
    }
  }

  @Test("A file that is too large is refused")
  func largeFiles() {
    let bytes = [UInt8](repeating: 0x0A, count: 16 << 20 | 1)
    for format in ImportFormat.allCases {
      #expect(throws: ImportError.self) {
        _ = try Recording(importing: bytes, named: "x", from: format)
      }
    }
  }
}

@Suite("Imports of device logs")
struct LogImportTests {
  @Test("Flags are read with their times, and everything else is ignored")
  func file() throws {
    let recording = try Recording(
      importing: try recordedFile("device.log"), named: "device.log", from: .log)
    #expect(
      recording.lines == [
        "0 WR -------", "2500 -R -------", "8000 -- -------", "18877 -R -c-----",
        "60000 -R -------",
      ])
    let states = try scenario(of: recording).states
    #expect(states == ["Cellular cellular", "WiFi wifi", "None", "None", "WiFi wifi"])
  }

  @Test(
    "Times are read in every usual notation",
    arguments: [
      ("2026-11-21T22:00:00.5Z WR -------", "2026-11-21T23:00:01+01:00 -R -------", 500),
      ("Nov 30 23:59:59 host app: WR -------", "Dec  1 00:00:01 host app: -R -------", 2_000),
      ("11-30 23:59:59.900 D/App: WR -------", "12-01 00:00:00.000 D/App: -R -------", 100),
      ("23:59:59,250 WR -------", "00:00:00,250 -R -------", 1_000),
      ("[   12.345678] WR -------", "[   13.345678] -R -------", 1_000),
      ("12.5 WR -------", "100.5s -R -------", 88_000),
      ("WR -------", "-R -------", 1_000),
      ("WR ------- 10:00:00", "-R ------- 11:00:00", 1_000),
    ])
  func notations(first: String, second: String, milliseconds: Int64) throws {
    let recording = try imported(first, "between", second, from: .log)
    #expect(recording.lines == ["0 WR -------", "\(milliseconds) -R -------"])
  }

  @Test(
    "Bad logs are reported with a position, the error and a hint",
    arguments: [
      ("nothing\nat all\n", "log:1: error: no line contains nine characters of flags"),
      ("---------- ----------\n", "log:1: error: no line contains nine characters of flags"),
      ("10:00:00 WR -------\n-R -------", "log:2: error: the line has flags and no time"),
      ("WR -------\n10:00:00 -R -------", "log:2: error: the line has a time"),
      (
        "1999-01-01 10:00:00 WR -------\n2026-01-01 10:00:00 -R -------",
        "log:2: error: the time is more than a year"
      ),
      (
        "2026-01-02 10:00:00 WR -------\n2026-01-01 10:00:00 -R -------",
        "log:2: error: the time is earlier"
      ),
    ])
  func badLogs(text: String, complaint: String) {
    do throws(ImportError) {
      _ = try imported(text, from: .log)
      Issue.record("it was read")
    } catch {
      #expect(error.description.hasPrefix(complaint), "\(error)")
    }
  }
}
