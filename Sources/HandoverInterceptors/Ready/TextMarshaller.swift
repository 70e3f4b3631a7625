public import HandoverCore

/// A message that is a text, before a marshaller makes bytes of it.
public struct TextMessage: MessageValue {
  /// The text.
  public var text: String

  /// Makes a message.
  public init(_ text: String) {
    self.text = text
  }
}

/// Makes bytes of texts, for tests and scenarios: what was done to a message before and after it
/// can be told apart.
public struct TextMarshaller: Marshaller {
  private let word: MarshallerWord

  /// Makes one that does as the word says.
  public init(_ word: MarshallerWord) {
    self.word = word
  }

  /// Makes bytes of a ``TextMessage``.
  ///
  /// - Throws: ``MarshallingError`` of another value, and with ``MarshallerWord/unwritable``.
  public func serialize(_ value: any MessageValue) throws(MarshallingError) -> [UInt8] {
    guard let message = value as? TextMessage else {
      throw MarshallingError("a message is no text")
    }
    guard word != .unwritable else { throw MarshallingError("a message cannot be serialised") }
    return Array(String(message.text.reversed()).utf8)
  }

  /// Makes a ``TextMessage`` of bytes.
  ///
  /// - Throws: ``MarshallingError`` with ``MarshallerWord/unreadable``.
  public func deserialize(_ bytes: [UInt8]) throws(MarshallingError) -> any MessageValue {
    guard word != .unreadable else { throw MarshallingError("a message cannot be deserialised") }
    return TextMessage(String(String(decoding: bytes, as: UTF8.self).reversed()))
  }
}
