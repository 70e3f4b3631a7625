import Foundation
import Testing

/// Compares texts and traces with the files under Fixtures/Reports.
enum Golden {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Reports")

  /// Fails if the text differs from the file.
  ///
  /// A missing file is written, and the test fails.
  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = folder.appending(path: name)
    let isMissing = !FileManager.default.fileExists(atPath: file.path)
    if isMissing || ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    if isMissing {
      Issue.record("\(name) was missing and is written; read it", sourceLocation: sourceLocation)
      return
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    guard text != golden else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = golden.split(separator: "\n", omittingEmptySubsequences: false)
    let index = zip(lines, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let line = index ?? min(lines.count, wanted.count)
    Issue.record(
      """
      \(name), line \(line + 1), differs; `make golden` accepts the new text
        is      \(line < lines.count ? String(lines[line]) : "(the end)")
        wanted  \(line < wanted.count ? String(wanted[line]) : "(the end)")
      """, sourceLocation: sourceLocation)
  }
}
