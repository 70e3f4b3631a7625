import Foundation
import Testing

/// The files under `.github`, tested without a forge and without a container engine.
///
/// `make dist-check` installs the package itself.
@Suite("The action and the container file")
struct ForgeTests {
  private static let folder = packageRoot.appending(path: ".github")

  /// Returns the script of the action's only step.
  private static func script() throws -> String {
    let action = try String(contentsOf: folder.appending(path: "action.yml"), encoding: .utf8)
    let lines = action.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(
      lines.firstIndex { $0.trimmingCharacters(in: .whitespaces) == "run: |" })
    let indent = lines[begin].prefix { $0 == " " }.count + 2
    return lines[(begin + 1)...].map { String($0.dropFirst(indent)) }.joined(separator: "\n")
  }

  /// Creates an archive of the command under test, with the layout of `make dist`.
  private static func archive(in scratch: ScratchDirectory) throws -> String {
    let name = "handover-0-linux"
    let file = scratch.url.appending(path: "a b.tar.gz").path
    let made = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      [
        "-c",
        "make install-files COMMAND=\"$0\" PREFIX=/\(name) DESTDIR=\"$1/tree\" >\"$1/log\" "
          + "&& tar -C \"$1/tree\" -I 'gzip -1' -cf \"$2\" \(name)",
        CommandLineRun.command.path, scratch.url.path, file,
      ])
    #expect(made.status == 0, "\(made.errors)")
    return file
  }

  /// Runs the step as a forge does.
  private static func step(
    _ archive: String, _ arguments: String, report: String = "", in scratch: ScratchDirectory
  ) throws -> CommandLineRun {
    try CommandLineRun(
      command: URL(filePath: "/bin/bash"),
      ["--noprofile", "--norc", "-eo", "pipefail", scratch.write(script(), to: "step.sh")],
      environment: [
        "ARCHIVE": archive, "ARGUMENTS": arguments, "REPORT": report,
        "RUNNER_TEMP": scratch.url.path, "GITHUB_PATH": "\(scratch.url.path)/path",
      ])
  }

  @Test("The action unpacks the archive, runs its arguments and adds the command to the path")
  func action() throws {
    let scratch = try ScratchDirectory()
    let archive = try Self.archive(in: scratch)
    let report = scratch.url.appending(path: "the report.xml").path
    let run = try Self.step(
      archive, "run stalls/killed --only 'stalls/*'", report: report, in: scratch)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("✓ stalls/killed"))
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains("<testsuite"))
    let path = try String(contentsOf: scratch.url.appending(path: "path"), encoding: .utf8)
    let command = path.trimmingCharacters(in: .newlines) + "/handover"
    #expect(FileManager.default.isExecutableFile(atPath: command), "\(command)")
  }

  @Test("The action exits with the status of the command, and runs nothing in its arguments")
  func ends() throws {
    let scratch = try ScratchDirectory()
    let archive = try Self.archive(in: scratch)
    for (arguments, status) in [
      ("run Fixtures/Canary/must-fail.json", 1), ("run no-such", 2), ("check '$(touch ran)'", 2),
      ("check \"a; touch ran\"", 2),
    ] as [(String, Int32)] {
      let run = try Self.step(archive, arguments, in: scratch)
      #expect(run.status == status, "\(arguments): \(run.output)\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: packageRoot.appending(path: "ran").path))
    }
  }

  @Test("Every input of the action reaches its step, and the inputs are kept apart")
  func inputs() throws {
    let action = try String(contentsOf: Self.folder.appending(path: "action.yml"), encoding: .utf8)
    let inputs = try #require(action.firstMatch(of: /(?s)\ninputs:\n(.*?)\nruns:/)).output.1
    let names = inputs.matches(of: /(?m)^  ([a-z]+):$/).map { String($0.output.1) }
    #expect(names == ["archive", "arguments", "report"])
    let script = try Self.script()
    for name in names {
      #expect(action.contains("\(name.uppercased()): ${{ inputs.\(name) }}"))
      #expect(script.contains("$\(name.uppercased())"))
    }
    // An expression in a script would be expanded before the shell could quote it.
    #expect(!script.contains("${{"))
  }

  @Test("The container installs the package that make dist builds, and runs the command")
  func container() throws {
    let file = try String(
      contentsOf: Self.folder.appending(path: "Containerfile"), encoding: .utf8)
    let dist = try String(
      contentsOf: packageRoot.appending(path: "Tests/Tools/dist"), encoding: .utf8)
    #expect(file.contains("COPY handover_*.deb /srv/"))
    #expect(file.contains("/srv/handover_*.deb \\"))
    #expect(dist.contains("\"$out/handover_${version}_$architecture.deb\""))
    #expect(file.contains("ENTRYPOINT [\"handover\"]"))
    let words = file.matches(of: /(?m)^([A-Z]+)\b/).map(\.output.1)
    #expect(words == ["FROM", "COPY", "RUN", "WORKDIR", "ENTRYPOINT", "CMD"])
  }
}
