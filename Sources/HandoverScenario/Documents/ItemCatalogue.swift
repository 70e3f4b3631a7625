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

    /// Makes an item.
    public init(document: String, id: String, sentence: String) {
      self.document = document
      self.id = id
      self.sentence = sentence
    }
  }

  /// Why an item has no scenario.
  public struct Reason: Hashable, Sendable {
    /// The document.
    public var document: String
    /// The item.
    public var id: String
    /// The reason.
    public var reason: String
  }

  /// Reads the items of a file: `{"items": [{"document", "id", "sentence"}]}`.
  ///
  /// - Returns: the items, or what is wrong with the file in one line with its place.
  public static func items(
    file: String, bytes: [UInt8]
  ) throws(CatalogueError) -> [Item] {
    try rows("items", file: file, bytes: bytes).map { row throws(CatalogueError) in
      Item(
        document: try row.text("document"), id: try row.text("id"),
        sentence: try row.text("sentence"))
    }
  }

  /// Reads the reasons of a file: `{"reasons": [{"document", "id", "reason"}]}`.
  ///
  /// - Returns: the reasons, or what is wrong with the file in one line with its place.
  public static func reasons(
    file: String, bytes: [UInt8]
  ) throws(CatalogueError) -> [Reason] {
    try rows("reasons", file: file, bytes: bytes).map { row throws(CatalogueError) in
      Reason(
        document: try row.text("document"), id: try row.text("id"),
        reason: try row.text("reason"))
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

    func text(_ key: String) throws(CatalogueError) -> String {
      guard let text = value.members.first(where: { $0.key.text == key })?.value.text, !text.isEmpty
      else {
        var cursor = TextCursor(value.document)
        throw CatalogueError(
          file, cursor.position(at: value.offset), "the row holds no text \"\(key)\"")
      }
      return text
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
