/// A file of this package that the compiler embeds in the code.
package enum EmbeddedFile {
  /// Returns the text of a file.
  package static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
