/// A message of a call: bytes, or a value that the call's marshaller serializes.
///
/// With a marshaller, interceptors receive messages before serialization, and serialization comes
/// last (L50, open issues).
public enum Message: Sendable {
  /// A serialized message.
  case bytes([UInt8])
  /// A message as a value of the application.
  indirect case value(any MessageValue)

  /// Creates a message from the UTF-8 bytes of a string.
  public init(_ text: String) {
    self = .bytes(Array(text.utf8))
  }

  /// The bytes, or `nil` if the message is a value.
  public var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .value: nil
    }
  }
}

extension Message: Hashable {
  /// Returns whether two messages have the same bytes, or are equal values of one type.
  public static func == (left: Message, right: Message) -> Bool {
    switch (left, right) {
    case (.bytes(let left), .bytes(let right)): left == right
    case (.value(let left), .value(let right)): isSame(left, right)
    case (.bytes, .value), (.value, .bytes): false
    }
  }

  /// Hashes the bytes or the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .bytes(let bytes): hasher.combine(bytes)
    case .value(let value): value.hash(into: &hasher)
    }
  }
}

/// A message before serialization.
public protocol MessageValue: Hashable, Sendable {}

/// Serializes and deserializes the messages of a call (L50, `GRPCMarshaller`).
public protocol Marshaller: Hashable, Sendable {
  /// Serializes a message that is sent.
  ///
  /// - Throws: ``MarshallingError``; the call then ends INTERNAL.
  func serialize(_ value: any MessageValue) throws(MarshallingError) -> [UInt8]

  /// Deserializes a message that was received.
  ///
  /// - Throws: ``MarshallingError``; the call then ends INTERNAL.
  func deserialize(_ bytes: [UInt8]) throws(MarshallingError) -> any MessageValue
}

/// A message could not be serialized or deserialized.
public struct MarshallingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description of the error.
  public var message: String

  /// Creates an error.
  public init(_ message: String) {
    self.message = message
  }

  /// The description of the error.
  public var description: String { message }
}
