/// Names in the order of their appearance, each with its place; looked up in constant time.
struct NameTable {
  private(set) var names: [String] = []
  private var places: [String: Int] = [:]  // lookup only

  init(_ names: [String] = []) {
    for name in names { _ = insert(name) }
  }

  /// The place of a name; nil where it is not in the table.
  func index(of name: String) -> Int? { places[name] }

  /// Adds a name that may be there already, and tells its place and whether it is new.
  mutating func insert(_ name: String) -> (index: Int, isNew: Bool) {
    // One look for both cases: nearly every name is new.
    if let index = places.updateValue(names.count, forKey: name) {
      places[name] = index
      return (index, false)
    }
    names.append(name)
    return (names.count - 1, true)
  }
}
