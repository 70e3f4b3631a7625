import HandoverCore
import HandoverScenario
import Testing

@Suite("The order at one instant")
struct OrderReadingTests {
  private static func text(_ order: String) -> String {
    Sample.text(more: #""config": {"order": \#(order)}"#)
  }

  private static func order(_ text: String) throws -> InstantOrder {
    try Sample.scenario(self.text(text)).script.configuration.order
  }

  @Test("The default order is that of the file")
  func usual() throws {
    #expect(try Sample.scenario(Sample.text()).script.configuration.order == InstantOrder())
    #expect(try Self.order(#""file""#) == InstantOrder())
    #expect(try Self.order(#"["entries", "callbacks", "pool"]"#) == InstantOrder())
    #expect(InstantOrder().isDefault)
  }

  @Test("The order can be random as a whole")
  func drawn() throws {
    let order = try Self.order(#""drawn""#)
    #expect(order.isRandom && order.observers == .random && !order.isDefault)
  }

  @Test("Listed kinds come first, and the rest follows as usual")
  func ranks() throws {
    let order = try Self.order(#"["deadlines", "calls", "callbacks"]"#)
    #expect(order.kinds == [.deadlines, .callbacks, .entries, .transport])
    #expect(order.observers == .calls)
    #expect(!order.isRandom && !order.isDefault)
    #expect(try Self.order(#"["pool", "calls"]"#).observers == .pool)
    #expect(try Self.order(#"["calls", "pool"]"#).observers == .calls)
    #expect(try Self.order(#"["calls"]"#).isDefault)
  }

  @Test(
    "An order that is empty, or contains a duplicate or an unknown kind, is refused",
    arguments: [
      ("[]", [DiagnosticCode.emptyList]), (#""lots""#, [.unknownKeyword]),
      (#"["calls", "lots"]"#, [.unknownKeyword]), ("7", [.wrongType]), ("[7]", [.wrongType]),
      (#"["pool", "pool"]"#, [.duplicateRank]), (#"["drawn"]"#, [.unknownKeyword]),
      (#"["pool", "entries", "pool", "entries"]"#, [.duplicateRank, .duplicateRank]),
    ])
  func refused(order: String, codes: [DiagnosticCode]) {
    #expect(Sample.codes(Self.text(order)) == codes)
  }

  @Test("A long list is reported once instead of per element")
  func longList() {
    let list = Array(repeating: #""pool""#, count: 1_000).joined(separator: ", ")
    let codes = Sample.codes(Self.text("[\(list)]"))
    #expect(codes.allSatisfy { $0 == .duplicateRank })
    #expect(!codes.isEmpty && codes.count < 20)
  }
}
