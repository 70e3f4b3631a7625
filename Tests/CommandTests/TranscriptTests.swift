import Foundation
import Testing

extension DocumentPage {
  /// Whether a command of the page needs a device lab.
  var needsLab: Bool {
    blocks.contains { block in
      block.isRun
        && ["handover try ", "handover lab ", "lab:", "--backend nio"].contains {
          block.text.contains($0)
        }
    }
  }

  /// Runs the commands of the page in the order of the page, and compares what they print.
  ///
  /// `make golden` rewrites the output that the page shows.
  func checkTranscripts() throws {
    let folder = try TranscriptFolder()
    var corrected = text
    for block in blocks {
      if let name = block.mark("file") { try folder.save(block.text, as: name) }
      guard block.isRun else { continue }
      var lines: [Substring] = []
      for (command, shown) in block.steps {
        let transcript = Transcript(shown: shown, digitsVary: block.mark("digits vary") != nil)
        let printed = try folder.run(command, showing: shown)
        let isCurrent = transcript.matches(printed)
        #expect(
          isCurrent,
          """
          \(name):\(block.line): `\(command)` prints (`make golden` corrects the page)
          \(printed.joined(separator: "\n"))
          """)
        lines += "$ \(command)".split(separator: "\n")
        lines += isCurrent ? shown : transcript.corrected(printed)
      }
      let output = lines.map { $0 + "\n" }.joined()
      corrected.replace("```console\n\(block.text)```", with: "```console\n\(output)```")
    }
    if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1", corrected != text {
      try Data(corrected.utf8).write(to: file)
    }
  }
}

@Suite("Transcripts in documents")
struct TranscriptTests {
  @Test(
    "A page shows what its commands print",
    arguments: DocumentPage.all.filter { !$0.needsLab && $0.blocks.contains(where: \.isRun) })
  func transcripts(_ page: DocumentPage) throws {
    try page.checkTranscripts()
  }

  @Test("Commands are in blocks of their language", arguments: DocumentPage.all)
  func languages(_ page: DocumentPage) {
    let command = /( *\$ | *handover [a-z-]+ | *make [a-z-]+$).*/
    for block in page.blocks {
      let position = "\(page.name):\(block.line)"
      #expect(block.mark("not run") != "", "\(position): no reason is given")
      guard !["console", "sh"].contains(block.language) else { continue }
      for line in block.text.split(separator: "\n") {
        #expect(
          line.wholeMatch(of: command) == nil, "\(position): a command is not checked: \(line)")
      }
    }
    for line in page.indented {
      #expect(line.wholeMatch(of: command) == nil, "\(page.name): an indented command: \(line)")
    }
  }

  @Test("Every command and option in a block exists", arguments: DocumentPage.all)
  func options(_ page: DocumentPage) throws {
    let root = try CommandTree.root.get()
    for block in page.blocks where ["console", "sh"].contains(block.language) {
      let script =
        block.language == "sh"
        ? block.text : block.steps.map(\.command).joined(separator: "\n")
      for words in ShellWords(script).commands {
        #expect(
          root.complaint(about: words) == nil,
          "\(page.name):\(block.line): \(words.joined(separator: " "))")
      }
    }
  }

  @Test("Lines can be left out, digits can vary, and nothing else")
  func comparison() {
    func matches(_ shown: String, _ printed: String, digitsVary: Bool = false) -> Bool {
      Transcript(shown: shown.split(separator: "\n"), digitsVary: digitsVary)
        .matches(printed.split(separator: "\n"))
    }
    #expect(matches("a\nb", "a\nb"))
    #expect(!matches("a", "a\nb") && !matches("b", "a\nb") && !matches("", "a"))
    #expect(matches("...\nb\n...\nd\n...", "a\nb\nc\nd\ne") && matches("a\n...\nb", "a\nb"))
    #expect(!matches("...\nd\n...\nb\n...", "a\nb\nc\nd\ne") && !matches("...\na", "a\nb"))
    #expect(!matches("a 1 s", "a 2 s"))
    #expect(matches("a   1.5 s │ b", "a 22 min 7 ms\n │ b", digitsVary: true))
    #expect(!matches("a 1 s HANGS", "a 1 s LATE", digitsVary: true))
    let corrected = Transcript(shown: ["...", "2 red apples", "..."])
      .corrected(["a pear", "3 red apples", "a fig"])
    #expect(corrected == ["...", "3 red apples", "..."])
  }

  @Test("Words of a command line are separated as a shell separates them")
  func shellWords() throws {
    let script =
      "A=1 handover run --backend 'exec:handover new -x' # why\nx | handover try \\\n -- -y"
    #expect(
      ShellWords(script).commands == [
        ["handover", "run", "--backend", "exec:handover new -x"], ["x"],
        ["handover", "try", "--", "-y"],
      ])
    let root = try CommandTree.root.get()
    #expect(root.complaint(about: ["handover", "run", "--no-such", "x"]) == "--no-such")
    #expect(root.complaint(about: ["handover", "runs"]) == "runs")
    #expect(root.complaint(about: ["handover", "my.json", "--profile", "quic"]) == nil)
    #expect(
      root.complaint(about: ["handover", "run", "--backend", "exec:handover new -x"]) == "-x")
    #expect(root.complaint(about: ["handover", "try", "--", "-x"]) == nil)
  }
}

