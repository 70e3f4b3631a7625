import HandoverCore

/// The catalog of requirements that scenarios can cite as their source.
public enum ItemCatalog {
  /// A requirement of a specification.
  public struct Item: Hashable, Sendable {
    /// The specification, such as `network-transitions`.
    public var document: String
    /// The stable name, such as `D8a`.
    public var id: String
    /// The requirement in one sentence.
    public var sentence: String
    /// The places in the specification, such as `L50, Configurations`.
    ///
    /// The list is empty if the requirement comes from source code or discussions.
    public var places: [String]
    /// Whether the requirement is lost in its specification and was restored from other texts.
    public var isRestored: Bool

    /// Creates a requirement.
    public init(
      document: String, id: String, sentence: String, places: [String] = [],
      isRestored: Bool = false
    ) {
      self.document = document
      self.id = id
      self.sentence = sentence
      self.places = places
      self.isRestored = isRestored
    }
  }

  /// The reason why a requirement is not covered, or not fully covered.
  public struct Reason: Hashable, Sendable {
    /// The kind of a reason.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// Scenarios do not show a part of the requirement.
      case partly
      /// The implementation deliberately deviates from the requirement.
      case deviates
      /// A test covers the requirement, but no scenario does.
      case cited
      /// No scenario can express the requirement.
      case inexpressible
    }

    /// The specification.
    public var document: String
    /// The requirement.
    public var id: String
    /// The kind of the reason.
    public var kind: Kind
    /// The explanation.
    public var reason: String
    /// The file with the tests that cover the requirement, or the behavior that replaces it.
    ///
    /// It is `nil` if there is neither.
    public var test: String?

    /// Creates a reason.
    public init(document: String, id: String, kind: Kind, reason: String, test: String? = nil) {
      self.document = document
      self.id = id
      self.kind = kind
      self.reason = reason
      self.test = test
    }
  }

  /// Parses a file of requirements.
  ///
  /// The format is `{"items": [{"document", "id", "sentence", "places", "restored"}]}`. The keys
  /// `places` and `restored` are optional.
  ///
  /// - Returns: the requirements.
  /// - Throws: ``CatalogError`` with the location and the problem if the file is invalid.
  public static func items(
    file: String, bytes: [UInt8]
  ) throws(CatalogError) -> [Item] {
    try rows("items", file: file, bytes: bytes).map { row throws(CatalogError) in
      Item(
        document: try row.text("document"), id: try row.text("id"),
        sentence: try row.text("sentence"), places: try row.texts("places"),
        isRestored: row.value("restored")?.kind == .true)
    }
  }

  /// Parses a file of reasons.
  ///
  /// The format is `{"reasons": [{"document", "id", "kind", "reason", "test"}]}`. The key `test` is
  /// optional.
  ///
  /// - Returns: the reasons.
  /// - Throws: ``CatalogError`` with the location and the problem if the file is invalid.
  public static func reasons(
    file: String, bytes: [UInt8]
  ) throws(CatalogError) -> [Reason] {
    try rows("reasons", file: file, bytes: bytes).map { row throws(CatalogError) in
      guard let kind = Reason.Kind(rawValue: try row.text("kind")) else {
        throw row.error("\"kind\" must be partly, deviates, cited or inexpressible")
      }
      return Reason(
        document: try row.text("document"), id: try row.text("id"), kind: kind,
        reason: try row.text("reason"),
        test: row.value("test") == nil ? nil : try row.text("test"))
    }
  }

  private static func rows(
    _ key: String, file: String, bytes: [UInt8]
  ) throws(CatalogError) -> [Row] {
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONReader.read(bytes)
    } catch {
      throw CatalogError(file, error.position, error.message)
    }
    guard let list = document.root.members.first(where: { $0.key.text == key })?.value,
      list.kind == .array
    else {
      throw CatalogError(
        file, TextPosition(line: 1, column: 1), "the file has no array \"\(key)\"")
    }
    return list.elements.map { Row(file: file, value: $0) }
  }

  private struct Row {
    var file: String
    var value: JSONValue

    func value(_ key: String) -> JSONValue? {
      value.members.first { $0.key.text == key }?.value
    }

    func text(_ key: String) throws(CatalogError) -> String {
      guard let text = value(key)?.text, !text.isEmpty else {
        throw error("the row has no string \"\(key)\"")
      }
      return text
    }

    /// Returns the strings of an array, or an empty array if the key is missing.
    func texts(_ key: String) throws(CatalogError) -> [String] {
      guard let list = value(key) else { return [] }
      let elements = Array(list.elements)
      let texts = elements.compactMap(\.text)
      guard list.kind == .array, texts.count == elements.count else {
        throw error("\"\(key)\" must be an array of strings")
      }
      return texts
    }

    func error(_ problem: String) -> CatalogError {
      var cursor = TextCursor(value.document)
      return CatalogError(file, cursor.position(at: value.offset), problem)
    }
  }
}

/// A problem in a file of requirements or reasons.
public struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, the position and the problem, in one line.
  public let description: String

  init(_ file: String, _ position: TextPosition, _ problem: String) {
    description = "\(file):\(position.line):\(position.column): error: \(problem)"
  }
}
