import Foundation
import Testing

@Suite("Hostile names and strings in the input cannot inject anything into the output")
struct HostileInputTests {
  /// Checks that an output contains no hidden or control characters.
  private static func check(_ text: String, _ what: Comment) {
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control: #expect(scalar == "\n", what)
      case .format, .lineSeparator, .paragraphSeparator: Issue.record(what)
      default: break
      }
    }
    for line in text.split(whereSeparator: \.isNewline) {
      let begin = line.unicodeScalars.drop { $0.properties.isWhitespace }
      #expect(!begin.starts(with: "::".unicodeScalars), what)
      #expect(!line.contains(/##[A-Za-z]*\[/), what)
    }
  }

  static let names = [
    "\u{1b}[31mred", "a\n::error::injected", "\u{a0}::error::injected", "\u{202e}gnp", "\u{9b}1m",
    "##[error]x##vso[x]", "a\r::error::x",
  ]

  /// Command lines with an invalid scenario `%` of a hostile name and a valid scenario `#`.
  static let lines = [
    "check %", "run %", "list %", "explain %", "format --check %", "format %", "compare % %",
    "replay %", "record --import % --from log -o -", "record --import % --from rtmon -o -",
    "record --import % --from ping -o -",
    "run # --known-failing %", "matrix # --items %", "spec % --items %", "run %x", "check #",
    "run # -o github=-", "run # -o pretty=-", "explain #", "list #", "format --check #",
    "run # -o tap=%/x", "new %", "lab exec % -- true",
  ]

  @Test("Names of files are escaped", arguments: names)
  func files(_ name: String) throws {
    let scratch = try ScratchDirectory()
    let bad = try scratch.write(
      "{\"format\": 1, \"id\": 7, \"\(name.filter { $0 != "\n" && $0 != "\r\n" })\": 1}",
      to: "\(name).json")
    let text = Sample.plain.replacing("\"OK\"", with: "\"CANCELLED\"")
    let good = try scratch.write(text, to: "\(name)-good.json")
    for line in Self.lines {
      let arguments = line.split(separator: " ").map {
        String($0).replacing("%", with: bad).replacing("#", with: good)
      }
      let run = try CommandLineRun(arguments)
      let isWorkflow = line.contains("github")
      Self.check(
        isWorkflow
          ? run.output.replacing(/(?m)^::(error |group::|endgroup::)/, with: "") : run.output,
        "\(line) with \(name.debugDescription): output")
      Self.check(run.errors, "\(line) with \(name.debugDescription): errors")
    }
  }

  static let speeches = [
    #"printf '\033[31mhello\n'"#, #"printf '\302\233\342\200\256x\n'"#,
    #"printf '::error::injected\n'"#,
    #"printf '\033]0;log\007\n::error::log\n \302\240::error::x\n' >&2; exit 3"#,
    #"printf '{"version":1,"name":"\033","role":"client"}\n'"#,
    #"printf '{"version":1,"name":"a","role":"::error::\033[1m"}\n'"#,
  ]

  @Test(
    "Strings that a backend sends before, in and in place of its handshake are escaped",
    arguments: speeches)
  func backends(_ speech: String) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let backend = try scratch.write("read -r line\n\(speech)\nread -r line\n", to: "b.sh")
    for arguments in [
      ["backend", "check", "sh \(backend)"], ["run", file, "--backend", "exec:sh \(backend)"],
      ["matrix", file, "--backend", "exec:sh \(backend)"],
    ] {
      let run = try CommandLineRun(arguments)
      #expect(run.status == 3)
      Self.check(run.output, "\(arguments[0]): output")
      Self.check(run.errors, "\(arguments[0]): errors")
    }
  }

  @Test("A client's own text about the end of a call appears in every report")
  func ownWords() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let backend = try scratch.write(
      """
      import json, sys
      for line in sys.stdin:
          asked = json.loads(line)
          if asked["cmd"] == "start":
              answer = {"version": 1, "name": "own", "role": "client", "time": "virtual",
                        "capabilities": []}
          elif asked["cmd"] == "stop":
              break
          else:
              call = asked.get("event", {}).get("call")
              out = [] if call is None else [
                  {"ended": {"call": call["id"], "status": "UNAVAILABLE",
                             "message": "the modem is on fire"}}]
              answer = {"seq": asked["seq"], "out": out}
          print(json.dumps(answer), flush=True)
      """, to: "own.py")
    for format in ["pretty", "tap", "junit", "jsonl", "github"] {
      let run = try CommandLineRun(
        "run", file, "--backend", "exec:python3 \(backend)", "-o", "\(format)=-")
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.output.contains("the modem is on fire"), "\(format): \(run.output)")
    }
    let traces = scratch.url.appending(path: "traces")
    let run = try CommandLineRun(
      "run", file, "--backend", "exec:python3 \(backend)", "-o", "trace=\(traces.path)", "-o",
      "jsonl=-")
    #expect(run.output.contains(#""message":"the modem is on fire""#))
    let trace = traces.appending(path: "good.sockets.jsonl").path
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    #expect(text.contains(#""message":"the modem is on fire""#))
    let count = text.split(separator: "\n").count - 1
    let view = try CommandLineRun("replay", trace, "--step", "\(count)")
    #expect(view.output.contains("the modem is on fire"), "\(view.output)\(view.errors)")
    let matrix = try CommandLineRun(
      "matrix", file, "--backend", "exec:python3 \(backend)", "-o", "json=-")
    #expect(matrix.output.contains("the modem is on fire"))
  }
}
