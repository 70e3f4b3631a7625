import HandoverCore
import HandoverInterceptors
import Testing

@Suite("The text marshaller")
struct TextMarshallerTests {
  private struct Other: MessageValue {}

  @Test(
    "The marshaller writes texts reversed, and reverses them again when it reads",
    arguments: [("request", "tseuqer"), ("", ""), ("a", "a"), ("\u{e9}\u{4e16}", "\u{4e16}\u{e9}")])
  func reversed(text: String, bytes: String) throws {
    let marshaller = TextMarshaller(.reversed)
    #expect(try marshaller.serialize(TextMessage(text)) == Array(bytes.utf8))
    let value = try marshaller.deserialize(Array(bytes.utf8))
    #expect(value as? TextMessage == TextMessage(text))
  }

  @Test("The marshaller makes bytes of no other value", arguments: MarshallerKind.allCases)
  func otherValue(word: MarshallerKind) {
    #expect(throws: MarshallingError.self) { try TextMarshaller(word).serialize(Other()) }
  }

  @Test("A marshaller that cannot write still reads")
  func unwritable() throws {
    let marshaller = TextMarshaller(.unwritable)
    #expect(throws: MarshallingError.self) { try marshaller.serialize(TextMessage("a")) }
    #expect(try marshaller.deserialize([0x61, 0x62]) as? TextMessage == TextMessage("ba"))
  }

  @Test("A marshaller that cannot read still writes")
  func unreadable() throws {
    let marshaller = TextMarshaller(.unreadable)
    #expect(throws: MarshallingError.self) { try marshaller.deserialize([0x61]) }
    #expect(try marshaller.serialize(TextMessage("ab")) == [0x62, 0x61])
  }

  @Test("Bytes that are not UTF-8 are read with replacement characters")
  func invalidBytes() throws {
    let value = try TextMarshaller(.reversed).deserialize([0x61, 0xff])
    #expect(value as? TextMessage == TextMessage("\u{fffd}a"))
  }
}
