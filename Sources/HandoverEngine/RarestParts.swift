/// Finds, of many expectations, those that may hold now.
///
/// Each expectation is made of parts that must all be seen. It is listed under the part that the
/// fewest others share, and looked at only while that part is seen. So a look costs as much as what
/// is seen, and what is nearly expected, however many expectations there are.
struct RarestParts<Part: Hashable> {
  private var added: [(index: Int, parts: [Part])] = []
  /// How many expectations share a part.
  private var shares: [Part: Int] = [:]  // lookup only
  /// The places of the expectations that are listed under a part.
  private var places: [Part: [Int]] = [:]  // lookup only

  /// Adds the expectation at a place.
  ///
  /// - Parameters:
  ///   - index: the place.
  ///   - parts: what must be seen; at least one.
  mutating func add(_ index: Int, _ parts: [Part]) {
    for part in parts { shares[part, default: 0] += 1 }
    added.append((index, parts))
  }

  /// Takes out the expectations that hold.
  ///
  /// - Parameters:
  ///   - seen: the parts that are seen now.
  ///   - holds: whether the expectation at a place holds, of whose parts one is seen.
  /// - Returns: their places.
  mutating func takeThoseThatHold(seeing seen: [Part], _ holds: (Int) -> Bool) -> [Int] {
    list()
    var held: [Int] = []
    for part in seen {
      guard let listed = places[part] else { continue }
      let left = listed.filter { index in
        guard holds(index) else { return true }
        held.append(index)
        return false
      }
      if left.count < listed.count { places[part] = left.isEmpty ? nil : left }
    }
    return held
  }

  /// Lists what was added since the last look.
  private mutating func list() {
    for (index, parts) in added {
      let rarest = parts.min { shares[$0, default: 0] < shares[$1, default: 0] }
      if let rarest { places[rarest, default: []].append(index) }
    }
    added.removeAll()
  }
}
