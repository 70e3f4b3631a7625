import Foundation
import HandoverLinux
import Testing

@Suite("Where a lab is required")
struct RequirementTests {
  /// Whether the caller of the tests requires that namespaces can be created here.
  static let isRequired = ProcessInfo.processInfo.environment["HANDOVER_REQUIRE_LAB"] == "1"

  @Test("it is there, so that no live test is left out", .enabled(if: isRequired))
  func labIsThere() {
    #expect(namespacesAreMissing == nil, "\(namespacesAreMissing?.description ?? "")")
  }
}