/// The first tasks of a new reader, from the README on.
@Suite("First tasks")
struct FirstTaskTests {
  @Test(
    "A task takes at most 300 words and 3 commands, and is the first of its page",
    arguments: [
      ("try", "README.md"), ("run", "README.md"), ("write", "WritingAScenario.md"),
      ("client", "TestingYourClient.md"), ("failure", "ReadingAFailure.md"),
    ])
  func task(_ name: String, _ pageName: String) throws {
    let page = try DocumentPage.named(pageName)
    let index = try #require(page.blocks.firstIndex { $0.mark("task") == name })
    let block = page.blocks[index]
    // The tests of transcripts run each page from its beginning, and thus these commands first.
    let before = page.blocks[..<index]
    #expect(before.allSatisfy { $0.language != "console" || $0.mark("task") != nil })
    #expect(block.isRun)
    #expect((1...3).contains(block.steps.count))
    var words = block.wordsBefore + block.wordsAfter
    if pageName != "README.md" {
      let readme = try DocumentPage.named("README.md")
      let start = try #require(readme.text.components(separatedBy: "\n## Sixty seconds").first)
      #expect(start.contains("/\(pageName))"), "the first screens of the README do not link to it")
      words += try #require(readme.blocks.first { $0.mark("task") != nil }).wordsBefore
    }
    #expect(words <= 300, "\(words) words")
  }
}

/// The commands of pages that need a device lab, and the picture of one.
@Suite("Transcripts in documents, live", .enabled(if: labIsThere && Program.find("curl") != nil))
struct TranscriptLiveTests {
  @Test("A page shows what its commands print", arguments: DocumentPage.all.filter(\.needsLab))
  func transcripts(_ page: DocumentPage) throws {
    try page.checkTranscripts()
  }

  @Test("The README's picture of `try` shows what the command prints")
  func picture() throws {
    let command = "handover try -- curl -sN http://api.example/drip"
    let file = packageRoot.appending(path: "Fixtures/Pictures/try.svg")
    let golden = try? String(contentsOf: file, encoding: .utf8)
    let shown = Transcript(shown: Self.text(of: golden ?? ""), digitsVary: true)
    var picture = TerminalPicture(title: "", columns: 96, steps: [])
    var lines: [Substring] = []
    var isCurrent = false
    // On a busy machine a verdict can have a note about it, or be undecided.
    for _ in 0..<3 where !isCurrent {
      lines = try TranscriptFolder().run(command, environment: ["FORCE_COLOR": "1"])
      picture = TerminalPicture(
        title: "handover try runs curl, which hangs after five of seven network changes",
        columns: 96, steps: [.init(command: command, output: lines.joined(separator: "\n"))])
      isCurrent = shown.matches(Self.text(of: picture.svg))
    }
    #expect(picture.svg.utf8.count < 24_000, "a picture that readers load is small")
    #expect(try DocumentPage.named("README.md").text.contains("(Fixtures/Pictures/try.svg)"))
    #expect(
      isCurrent,
      "try.svg is out of date; `make golden` makes it again:\n\(lines.joined(separator: "\n"))")
    if !isCurrent, ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try Data(picture.svg.utf8).write(to: file)
    }
  }

  /// The lines of text in a picture of a terminal.
  private static func text(of svg: String) -> [Substring] {
    svg.split(separator: "\n").filter { $0.hasPrefix("<text") }
      .map { $0.replacing(/<[^>]*>/, with: " ") }
  }
}
