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
      let transport = "python3 \(Self.backends)/transport.py"
      let served = "\(CommandLineRun.command.path) backend serve"
      for command in [small, whole, transport, served, "\(served) --role transport"] {
        let run = try CommandLineRun("backend", "check", command)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("rules hold."))
      }
      let broken = try CommandLineRun(
        "backend", "check", "python3 \(Self.backends)/wrong.py out-of-order-seq")
      #expect(broken.status == 1)
      #expect(broken.output.contains("✗ "))
      let wrong = "python3 \(Self.backends)/wrong_transport.py"
      for fault in ["never-answers", "waits-after-the-run"] {
        #expect(try CommandLineRun("backend", "check", "\(wrong) \(fault)").status == 1)
      }
      #expect(try CommandLineRun("backend", "check", "false").status == 3)
    }

    @Test("a transport in another process passes below the built-in client")
    func transport() throws {
      let backend = "exec:\(CommandLineRun.command.path) backend serve --role transport"
      let run = try CommandLineRun("run", "Scenarios/transitions", "--backend", backend)
      #expect(run.status == 0, "\(run.output)")
      #expect(run.output.contains(" 0 unsupported"))
      let wrong = try CommandLineRun(
        "run", "Scenarios/transitions", "--profile", "sockets", "--backend",
        "exec:python3 \(Self.backends)/wrong_transport.py breaks-at-once")
      #expect(wrong.status == 1)
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
