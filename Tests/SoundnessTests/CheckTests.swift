import Testing

/// A short text and the lines that a check must report in it.
struct Sample: Sendable, CustomTestStringConvertible {
  var path: String
  var text: String
  var lines: [Int]

  init(
    _ text: String, in path: String = "Sources/HandoverCore/Machines/A.swift", _ lines: [Int] = []
  ) {
    self.path = path
    self.text = text
    self.lines = lines
  }

  var file: SourceFile { SourceFile(path: path, text: text) }

  /// One line, so that a test log stays readable.
  var testDescription: String {
    "\(path): \(text.prefix(60).replacing("\n", with: "⏎"))"
  }
}

@Suite("Each check reports its violations and nothing else")
struct CheckTests {
  static let table = ModuleArrows.table

  @Test(
    "Imports are checked",
    arguments: [
      Sample("import HandoverScenario", [1]),
      Sample("/* import HandoverScenario */ let a = \"import HandoverScenario\""),
      Sample("\n@testable import HandoverEngine", [2]),
      Sample("public import struct Foundation.Date", [1]),
      Sample("@_spi(Wide) @preconcurrency private import Dispatch", [1]),
      Sample("#if canImport(Glibc)\n  import Glibc\n#endif", [2]),
      Sample("import HandoverCore; internal import Synchronization", [1]),
      Sample("public import HandoverCore", in: "Sources/HandoverEngine/A.swift"),
      Sample("import HandoverReport", in: "Sources/HandoverEngine/A.swift", [1]),
      Sample("import Dispatch", in: "Sources/HandoverInterceptors/Runtime/A.swift"),
      Sample("import Dispatch", in: "Sources/HandoverInterceptors/Chain/A.swift", [1]),
      Sample("import HandoverReport", in: "Sources/HandoverSimulation/A.swift", [1]),
      Sample("import ArgumentParser\nimport Foundation", in: "Sources/handover/A.swift"),
      Sample("import ArgumentParser", in: "Sources/HandoverReport/A.swift", [1]),
      Sample("import Foundation", in: "Tests/HandoverCoreTests/A.swift"),
    ])
  func imports(_ sample: Sample) {
    #expect(checkImports(sample.file, table: Self.table).map(\.line) == sample.lines)
  }

