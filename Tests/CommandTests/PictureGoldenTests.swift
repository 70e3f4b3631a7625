import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The pictures of the README show the command's current output; `make golden` writes them.
@Suite("Pictures, Golden")
struct PictureGoldenTests {
  @Test("The matrix in the README compares two versions of a client at network changes")
  func matrix() throws {
    let scratch = try ScratchDirectory()
    let page = scratch.url.appending(path: "matrix.html").path
    // The old version has a frequently reported bug: it waits for a callback.
    func client(_ version: String, _ program: String) -> [String] {
      let folder = packageRoot.appending(path: "Fixtures/Backends").path(percentEncoded: false)
      let name = "s/\"reference\"/\"my-client \(version)\"/"
      return ["--backend", "exec:python3 '\(folder)'/\(program) | sed -u '\(name)'"]
    }
    let run = try CommandLineRun(
      [
        "matrix", "Scenarios/transitions", "--profile", "sockets-monitor", "--profile", "cfstream",
        "-o", "html=\(page)",
      ] + client("1.0", "wrong.py misses-wifi-a-to-b") + client("1.1", "reference.py"))
    #expect(run.status == 1)
    let picture = MatrixPicture(
      page: try String(contentsOfFile: page, encoding: .utf8),
      title: "handover matrix: version 1.0 waits for a callback and hangs, 1.1 does not",
      groups: 2, width: 1000, height: 884)
    // Malformed XML throws an error.
    #expect(try XMLDocument(xmlString: picture.svg).rootElement()?.name == "svg")
    try expect(picture.svg, is: "matrix.svg")
  }

  @Test(
    "The drawings of the concept pages are up to date",
    arguments: [
      ("how-handover-works", "HowHandoverWorks.md"), ("break-or-stall", "NetworkChanges.md"),
    ])
  func drawings(_ name: String, _ page: String) throws {
    let picture: DiagramPicture = name == "break-or-stall" ? .breakOrStall : .howHandoverWorks
    #expect(try XMLDocument(xmlString: picture.svg).rootElement()?.name == "svg")
    let catalog = packageRoot.appending(path: "Sources/handover/Handover.docc")
    let text = try String(contentsOf: catalog.appending(path: page), encoding: .utf8)
    #expect(text.contains("](Resources/\(name).svg)"))
    try expect(picture.svg, inFile: catalog.appending(path: "Resources/\(name).svg"))
  }

  @Test("Colors become classes, and reserved XML characters are escaped")
  func colors() {
    let svg = TerminalPicture(
      title: "a \"b\"", columns: 10,
      steps: [.init(command: "x <y", output: "\u{1B}[1;31m✗\u{1B}[0m a&b\n\n  c")]
    ).svg
    #expect(svg.contains("aria-label=\"a &quot;b&quot;\""))
    #expect(svg.contains("<tspan x=\"48\" textLength=\"16\" class=\"typed\">&lt;y</tspan>"))
    #expect(svg.contains("<tspan x=\"16\" textLength=\"8\" class=\"red\">✗</tspan>"))
    #expect(svg.contains("<tspan x=\"32\" textLength=\"24\">a&amp;b</tspan>"))
    #expect(svg.contains("<tspan x=\"32\" textLength=\"8\">c</tspan>"))
  }

  private func expect(_ picture: String, is name: String) throws {
    let readme = try String(contentsOf: packageRoot.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("(Fixtures/Pictures/\(name))"))
    try expect(picture, inFile: packageRoot.appending(path: "Fixtures/Pictures/\(name)"))
  }

  /// Compares a picture with its golden file, which `make golden` writes.
  private func expect(_ picture: String, inFile file: URL) throws {
    #expect(picture.utf8.count < 24_000, "a picture that readers load is small")
    if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(picture.utf8).write(to: file)
    }
    let golden = try? String(contentsOf: file, encoding: .utf8)
    #expect(
      golden == picture, "\(file.lastPathComponent) is out of date; `make golden` makes it again")
  }
}
