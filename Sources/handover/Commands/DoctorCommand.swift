import ArgumentParser
import Glibc
import HandoverCore
import HandoverLinux
import HandoverReport

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check whether this machine can run programs in a lab.",
    discussion: """
      Makes a lab, as `handover try` does, and removes it. Then the command prints
      each property of the machine that matters: ok, limited (labs work, with a
      limitation), absent (an optional part) or missing (no lab is possible without
      it). The line below a property says how to get it. The last line is the
      verdict, with the system call that failed.

      Exit status: 0 labs work; 1 no lab is possible; 2 bad usage; 129, 130 or 143
      interrupted.

      Examples:
        handover doctor
        handover doctor -o json
      """)

  @Option(
    name: .shortAndLong, help: "The format: pretty or json (one object).")
  var output = CheckCommand.Format.pretty

  func run() throws {
    try Interruption.leaveAtSignals()
    let problem = LabProbe.problem()
    let facts = MachineFacts(temporaryFolders: BindMountedFile.temporaryFolders)
    let report = DoctorReport(
      kernel: facts.kernel, problem: problem,
      checks: facts.checks(labWorks: problem == nil))
    switch output {
    case .json: StandardStream.output.write(report.json)
    case .pretty: StandardStream.output.show(report.text)
    }
    if problem != nil { throw ExitError(.failure) }
  }
}

/// A lab that is made only to find out whether one can be made.
enum LabProbe {
  /// The time limit in microseconds.
  private static let limit: Int64 = 60_000_000

  /// Returns the reason why no lab can be made, or `nil` if one was made.
  ///
  /// A session without input makes a lab and ends. Its messages are the only source of reasons,
  /// so every command gives the same one.
  static func problem() -> String? {
    let (output, end) = ProcessOutput.all(
      ["/proc/self/exe", "lab", "serve"], atMost: limit)
    let lines = output.split(separator: "\n").map(String.init)
    for line in lines {
      guard let answer = try? JSONReader.read(Array(line.utf8)).root else { continue }
      func text(_ key: String) -> String? {
        answer.members.first { $0.key.text == key }?.value.text
      }
      switch text("kind") {
      case "ready" where end == .exited(0): return nil
      case "ended": return text("message")
      default: continue
      }
    }
    return lines.last { !$0.hasPrefix("{") } ?? "A lab cannot be made: the command failed."
  }
}

/// The report of `handover doctor`.
struct DoctorReport {
  var kernel: String?
  var problem: String?
  var checks: [MachineCheck]

  private static let works = "This machine can run `handover try`."

  var text: String {
    let width = checks.map(\.name.count).max() ?? 0
    var lines = ["handover \(version)" + (kernel.map { ", Linux \($0)" } ?? ""), ""]
    for check in checks {
      let start =
        VisibleText.padded(check.state.rawValue, 8) + VisibleText.padded(check.name, width + 2)
      lines.append("  \(start)\(check.finding)")
      if let remedy = check.remedy {
        lines.append("  \(VisibleText.padded("", width + 10))-> \(remedy)")
      }
    }
    return (lines + ["", problem ?? Self.works]).joined(separator: "\n") + "\n"
  }

  var json: String {
    var json = JSONText()
    json.beginObject()
    json.member("v", 1)
    json.member("version", version)
    json.member("kernel", kernel)
    json.member("works", problem == nil)
    json.member("reason", problem)
    json.objects("checks", of: checks) { json, check in
      json.member("name", check.name)
      json.member("state", check.state.rawValue)
      json.member("finding", check.finding)
      json.member("remedy", check.remedy)
    }
    json.endObject()
    json.newline()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
