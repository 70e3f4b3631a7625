public import HandoverCore

/// A message that is a string, before serialization.
public struct TextMessage: MessageValue {
  /// The string.
  public var text: String

  /// Creates a message.
  public init(_ text: String) {
    self.text = text
  }
}

/// A marshaller of strings for tests and scenarios.
///
/// Serialization reverses the string, so that changes before and after serialization can be
/// distinguished.
public struct TextMarshaller: Marshaller {
  private let word: MarshallerKind

  /// Creates a marshaller with the given behavior.
  public init(_ word: MarshallerKind) {
    self.word = word
  }

  /// Serializes a ``TextMessage``.
  ///
  /// - Throws: ``MarshallingError`` for any other value, and with ``MarshallerKind/unwritable``.
  public func serialize(_ value: any MessageValue) throws(MarshallingError) -> [UInt8] {
    guard let message = value as? TextMessage else {
      throw MarshallingError("a message is not text")
    }
    guard word != .unwritable else { throw MarshallingError("a message cannot be serialised") }
    return Array(String(message.text.reversed()).utf8)
  }

  /// Deserializes a ``TextMessage``.
  ///
  /// - Throws: ``MarshallingError`` with ``MarshallerKind/unreadable``.
  public func deserialize(_ bytes: [UInt8]) throws(MarshallingError) -> any MessageValue {
    guard word != .unreadable else { throw MarshallingError("a message cannot be deserialised") }
    return TextMessage(String(String(decoding: bytes, as: UTF8.self).reversed()))
  }
}
