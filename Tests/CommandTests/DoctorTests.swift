import Foundation
import Glibc
import Testing

@testable import handover

/// The files of a machine below a temporary folder.
private struct FakeMachine {
  let scratch: ScratchDirectory

  /// Creates the files of a current machine, without those in `missing` and with other contents
  /// for those in `changed`.
  init(_ changed: [String: String] = [:], missing: [String] = []) throws {
    scratch = try ScratchDirectory()
    var files = [
      "/proc/self/status": "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\nSeccomp:\t0\n",
      "/proc/self/ns/user": "", "/proc/self/ns/net": "", "/proc/self/ns/pid": "",
      "/proc/self/ns/mnt": "",
      "/proc/sys/kernel/osrelease": "6.8.0\n",
      "/proc/sys/kernel/unprivileged_userns_clone": "1\n",
      "/proc/sys/user/max_user_namespaces": "15000\n",
      "/proc/sys/user/max_net_namespaces": "15000\n",
      "/proc/sys/net/mptcp/enabled": "1\n",
      "/lib/modules/6.8.0/modules.dep": "kernel/net/sched/sch_netem.ko.zst:\n",
      "/proc/self/mountinfo": "20 1 0:1 / / rw - ext4 x rw\n21 20 0:2 / /proc rw - proc proc rw\n",
      "/proc/self/attr/current": "unconfined\n",
      "/etc/resolv.conf": "", "/etc/ssl/certs/ca-certificates.crt": "", "/tmp/file": "",
    ]
    for (path, text) in changed { files[path] = text }
    for path in missing { files[path] = nil }
    for (path, text) in files {
      let file = scratch.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  func checks(labWorks: Bool) -> [MachineCheck] {
    MachineFacts(root: scratch.url.path, temporaryFolders: ["/none", "/tmp"])
      .checks(labWorks: labWorks)
  }
}

@Suite("handover doctor")
struct DoctorTests {
  private static let root = "Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\nSeccomp:\t0\n"
  private static let filtered = "Uid:\t1000\t1000\t1000\t1000\nSeccomp:\t2\n"
  private static let mounts = "20 1 0:1 / / rw - ext4 x rw\n"
  private static let container = "Uid:\t0\t0\t0\t0\nCapEff:\t00000000a80425fb\nSeccomp:\t2\n"

  @Test("A machine with everything has no finding", arguments: [true, false])
  func everything(_ works: Bool) throws {
    let checks = try FakeMachine().checks(labWorks: works)
    #expect(checks.map(\.state) == checks.map { _ in .ok })
    #expect(checks.allSatisfy { $0.remedy == nil })
  }

  @Test(
    "Each missing property is found, with a remedy",
    arguments: [
      ("user namespaces", "/proc/sys/kernel/unprivileged_userns_clone", "0\n", "unprivileged"),
      ("user namespaces", "/proc/sys/user/max_user_namespaces", "0\n", "max_user_namespaces is 0"),
      ("user namespaces", "/proc/self/ns/user", nil, "does not support"),
      (
        "AppArmor", "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n",
        "apparmor_restrict"
      ),
      ("network namespaces", "/proc/self/ns/net", nil, "does not support"),
      ("network namespaces", "/proc/sys/user/max_net_namespaces", "3\n", "is 3"),
      ("privileges", "/proc/self/status", container, "without CAP_SYS_ADMIN, CAP_NET_ADMIN"),
      ("privileges", "/proc/self/status", filtered, "a seccomp filter is active"),
      ("user namespaces", "/proc/self/mountinfo", "21 9 0:2 / /proc rw - proc proc rw\n", "chroot"),
      ("AppArmor", "/proc/self/attr/current", "docker-default (enforce)\n", "docker-default"),
      (
        "kernel settings", "/proc/self/mountinfo",
        mounts + "22 20 0:2 /sys /proc/sys ro,nosuid - proc proc rw\n", "read-only"
      ),
      ("resolver", "/etc/resolv.conf", nil, "no /etc/resolv.conf"),
      ("temporary files", "/tmp/file", nil, "not writable"),
    ] as [(String, String, String?, String)])
  func missing(_ name: String, _ path: String, _ text: String?, _ finding: String) throws {
    let machine = try FakeMachine(
      text.map { [path: $0] } ?? [:], missing: text == nil ? [path] : [])
    let check = try #require(machine.checks(labWorks: false).first { $0.name == name })
    #expect(check.state == .missing)
    #expect(check.finding.contains(finding), "\(check.finding)")
    #expect(check.remedy?.isEmpty == false)
    // What a working lab does not need is not missing.
    let working = try #require(machine.checks(labWorks: true).first { $0.name == name })
    #expect(working.state == .ok && working.remedy == nil)
  }

  @Test(
    "Each optional part and each limitation is found",
    arguments: [
      ("Multipath TCP", "/proc/sys/net/mptcp/enabled", "0\n", MachineCheck.State.absent),
      ("Multipath TCP", "/proc/sys/net/mptcp/enabled", nil, .absent),
      ("PID namespaces", "/proc/self/ns/pid", nil, .limited),
      ("TLS trust", "/etc/ssl/certs/ca-certificates.crt", nil, .absent),
      ("tc netem", "/lib/modules/6.8.0/modules.dep", nil, .ok),
    ] as [(String, String, String?, MachineCheck.State)])
  func optional(
    _ name: String, _ path: String, _ text: String?, _ state: MachineCheck.State
  ) throws {
    let machine = try FakeMachine(
      text.map { [path: $0] } ?? [:], missing: text == nil ? [path] : [])
    let check = try #require(machine.checks(labWorks: true).first { $0.name == name })
    #expect(check.state == state)
  }

  @Test("A remedy names exactly the capabilities that root lacks, also NET_RAW")
  func capabilities() throws {
    // Podman's default capabilities and the two that its users add first.
    let machine = try FakeMachine(
      ["/proc/self/status": "Uid:\t0\t0\t0\t0\nCapEff:\t00000000802015fb\nSeccomp:\t2\n"])
    let check = try #require(machine.checks(labWorks: false).first { $0.name == "privileges" })
    #expect(check.finding == "root without CAP_NET_RAW")
    #expect(check.remedy == "run the container with --cap-add NET_RAW")
  }

  @Test("Root with capabilities needs no user namespaces and ignores AppArmor")
  func privileged() throws {
    let machine = try FakeMachine(
      [
        "/proc/self/status": Self.root,
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n",
        "/proc/sys/user/max_user_namespaces": "0\n",
        "/proc/self/mountinfo": "22 21 0:2 /sys /proc/sys ro - proc proc rw\n",
      ], missing: ["/proc/self/ns/user"])
    let checks = machine.checks(labWorks: false)
    #expect(checks.allSatisfy { $0.state == .ok }, "\(checks)")
  }

  @Test("A machine without any of these files is not a crash")
  func nothing() throws {
    let scratch = try ScratchDirectory()
    let facts = MachineFacts(root: scratch.url.path, temporaryFolders: [])
    let checks = facts.checks(labWorks: false)
    #expect(checks.contains { $0.state == .missing })
    let report = DoctorReport(kernel: facts.kernel, problem: "No.", checks: checks)
    #expect(report.text.hasSuffix("\nNo.\n"))
  }

  private struct Report: Decodable {
    var works: Bool
    var reason: String?
  }

  private func report(_ run: CommandLineRun) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
  }

  @Test("On a machine that can make labs, the status is 0", .enabled(if: labIsThere))
  func works() throws {
    let run = try CommandLineRun("doctor")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix("This machine can run `handover try`.\n"))
    #expect(!run.output.contains("  missing "), "\(run.output)")
    let json = try CommandLineRun("doctor", "-o", "json")
    let report = try report(json)
    #expect(report.works && report.reason == nil)
  }

