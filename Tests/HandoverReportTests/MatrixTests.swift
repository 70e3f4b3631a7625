import Foundation
import HandoverCore
import HandoverEngine
import HandoverScenario
import Testing

@testable import HandoverReport

/// Matrices made of the samples: the same results on two backends, except for one case.
enum MatrixSamples {
  static let items = [
    ItemCatalog.Item(
      document: "network-transitions", id: "D8a", sentence: "A connection stalls <silently>."),
    ItemCatalog.Item(
      document: "network-transitions", id: "M1", sentence: "Nobody is about this one."),
  ]

  /// The samples, two of which cite requirements.
  static let results: [ScenarioResult] = {
    var results = Samples.all
    let position = TextPosition(line: 4, column: 5)
    func item(_ name: String) -> ItemReference {
      ItemReference(document: "network-transitions", item: name, position: position)
    }
    results[0].scenario.sources = [item("D8a"), item("M1")]
    results[1].scenario.sources = [item("D8a")]
    return results
  }()

  static let backends = [
    Matrix.Backend(name: "simulated", argument: "simulated"),
    Matrix.Backend(name: "my <client>", argument: "exec:./my-client --name='a|b'"),
  ]

  static func plan(_ results: [ScenarioResult]) -> [Matrix.Planned] {
    results.map { result in
      Matrix.Planned(
        scenario: result.scenario, profiles: result.cases.compactMap { Profile.named($0.profile) })
    }
  }

  static func matrix(
    _ results: [ScenarioResult] = results, backends: [Matrix.Backend] = backends
  ) -> Matrix {
    var matrix = Matrix(backends: backends, plan: plan(results), items: items)
    for (position, backend) in backends.enumerated() {
      for var result in results {
        // The second backend passes in the case in which the first one fails.
        if position == 1, let first = result.cases.indices.first,
          result.cases[first].verdict == .error
        {
          result.cases[first].verdict = .passed
          result.cases[first].findings = []
        }
        matrix.add(result, of: position, describing: RunDescription(backend: backend.argument))
      }
    }
    return matrix
  }
}

@Suite("The matrix equals its golden files")
struct MatrixGoldenTests {
  @Test("The Markdown matrix equals its golden file")
  func markdown() throws {
    try Golden.expect(MatrixSamples.matrix().markdown, is: "matrix.md")
  }

  @Test("The JSON matrix equals its golden file and is read by an independent parser")
  func json() throws {
    let text = MatrixSamples.matrix().json
    try Golden.expect(text, is: "matrix.json")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let scenarios = try #require(object?["scenarios"] as? [[String: Any]])
    #expect(scenarios.count == MatrixSamples.results.count)
    #expect(scenarios.last?["id"] as? String == "hostile/\(Samples.hostileText)")
  }

  @Test("The page equals its golden file")
  func page() throws {
    let matrix = MatrixSamples.matrix([Samples.passed, Samples.hostile])
    try Golden.expect(matrix.html, is: "matrix.html")
  }
}

@Suite("Matrix")
struct MatrixTests {
  @Test(
    "Each row appears once, under its first requirement, in the order of the requirements"
  )
  func groups() throws {
    let page = MatrixSamples.matrix().html
    let first = try #require(page.range(of: "<b>D8a</b>"))
    let folder = try #require(page.range(of: "<b>transitions</b>"))
    #expect(first.lowerBound < folder.lowerBound)
    #expect(!page.contains("<b>M1</b>"))
    #expect(page.contains("also M1"))
    for position in MatrixSamples.results.indices {
      #expect(page.split(separator: "<tr id=\"r\(position)\"").count == 2)
    }
  }

  @Test("No string becomes markup, wherever it comes from")
  func escaping() throws {
    let hostile = "</script><!--<script>alert(1)</script>\"'><img src=x onerror=alert(1)>`|*_[x](y)"
    var result = Samples.hostile
    result.scenario.id = hostile
    result.scenario.title = hostile
    result.cases[0].id = hostile
    result.cases[0].findings[0].seen = hostile
    let backend = Matrix.Backend(name: hostile, argument: "exec:\(hostile)")
    let matrix = MatrixSamples.matrix([result], backends: [backend])
    let page = matrix.html
    #expect(!page.contains("<img"))
    #expect(!page.contains("<!--"))
    // Only the data and the script.
    #expect(page.split(separator: "<script").count == 3)
    #expect(page.split(separator: "</script>").count == 3)
    for scalar in page.unicodeScalars where scalar.properties.generalCategory == .control {
      #expect(scalar == "\n")
    }
    let markdown = matrix.markdown
    #expect(!markdown.contains(" <img"))
    #expect(markdown.contains("\\<img"))
    // An additional column would shift all others.
    let lines = markdown.split(separator: "\n")
    let cells = lines.filter { $0.hasPrefix("| ") }.map {
      $0.replacing("\\\\", with: "").replacing("\\|", with: "").count { $0 == "|" }
    }
    #expect(Set(cells).count == 2)
  }

