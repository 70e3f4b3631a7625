import Foundation
import Testing

/// Backends in other processes, as a user tests them.
@Suite("Backends over JSON lines")
struct BackendCommandTests {
  private static let backends = "Fixtures/Backends"

  @Test("The adapter checks pass for the reference backends and for a minimal one")
  func check() throws {
    let small = "python3 \(Self.backends)/minimal.py"
    let whole = "python3 \(Self.backends)/reference.py"
    let transport = "python3 \(Self.backends)/transport.py"
    let served = "\(CommandLineRun.command.path) backend serve"
    // In a pipeline only the last program can see the orders.
    let piped = "sh -c 'cat | \(whole)'"
    for command in [small, whole, transport, served, "\(served) --role transport", piped] {
      let run = try CommandLineRun("backend", "check", command)
      #expect(run.status == 0, "\(run.output)")
      #expect(run.output.contains("rules pass."))
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

  @Test(
    "The capability that calls may be notified first is checked",
    arguments: [
      ("self.destroy_all('transition')", "the channel is destroyed before its call ends"),
      (
        "[self.finish(call, CONNECTIVITY_LOST) for call in list(self.calls.values())]",
        "the call ends without a cancel"
      ),
      ("pass", "the call continues"),
    ])
  func observers(_ instead: String, _ problem: String) throws {
    let scratch = try ScratchDirectory()
    let backend = try scratch.write(
      """
      import sys
      sys.path.insert(0, "\(packageRoot.path)/\(Self.backends)")
      from handover_backend import Loop, own_standard_output
      from reference import Client, Reference
      from reference_rules import CONNECTIVITY_LOST

      class Wrong(Client):
          def flags_changed(self, flags):
              if not self.calls_hear_first:
                  return super().flags_changed(flags)
              \(instead)

      backend = Reference()
      backend.client_type = Wrong
      Loop(backend, sys.stdin.buffer, own_standard_output()).run()
      """, to: "wrong.py")
    let run = try CommandLineRun("backend", "check", "python3 \(backend)")
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("✗ it declares \"observers\""), "\(run.output)")
    #expect(run.output.contains(problem), "\(run.output)")
    #expect(run.output.contains("\n1 of "), "\(run.output)")
  }

  @Test("A digest that does not distinguish hosts violates the digest rule")
  func digestWithoutHosts() throws {
    let scratch = try ScratchDirectory()
    let backend = try scratch.write(
      """
      import sys
      sys.path.insert(0, "\(packageRoot.path)/\(Self.backends)")
      from handover_backend import Loop, own_standard_output
      from reference import Client, Reference

      class Wrong(Client):
          def state(self):
              return len(self.calls)

      backend = Reference()
      backend.client_type = Wrong
      Loop(backend, sys.stdin.buffer, own_standard_output()).run()
      """, to: "wrong.py")
    let run = try CommandLineRun("backend", "check", "python3 \(backend)")
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("✗ it declares \"digest\""), "\(run.output)")
    #expect(
      run.output.contains("its fingerprint is the same with a call to another host"),
      "\(run.output)")
    #expect(run.output.contains("\n1 of "), "\(run.output)")
  }

  @Test("A line after the end of a run counts against that run and not against the next")
  func lateLine() throws {
    let scratch = try ScratchDirectory()
    let hello =
      #"{"version":1,"name":"late","role":"client","time":"virtual","#
      + #""capabilities":["streaming"]}"#
    let backend = try scratch.write(
      """
      seq=0; echo '\(hello)'; read -r line
      while read -r line; do
        case $line in *'"stop"'*) exit 0;; esac
        seq=$((seq + 1)); more=
        case $line in *'"close"'*) [ -e \(scratch.url.path)/told ] || more='{"out":[]}';; esac
        [ -z "$more" ] || : >\(scratch.url.path)/told
        printf '{"seq":%d,"out":[],"deadline":null}\\n%s' $seq "${more:+$more
      }"
      done
      """, to: "late.sh")
    func scenario(_ name: String) throws -> String {
      try scratch.write(
        """
        { "format": 1, "id": "late/\(name)", "profiles": ["sockets"],
          "initial": { "flags": ["Reachable"] }, "hosts": { "a:1": {} },
          "timeline": [{ "at": "0s", "flags": [] }] }
        """, to: "\(name).json")
    }
    let run = try CommandLineRun(
      "run", try scenario("a"), try scenario("b"), "--jobs", "1", "--backend",
      "exec:sh \(backend)", "-o", "tap=-")
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect(run.output.contains("not ok 1 - late/a"), "\(run.output)")
    #expect(run.output.contains("\nok 2 - late/b"), "\(run.output)")
    #expect(run.output.contains("after its answer to"), "\(run.output)")
  }

  @Test("The processes that a backend started end with it, even in another session")
  func sessions() throws {
    let scratch = try ScratchDirectory()
    let backend = try scratch.write(
      """
      setsid sleep 600 & setsid sh -c 'setsid sleep 600 & sleep 600' &
      exec python3 \(packageRoot.path)/\(Self.backends)/minimal.py
      """, to: "leaves.sh")
    let marker = ProcessMarker()
    let run = try CommandLineRun(
      ["run", "Scenarios/transitions/wifi-to-cellular.json", "--backend", "exec:sh \(backend)"],
      environment: marker.environment)
    #expect([0, 1].contains(run.status), "\(run.output)\(run.errors)")
    #expect(marker.processes == [])
  }

  @Test(
    "Without PID namespaces the backend's processes are searched for, with one warning",
    .enabled(if: Program.find("unshare") != nil && CommandLineRun.mayMakeNamespaces))
  func withoutNamespaces() throws {
    let scratch = try ScratchDirectory()
    let backend = try scratch.write(
      """
      setsid sleep 600 & setsid sh -c 'setsid sleep 600 & sleep 600' &
      exec python3 \(packageRoot.path)/\(Self.backends)/minimal.py
      """, to: "leaves.sh")
    let script = """
      echo 0 > /proc/sys/user/max_pid_namespaces && exec '\(CommandLineRun.command.path)' run \
        Scenarios/transitions --jobs 2 --backend 'exec:sh \(backend)'
      """
    let marker = ProcessMarker()
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"), ["unshare", "-Ur", "sh", "-c", script],
      environment: marker.environment)
    #expect([0, 1].contains(run.status), "\(run.output)\(run.errors)")
    #expect(run.errors.ranges(of: "This machine does not allow PID namespaces").count == 1)
    #expect(marker.processes == [])
  }

  @Test("A transport in another process passes under the built-in client")
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

  @Test("An unchanged template passes the adapter checks")
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

  @Test("A real-time template is short, and a missing language is asked for")
  func realTimeTemplates() throws {
    for language in ["python", "go", "java", "cpp", "node", "swift"] {
      let template = try CommandLineRun("backend", "new", "--real-time", "--language", language)
      #expect(template.status == 0)
      #expect(template.output.contains("handover backend serve --role server"))
      let lines = template.output.count { $0 == "\n" }
      #expect((80..<120).contains(lines), "\(language) has \(lines) lines")
    }
    let missing = try CommandLineRun("backend", "new", "--language", "java")
    #expect(missing.status == 2)
    #expect(missing.errors.contains("Add --real-time for a template in java."))
  }

  @Test("The bundled servers speak the protocol of servers")
  func servers() throws {
    let lines = """
      {"cmd":"start","version":1}
      {"cmd":"open","seq":1,"now":0,"hosts":{"a:1":{"address":"127.0.0.1","port":0}}}
      {"cmd":"event","seq":2,"now":1,"event":{"server":{"host":"a:1","do":"refuse"}}}
      {"cmd":"event","seq":3,"now":2,"event":{"server":{"host":"a:1","do":"juggle"}}}
      {"cmd":"close","seq":4,"now":3}
      {"cmd":"open","seq":5,"now":0,"hosts":{"a:1":{"address":"nowhere","port":1}}}
      not JSON
      {"cmd":"dance","seq":6}
      {"cmd":"stop"}

      """
    let scratch = try ScratchDirectory()
    let file = try scratch.write(lines, to: "lines")
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      ["-c", "exec \(CommandLineRun.command.path) backend serve --role server <\(file)"])
    #expect(run.status == 0)
    let answers = run.output.split(separator: "\n").map(String.init)
    #expect(
      answers.first == #"{"version":1,"name":"handover-line-servers","role":"server","#
        + #""time":"real","capabilities":["accept","refuse","close","reset"]}"#)
    #expect(
      answers.dropFirst().prefix(4) == [
        #"{"seq":1,"out":[]}"#, #"{"seq":2,"out":[]}"#,
        #"{"seq":3,"error":"these servers do not support \"juggle\""}"#, #"{"seq":4,"out":[]}"#,
      ])
    #expect(answers.count == 8)
    #expect(answers.dropFirst(5).allSatisfy { $0.contains(#""error":""#) }, "\(answers)")
  }

  @Test("A suggested command with quotes is escaped for the shell")
  func quoted() throws {
    let broken = "sh -c 'exit 3'"
    let advice = #"Try `handover backend check 'sh -c '\''exit 3'\'''`."#
    let run = try CommandLineRun("run", "--backend", "exec:\(broken)")
    #expect(run.errors.contains(advice), "\(run.errors)")
    let explore = try CommandLineRun("explore", "sockets", "--backend", "exec:\(broken)")
    #expect(explore.errors.contains(advice), "\(explore.errors)")
    let good = "python3 '\(Self.backends)/reference.py'"
    let check = try CommandLineRun("backend", "check", good)
    let next = "--backend 'exec:\(good.replacing("'", with: #"'\''"#))'"
    #expect(check.status == 0 && check.output.contains(next), "\(check.output)")
  }

  @Test("The command that repeats a failure contains the backend as the user wrote it")
  func repeated() throws {
    let command = "exec:python3 \(Self.backends)/wrong.py ends-cancelled"
    let run = try CommandLineRun(
      "run", "Scenarios/transitions", "--profile", "sockets-monitor", "--backend", command)
    #expect(run.status == 1)
    #expect(run.output.contains("--backend '\(command)'"))
  }
}
