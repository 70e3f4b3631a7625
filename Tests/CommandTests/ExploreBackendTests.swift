import Foundation
import Testing

/// Clients in other processes, explored in lockstep with the built-in client.
@Suite("handover explore --backend")
struct ExploreBackendTests {
  private static let backends = "Fixtures/Backends"
  private static let plain = ["explore", "sockets-monitor", "--calls", "1", "--acts", "plain"]
  /// Longer than any answer takes on a busy machine.
  private static let patient = ["--timeout", "60s"]

  private static func python(_ command: String) -> [String] {
    ["--backend", "exec:python3 \(backends)/\(command)"]
  }

  @Test(
    "A client that behaves like the built-in one passes",
    arguments: ["reference.py", "minimal.py", "wrong.py no-digest"])
  func goesAlong(_ command: String) throws {
    let run = try CommandLineRun(
      Self.plain + ["--depth", "4"] + Self.patient + Self.python(command))
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("stopped at the limit of --depth: "), "\(run.output)")
    #expect(
      run.output.contains(
        "In every sequence of up to 4 actions it behaved as the built-in client.\nThis proves "
          + "nothing."
      ))
  }

  @Test(
    "The exploration is complete if the client's digests distinguish its states",
    arguments: [["--acts", "plain"], []])
  func closes(_ actions: [String]) throws {
    let served = "exec:\(CommandLineRun.command.path) backend serve"
    let run = try CommandLineRun(
      ["explore", "sockets", "--calls", "1", "--backend", served] + actions + Self.patient)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("complete: "), "\(run.output)")
    #expect(
      run.output.contains("(handover-reference as sockets, 1 host, up to 1 simultaneous call"))
  }

  /// The options of an exploration of a client, and its depth.
  struct Walk: Sendable, CustomTestStringConvertible {
    var options: [String]
    var depth: Int
    var testDescription: String { options.joined(separator: " ") }

    init(_ options: String, depth: Int) {
      self.options = options.split(separator: " ").map(String.init)
      self.depth = depth
    }
  }

  @Test(
    "The built-in client passes every exploration",
    arguments: [
      Walk("sockets --calls 1", depth: 4), Walk("sockets --calls 2", depth: 3),
      Walk("cfstream --calls 1", depth: 4), Walk("quic --calls 1", depth: 4),
      Walk("linux-sockets --calls 1", depth: 4), Walk("sockets-2017 --calls 1", depth: 3),
      Walk("sockets-monitor --calls 1", depth: 3),
      Walk("sockets --calls 1 --hosts 2", depth: 3),
      Walk("sockets-2017 --calls 1 --acts plain", depth: 8),
      Walk("sockets --calls 1 --hosts 2 --acts plain", depth: 5),
      Walk("sockets-monitor --calls 2 --hosts 2 --acts plain", depth: 3),
      Walk("sockets --calls 1 --acts endless", depth: 4),
    ])
  func acceptsBuiltInClient(_ walk: Walk) throws {
    let served = "exec:\(CommandLineRun.command.path) backend serve"
    let run = try CommandLineRun(
      ["explore"] + walk.options + ["--depth", "\(walk.depth)", "--backend", served]
        + Self.patient)
    #expect(run.output.hasPrefix("stopped at the limit of --depth: "), "\(run.output)")
    #expect(
      run.output.contains(
        "In every sequence of up to \(walk.depth) actions it behaved as the built-in client.\n"),
      "\(run.output)")
  }

  @Test(
    "A correct client of another author passes",
    arguments: [
      Walk("sockets --calls 1", depth: 2), Walk("sockets-2017 --calls 1 --acts plain", depth: 4),
    ])
  func acceptsOtherClient(_ walk: Walk) throws {
    let run = try CommandLineRun(
      ["explore"] + walk.options + ["--depth", "\(walk.depth)"] + Self.patient
        + Self.python("reference.py"))
    #expect(run.output.hasPrefix("stopped at the limit of --depth: "), "\(run.output)")
  }

  /// Writes the reference client with some methods replaced, and returns the options that explore
  /// it.
  private static func other(_ methods: String, in scratch: ScratchDirectory) throws -> [String] {
    let backend = try scratch.write(
      """
      import sys
      sys.path.insert(0, "\(packageRoot.path)/\(backends)")
      from handover_backend import Loop, own_standard_output
      from reference import Client, Reference

      class Other(Client):
      \(methods)

      backend = Reference()
      backend.client_type = Other
      Loop(backend, sys.stdin.buffer, own_standard_output()).run()
      """, to: "other.py")
    return ["--backend", "exec:python3 \(backend)"]
  }

  @Test("A client whose deadlines are late only in a state with a known digest is detected")
  func hidden() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    // No digest shows that a call was cancelled earlier in the same attempt.
    let wrong = try Self.other(
      """
          gave_up = False

          def connect(self, channel):
              self.gave_up = False
              super().connect(channel)

          def cancel(self, id):
              self.gave_up = True
              super().cancel(id)

          def arm(self, deadlines, owner, due):
              if deadlines is self.call_deadlines and self.gave_up:
                  due += 1_000_000 if owner.channel.state == "CONNECTING" else 0
              super().arm(deadlines, owner, due)
      """, in: scratch)
    let options = ["explore", "sockets", "--calls", "2", "-o", file]
    let run = try CommandLineRun(options + Self.patient + wrong)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(
      run.output.contains("it behaves differently from the built-in client"), "\(run.output)")
    #expect(run.output.contains("DEADLINE_EXCEEDED"), "\(run.output)")
    #expect(
      run.output.contains(
        "The difference appears after a state whose fingerprint was already known."),
      "\(run.output)")
    #expect(try CommandLineRun(["run", file] + wrong).status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
  }

  @Test("A client that ends calls before their deadlines is detected immediately")
  func early() throws {
    let scratch = try ScratchDirectory()
    let wrong = try Self.other(
      """
          def arm(self, deadlines, owner, due):
              early = 250_000 if deadlines is self.call_deadlines else 0
              super().arm(deadlines, owner, max(due - early, self.now))
      """, in: scratch)
    let options = ["explore", "sockets", "--calls", "1"]
    let run = try CommandLineRun(options + Self.patient + wrong)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(
      run.output.hasPrefix("after 2 actions it behaves differently from the built-in client"),
      "\(run.output)")
  }

  @Test("A client of the 2017 document that does not repeat a name lookup is detected")
  func lateName() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let wrong = try Self.other(
      """
          def await_backoff(self, channel):
              if channel.not_before > self.now:
                  super().await_backoff(channel)
      """, in: scratch)
    let options = ["explore", "sockets-2017", "--calls", "1", "--acts", "plain", "-o", file]
    let run = try CommandLineRun(options + Self.patient + wrong)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(
      run.output.hasPrefix("after 3 actions it behaves differently from the built-in client"),
      "\(run.output)")
    #expect(try CommandLineRun(["run", file] + wrong).status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var actions: Int
    var testDescription: String { name }
  }

  /// The bugs of the client, and the number of actions after which each is found.
  static let faults = [
    Fault(name: "ignores-none-to-wifi", actions: 1),
    Fault(name: "keeps-the-channel", actions: 2), Fault(name: "ends-cancelled", actions: 2),
    Fault(name: "ends-twice", actions: 2), Fault(name: "never-ends", actions: 2),
    Fault(name: "cuts-backoff", actions: 4), Fault(name: "never-resets-backoff", actions: 10),
    Fault(name: "destroys-unused-at-once", actions: 2), Fault(name: "tires", actions: 7),
    Fault(name: "gives-calls-a-deadline", actions: 2),
  ]

  @Test("A wrong client is reported with a shortest sequence and a scenario", arguments: faults)
  func detects(_ fault: Fault) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let wrong = Self.python("wrong.py \(fault.name)")
    let run = try CommandLineRun(Self.plain + Self.patient + wrong + ["-o", file])
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(
      run.output.hasPrefix("after \(fault.actions) action"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("handover run \(file) --backend 'exec:python3 "), "\(run.output)")
    #expect(try CommandLineRun(["run", file] + wrong).status == 1)
    #expect(try CommandLineRun(["run", file] + Self.python("reference.py")).status == 0)
    #expect(try CommandLineRun("run", file).status == 0)
    #expect(try CommandLineRun("format", "--check", file).status == 0)
  }

  @Test(
    "A client that loses messages is detected by a scenario that counts what the server received")
  func endless() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let wrong = Self.python("wrong.py loses-queued-messages")
    let run = try CommandLineRun(
      ["explore", "sockets", "--calls", "1", "--acts", "endless", "-o", file] + Self.patient
        + wrong)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(
      run.output.hasPrefix("after 3 actions it behaves differently from the built-in client"))
    #expect(try CommandLineRun(["run", file] + wrong).status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
  }

  @Test("Digests that do not distinguish states are detected")
  func lies() throws {
    let run = try CommandLineRun(
      Self.plain + Self.patient + Self.python("wrong.py one-digest"))
    #expect(run.status == 1)
    #expect(
      run.output.hasPrefix("two different states have the same fingerprint"),
      "\(run.output)\(run.errors)")
    #expect(run.output.contains("These two sequences lead to the same fingerprint."))
  }

  @Test(
    "A backend that dies or stops answering is reported with the preceding actions",
    arguments: [
      ("dies-in-the-middle", "after 1 action it fails: the backend failed: it exited"),
      ("hang", "it did not answer within"), ("writes-text", "its answer is invalid"),
    ])
  func breaks(_ fault: String, _ words: String) throws {
    // short wait: the test needs the timeout to expire.
    let timeout = fault == "hang" ? ["--timeout", "3s"] : Self.patient
    let run = try CommandLineRun(Self.plain + timeout + Self.python("wrong.py \(fault)"))
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect((run.output + run.errors).contains(words), "\(run.output)\(run.errors)")
  }

  @Test(
    "Options that apply only to the built-in client are refused",
    arguments: [
      ["--scope", "world"], ["--swarm", "1"], ["--jobs", "2"], ["--defect", "C10"],
      ["--time", "zones"], ["--timeout", "0s"],
    ])
  func refuses(_ options: [String]) throws {
    let run = try CommandLineRun(
      ["explore", "sockets-monitor"] + options + Self.python("reference.py"))
    #expect(run.status == 2)
    #expect(run.errors.contains("\(options[0])"), "\(run.errors)")
  }
}
