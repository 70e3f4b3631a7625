import HandoverEngine
import HandoverScenario

/// The values of the Language Server Protocol.
extension JSONTree {
  /// The kinds of messages that an editor shows.
  enum MessageKind: Int {
    case error = 1
    case warning = 2
    case info = 3
  }

  init(_ position: EditorPosition) {
    self = ["line": .integer(position.line), "character": .integer(position.character)]
  }

  init(_ range: EditorRange) {
    self = ["start": JSONTree(range.start), "end": JSONTree(range.end)]
  }

  private static func notification(_ method: String, _ parameters: JSONTree) -> Self {
    ["jsonrpc": "2.0", "method": .text(method), "params": parameters]
  }

  static func message(_ kind: MessageKind, _ text: String) -> Self {
    notification("window/showMessage", ["type": .integer(kind.rawValue), "message": .text(text)])
  }

  static func diagnostics(_ uri: String, _ version: JSONTree, _ diagnostics: [JSONTree]) -> Self {
    var members = [JSONTree.Member("uri", .text(uri))]
    if version != .null { members.append(.init("version", version)) }
    return notification(
      "textDocument/publishDiagnostics",
      .object(members + [.init("diagnostics", .array(diagnostics))]))
  }

  static func diagnostic(
    _ range: EditorRange, _ severity: Diagnostic.Severity, _ code: String, _ message: String
  ) -> Self {
    [
      "range": JSONTree(range), "severity": severity == .error ? 1 : 2, "code": .text(code),
      "source": "handover", "message": .text(message),
    ]
  }

  static func completion(
    _ item: EditorCompletion, index: Int, withPlaceholder: Bool
  ) -> Self {
    let kind =
      switch item.kind {
      case .key: 10
      case .keyword: 12
      case .name: 18
      }
    // Editors sort by text, so all numbers have the same length.
    let number = String(10_000 + index)
    var text = item.text
    let isSnippet = withPlaceholder && item.placeholder != nil
    if isSnippet, let placeholder = item.placeholder {
      text = escaped(text) + "${1:\(escaped(placeholder))}"
    }
    var members = [
      JSONTree.Member("label", .text(item.label)), .init("kind", .integer(kind)),
      .init("sortText", .text(number)),
      // The replaced text begins with the quote.
      .init("filterText", .text(item.text.hasPrefix("\"") ? "\"\(item.label)\"" : item.label)),
      .init("insertTextFormat", isSnippet ? 2 : 1),
      .init("textEdit", ["range": JSONTree(item.range), "newText": .text(text)]),
    ]
    if !item.detail.isEmpty { members.append(.init("detail", .text(item.detail))) }
    if !item.documentation.isEmpty {
      members.append(
        .init("documentation", ["kind": "markdown", "value": .text(item.documentation)]))
    }
    return .object(members)
  }

  /// Returns a text of which a snippet interprets no character.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("$", with: "\\$").replacing("}", with: "\\}")
  }

  /// The result of a run, for clients that do not show messages.
  static func run(_ result: ScenarioResult) -> Self {
    [
      "id": .text(result.scenario.id),
      "cases": .array(
        result.cases.map { ["profile": .text($0.profile), "verdict": .text($0.verdict.name)] }),
    ]
  }
}
