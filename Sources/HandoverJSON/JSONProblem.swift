/// Everything for which a text is not JSON, by the stable name that reports carry.
public enum JSONProblem: String, Hashable, Sendable, CaseIterable {
  /// The file is longer than ``JSONReader/maximumByteCount``.
  case fileTooLarge = "file-too-large"
  /// There is nothing in the file but white space.
  case emptyFile = "empty-file"
  /// The file begins with a byte order mark.
  case byteOrderMark = "byte-order-mark"
  /// The file is not UTF-8.
  case invalidUTF8 = "invalid-utf8"
  /// A NUL byte stands in the file.
  case nulByte = "nul-byte"
  /// A text holds a control character or a line break that is not escaped.
  case controlCharacter = "control-character"
  /// The file ends before its value does.
  case truncated
  /// A character stands where JSON has no place for it.
  case unexpectedCharacter = "unexpected-character"
  /// A bare word is none of `true`, `false` and `null`.
  case invalidLiteral = "invalid-literal"
  /// A number is not written as JSON writes numbers.
  case invalidNumber = "invalid-number"
  /// A backslash is followed by nothing that JSON knows.
  case invalidEscape = "invalid-escape"
  /// An escape is one half of a surrogate pair.
  case loneSurrogate = "lone-surrogate"
  /// Two values follow each other without a comma.
  case missingComma = "missing-comma"
  /// A key is not followed by a colon.
  case missingColon = "missing-colon"
  /// A key is not in double quotes.
  case keyNotText = "key-not-text"
  /// A comma follows the last value of an array or object.
  case trailingComma = "trailing-comma"
  /// Something follows the end of the value.
  case trailingText = "trailing-text"
  /// A comment stands in the file.
  case jsonComment = "json-comment"
  /// Arrays and objects stand deeper than ``JSONReader/maximumDepth``.
  case tooDeep = "too-deep"
}
