import HandoverJSON

/// Something that is wrong with a file: what, where, why, and what to do next.
public struct Diagnostic: Hashable, Sendable {
  /// What is wrong, as a stable name.
  public var code: DiagnosticCode
  /// What is wrong and why, in words.
  public var message: String
  /// What to do next.
  public var hint: String
  /// The file, as it was named.
  public var file: String
  /// Where in the file; nil where the file as a whole is meant.
  public var position: TextPosition?
  /// The JSON pointer to the value that is meant; empty for the whole file.
  public var pointer: String

  /// Whether the file can be run in spite of it.
  public var severity: Severity { code.severity }

  /// How much a problem weighs.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The file cannot be run.
    case error
    /// The file can be run, and probably does not do what was meant.
    case warning
  }

  /// Makes a diagnostic.
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
  /// Two lines as compilers write them: `file:line:column: error: message [code]`, and the hint.
  public var description: String {
    var place = SafeText.line(file)
    if let position { place += ":\(position.line):\(position.column)" }
    return """
      \(place): \(severity.rawValue): \(message) [\(code.rawValue)]
          hint: \(hint)
      """
  }
}
