import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario

/// A language server for scenario files: the state of one session, without input and output.
///
/// The protocol is the Language Server Protocol, version 3.17.
struct LanguageServer {
  /// The maximum number of open documents.
  static let maximumDocuments = 1_000
  /// The maximum size of all open documents together, in bytes.
  static let maximumByteCount = 64 << 20
  /// The maximum number of findings of a run that are shown in a document.
  static let maximumFindings = 100
  /// The name of the command that runs a scenario.
  static let runCommand = "handover.run"

  private enum Phase {
    case uninitialized, running, shutDown
  }

  /// An open document, and the result of its last run if the text has not changed since.
  private struct Document {
    var file: String
    var version: JSONTree
    var text: ScenarioDocument
    var result: ScenarioResult?
  }

  private let items: [ItemCatalog.Item]
  private let traces: (String) -> ScenarioReader.TraceSource
  private let run: (Scenario) -> ScenarioResult?
  private var phase = Phase.uninitialized
  private var documents: [String: Document] = [:]  // lookup only
  private var byteCount = 0
  private var supportsSnippets = false
  private var supportsLensRefresh = false
  private var requestCount = 0
  /// Whether the client asked for the exit.
  private(set) var isOver = false
  /// Whether the client announced the exit, as the protocol requires.
  var isShutDown: Bool { phase == .shutDown }

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - items: The catalog of requirements.
  ///   - traces: Returns the traces of a file.
  ///   - run: Runs a scenario in simulation, or returns `nil` if there is no result.
  init(
    items: [ItemCatalog.Item], traces: @escaping (String) -> ScenarioReader.TraceSource,
    run: @escaping (Scenario) -> ScenarioResult?
  ) {
    (self.items, self.traces, self.run) = (items, traces, run)
  }

  /// Handles a message, and returns the messages to send.
  mutating func receive(_ frame: MessageFrames.Frame) -> [JSONTree] {
    switch frame {
    case .tooLong:
      return [
        Self.failure(
          .null, .invalidRequest,
          "the message has more than "
            + "\(MessageFrames.maximumLength) bytes")
      ]
    case .invalidHeader:
      return [
        Self.failure(.null, .parseError, "the header has no valid Content-Length")
      ]
    case .message(let bytes):
      do throws(JSONSyntaxError) {
        return receive(try JSONReader.read(bytes).root)
      } catch {
        return [Self.failure(.null, .parseError, "invalid JSON: \(error.message)")]
      }
    }
  }

  private mutating func receive(_ message: JSONValue) -> [JSONTree] {
    guard message.kind == .object else {
      return [Self.failure(.null, .invalidRequest, "the message is not an object")]
    }
    let id = message.member("id")
    guard let method = message.member("method")?.text else {
      // The answer to a request of the server has no method.
      let isAnswer = message.member("result") != nil || message.member("error") != nil
      return isAnswer ? [] : [Self.failure(id, .invalidRequest, "\"method\" is missing")]
    }
    let parameters = message.member("params")
    guard let id else { return receive(notification: method, parameters) }
    guard [.number, .text].contains(id.kind) else {
      return [Self.failure(.null, .invalidRequest, "\"id\" is not an integer or a string")]
    }
    do throws(Failure) {
      let (result, others) = try answer(method, parameters)
      return [["jsonrpc": "2.0", "id": JSONTree(id), "result": result]] + others
    } catch {
      return [Self.failure(id, error.code, error.message)]
    }
  }

  // MARK: Requests

  /// The reason why a request has no result.
  private struct Failure: Error {
    var code: ErrorCode
    var message: String
  }

  /// The error codes of the protocol.
  enum ErrorCode: Int {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParameters = -32_602
    case notInitialized = -32_002
  }

  private static func failure(
    _ id: JSONValue?, _ code: ErrorCode, _ message: String
  ) -> JSONTree {
    failure(id.map { JSONTree($0) } ?? .null, code, message)
  }

  private static func failure(_ id: JSONTree, _ code: ErrorCode, _ message: String) -> JSONTree {
    [
      "jsonrpc": "2.0", "id": id,
      "error": ["code": .integer(code.rawValue), "message": .text(message)],
    ]
  }

  private mutating func answer(
    _ method: String, _ parameters: JSONValue?
  ) throws(Failure) -> (result: JSONTree, others: [JSONTree]) {
    switch (phase, method) {
    case (.uninitialized, "initialize"):
      phase = .running
      return (initialize(parameters), [])
    case (.uninitialized, _):
      throw Failure(code: .notInitialized, message: "send \"initialize\" first")
    case (.shutDown, _):
      throw Failure(code: .invalidRequest, message: "the server is shut down")
    case (.running, "initialize"):
      throw Failure(code: .invalidRequest, message: "the server is already initialized")
    case (.running, "shutdown"):
      phase = .shutDown
      return (.null, [])
    case (.running, "textDocument/completion"):
      return (try completion(parameters), [])
    case (.running, "textDocument/hover"):
      return (try hover(parameters), [])
    case (.running, "textDocument/codeLens"):
      return (try lenses(parameters), [])
    case (.running, "workspace/executeCommand"):
      return try execute(parameters)
    case (.running, _):
      throw Failure(code: .methodNotFound, message: "unknown method \"\(method)\"")
    }
  }