  @Test(
    "Without namespaces, the status is 1, and the reason is that of try",
    .enabled(if: getuid() == 0 && Program.find("setpriv") != nil))
  func withoutNamespaces() throws {
    // Root without capabilities may not create namespaces.
    let command = CommandLineRun.command.path
    func limited(_ arguments: String) throws -> CommandLineRun {
      try CommandLineRun(
        command: URL(filePath: "/bin/sh"),
        [
          "-c",
          "exec setpriv --bounding-set=-all --inh-caps=-all '\(command)' \(arguments)",
        ])
    }
    let run = try limited("doctor")
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains("  missing "), "\(run.output)")
    let tried = try limited("try -- true")
    #expect(tried.status == 3)
    let reason = try #require(tried.errors.split(separator: "\n").first)
    #expect(run.output.hasSuffix("\n\(reason)\n"), "\(run.output)")
    let json = try report(try limited("doctor -o json"))
    #expect(!json.works && json.reason == String(reason))
    let served = try limited("lab serve")
    #expect(served.status == 3)
    let line = try JSONSerialization.jsonObject(with: Data(served.output.utf8))
    let answer = try #require(line as? [String: Any])
    #expect(answer["kind"] as? String == "ended")
    #expect(answer["reason"] as? String == "no-lab")
    #expect(answer["message"] as? String == String(reason))
  }

  @Test(
    "In a user namespace without a limit for network namespaces, the reason names the limit",
    .enabled(if: CommandLineRun.mayMakeNamespaces))
  func limitOfNamespaces() throws {
    let command = CommandLineRun.command.path
    let script = "echo 0 >/proc/sys/user/max_net_namespaces && exec '\(command)' doctor"
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"), ["unshare", "-Ur", "sh", "-c", script])
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains("user.max_net_namespaces is 0"), "\(run.output)")
    #expect(run.output.contains("Cannot create a lab on this machine: "), "\(run.output)")
    #expect(run.output.contains("increase user.max_net_namespaces"), "\(run.output)")
  }
}
