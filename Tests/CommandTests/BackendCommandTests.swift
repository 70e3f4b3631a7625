import Foundation
import Testing

#if os(Linux)
  /// Backends in other processes, as a user puts them under test.
  @Suite("Backends over JSON lines")
  struct BackendCommandTests {
    private static let backends = "Fixtures/Backends"

    @Test("the checks of an adapter pass for the references and a small one")
    func check() throws {
      let small = "python3 \(Self.backends)/minimal.py"
      let whole = "python3 \(Self.backends)/reference.py"
      for command in [small, whole, "\(CommandLineRun.command.path) backend serve"] {
        let run = try CommandLineRun("backend", "check", command)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("rules hold."))
      }
      let broken = try CommandLineRun(
        "backend", "check", "python3 \(Self.backends)/wrong.py out-of-order-seq")
      #expect(broken.status == 1)
      #expect(broken.output.contains("✗ "))
      #expect(try CommandLineRun("backend", "check", "false").status == 3)
    }

    @Test("a template passes the checks as it is written")
    func template() throws {
      let scratch = try ScratchDirectory()
      let file = scratch.url.appending(path: "mine.py")
      let template = try CommandLineRun("backend", "new", "--language", "python")
      try Data(template.output.utf8).write(to: file)
      let run = try CommandLineRun("backend", "check", "python3 \(file.path)")
      #expect(run.status == 0, "\(run.output)")
      for language in ["swift", "go"] {
        let other = try CommandLineRun("backend", "new", "--language", language)
        #expect(other.status == 0 && other.output.contains("version"))
      }
    }

    @Test("the command that repeats a failure names the backend as it was given")
    func repeated() throws {
      let command = "exec:python3 \(Self.backends)/wrong.py ends-cancelled"
      let run = try CommandLineRun(
        "run", "Scenarios/transitions", "--profile", "sockets-monitor", "--backend", command)
      #expect(run.status == 1)
      #expect(run.output.contains("--backend '\(command)'"))
    }
  }
#endif
