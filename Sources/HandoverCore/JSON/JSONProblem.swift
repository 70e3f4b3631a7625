/// The reasons why a text is not valid JSON, as stable names for reports.
public enum JSONProblem: String, Hashable, Sendable, CaseIterable {
  /// The file is longer than ``JSONReader/maximumByteCount``.
  case fileTooLarge = "file-too-large"
  /// The file contains only white space.
  case emptyFile = "empty-file"
  /// The file begins with a byte order mark.
  case byteOrderMark = "byte-order-mark"
  /// The file is not UTF-8.
  case invalidUTF8 = "invalid-utf8"
  /// The file contains a NUL byte.
  case nulByte = "nul-byte"
  /// A string contains an unescaped control character or line break.
  case controlCharacter = "control-character"
  /// The file ends before its value is complete.
  case truncated
  /// JSON does not permit a character at its position.
  case unexpectedCharacter = "unexpected-character"
  /// A bare word is not `true`, `false` or `null`.
  case invalidLiteral = "invalid-literal"
  /// A number does not have the JSON notation.
  case invalidNumber = "invalid-number"
  /// A backslash is not followed by a valid escape.
  case invalidEscape = "invalid-escape"
  /// A `\u` escape is only one half of a surrogate pair.
  case loneSurrogate = "lone-surrogate"
  /// There is no comma between two values.
  case missingComma = "missing-comma"
  /// A key is not followed by a colon.
  case missingColon = "missing-colon"
  /// A key is not in double quotes.
  case keyNotText = "key-not-text"
  /// A comma follows the last value of an array or object.
  case trailingComma = "trailing-comma"
  /// Something follows the end of the value.
  case trailingText = "trailing-text"
  /// The file contains a comment.
  case jsonComment = "json-comment"
  /// Arrays and objects are nested deeper than ``JSONReader/maximumDepth``.
  case tooDeep = "too-deep"
}