  @Test("A module is in a row above all modules that it imports")
  func moduleRows() {
    let table = [
      "HandoverLow": ModuleArrows(), "HandoverOther": ModuleArrows(),
      "HandoverHigh": ModuleArrows(targets: ["HandoverLow", "Outside"]),
      "tool": ModuleArrows(targets: ["HandoverHigh", "HandoverOther"]),
    ]
    #expect(
      moduleRowsText(table, of: Set(table.keys)) == """
        3  tool
        2  High
        1  Low  Other

        """)
    #expect(
      replacingBlock("rows", of: "a\n```rows\nold\n```\nb", with: "new\n")
        == "a\n```rows\nnew\n```\nb")
  }

  @Test("The use of a type of another folder is reported")
  func folders() {
    let table = [
      "Low": ModuleArrows(), "Low/A": ModuleArrows(), "Low/B": ModuleArrows(targets: ["Low/A"]),
    ]
    func complaints(_ texts: [String: String]) -> [String] {
      checkFolders(texts.map { SourceFile(path: "Sources/\($0)", text: $1) }, table: table)
        .map { "\($0.path):\($0.line): \($0.what)" }.sorted()
    }
    let low = ("Low/A/One.swift", "struct One { struct Part {} }\nenum Other {}")
    let high = ("Low/B/Two.swift", "struct Two { var one: One; var part: One.Part }")
    func texts(_ more: (String, String)...) -> [String: String] {
      Dictionary(uniqueKeysWithValues: [low, high] + more)
    }
    #expect(complaints(texts()) == [])
    #expect(
      complaints(texts(("Low/A/Up.swift", "func up() {\n  Two.make() }")))
        == ["Sources/Low/A/Up.swift:2: Low/A uses Two of Low/B"])
    // Members and the folder's own types may have the name of a type elsewhere.
    #expect(complaints(texts(("Low/A/Up.swift", "let a = b.Two"))) == [])
    #expect(complaints(texts(("Low/A/Up.swift", "enum Own { struct Two {} }\nOwn.Two()"))) == [])
    // Files outside the listed folders are a part of their own.
    #expect(
      complaints(texts(("Low/C/Three.swift", "let a = One()")))
        == ["Sources/Low/C/Three.swift:1: Low uses One of Low/A"])
  }

  @Test("Dependencies that differ between Package.swift, the table and the folders are reported")
  func arrows() {
    let table = [
      "Low": ModuleArrows(), "High": ModuleArrows(targets: ["Low"]),
      "tool": ModuleArrows(targets: ["High"], products: ["Parser"]),
    ]
    let manifest = """
      func module(_ name: String) -> Target { .target(name: name, dependencies: []) }
      // module("Old"),
      module("Low"),
      module(
        "High", ["Low"]),
      .executableTarget(
        name: "tool",
        dependencies: ["High", .product(name: "Parser", package: "a-parser")], settings: strict),
      .testTarget(name: "LowTests", dependencies: ["Low", "High"]),
      """
    let folders: Set = ["Low", "High", "tool"]
    func complaints(_ manifest: String, _ folders: Set<String>) -> [String] {
      checkArrows(manifest: manifest, folders: folders, table: table).map {
        "\($0.line): \($0.what)"
      }
    }
    #expect(complaints(manifest, folders) == [])
    #expect(
      complaints(manifest.replacing("\"High\", [\"Low\"]", with: "\"High\""), folders)
        == ["4: High does not depend on Low, which the table allows"])
    let upward = manifest.replacing("module(\"Low\")", with: "module(\"Low\", [\"High\"])")
    #expect(
      complaints(upward, folders)
        == ["3: Low depends on High, which the table does not allow"])
    #expect(
      complaints(manifest.replacing("\"Parser\"", with: "\"Other\""), folders)
        == [
          "6: tool depends on Other, which the table does not allow",
          "6: tool does not depend on Parser, which the table allows",
        ])
    let named = manifest.replacing("\"High\", [\"Low\"]", with: "\"High\", [] + parts")
    #expect(complaints(named + "\nlet parts: [Part] = [\"Low\"]", folders) == [])
    #expect(
      complaints(manifest + "\nmodule(\"New\")", folders.union(["Stray"]))
        == ["10: target New is not in the table", "1: Sources/Stray belongs to no target"])
    #expect(
      complaints(manifest.replacing("module(\"Low\"),", with: ""), folders)
        == ["1: Sources/Low belongs to no target", "1: the table has Low, which is not a target"])
  }

  @Test(
    "Impure code in pure targets is reported",
    arguments: [
      Sample("func a() async {}", [1]), Sample("await b()", [1]), Sample("actor A {}", [1]),
      Sample("Task { }", [1]), Sample("let a = Date()", [1]), Sample("let a: Double", [1]),
      Sample("let a = Float(1)", [1]), Sample("var g = SystemRandomNumberGenerator()", [1]),
      Sample("let a = .now", [1]), Sample("f(at: .now)", [1]), Sample("Instant.now", [1]),
      Sample("let a = wallClock.now", [1]), Sample("let a = self.now + agenda.now"),
      Sample("func step(at now: Instant)"), Sample("print(1)", [1]), Sample("Swift.print(1)", [1]),
      Sample("func print(_ a: Int)\nwriter.print(1)"), Sample("a.print"),
      Sample("Int.random(in: 0..<6)", [1]), Sample("Int.random(in: 0..<(6), using: &g)"),
      Sample("a.shuffled()\nb.randomElement()", [1, 2]), Sample("a.shuffled(using: &g)"),
      Sample("a.hashValue", [1]), Sample("func hash(into hasher: inout Hasher)"),
      Sample("let a = \"print(1) \\(b.hashValue)\"", [1]),
      Sample("// await\nlet a = \"\"\"\n  await \"Date()\"\n  \"\"\"\nlet b = Date()", [5]),
      Sample("let a = #\"await \"Task\" \\(Date())\"#\nlet `actor` = 1"),
      Sample("/* Task /* nested */ Task */ let a = 1 / 2 // Task"),
      Sample("let a = /Date \"/\nlet b = Date()", [2]),
      Sample("print(1)", in: "Sources/handover/A.swift"),
      Sample("print(1)", in: "Sources/HandoverReport/A.swift", [1]),
      Sample("print(1)", in: "Tests/HandoverCoreTests/A.swift"),
      Sample("Mutex(1)", [1]), Sample("Mutex(1)", in: "Sources/HandoverInterceptors/A.swift"),
      Sample("await b()", in: "Sources/HandoverInterceptors/A.swift", [1]),
    ])
  func purity(_ sample: Sample) {
    #expect(checkPurity(sample.file, table: Self.table).map(\.line) == sample.lines)
  }

  @Test(
    "Default cases are reported",
    arguments: [
      Sample("switch a {\ncase .b: 1\ndefault: 2\n}", [3]),
      Sample("switch a { case .b: 1; default : 2 }", [1]),
      Sample("@unknown default: 2", [1]), Sample("f(default: 1)\ng(1, default: 2)"),
      Sample("// default:\nlet a = \"default:\""),
      Sample("default: 1", in: "Sources/HandoverReport/A.swift"),
    ])
  func defaults(_ sample: Sample) {
    #expect(checkDefaults(sample.file).map(\.line) == sample.lines)
  }

  @Test(
    "Comparisons with profiles and transports are reported",
    arguments: [
      Sample("if a.transport == .cfStream {}", [1]), Sample("a != .sockets", [1]),
      Sample("a == Profile.sockets", [1]),
      Sample("\n.filter { $0 != TransportModel.b }", [2]),
      Sample("a.profile.transport == b", [1]), Sample("a.transport == .tcp"),
      Sample("a.transport.pathLoss == b.c"),
      Sample("a == b.sockets"), Sample("a = .sockets"), Sample("// a == .sockets"),
      Sample("a == .sockets", in: "Sources/HandoverCore/Machines/Profile/Profile.swift"),
      Sample("a == .sockets", in: "Sources/HandoverCore/Machines/Profile/Profile+Known.swift"),
      Sample("a == .sockets", in: "Tests/ATests/A.swift"), Sample("a == .newest"),
      Sample("if profile.name == \"sockets\" {}", [1]), Sample("profile.name != .b.name", [1]),
      Sample("one.profile.name == Profile.sockets.name", [1]), Sample("$0.profile == profile.name"),
      Sample("profile.name == name"), Sample("switch profile {\ncase .sockets: 1\n}", [1]),
      Sample("switch a.profile.transport { case .b: 1 }", [1]),
      Sample("switch profile.transport.pathLoss { case .b: 1 }"),
    ])
  func parts(_ sample: Sample) {
    let constants: Set = ["sockets", "cfStream", "udp"]
    #expect(checkParts(sample.file, constants: constants).map(\.line) == sample.lines)
  }

  @Test("The constants of profiles and transports are found in their declarations")
  func constants() {
    let file = Sample(
      "static let a = Profile(name: 1)\npublic static let b = TransportModel(c)\nstatic let d = E()"
    ).file
    #expect(constantsOfParts([file]) == ["a", "b"])
  }

  @Test(
    "Unmarked dictionaries and sets are reported",
    arguments: [
      Sample("let a: Set<Int>", [1]), Sample("Dictionary(grouping: a, by: b)", [1]),
      Sample("let a: [String: Int] = [:]", [1]), Sample("func f(_ a: [[A]: (B, C)])", [1]),
      Sample("let a = [\"b\": 1]", [1]), Sample("let a: [A: B]? = nil // lookup only"),
      Sample("// lookup only: by name\nlet a: Set<Int>"),
      Sample("/// Names. // lookup only\n@frozen\nlet a: Set<Int>"),
      Sample("let c = 1 // lookup only\nlet a: Set<Int>", [2]),
      Sample("a[b: 1]\nlet c = [d ? e : f]\n[G(h: 1), { (i: Int) in i }]\nlet j = [1, 2]"),
      Sample("let a: PathSet\nlet b = \"Set\""),
      Sample("let a: Set<Int>", in: "Sources/HandoverBackend/A.swift"),
    ])
  func hashedCollections(_ sample: Sample) {
    #expect(checkHashedCollections(sample.file, table: Self.table).map(\.line) == sample.lines)
  }

  static let longBody = String(repeating: "  a()\n", count: 69)
  static let fullLine = String(repeating: "é", count: 100)

  @Test(
    "Excessive lengths are reported",
    arguments: [
      Sample("\(fullLine)\n\(fullLine)b", [2]),
      Sample("func f() {\n\(longBody)}\n", [1]),
      Sample("func f() {\n\(longBody.dropFirst(6))}\n"),
      Sample("/// Why.\n// long: a flat switch\n@inlinable\nfunc f() {\n\(longBody)}\n"),
      Sample("// long:\nfunc f() {\n\(longBody)}\n", [2]),
      Sample("init(\n  a: () -> Void = {}\n) {\n\(longBody)}\n", [1]),
      Sample("self.init(1) {\n\(longBody)}\n"),
      Sample("protocol P {\n  func f()\n  var a: Int { get }\n\(longBody)}\n"),
      Sample("func f() {\n// {\n\(longBody.dropFirst(18))_ = \"{\"\n}\nlet a = 1\n}\n"),
      Sample(String(repeating: "\n", count: 600)),
      Sample(String(repeating: "\n", count: 601), [601]),
    ])
  func lengths(_ sample: Sample) {
    #expect(checkLengths(sample.file).map(\.line) == sample.lines)
  }

  @Test(
    "Texts whose strings or comments never end are reported",
    arguments: ["\"a\nb\"", "\"\"\"\na", "/* a"])
  func understood(_ text: String) {
    #expect(checkUnderstood(Sample(text).file).count == 1)
    #expect(checkUnderstood(Sample("let a = \"\\(b(\"c\"))\" /* d */ + #\"\"\"#").file) == [])
  }

  @Test(
    "Leftover work in comments is reported",
    arguments: [
      Sample("// FIXME: a\n/* TODO */ /// TODO(b): c", [1, 2]),
      Sample("// TODO(#12): a\n// TODO #3\n// It writes `# TODO` there.\nlet a = \"TODO\""),
    ])
  func leftovers(_ sample: Sample) {
    #expect(checkLeftovers(sample.file).map(\.line) == sample.lines)
  }

  @Test("Leftover work is reported in scripts, but not in other texts")
  func leftoversInScripts() {
    #expect(checkLeftovers(path: "Makefile", text: "a:\n# TODO b").map(\.line) == [2])
    #expect(checkLeftovers(path: "a/run", text: "#!/bin/sh\n# FIXME b").map(\.line) == [2])
    #expect(checkLeftovers(path: "Sources/a.py.txt", text: "#!/bin/sh\n# TODO b") == [])
    #expect(checkLeftovers(path: "Tests/a.tap", text: "not ok 1 - a # TODO b") == [])
  }

  private static func timed(_ text: String, _ lines: [Int] = []) -> Sample {
    Sample(text, in: "Tests/ATests/A.swift", lines)
  }

  @Test(
    "Upper limits on real time are reported",
    arguments: [
      timed("#expect(ContinuousClock.now - a < .seconds(90))", [1]),
      timed("let a = monotonicMicroseconds() - b\n#expect(a >= 5)\n#expect(c == 1 && a < 5)", [3]),
      timed(
        "let a = monotonicMicroseconds()\n#expect(a <= b.at && b.at <= monotonicMicroseconds())"),
      timed("let took = ContinuousClock.now - began\n#expect(.seconds(1) < took)"),
      timed("let took = ContinuousClock.now - began\ntry #require(.seconds(1) > took)", [2]),
      timed("#expect((1..<2).contains(monotonicMicroseconds() - a))", [1]),
      timed(
        "func echo() -> Int {\n  return (monotonicMicroseconds() - a) / 1_000\n}\n"
          + "let one = try echo()\n#expect(one < 100)\n#expect((8...9).contains(try echo()))",
        [5, 6]
      ),
      timed("a.append(monotonicMicroseconds() - b)\n#expect(a.sorted()[2] < 20)", [2]),
      timed("let a = rig.now - b\n#expect(a < 5 && (1...2).contains(c))"),
      timed("let end = monotonicMicroseconds() + 20_000_000", [1]),
      timed(
        "let end = monotonicMicroseconds() + 60_000_000\nwhile monotonicMicroseconds() < end {}"),
      timed("a.wait(timeout: .now() + .seconds(30))\nlet b = rig.now + .seconds(30)", [1]),
      timed("let end = ContinuousClock.now + .seconds(59)", [1]),
      timed("#expect(try a.read(within: 5_000) == .text(b))", [1]),
      timed(
        "#expect(try a.read(within: 300) == .nothing)\n_ = try waitReadable([a], atMost: 1_000)"),
      timed("try pool.submit {}.wait(timeout: .seconds(30))\ntry a.wait(timeout: .zero)", [1]),
      timed(
        "// short wait: all of it is used up\n"
          + "let a = try ProcessClientFactory(b, timeout: .seconds(1))"
      ),
      timed("Profile(timeout: .seconds(1))\nfunc wait(timeout: Int) {}"),
      timed("@Test(\"a\", .timeLimit(.minutes(1)))\n@Suite(.timeLimit(.minutes(30)))", [1]),
      timed("try await Task.sleep(for: a)\nlet b = \"sleep(1)\"", [1]),
      timed("while a {\n  sched_yield()\n}", [2]),
      timed(
        "run(\"--\("timeout")\", \"3s\")\nrun(\"--\("timeout") 500ms\")"
          + "\nrun(\"--timeout\", \"60s\")",
        [1, 2]),
      Sample("#expect(ContinuousClock.now - a < b)", in: "Tests/Benchmarks/A.swift"),
    ])
  func speed(_ sample: Sample) {
    #expect(checkSpeed(sample.file).map(\.line) == sample.lines)
  }

  @Test("Short waits in test scripts are reported")
  func speedOfScripts() {
    func lines(_ path: String, _ text: String) -> [Int] {
      checkSpeed(path: path, text: text).map(\.line)
    }
    #expect(
      lines("Tests/Tools/a", "\nrun(timeout=10)\na.settimeout(3)\nrun(timeout=60)") == [2, 3])
    #expect(lines("Tests/Tools/a", "run(timeout=1)  # short wait: it is used up") == [])
    #expect(lines("Fixtures/Backends/test_a.py", "wait(timeout=10)") == [1])
    #expect(lines("Fixtures/Programs/poll.py", "connect(timeout=3)") == [])
  }

  @Test("Machine-specific paths are reported")
  func machinePaths() {
    func lines(_ path: String, _ text: String) -> [Int] {
      checkMachinePaths(path: path, text: text).map(\.line)
    }
    #expect(lines("README.md", "\ncd /\("home")/me, /\("work")/a, \"/\("root")/b\"") == [2, 2, 2])
    #expect(lines("Tests/a.swift", "/\("work")/a") == [1])
    #expect(lines("Sources/a.swift", "a/\("work")/b $HOME/\("root")/c ../\("home")/d") == [])
    #expect(lines("Sources/a.swift", "\"/\("tmp")/a\"") == [1])
    #expect(lines("Tests/a.swift", "\"/\("tmp")/a\"") == [])
    #expect(lines("a/run", "#!/bin/sh\nmktemp /\("tmp")/a.XXXXXX") == [])
    #expect(lines("a/run", "#!/bin/sh\necho > /\("tmp")/a") == [2])
    #expect(lines("README.md", "mktemp /\("tmp")/a.XXXXXX") == [1])
  }

  @Test("Missing files that pages name are reported")
  func namedPaths() {
    func lines(_ path: String, _ text: String) -> [Int] {
      checkNamedPaths(path: path, text: text, paths: ["Sources/A/B.swift", path]).map(\.line)
    }
    #expect(lines("a.md", "`Sources/A/B.swift`, `Sources/A` and `Sources/A/`\n`Sources/C`") == [2])
    #expect(lines("a.md", "`Tests/A.swift`, `Tests/*.swift`, Tests/B, `other/C`") == [1])
    #expect(lines("a.swift", "`Tests/A.swift`") == [])
    #expect(
      lines("Tests/Tools/mutants-equal", "Words.\nSources/A/B.swift\tx\ty\nSources/C.swift\tx\ty")
        == [3])
  }

  @Test("Hosts of package registries are reported")
  func registries() {
    let host = ["github", "com"].joined(separator: ".")
    let other = ["pypi", "org"].joined(separator: ".")
    func lines(_ path: String, _ text: String) -> [Int] {
      checkRegistries(path: path, text: text).map(\.line)
    }
    #expect(lines("Package.swift", ".package(url: \"https://\(host)/a/b\", from: \"1.0.0\")") == [])
    #expect(lines("Package.swift", "// see https://\(host)/a/b") == [1])
    #expect(lines("README.md", "\n.package(url: \"https://\(host)/a/b\")") == [2])
    #expect(lines("README.md", "[a project](https://\(host)/a/b)") == [])
    #expect(lines("Fixtures/a.json", "[a project](https://\(host)/a/b)") == [])
    #expect(lines("Sources/A.swift", "[a project](https://\(host)/a/b)") == [1])
    #expect(lines("Fixtures/a.go", "\t\"\(host)/a/b\"\n// \(host)/a/b") == [2])
    #expect(lines("Makefile", "pip -i https://\(other)/simple\n\(other)") == [1, 2])
    #expect(lines("README.md", "not\(other), \(other.dropLast(3))") == [])
  }

  static let linkSamples: [(text: String, lines: [Int])] = [
    ("[b](b.md), [c](../README.md), [d](#one-two), [e](https://a.example/x)", []),
    ("\n[b](b.md#its-heading) and [b](b.md#no-heading)", [2]), ("[x](x.md)", [1]),
    ("`[x](x.md)`\n```\n[x](x.md)\n```", []), ("[folder](../Sources)", []),
  ]

  @Test("Links without a target are reported", arguments: linkSamples)
  func links(_ text: String, _ lines: [Int]) {
    let page = "# One, two\n\n" + text
    let pages = ["docs/a.md": page, "docs/b.md": "## Its heading"]
    let found = checkLinks(
      path: "docs/a.md", text: page,
      paths: ["docs/a.md", "docs/b.md", "README.md", "Sources/A.swift"], pages: pages)
    #expect(found.map { $0.line - 2 } == lines)
  }

  static let proseSamples: [(text: String, lines: [Int])] = [
    ("The client closes the connection.", []), ("What becomes of it.", [1]),
    ("`what becomes of it`, and \"beside\"", []), ("```\nwhat becomes of it\n```", []),
    ("| nobody | x |", [1]), ("| n1-nobody-says-so |", []), ("a-nobody, nobody", [1]),
    ("Fine.\n\n- A rule stands in line.\n- It is told.", [3, 4]),
    (sentence(words: 30), []), ("Fine.\n" + sentence(words: 31), [1]),
    (String(repeating: "a b c. ", count: 20), []),
  ]

  private static func sentence(words count: Int) -> String {
    String(repeating: "word ", count: count - 1) + "word."
  }

  @Test("Prose that is hard to read is reported", arguments: proseSamples)
  func prose(_ text: String, _ lines: [Int]) throws {
    #expect(try checkProse(path: "a.md", text: text).map(\.line) == lines)
  }

  @Test("Files that do not belong in the repository are reported")
  func tracked() {
    let bad = [
      "Package.resolved", "Tests/B/Package.resolved", ".build/a", ".ci/a.yml", "b.yaml",
      "c.swiftdoc", ".github.yml", "Sources/.github/a.yml", "Scenarios/a.yaml",
      ".github/Package.resolved",
    ]
    #expect(bad.flatMap(checkTracked).map(\.path) == bad)
    let good = [
      "Package.swift", ".ci/run", "Scenarios/a.json", ".github/a.yaml", ".github/workflows/b.yml",
    ]
    #expect(good.flatMap(checkTracked) == [])
  }

  @Test(
    "Unknown names on a page are reported",
    arguments: [
      ("`Machine` and ``Machine``", []), ("`Machine.step`, `Machine.step(_:)`, `finish`", []),
      ("`Machine.Event`, `Event.started`, `second`, `Event.second`", []),
      ("\n`Engine`", ["Engine does not exist"]), ("``Engine``", ["Engine does not exist"]),
      ("`Machine.run`", ["Machine.run does not exist"]),
      ("`Other.step`", ["Other.step does not exist"]),
      (
        "`HandoverCore`, `Sources/HandoverCore`, `A.swift`, "
          + "`Sources/HandoverCore/Machines/A.swift`",
        []
      ),
      ("`B.swift` `Core/A.swift`", ["B.swift does not exist", "Core/A.swift does not exist"]),
      ("`make api`, `--jobs`, `a: b`, `lab:./x`", []), ("```\n`Engine`\n```", []),
      ("`A_NAME`, `NO_NAME`", ["NO_NAME does not exist"]),
    ])
  func symbols(_ text: String, _ complaints: [String]) {
    let texts = [
      "Sources/HandoverCore/Machines/A.swift": """
      struct Machine {
        enum Event { case started(at: Int, by: String), second }
        func step(_ event: Event) {}
        let name = "A_NAME" // struct Engine
      }
      """,
      "Sources/HandoverCore/Machines/C.swift": "struct Other { func finish() {} }",
    ]
    let found = checkSymbols(
      path: "A.md", text: text,
      symbols: DeclaredSymbols(texts.map { SourceFile(path: $0.key, text: $0.value) }),
      targets: ["HandoverCore"], paths: Array(texts.keys),
      sources: texts.map { ($0.key, $0.value) })
    #expect(found.map(\.what) == complaints)
  }

  @Test(
    "A function with labels is public, and may have more labels",
    arguments: [
      ("`send(_:to:)`, `send(_:to:after:)` and `Machine.send(_:after:)`", []),
      ("`Part(of:)` and `Machine.Part(of:)`", []),
      ("`send(_:by:)`", ["`send(_:by:)` is not public"]),
      ("`send(to:_:)`", ["`send(to:_:)` is not public"]),
      ("`push(_:)`", ["`push(_:)` is not public"]),
    ])
  func functions(_ text: String, _ complaints: [String]) {
    let functions = PublicFunctions([
      "Machine.Part.init(of:): init(of whole: Machine)\n"
        + "Machine.send(_:to:after:): func send(_ event: Int, to other: Int, after time: Int = 0)\n"
        + "Machine.stop(): func stop()\n"
    ])
    #expect(
      checkFunctions(path: "A.md", text: text, functions: functions).map(\.what) == complaints)
  }

  @Test(
    "A walk enters each file once, and the step above calls each step",
    arguments: [
      (" 1 A: begin  it begins\n 2   B: go  it goes on\n 3 C: C  it ends", []),
      (" 1 A: begin  it begins\n 3   B: go  it goes on", ["B is not number 3"]),
      (
        " 1 A: begin  it begins\n 2   B: stop  it goes on",
        ["B does not declare stop", "A does not call stop"]
      ),
      (" 1 A: begin  it begins\n 2 B: go  it goes on", ["Sources/command/ does not call go"]),
      (" 1 A: begin  it begins\n 2   C: C  it ends", ["A does not call C"]),
      (" 1 A: begin  it begins\n 2   D: go  it goes on", ["there are 0 files D"]),
      (
        " 1 A: begin  it begins\n 2   B: go  it goes on\n 3   B: go  again",
        ["B is entered again"]
      ),
      (
        " 1 A: begin  one\n 2   B: go  two\n 3 C: C  three\n 4   E: on  four",
        ["the walk enters over 3 files"]
      ),
    ])
  func walks(_ drawing: String, _ complaints: [String]) {
    let sources = [
      ("Sources/command/Main.swift", "begin()\nlet c = C(1)"),
      ("Sources/M/A.swift", "func begin() { b.go() }"),
      ("Sources/M/B.swift", "struct B { func go() {} }"),
      ("Sources/N/C.swift", "struct C { func callAsFunction() { e.on(1) } }"),
      ("Sources/N/E.swift", "func on() {}"),
    ]
    let found = checkWalk(
      path: "W.md", text: "```\n\(drawing)\n```\n 9 Z: z  no walk",
      sources: sources.map { SourceFile(path: $0.0, text: $0.1) }, limit: 3,
      calledFrom: "Sources/command/")
    #expect(found.map(\.what) == complaints)
  }

  @Test("A complaint contains the place, the problem, the reason and the remedy")
  func wording() {
    let complaint = checkDefaults(Sample("default: 1").file).map(\.description)
    #expect(
      complaint == [
        "Sources/HandoverCore/Machines/A.swift:1: a switch of HandoverCore/Machines has a default: "
          + "a new case must fail to compile everywhere it matters; list every case"
      ])
  }
}
