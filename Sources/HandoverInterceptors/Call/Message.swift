/// A message of a call: bytes, or a value that the call's marshaller makes bytes of.
///
/// With a marshaller, interceptors see messages before serialisation, and bytes are made last (L50,
/// open issues).
public enum Message: Sendable {
  /// The serialised message.
  case bytes([UInt8])
  /// The message as the application knows it.
  indirect case value(any MessageValue)

  /// The message of a text, as bytes.
  public init(_ text: String) {
    self = .bytes(Array(text.utf8))
  }

  /// The bytes; nil of a value.
  public var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .value: nil
    }
  }
}

extension Message: Hashable {
  /// Whether both are the same bytes, or equal values of one type.
  public static func == (left: Message, right: Message) -> Bool {
    switch (left, right) {
    case (.bytes(let left), .bytes(let right)): left == right
    case (.value(let left), .value(let right)): isSame(left, right)
    case (.bytes, .value), (.value, .bytes): false
    }
  }

  /// Takes the bytes or the value in.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .bytes(let bytes): hasher.combine(bytes)
    case .value(let value): value.hash(into: &hasher)
    }
  }
}

/// A message before serialisation.
public protocol MessageValue: Hashable, Sendable {}

/// Makes bytes of the messages of a call, and messages of bytes (L50, `GRPCMarshaller`).
public protocol Marshaller: Hashable, Sendable {
  /// Makes bytes of a message that is sent.
  ///
  /// - Throws: ``MarshallingError``; the call then ends INTERNAL.
  func serialize(_ value: any MessageValue) throws(MarshallingError) -> [UInt8]

  /// Makes a message of bytes that were received.
  ///
  /// - Throws: ``MarshallingError``; the call then ends INTERNAL.
  func deserialize(_ bytes: [UInt8]) throws(MarshallingError) -> any MessageValue
}

/// A message could not be made into bytes, or bytes into a message.
public struct MarshallingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with which message.
  public var message: String

  /// Makes an error.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
