import HandoverTrace

/// What made a report: the version of this command, and the system that it ran on.
public struct Harness: Hashable, Sendable {
  /// The version, such as `0.1.0`.
  public var version: String
  /// The commit that it was built from; nil where nobody said so.
  public var commit: String?
  /// The kernel, such as `Linux 6.8.0`.
  public var kernel: String?

  /// Names what made a report.
  public init(version: String, commit: String? = nil, kernel: String? = nil) {
    self.version = version
    self.commit = commit
    self.kernel = kernel
  }

  /// All of it: `handover 0.1.0 (1a2b3c4), Linux 6.8.0`.
  public var text: String {
    VisibleText.of(
      "handover \(version)" + (commit.map { " (\($0))" } ?? "") + (kernel.map { ", \($0)" } ?? ""))
  }

  /// Writes it as a member of an object.
  func write(into json: inout JSONText) {
    json.key("harness")
    json.beginObject()
    json.member("version", version)
    json.member("commit", commit)
    json.member("kernel", kernel)
    json.endObject()
  }
}
