package import HandoverCore
import HandoverScenario

/// A problem in a file that a run created: the position, the problem, and the next step.
package struct InputError: Error, Hashable, Sendable {
  /// The name of the file, as the caller gave it.
  package var file: String
  /// The position in the file.
  package var position: TextPosition
  /// The problem as text.
  package var message: String
  /// The next step for the user.
  package var hint: String

  /// Creates an error.
  package init(file: String, position: TextPosition, message: String, hint: String) {
    self.file = file
    self.position = position
    self.message = message
    self.hint = hint
  }
}

extension InputError: CustomStringConvertible {
  /// Two lines in the style of compilers: `file:line:column: error: message`, and the hint.
  package var description: String {
    """
    \(SafeText.line(file)):\(position.line):\(position.column): error: \(message)
        hint: \(hint)
    """
  }
}