  private mutating func initialize(_ parameters: JSONValue?) -> JSONTree {
    let client = parameters?.member("capabilities")
    supportsSnippets =
      client?.member("textDocument")?.member("completion")?.member("completionItem")?
      .member("snippetSupport")?.kind == .true
    supportsLensRefresh =
      client?.member("workspace")?.member("codeLens")?.member("refreshSupport")?.kind == .true
    return [
      "capabilities": [
        "positionEncoding": "utf-16",
        "textDocumentSync": ["openClose": true, "change": 1],
        "completionProvider": ["triggerCharacters": ["\"", ":"]],
        "hoverProvider": true,
        "codeLensProvider": ["resolveProvider": false],
        "executeCommandProvider": ["commands": [.text(Self.runCommand)]],
      ],
      "serverInfo": ["name": "handover", "version": .text(version)],
    ]
  }

  /// Returns the document that a request names, if it is open.
  private func document(_ parameters: JSONValue?) throws(Failure) -> Document? {
    guard let uri = parameters?.member("textDocument")?.member("uri")?.text else {
      throw Failure(code: .invalidParameters, message: "\"textDocument.uri\" is missing")
    }
    return documents[uri]
  }

  private func position(_ parameters: JSONValue?) throws(Failure) -> EditorPosition {
    let position = parameters?.member("position")
    guard let line = position?.member("line")?.wholeNumber,
      let character = position?.member("character")?.wholeNumber
    else { throw Failure(code: .invalidParameters, message: "\"position\" is missing") }
    return EditorPosition(line: Int(clamping: line), character: Int(clamping: character))
  }

  private func completion(_ parameters: JSONValue?) throws(Failure) -> JSONTree {
    let position = try position(parameters)
    guard let text = try document(parameters)?.text, text.mayBecomeScenario else { return [] }
    let items = text.completions(at: position, items: items)
    return .array(
      items.enumerated().map { index, item in
        .completion(item, index: index, withPlaceholder: supportsSnippets)
      })
  }

  private func hover(_ parameters: JSONValue?) throws(Failure) -> JSONTree {
    let position = try position(parameters)
    guard let text = try document(parameters)?.text, text.isScenario,
      let hover = text.hover(at: position, items: items)
    else { return .null }
    return [
      "contents": ["kind": "markdown", "value": .text(hover.text)], "range": JSONTree(hover.range),
    ]
  }

  private func lenses(_ parameters: JSONValue?) throws(Failure) -> JSONTree {
    guard let document = try document(parameters), document.text.isScenario,
      let uri = parameters?.member("textDocument")?.member("uri")?.text
    else { return [] }
    let result = document.result.map { " (\(Self.verdict(of: $0)))" } ?? ""
    return [
      [
        "range": JSONTree(document.text.runRange),
        "command": [
          "title": .text("Run this scenario" + result), "command": .text(Self.runCommand),
          "arguments": [.text(uri)],
        ],
      ]
    ]
  }

  // MARK: Runs

  private mutating func execute(
    _ parameters: JSONValue?
  ) throws(Failure) -> (result: JSONTree, others: [JSONTree]) {
    guard parameters?.member("command")?.text == Self.runCommand else {
      throw Failure(
        code: .invalidParameters, message: "unknown command; the only one is \(Self.runCommand)")
    }
    guard let uri = parameters?.member("arguments")?.elements.first(where: { _ in true })?.text,
      let document = documents[uri]
    else {
      throw Failure(
        code: .invalidParameters, message: "the first argument must be the URI of an open document")
    }
    guard let scenario = reading(document).scenario else {
      return (.null, [.message(.error, "The scenario has errors. Fix them first.")])
    }
    guard let result = run(scenario) else {
      return (.null, [.message(.error, "\(scenario.id): the run has no result.")])
    }
    documents[uri]?.result = result
    let verdict = Self.verdict(of: result)
    let isGood = result.cases.allSatisfy { $0.verdict < .failed }
    var others = [
      JSONTree.message(isGood ? .info : .error, "\(scenario.id): \(verdict)"), diagnostics(of: uri),
    ]
    if supportsLensRefresh {
      requestCount += 1
      others.append([
        "jsonrpc": "2.0", "id": .text("handover-\(requestCount)"),
        "method": "workspace/codeLens/refresh",
      ])
    }
    return (.run(result), others)
  }

