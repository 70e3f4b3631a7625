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
    if let index = places[name] { return (index, false) }
    names.append(name)
    places[name] = names.count - 1
    return (names.count - 1, true)
  }
}
