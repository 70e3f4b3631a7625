import Foundation
import Testing

/// The examples in the documentation, as a reader would extract them.
struct DocumentExamples {
  /// Complete scenarios: JSON blocks that no comment marks as excerpts.
  var scenarios: [String] = []
  /// The outputs that the documentation shows.
  var outputs: [String] = []

  init(_ file: URL) throws {
    var language: Substring?
    var block = ""
    var isPart = false
    for line in try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if let open = language {
        if line == "```" {
          if open == "json", !isPart { scenarios.append(block) }
          if open == "text" { outputs.append(block) }
          (language, block, isPart) = (nil, "", false)
        } else {
          block += line + "\n"
        }
      } else if line.hasPrefix("```") {
        language = line.dropFirst(3)
      } else if !line.isEmpty {
        isPart = line.contains("<!-- part -->")
      }
    }
  }
}

@Suite("Examples in documents")
struct DocumentTests {
  static let documents: [URL] = {
    let catalogue = packageRoot.appending(path: "Sources/handover/Handover.docc")
    let pages =
      (try? FileManager.default.contentsOfDirectory(atPath: catalogue.path))?.sorted() ?? []
    return [packageRoot.appending(path: "README.md")]
      + pages.filter { $0.hasSuffix(".md") }.map { catalogue.appending(path: $0) }
  }()

  @Test("Every complete scenario in the documentation is valid", arguments: documents)
  func scenariosAreGood(_ document: URL) throws {
    for scenario in try DocumentExamples(document).scenarios {
      let scratch = try ScratchDirectory()
      let run = try CommandLineRun("check", try scratch.write(scenario, to: "example.json"))
      #expect(run.status == 0, "\(scenario)\(run.errors)")
    }
  }

  @Test("Every complete scenario on the page about writing scenarios passes")
  func writingAScenario() throws {
    let page = packageRoot.appending(path: "Sources/handover/Handover.docc/WritingAScenario.md")
    let scenarios = try DocumentExamples(page).scenarios
    #expect(scenarios.count >= 8)
    for scenario in scenarios {
      let scratch = try ScratchDirectory()
      let run = try CommandLineRun("run", try scratch.write(scenario, to: "example.json"))
      #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
  }

  @Test("Every file that the design page lists as the place of a rule exists")
  func placesOfRules() throws {
    let page = packageRoot.appending(path: "Sources/handover/Handover.docc/Design.md")
    let named = try String(contentsOf: page, encoding: .utf8)
      .matches(of: /(Machines|Dispatcher|Script|Simulation) `([^`]+\.swift)`/)
    #expect(named.count > 30)
    for place in named {
      let file = "Sources/Handover\(place.output.1)/\(place.output.2)"
      #expect(
        FileManager.default.fileExists(atPath: packageRoot.appending(path: file).path), "\(file)")
    }
  }

  @Test("The first screen of the README names the two set-up commands")
  func firstScreen() throws {
    let text = try String(contentsOf: packageRoot.appending(path: "README.md"), encoding: .utf8)
    let makefile = try String(contentsOf: packageRoot.appending(path: "Makefile"), encoding: .utf8)
    let commands = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(30)
      .compactMap { $0.firstMatch(of: /^    make (\w+)$/)?.output.1 }
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
    #expect(text.contains("backend new --real-time"))
    #expect(text.contains("handover try") || text.contains("(TryingAProgram.md)"))
  }

  @Test("The failing run in the README is what the command prints")
  func readme() throws {
    let examples = try DocumentExamples(packageRoot.appending(path: "README.md"))
    let scratch = try ScratchDirectory()
    let file = try scratch.write(try #require(examples.scenarios.first), to: "first.json")
    let run = try CommandLineRun("run", file)
    #expect(run.status == 1)
    let printed = run.output.replacing(file, with: "first.json")
    #expect(printed.contains(try #require(examples.outputs.first)))
  }
}
