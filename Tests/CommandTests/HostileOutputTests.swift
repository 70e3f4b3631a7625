import Foundation
import Testing

/// Strings of files, backends and programs that would have an effect if they were printed
/// unescaped.
private enum Hostile {
  /// A JSON string with control characters.
  static let text =
    #"\u001b[31mX\u001b]0;title\u0007\u009b1m\u202eR\u2066\u200f\u0085\u2028::stop-commands::z"#
    + #"\n::error::x\r::error::x\n\u00a0::error::x\n##[error]y"#
  /// A hostile name.
  ///
  /// Names have no control characters.
  static let name = #"n\u202e\u2066\u200f\u2028::error::x ##[error]##vso[x]<b>"#

  /// Returns the problems of an output: raw characters that move the cursor or change the writing
  /// direction, and workflow commands.
  static func problems(in output: String, allowing own: [String] = []) -> [String] {
    let hidden = output.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n"
      case .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
    let commands = output.split(whereSeparator: \.isNewline).map(String.init).filter { line in
      let begin = line.unicodeScalars.drop { $0.properties.isWhitespace }
      if line.contains(/##[A-Za-z]*\[/) { return true }
      return begin.starts(with: "::".unicodeScalars) && !own.contains { line.hasPrefix($0) }
    }
    let spelt = Set(hidden.map { "U+" + String($0.value, radix: 16) }).sorted()
    return (spelt.isEmpty ? [] : [spelt.joined(separator: " ")]) + commands
  }

  /// A failing scenario with a hostile string in every place that allows one.
  static let scenario = """
    {
      "format": 1, "id": "hostile/scenario", "title": "\(name)",
      "profiles": ["sockets", "sockets-monitor"], "x-remark": "\(text)", "comment": "\(text)",
      "initial": {},
      "networks": {
        "\(name)": { "kind": "cellular", "state": "default" }, "w\(name)": { "kind": "wifi" }
      },
      "hosts": { "a.example:443": {} },
      "config": { "interceptors": [
        { "kind": "rewrite", "name": "r\(name)", "metadata": { "k": "\(text)" },
          "prefix": "\(name)", "answerPrefix": "\(name)", "trailers": { "t": "\(text)" } },
        { "kind": "gate", "name": "g\(name)" }
      ] },
      "timeline": [
        { "at": "0s", "call": { "id": "c\(name)", "host": "a.example:443", "kind": "bidi",
          "metadata": { "x": "\(text)" }, "options": { "userAgentPrefix": "\(text)" } } },
        { "at": "1s", "network": { "id": "w\(name)", "become": "up" } },
        { "at": "2s", "network": { "id": "w\(name)", "become": "default" } },
        { "at": "2s", "call": { "id": "d\(name)", "host": "a.example:443" } }
      ],
      "expect": [
        { "call": "c\(name)", "status": "OK", "message": "\(text)" },
        { "call": "d\(name)", "status": "UNAVAILABLE", "message": "\(text)", "at": "3s" },
        { "chain": { "call": "c\(name)", "heard": ["\(text)"], "trailers": { "t": "\(text)y" } } },
        { "connections": { "host": "*", "open": 5, "path": "\(name)" }, "at": "5s" }
      ]
    }
    """

  /// A client that ends its calls with a hostile string, and writes the string to its log.
  static let client = """
    import json, sys
    TEXT = "\(text)"
    for line in sys.stdin:
        asked = json.loads(line)
        sys.stderr.write(TEXT + "\\n")
        sys.stderr.flush()
        if asked["cmd"] == "start":
            answer = {"version": 1, "name": "own", "role": "client",
                      "time": "virtual", "capabilities": []}
        elif asked["cmd"] == "stop":
            break
        else:
            call = asked.get("event", {}).get("call")
            out = [] if call is None else [
                {"ended": {"call": call["id"], "status": "UNAVAILABLE", "message": TEXT}}]
            answer = {"seq": asked["seq"], "out": out}
        print(json.dumps(answer), flush=True)
    """
}

@Suite("No command prints a hostile string unescaped")
struct HostileOutputTests {
  /// The workflow commands of the report itself.
  private static let own = ["::error ", "::warning ", "::notice::", "::group::", "::endgroup::"]

