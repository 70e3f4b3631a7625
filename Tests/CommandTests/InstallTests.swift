import Foundation
import Testing

@Suite("make install and make docs")
struct InstallTests {
  private static func make(_ arguments: String...) throws -> CommandLineRun {
    try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"), ["make", "--no-print-directory"] + arguments)
  }

  /// Returns every file below a directory, with its contents.
  private static func files(below directory: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
      // An entry that cannot be read as a file is a directory.
      files[path] = try? Data(contentsOf: directory.appending(path: path))
    }
    return files
  }

  @Test("Everything is installed below DESTDIR and PREFIX, and a second install changes nothing")
  func install() throws {
    let scratch = try ScratchDirectory()
    let arguments = [
      "install-files", "COMMAND=\(CommandLineRun.command.path)", "PREFIX=/usr/local",
      "DESTDIR=\(scratch.url.path)",
    ]
    let first = try CommandLineRun(command: URL(filePath: "/usr/bin/env"), ["make"] + arguments)
    #expect(first.status == 0, "\(first.errors)")
    let installed = try Self.files(below: scratch.url)
    #expect(
      installed.keys.sorted() == [
        "usr/local/bin/handover", "usr/local/share/bash-completion/completions/handover",
        "usr/local/share/doc/handover/LICENSE",
        "usr/local/share/fish/vendor_completions.d/handover.fish",
        "usr/local/share/man/man1/handover.1", "usr/local/share/zsh/site-functions/_handover",
      ])
    let command = scratch.url.appending(path: "usr/local/bin/handover")
    #expect(try CommandLineRun(command: command, ["list"]).status == 0)
    let zsh = installed["usr/local/share/zsh/site-functions/_handover"]
    #expect(zsh?.starts(with: Data("#compdef handover".utf8)) == true)
    let again = try CommandLineRun(command: URL(filePath: "/usr/bin/env"), ["make"] + arguments)
    #expect(again.status == 0)
    #expect(try Self.files(below: scratch.url) == installed)
    try checkManual(scratch.url.appending(path: "usr/local/share/man/man1/handover.1"))
  }

  @Test("The version is semantic, and the newest changelog entry is this version or the next")
  func version() throws {
    let version = try CommandLineRun("--version").output.trimmingCharacters(in: .newlines)
    #expect(version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?/) != nil, "\(version)")
    let changes = try String(
      contentsOf: packageRoot.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = changes.split(separator: "\n").first { $0.hasPrefix("## ") }
    let dated = newest?.wholeMatch(of: /## (\S+) \([0-9]{4}-[0-9]{2}-[0-9]{2}\)/)
    #expect(newest == "## Unreleased" || dated.map { $0.1 == version } == true)
  }

  private func checkManual(_ page: URL) throws {
    let text = try String(contentsOf: page, encoding: .utf8)
    for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "EXAMPLES"] {
      #expect(text.contains("\n.SH \(title)\n"))
    }
    for path in try CommandTree.paths() {
      #expect(text.contains(".SS \"handover \(path.joined(separator: " "))\"\n"))
    }
    // The page has the command's own exit statuses, and a list keeps its lines.
    #expect(text.contains("\n.PP\nExit status: 0 all files are formatted;"))
    #expect(text.contains("\nuncovered                nothing is known about it\n"))
    if let groff = Program.find("groff") {
      let lint = try CommandLineRun(
        command: URL(filePath: groff), ["-man", "-ww", "-z", "-Tutf8", page.path])
      #expect(lint.status == 0)
      #expect(lint.errors.isEmpty, "\(lint.errors)")
    }
    if let man = Program.find("man") {
      let shown = try CommandLineRun(
        command: URL(filePath: man), ["-l", page.path],
        environment: ["MANPAGER": "cat", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"])
      #expect(shown.status == 0, "\(shown.errors)")
      #expect(shown.output.contains("handover run --known-failing known.txt"))
    }
  }

  @Test("The documentation builds without a warning", .enabled(if: Program.find("docc") != nil))
  func documentation() throws {
    let scratch = try ScratchDirectory()
    let run = try Self.make("docs", "DOCS=\(scratch.url.path)/docs")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("documentation/handover"))
    let page = scratch.url.appending(path: "docs/documentation/handover/profiles/index.html")
    #expect(FileManager.default.fileExists(atPath: page.path))
    #expect(try String(contentsOf: page, encoding: .utf8).contains("href=\"/search.html\""))
    try checkSearch(scratch.url.appending(path: "docs/search.html"))
  }

  /// Checks that every word of every page can be found, and that each result leads to its place.
  private func checkSearch(_ page: URL) throws {
    let search = try String(contentsOf: page, encoding: .utf8)
    let json = try #require(search.firstMatch(of: /id="index">(.*?)<\/script>/)).output.1
    let index = try JSONDecoder().decode([[String]].self, from: Data(json.utf8))
    let catalog = packageRoot.appending(path: "Sources/handover/Handover.docc")
    for name in try FileManager.default.contentsOfDirectory(atPath: catalog.path)
    where name.hasSuffix(".md") {
      let title = name.dropLast(3).lowercased()
      let link =
        title == "handover" ? "/documentation/handover" : "/documentation/handover/\(title)"
      let found = index.filter { $0[2].split(separator: "#")[0] == link }
        .map { "\($0[0]) \($0[1]) \($0[3])" }.joined(separator: " ")
      let text = try String(
        contentsOf: catalog.appending(path: name), encoding: .utf8
      ).replacing(/(?s)```.*?```|<!--.*?-->|@\w+ \{.*?\n\}|## Topics.*/, with: "")
        .replacing(/\]\([^)]*\)/, with: "")
      let words = text.matches(of: /[A-Za-z]{5,}/).map(\.output)
      let missing = words.filter { !found.contains($0) }
      #expect(missing == [], "\(name)")
    }
    guard let node = Program.find("node") else { return }
    let scratch = try ScratchDirectory()
    let script = try scratch.write(
      """
      const page = require("fs").readFileSync(process.argv[2], "utf8")
      const index = JSON.parse(page.match(/id="index">(.*?)<\\/script>/s)[1])
      const code = page.match(/<script>\\n(.*)<\\/script>/s)[1]
      const { search, excerpt } = new Function(code + "; return { search, excerpt }")()
      const links = query => search(index, query).map(one => one[2])
      const check = (what, holds) => { if (!holds) { console.log(what); process.exitCode = 1 } }
      const gates = "/documentation/handover/gates"
      check("a word of a title leads", links("thresholds")[0].startsWith(gates))
      check("all words", links("max-hang strict").length < links("max-hang").length)
      check("a word of the text", links("TCP_USER_TIMEOUT").length > 1)
      check("how a word begins", links("reachab").length >= links("reachability").length)
      check("nothing", links("zzzz").length === 0 && links("  ").length === 0)
      check("a pattern is none", links("a.*b(").length === 0)
      const pieces = excerpt("a".repeat(90) + " <b> Keepalive " + "c ".repeat(200), "keepalive")
      check("a mark", pieces.some(([isWord, text]) => isWord && text === "Keepalive"))
      """, to: "check.js")
    let run = try CommandLineRun(command: URL(filePath: node), [script, page.path])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }
}
