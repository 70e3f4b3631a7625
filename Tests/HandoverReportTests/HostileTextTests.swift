import Foundation
import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Strings that are harmful if they are displayed unescaped.
enum HostileText {
  static let all: [String] = [
    "\u{1b}[31m\u{1b}]0;title\u{7}", "\u{9b}31m", "\u{202e}txt.exe", "\u{2066}a\u{2069}",
    "\u{200f}b", "a\n::error file=x::injected", "::error::injected", " ::error::injected",
    "\u{a0}::error::injected", "\u{2003}\u{3000}::error::injected", "\u{85}::error::injected",
    "\u{2028}::error::injected", "\u{feff}::error::injected", "\t::stop-commands::x",
    "\r::error::injected", "\u{b}::error::injected", "##[error]injected", "a##[group]x",
    "a ##vso[task.complete]x", "##teamcity[x]", "##[\u{301}x",
    "x%0A::error::injected", "\0", "]]>", "\u{fffe}",
  ]

  /// Whether a string has nothing that moves the cursor or changes the writing direction.
  static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar == "\n"
      case .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }

  /// Returns the lines that a workflow runner would execute as commands.
  ///
  /// The runner ignores all Unicode white space before them.
  static func commands(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map(String.init).filter { line in
      let begin = line.unicodeScalars.drop {
        $0.properties.isWhitespace || $0 == "\u{feff}"
      }
      let bracket = /##[A-Za-z]*\[/.matchingSemantics(.unicodeScalar)
      return begin.starts(with: "::".unicodeScalars) || line.contains(bracket)
    }
  }
}

@Suite("No report obeys a string, wherever it comes from")
struct HostileTextTests {
  /// Returns a failed case and one without a verdict that contain a string in every possible place.
  private static func results(_ text: String) -> [ScenarioResult] {
    var failed = Samples.failed
    failed.scenario.id = text
    failed.scenario.file = "\(text).json"
    failed.scenario.title = text
    for position in failed.scenario.script.calls.indices {
      failed.scenario.script.calls[position].id = "\(text)\(position)"
    }
    for position in failed.cases.indices {
      failed.cases[position].id = text
      failed.cases[position].file = "\(text).json"
      failed.cases[position].log = "\(text)\n\(text)\n"
      for finding in failed.cases[position].findings.indices {
        failed.cases[position].findings[finding].expected = text
        failed.cases[position].findings[finding].seen = text
      }
      for call in failed.cases[position].calls.indices {
        failed.cases[position].calls[call].id = text
        failed.cases[position].calls[call].message = text
      }
    }
    var broken = failed
    for position in broken.cases.indices { broken.cases[position].verdict = .error }
    var known = failed
    for position in known.cases.indices {
      known.cases[position].verdict = .failedAsExpected
      known.cases[position].knownFailureLocation = text
    }
    return [failed, broken, known]
  }

  private static func text(_ reporter: some Reporter<String>, _ hostile: String) -> String {
    var reporter = reporter
    var run = RunDescription(backend: hostile, traceDirectory: hostile)
    run.backendArgument = "exec:\(hostile)"
    run.backendSettings = ["--server", hostile]
    let results = results(hostile)
    var text = reporter.begin(run)
    for result in results { text += reporter.scenarioEnded(result) }
    return text + reporter.finish(Summary(results))
  }

  @Test("Terminals and logs show a hostile string escaped", arguments: HostileText.all)
  func people(_ hostile: String) {
    for text in [Self.text(PrettyReport(), hostile), Self.text(TAPReport(), hostile)] {
      #expect(HostileText.isHarmless(text))
    }
    let logged = SafeText.withoutCommands(Self.text(PrettyReport(), hostile))
    #expect(HostileText.commands(in: logged) == [])
    let said = SafeText.lines("\(hostile): error: x\n    hint: \(hostile)")
    #expect(HostileText.isHarmless(said))
    #expect(HostileText.commands(in: said) == [])
  }

  @Test("Workflows execute no commands except those of the report", arguments: HostileText.all)
  func workflows(_ hostile: String) {
    let text = Self.text(GitHubReport(), hostile)
    #expect(HostileText.isHarmless(text))
    let plain = Self.text(GitHubReport(), "plain")
    #expect(
      HostileText.commands(in: text).map { $0.prefix(8) }
        == HostileText.commands(in: plain).map { $0.prefix(8) })
  }

  @Test("The summary for GitHub workflows escapes a hostile string", arguments: HostileText.all)
  func summary(_ hostile: String) {
    let text = Self.text(GitHubSummaryReport(), hostile)
    #expect(HostileText.isHarmless(text))
    #expect(
      text.split(separator: "\n").count(where: { $0.hasPrefix("#") })
        == Self.text(GitHubSummaryReport(), "plain").split(separator: "\n")
        .count(where: { $0.hasPrefix("#") }))
  }

  @Test("XML with a hostile string is well-formed", arguments: HostileText.all)
  func xml(_ hostile: String) throws {
    let text = Self.text(JUnitReport(), hostile)
    #expect(HostileText.isHarmless(text.replacing("\t", with: "")))
    let document = try XMLDocument(xmlString: text)
    #expect(try document.nodes(forXPath: "//testcase").count == 6)
  }

  @Test("JSON with a hostile string is valid, one value per line", arguments: HostileText.all)
  func json(_ hostile: String) throws {
    let text = Self.text(JSONLinesReport(), hostile)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 8)
    for line in lines {
      _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
    }
  }

  @Test("Pages show a hostile string escaped", arguments: HostileText.all)
  func pages(_ hostile: String) {
    let results = Self.results(hostile)
    let backend = Matrix.Backend(name: hostile, argument: "exec:\(hostile)")
    let matrix = MatrixSamples.matrix([results[0]], backends: [backend])
    let markdown = SafeText.withoutCommands(matrix.markdown)
    #expect(HostileText.isHarmless(markdown))
    #expect(HostileText.commands(in: markdown) == [])
    #expect(HostileText.isHarmless(matrix.html))
  }
}
