import HandoverCore

/// The program that wrote a report: the version of the command and its operating system.
package struct Harness: Hashable, Sendable {
  /// The version, such as `0.1.0`.
  package var version: String
  /// The commit that the program was built from, or `nil` if it is unknown.
  package var commit: String?
  /// The kernel, such as `Linux 6.8.0`.
  package var kernel: String?

  /// Creates a description of the program.
  package init(version: String, commit: String? = nil, kernel: String? = nil) {
    self.version = version
    self.commit = commit
    self.kernel = kernel
  }

  /// The complete description, such as `handover 0.1.0 (1a2b3c4), Linux 6.8.0`.
  package var text: String {
    VisibleText.of(
      "handover \(version)" + (commit.map { " (\($0))" } ?? "") + (kernel.map { ", \($0)" } ?? ""))
  }

  /// Writes the description as a member of an object.
  func write(into json: inout JSONText) {
    json.key("harness")
    json.beginObject()
    json.member("version", version)
    json.member("commit", commit)
    json.member("kernel", kernel)
    json.endObject()
  }
}
