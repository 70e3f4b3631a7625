/// Names in the order of their first appearance, with a lookup of their indices in constant time.
struct NameTable {
  private(set) var names: [String] = []
  private var locations: [String: Int] = [:]  // lookup only

  init(_ names: [String] = []) {
    for name in names { _ = insert(name) }
  }

  /// Returns the index of a name, or `nil` if the name is not in the table.
  func index(of name: String) -> Int? { locations[name] }

  /// Adds a name if it is new; returns its index and whether it is new.
  mutating func insert(_ name: String) -> (index: Int, isNew: Bool) {
    // One lookup covers both cases, because nearly every name is new.
    if let index = locations.updateValue(names.count, forKey: name) {
      locations[name] = index
      return (index, false)
    }
    names.append(name)
    return (names.count - 1, true)
  }
}
