/// The headers or trailers of a call: keys and values in the order in which they were added.
///
/// A key may occur several times. Keys are compared exactly; HTTP/2 keys are in lowercase.
public struct Metadata: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One key with one value.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: String

    /// Creates an entry.
    public init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The entries, in order.
  public var entries: [Entry]

  /// Creates metadata from entries.
  public init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// Creates metadata from a literal of keys and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    entries = elements.map { Entry($0, $1) }
  }

  /// Whether there are no entries.
  public var isEmpty: Bool { entries.isEmpty }

  /// The first value of a key; setting a value replaces all values of the key, and `nil` removes
  /// them.
  public subscript(key: String) -> String? {
    get { entries.first { $0.key == key }?.value }
    set {
      let position = entries.firstIndex { $0.key == key }
      entries.removeAll { $0.key == key }
      guard let newValue else { return }
      entries.insert(Entry(key, newValue), at: position ?? entries.count)
    }
  }

  /// Adds a value for a key and keeps its other values.
  public mutating func add(_ value: String, for key: String) {
    entries.append(Entry(key, value))
  }
}
