import Foundation
import Testing

@Suite("Examples in documents")
struct DocumentTests {
  @Test("Every complete scenario in a document is valid", arguments: DocumentPage.all)
  func scenarios(_ page: DocumentPage) throws {
    for block in page.blocks where block.language == "json" && block.mark("part") == nil {
      let scratch = try ScratchDirectory()
      let run = try CommandLineRun("check", try scratch.write(block.text, to: "example.json"))
      #expect(run.status == 0, "\(page.name):\(block.line): \(run.errors)")
    }
  }

  @Test("Every file that the page Internals lists as the place of a rule exists")
  func placesOfRules() throws {
    let page = packageRoot.appending(path: "Sources/handover/Handover.docc/Internals.md")
    let named = try String(contentsOf: page, encoding: .utf8)
      .matches(of: /(Machines|Dispatcher|Script|Simulation) `([^`]+\.swift)`/)
    #expect(named.count > 30)
    for position in named {
      let folder = position.output.1 == "Simulation" ? "" : "Core/"
      let file = "Sources/Handover\(folder)\(position.output.1)/\(position.output.2)"
      #expect(
        FileManager.default.fileExists(atPath: packageRoot.appending(path: file).path), "\(file)")
    }
  }

  @Test("The first screen of the README names the two set-up commands")
  func firstScreen() throws {
    let block = try #require(DocumentPage.named("README.md").blocks.first)
    #expect(block.language == "sh" && block.line < 30)
    let makefile = try String(contentsOf: packageRoot.appending(path: "Makefile"), encoding: .utf8)
    let commands = block.text.matches(of: /(?m)^make (\w+)\b/).map(\.output.1)
    #expect(commands == ["run", "test"])
    for command in commands {
      // `build` runs the set-up first.
      let setsUp = ["setup", "build"].contains { makefile.contains("\n\(command): \($0) ") }
      #expect(setsUp, "make \(command)")
    }
  }

  @Test(
    "The first pages mention unmodified programs and real-time adapters",
    arguments: [
      "README.md", "Sources/handover/Handover.docc/Handover.md",
      "Sources/handover/Handover.docc/WritingABackend.md",
    ])
  func firstPages(_ page: String) throws {
    let text = try String(contentsOf: packageRoot.appending(path: page), encoding: .utf8)
    #expect(text.contains("backend new --real-time") || text.contains("TestingYourClient.md)"))
    #expect(text.contains("handover try") || text.contains("(TryingAProgram.md)"))
  }
}