  /// The verdicts of a run, such as `3 cases PASSED, 1 case FAILED: cfstream`.
  private static func verdict(of result: ScenarioResult) -> String {
    Verdict.allCases.compactMap { verdict in
      let cases = result.cases.filter { $0.verdict == verdict }
      guard !cases.isEmpty else { return nil }
      let profiles = verdict == .passed ? "" : ": " + cases.map(\.profile).joined(separator: ", ")
      return "\(counted(cases.count, "case")) \(verdict.name)\(profiles)"
    }.joined(separator: "; ")
  }

  // MARK: Documents

  private mutating func receive(
    notification method: String, _ parameters: JSONValue?
  ) -> [JSONTree] {
    if method == "exit" {
      isOver = true
      return []
    }
    guard phase == .running, let document = parameters?.member("textDocument"),
      let uri = document.member("uri")?.text
    else { return [] }
    let version = document.member("version").map { JSONTree($0) } ?? .null
    switch method {
    case "textDocument/didOpen":
      guard let text = document.member("text")?.text else { return [] }
      return set(uri, text, version)
    case "textDocument/didChange":
      // Only whole texts are announced as supported.
      let changes = parameters?.member("contentChanges").map { Array($0.elements) } ?? []
      guard documents[uri] != nil,
        let text = changes.last(where: { $0.member("range") == nil })?.member("text")?.text
      else { return [] }
      return set(uri, text, version)
    case "textDocument/didClose":
      guard let closed = documents.removeValue(forKey: uri) else { return [] }
      byteCount -= closed.text.bytes.count
      return [.diagnostics(uri, .null, [])]
    default: return []
    }
  }

  private mutating func set(_ uri: String, _ text: String, _ version: JSONTree) -> [JSONTree] {
    let old = documents[uri]
    let isShown = old?.text.isScenario ?? false
    let newCount = byteCount - (old?.text.bytes.count ?? 0) + text.utf8.count
    guard newCount <= Self.maximumByteCount,
      old != nil || documents.count < Self.maximumDocuments
    else {
      documents[uri] = nil
      byteCount -= old?.text.bytes.count ?? 0
      return [
        .message(.warning, "The language server ignores \(uri): too many documents are open."),
        .diagnostics(uri, version, []),
      ]
    }
    byteCount = newCount
    documents[uri] = Document(
      file: FileURI.path(uri) ?? uri, version: version, text: ScenarioDocument(text))
    guard documents[uri]?.text.isScenario ?? false || isShown else { return [] }
    return [diagnostics(of: uri)]
  }

  private func reading(_ document: Document) -> ScenarioReading {
    document.text.reading(file: document.file, traces: traces(document.file))
  }

  private func diagnostics(of uri: String) -> JSONTree {
    guard let document = documents[uri] else { return .diagnostics(uri, .null, []) }
    guard document.text.isScenario else { return .diagnostics(uri, document.version, []) }
    let problems = reading(document).diagnostics.map { problem in
      JSONTree.diagnostic(
        document.text.range(at: problem.position), problem.severity, problem.code.rawValue,
        "\(problem.message)\nhint: \(problem.hint)")
    }
    return .diagnostics(uri, document.version, problems + findings(document))
  }

  /// Returns the findings of the last run; equal findings of several profiles are one.
  private func findings(_ document: Document) -> [JSONTree] {
    var found: [(finding: Finding, profiles: [String])] = []
    for one in document.result?.cases ?? [] {
      for finding in one.findings where finding.verdict > .passedPartially {
        if let index = found.firstIndex(where: { $0.finding == finding }) {
          found[index].profiles.append(one.profile)
        } else if found.count < Self.maximumFindings {
          found.append((finding, [one.profile]))
        }
      }
    }
    return found.map { finding, profiles in
      .diagnostic(
        document.text.range(at: finding.position), finding.verdict < .failed ? .warning : .error,
        finding.verdict.name,
        "expected \(finding.expected); seen: \(finding.seen) "
          + "[\(profiles.joined(separator: ", "))]")
    }
  }
}

extension JSONValue {
  /// Returns the value of a key, or `nil` if it is missing or the value is not an object.
  fileprivate func member(_ key: String) -> JSONValue? {
    members.first { $0.key.text == key }?.value
  }
}

/// URIs of local files.
enum FileURI {
  /// Returns the path that a URI names, or `nil` if the URI does not name a local file.
  static func path(_ uri: String) -> String? {
    let scheme = "file://"
    guard uri.hasPrefix(scheme) else { return nil }
    let rest = uri.utf8.dropFirst(scheme.utf8.count).drop { $0 != UInt8(ascii: "/") }
    var bytes: [UInt8] = []
    var index = rest.startIndex
    while index < rest.endIndex {
      let digits = rest[index...].dropFirst().prefix(2)
      if rest[index] == UInt8(ascii: "%"), digits.count == 2,
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        index = digits.endIndex
      } else {
        bytes.append(rest[index])
        index = rest.index(after: index)
      }
    }
    return bytes.isEmpty || bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
