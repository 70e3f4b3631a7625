import HandoverJSON

/// The items of the documents: what scenarios can cite as their source.
public enum ItemCatalogue {
  /// One item.
  public struct Item: Hashable, Sendable {
    /// The document, such as `network-transitions`.
    public var document: String
    /// The stable name, such as `D8a`.
    public var id: String
    /// What it says, in one sentence.
    public var sentence: String
    /// Where it stands: a text and its section, such as `L50, Configurations`; empty where it was
    /// taken from sources or threads and not from a text.
    public var places: [String]
    /// Whether its text has lost it, and it was restored from others.
    public var isRestored: Bool

    /// Makes an item.
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

  /// Why an item is not kept, or is not kept as a whole.
  public struct Reason: Hashable, Sendable {
    /// What a reason is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// A part of the item is not shown.
      case partly
      /// What is done is something else, on purpose.
      case otherwise
      /// No scenario shows it; a test does.
      case cited
      /// No scenario can say it.
      case inexpressible
    }

    /// The document.
    public var document: String
    /// The item.
    public var id: String
    /// What the reason is about.
    public var kind: Kind
    /// The reason.
    public var reason: String
    /// The file with the tests that hold it, or what is done instead; nil where there is none.
    public var test: String?

    /// Makes a reason.
    public init(document: String, id: String, kind: Kind, reason: String, test: String? = nil) {
      self.document = document
      self.id = id
      self.kind = kind
      self.reason = reason
      self.test = test
    }
  }

  /// Reads the items of a file:
  /// `{"items": [{"document", "id", "sentence", "places", "restored"}]}`; the last two may be left
  /// out.
  ///
  /// - Returns: the items, or what is wrong with the file in one line with its place.
  public static func items(
    file: String, bytes: [UInt8]
  ) throws(CatalogueError) -> [Item] {
    try rows("items", file: file, bytes: bytes).map { row throws(CatalogueError) in
      Item(
        document: try row.text("document"), id: try row.text("id"),
        sentence: try row.text("sentence"), places: try row.texts("places"),
        isRestored: row.value("restored")?.kind == .true)
    }
  }

  /// Reads the reasons of a file:
  /// `{"reasons": [{"document", "id", "kind", "reason", "test"}]}`; the last one may be left
  /// out.
  ///
  /// - Returns: the reasons, or what is wrong with the file in one line with its place.
  public static func reasons(
    file: String, bytes: [UInt8]
  ) throws(CatalogueError) -> [Reason] {
    try rows("reasons", file: file, bytes: bytes).map { row throws(CatalogueError) in
      guard let kind = Reason.Kind(rawValue: try row.text("kind")) else {
        throw row.error("\"kind\" must be partly, otherwise, cited or inexpressible")
      }
      return Reason(
        document: try row.text("document"), id: try row.text("id"), kind: kind,
        reason: try row.text("reason"),
        test: row.value("test") == nil ? nil : try row.text("test"))
    }
  }

  private static func rows(
    _ key: String, file: String, bytes: [UInt8]
  ) throws(CatalogueError) -> [Row] {
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONReader.read(bytes)
    } catch {
      throw CatalogueError(file, error.position, error.message)
    }
    guard let list = document.root.members.first(where: { $0.key.text == key })?.value,
      list.kind == .array
    else {
      throw CatalogueError(
        file, TextPosition(line: 1, column: 1), "the file holds no array \"\(key)\"")
    }
    return list.elements.map { Row(file: file, value: $0) }
  }

  private struct Row {
    var file: String
    var value: JSONValue

    func value(_ key: String) -> JSONValue? {
      value.members.first { $0.key.text == key }?.value
    }

    func text(_ key: String) throws(CatalogueError) -> String {
      guard let text = value(key)?.text, !text.isEmpty else {
        throw error("the row holds no text \"\(key)\"")
      }
      return text
    }

    /// The texts of an array that may be missing.
    func texts(_ key: String) throws(CatalogueError) -> [String] {
      guard let list = value(key) else { return [] }
      let elements = Array(list.elements)
      let texts = elements.compactMap(\.text)
      guard list.kind == .array, texts.count == elements.count else {
        throw error("\"\(key)\" must be an array of texts")
      }
      return texts
    }

    func error(_ problem: String) -> CatalogueError {
      var cursor = TextCursor(value.document)
      return CatalogueError(file, cursor.position(at: value.offset), problem)
    }
  }
}

/// What is wrong with a file of items or reasons.
public struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, the place in it, and the problem, in one line.
  public let description: String

  init(_ file: String, _ position: TextPosition, _ problem: String) {
    description = "\(file):\(position.line):\(position.column): error: \(problem)"
  }
}
