/// The headers or trailers of a call: keys and values in the order they were added.
///
/// A key may stand several times. Keys are compared as written; HTTP/2 writes them in lower case.
public struct Metadata: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One key with one value.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: String

    /// Makes an entry.
    public init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The entries, in their order.
  public var entries: [Entry]

  /// Makes metadata of entries.
  public init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// Makes metadata of keys and values as they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    entries = elements.map { Entry($0, $1) }
  }

  /// Whether there is no entry.
  public var isEmpty: Bool { entries.isEmpty }

  /// The first value of a key; setting one replaces all of them, and nil removes them.
  public subscript(key: String) -> String? {
    get { entries.first { $0.key == key }?.value }
    set {
      let position = entries.firstIndex { $0.key == key }
      entries.removeAll { $0.key == key }
      guard let newValue else { return }
      entries.insert(Entry(key, newValue), at: position ?? entries.count)
    }
  }

  /// Adds a value to those a key has.
  public mutating func add(_ value: String, for key: String) {
    entries.append(Entry(key, value))
  }
}
