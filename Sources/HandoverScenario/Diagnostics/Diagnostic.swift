public import HandoverCore

/// A problem in a file: what is wrong, where, why, and what to do next.
public struct Diagnostic: Hashable, Sendable {
  /// The stable name of the problem.
  public var code: DiagnosticCode
  /// A description of the problem and its cause.
  public var message: String
  /// The next step for the author of the file.
  public var hint: String
  /// The file, as the caller named it.
  public var file: String
  /// The position in the file, or `nil` if the problem concerns the whole file.
  public var position: TextPosition?
  /// The JSON pointer to the value in question; empty for the whole file.
  public var pointer: String

  /// Whether the file can be run in spite of the problem.
  public var severity: Severity { code.severity }

  /// The severity of a problem.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The file cannot be run.
    case error
    /// The file can be run, but probably does not do what its author meant.
    case warning
  }

  /// Creates a diagnostic.
  public init(
    code: DiagnosticCode, message: String, hint: String, file: String, position: TextPosition?,
    pointer: String
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.file = file
    self.position = position
    self.pointer = pointer
  }
}

extension Diagnostic: CustomStringConvertible {
  /// Two lines in the style of compilers: `file:line:column: error: message [code]`, and the hint.
  public var description: String {
    var location = SafeText.line(file)
    if let position { location += ":\(position.line):\(position.column)" }
    return """
      \(location): \(severity.rawValue): \(message) [\(code.rawValue)]
          hint: \(hint)
      """
  }
}
