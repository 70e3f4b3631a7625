import HandoverJSON
public import HandoverScenario

/// What is wrong with a file that a run left behind: where, what, and what to do next.
public struct InputError: Error, Hashable, Sendable {
  /// The file, as it was named.
  public var file: String
  /// Where in the file.
  public var position: TextPosition
  /// What is wrong, in words.
  public var message: String
  /// What to do next.
  public var hint: String

  /// Makes an error.
  public init(file: String, position: TextPosition, message: String, hint: String) {
    self.file = file
    self.position = position
    self.message = message
    self.hint = hint
  }
}

extension InputError: CustomStringConvertible {
  /// Two lines as compilers write them: `file:line:column: error: message`, and the hint.
  public var description: String {
    """
    \(SafeText.line(file)):\(position.line):\(position.column): error: \(message)
        hint: \(hint)
    """
  }
}