  /// Runs a shell line, in which `$H` is the command, and checks everything that it prints.
  @discardableResult
  private static func check(
    _ line: String, in scratch: ScratchDirectory, _ status: ClosedRange<Int32> = 0...4
  ) throws -> CommandLineRun {
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"), ["-c", "cd '\(scratch.url.path)' && \(line)"],
      environment: ["H": CommandLineRun.command.path])
    #expect(status.contains(run.status), "\(line): \(run.status) \(run.errors)")
    #expect(!run.output.isEmpty || !run.errors.isEmpty, "\(line)")
    let allowed = line.contains("github=") ? own : []
    #expect(Hostile.problems(in: run.output, allowing: allowed) == [], "\(line)")
    #expect(Hostile.problems(in: run.errors) == [], "\(line)")
    return run
  }

  /// Shell lines about a scenario `s.json`, its traces in `t` and its reports `r.jsonl` and
  /// `q.jsonl`.
  static let lines = [
    "\"$H\" run s.json", "\"$H\" run s.json -o pretty=-", "\"$H\" run s.json -o tap=-",
    "\"$H\" run s.json -o github-summary=-", "\"$H\" run s.json -o ctrf=-",
    "\"$H\" run s.json -o otlp=-",
    "\"$H\" run s.json -o junit=-", "\"$H\" run s.json -o jsonl=-", "\"$H\" run s.json -o github=-",
    "COLUMNS=60 \"$H\" run s.json", "\"$H\" run s.json --repeat 2", "\"$H\" run < s.json -",
    "\"$H\" matrix s.json -o markdown=-", "\"$H\" matrix s.json -o html=-",
    "\"$H\" matrix s.json -o json=-", "\"$H\" check s.json", "\"$H\" check s.json -o json",
    "\"$H\" list s.json", "\"$H\" explain s.json", "COLUMNS=50 \"$H\" explain s.json",
    "\"$H\" format - < s.json", "\"$H\" format --check s.json", "\"$H\" spec s.json",
    "\"$H\" spec s.json --space", "\"$H\" shrink s.json", "\"$H\" compare r.jsonl q.jsonl",
    "\"$H\" compare r.jsonl q.jsonl --all", "\"$H\" merge r.jsonl", "cat t/*/*.jsonl",
    "\"$H\" replay t/hostile/scenario.sockets.jsonl",
    "for n in 1 2 3 4 5 6 7 8 9 10 12 14 16 18; do "
      + "\"$H\" replay t/hostile/scenario.sockets-monitor.jsonl --step $n || exit; done",
    "\"$H\" check bad.json", "\"$H\" check bad.json -o json", "\"$H\" compare bad.json bad.json",
    "\"$H\" replay bad.json", "\"$H\" merge bad.json", "\"$H\" run s.json --known-failing bad.json",
    "\"$H\" spec s.json --items bad.json",
    "\"$H\" record --import bad.json --from log -o - --cellular \"$(printf 'w\\033[1m')\"",
    "\"$H\" run s.json --only \"$(printf '\\033[1m\\n::error::x')\"",
    "\"$H\" run s.json --profile \"$(printf '\\033[1m\\n::error::x')\"",
    "\"$H\" explain \"$(printf '\\342\\200\\256\\n::error::x')\"",
    "\"$H\" new - --title \"$(printf '\\342\\200\\256##[error]')\"",
    "\"$H\" explore \"$(printf '\\033[1m\\n::error::x')\"",
    "\"$H\" \"$(printf '\\033[1m\\n::error::x')\"",
    "HANDOVER_TRAP='hang:nothing' TMPDIR=\"$(printf '/no\\033[1m\\n::error::x')\" "
      + "\"$H\" explore cfstream --calls 2 --memory 1",
  ]