  @Test("Of several findings of one expectation the worst is shown")
  func worstFinding() {
    var result = Samples.failed
    result.scenario.expectations[0].level = .should
    let position = result.scenario.expectations[0].position
    func finding(_ verdict: Verdict, _ seen: String) -> Finding {
      Finding(
        kind: .expectation, verdict: verdict, expected: "it", seen: seen, at: nil,
        position: position)
    }
    result.cases[0].findings = [
      finding(.nonStrict, "a wish"), finding(.failed, "the worst"), finding(.failed, "as bad"),
      finding(.unsupported, "nothing to see"),
    ]
    let story = CaseStory(result.cases[0], result.scenario)
    #expect(story.expected[0].seen == "the worst")
    #expect(story.expected[0].state == .denied)
  }

  @Test("The data in the page is JSON, and has a story for every case")
  func data() throws {
    let page = MatrixSamples.matrix().html
    let start = try #require(page.range(of: "id=\"data\">")).upperBound
    let end = try #require(page[start...].range(of: "</script>")).lowerBound
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
    let rows = try #require(object["rows"] as? [[Any]])
    let stories = try #require(object["stories"] as? [[Any]])
    let texts = try #require(object["texts"] as? [String])
    let cases = rows.flatMap { $0 }.compactMap { $0 as? [Int] }
    #expect(cases.count == 2 * MatrixSamples.results.flatMap(\.cases).count)
    for one in cases {
      #expect(one[0] < stories.count)
      #expect(texts[one[1]].hasPrefix("handover run "))
    }
    // Equal results on both backends share one story.
    #expect(stories.count < cases.count)
  }

  @Test("An interrupted run is marked, and cases that did not run do not count as passed")
  func interrupted() {
    var matrix = Matrix(
      backends: MatrixSamples.backends, plan: MatrixSamples.plan(MatrixSamples.results))
    matrix.add(MatrixSamples.results[0], of: 0, describing: RunDescription())
    matrix.wasInterrupted = true
    #expect(matrix.html.contains("Interrupted: only completed cases are shown."))
    #expect(matrix.html.contains("not run"))
    #expect(matrix.markdown.contains("| not run"))
    #expect(matrix.summary.cases == MatrixSamples.results[0].cases.count)
  }

  @Test("An empty matrix gives a page too")
  func empty() {
    let matrix = Matrix(backends: [], plan: [])
    #expect(matrix.html.contains("0 scenarios"))
    #expect(matrix.markdown.contains("0 scenarios"))
    #expect(matrix.json.contains("\"scenarios\":[]"))
  }

  @Test("The lanes show what threads ran, and when they were idle and collected")
  func threads() throws {
    let page = MatrixSamples.matrix([
      Samples.play(Samples.threads, on: [.urlDispatcher])
    ]).html
    for word in [
      "thread 1 for a:80 in own", "thread 1 for a:80 in shared", "thread 1 for b:80 in shared",
      "thread 2 for a:80 in shared", "runs one", "runs two", "runs four", "idle", "collected",
      "ends", "Threads",
    ] {
      #expect(page.contains("\"\(word)\""), "\(word)")
    }
    #expect(!page.contains("\"thread 2 for b:80 in shared\""))
  }

  @Test("The lanes show the states of the device, the channels and the calls over time")
  func lanes() throws {
    let matrix = MatrixSamples.matrix([Samples.play(Samples.busy, on: [.socketsMonitor])])
    let page = matrix.html
    for word in [
      "network", "app", "background", "channel 1 of a:1 key 1", "connection 1", "stalls", "stream",
      "UNAVAILABLE",
    ] {
      let isReported = page.contains("\"\(word)\"")
      #expect(isReported, "\(word)")
    }
  }
}
