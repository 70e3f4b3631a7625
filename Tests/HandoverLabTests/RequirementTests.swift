import Foundation
import HandoverLinux
import Testing

@Suite("Required labs")
struct RequirementTests {
  /// Whether the caller of the tests requires that namespaces can be created here.
  static let isRequired = ProcessInfo.processInfo.environment["HANDOVER_REQUIRE_LAB"] == "1"

  @Test("A required lab exists, so that no live test is skipped", .enabled(if: isRequired))
  func labIsThere() {
    #expect(namespacesAreMissing == nil, "\(namespacesAreMissing?.description ?? "")")
  }
}