  @Test(
    "A scenario, its traces and its reports are printed without hostile strings", arguments: lines)
  func scenario(_ line: String) throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write(Hostile.scenario, to: "s.json")
    _ = try scratch.write(
      "{\"format\": 1, \"\(Hostile.name)\": \"\(Hostile.text)\"}", to: "bad.json")
    if line.contains("r.jsonl") || line.contains("t/") {
      _ = try CommandLineRun(
        command: URL(filePath: "/bin/sh"),
        [
          "-c",
          "cd '\(scratch.url.path)' && \"$0\" run s.json --shard 1/1 -o jsonl=r.jsonl -o trace=t; "
            + "\"$0\" run s.json --profile sockets -o jsonl=q.jsonl", CommandLineRun.command.path,
        ])
    }
    try Self.check(line, in: scratch)
  }

  /// Shell lines about a scenario `p.json` and a client `b.py`.
  static let clientLines =
    [
      "pretty", "tap", "junit", "jsonl", "github",
    ].map { "\"$H\" run p.json --backend 'exec:python3 b.py' -o \($0)=-" }
    + ["markdown", "html", "json"].map {
      "\"$H\" matrix p.json --backend 'exec:python3 b.py' --backend simulated -o \($0)=-"
    } + [
      "\"$H\" backend check 'python3 b.py'", "\"$H\" shrink p.json --backend 'exec:python3 b.py'",
      "\"$H\" explore sockets --calls 1 --acts plain --backend 'exec:python3 b.py' --depth 2",
      "\"$H\" run p.json --backend 'exec:python3 b.py' -o trace=t; cat t/*.jsonl; "
        + "\"$H\" replay t/good.sockets.jsonl --step 5; \"$H\" replay t/good.sockets.jsonl",
    ]

  @Test(
    "The output of a client in another process is printed without hostile strings",
    arguments: clientLines)
  func client(_ line: String) throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write(Sample.plain, to: "p.json")
    _ = try scratch.write(Hostile.client, to: "b.py")
    let run = try Self.check(line, in: scratch)
    if line.contains("\" run ") || line.contains("\" matrix ") {
      #expect((run.output + run.errors).contains("stop-commands"), "\(line): \(run.output)")
    }
  }

  @Test("Colors of reports stay, and colors in other strings are removed")
  func colors() throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write(Sample.plain, to: "p.json")
    _ = try scratch.write(Hostile.client, to: "b.py")
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      [
        "-c",
        "cd '\(scratch.url.path)' && \"$0\" run p.json --backend 'exec:python3 b.py' "
          + "--color always",
        CommandLineRun.command.path,
      ])
    #expect(run.output.contains("\u{1b}[1;31m") || run.output.contains("\u{1b}[31m"))
    let plain = run.output.replacing(/\u{1b}\[[0-9;]*m/, with: "")
    #expect(Hostile.problems(in: plain) == [])
    #expect(plain.contains(#"\u{1b}[31mX"#), "\(plain)")
  }

  /// A program that prints such strings and fails, as a user would try it.
  private static let program =
    #"sh -c 'printf "\033[31mX\033]0;t\007\n::error::x\n\342\200\256##[error]y\n" "#
    + #"| tee /dev/stderr; exit 3' "#
    + #""$(printf '\033[1m\n::error::x ##[error]\342\200\256')""#

  @Test(
    "The output of an unmodified program is printed without hostile strings",
    .enabled(if: labIsThere),
    arguments: ["pretty", "junit", "jsonl", "github", "github-summary", "ctrf", "otlp", "html"])
  func tried(_ format: String) throws {
    let scratch = try ScratchDirectory()
    try Self.check(
      "\"$H\" try --watch 5s --progress . --move wifi-to-cellular -o \(format)=- "
        + "-- \(Self.program)",
      in: scratch)
  }

  @Test("Reports of handover try contain no hostile strings", .enabled(if: labIsThere))
  func triedReports() throws {
    let scratch = try ScratchDirectory()
    try Self.check(
      "\"$H\" try --watch 5s --progress . --move wifi-to-cellular -o jsonl=t.jsonl "
        + "-- \(Self.program)",
      in: scratch)
    for line in [
      "\"$H\" compare t.jsonl t.jsonl", "\"$H\" matrix t.jsonl -o html=-",
      "\"$H\" matrix t.jsonl -o markdown=-", "\"$H\" matrix t.jsonl -o json=-",
    ] {
      try Self.check(line, in: scratch)
    }
  }

  @Test("The live network is printed without hostile strings", .enabled(if: labIsThere))
  func live() throws {
    let scratch = try ScratchDirectory()
    for line in [
      "\"$H\" watch --count 1", "\"$H\" watch --count 1 -o jsonl",
      "\"$H\" record -o - --for 10ms --cellular \"$(printf 'w\\033[1m')\"",
      "\"$H\" record -o - --for 10ms",
    ] {
      try Self.check(line, in: scratch)
    }
  }
}
