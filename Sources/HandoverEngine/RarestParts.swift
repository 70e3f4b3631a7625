/// Finds the expectations that may hold now among many.
///
/// Each expectation consists of parts that must all be observed. It is listed under the part that
/// the fewest other expectations share, and is checked only while that part is observed. The cost
/// of a check therefore depends on the observed parts and the nearly matching expectations, not on
/// the total number of expectations.
struct RarestParts<Part: Hashable> {
  private var added: [(index: Int, parts: [Part])] = []
  /// The number of expectations that share each part.
  private var shares: [Part: Int] = [:]  // lookup only
  /// The indices of the expectations that are listed under each part.
  private var positions: [Part: [Int]] = [:]  // lookup only

  /// Adds the expectation at an index.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - parts: the parts that must be observed; at least one.
  mutating func add(_ index: Int, _ parts: [Part]) {
    for part in parts { shares[part, default: 0] += 1 }
    added.append((index, parts))
  }

  /// Removes the expectations that hold.
  ///
  /// - Parameters:
  ///   - seen: the parts that are observed now.
  ///   - holds: returns whether the expectation at an index holds; called if one of its parts is
  ///     observed.
  /// - Returns: the indices of the expectations that hold.
  mutating func takeSatisfied(seeing seen: [Part], _ holds: (Int) -> Bool) -> [Int] {
    list()
    var held: [Int] = []
    for part in seen {
      guard let listed = positions[part] else { continue }
      let left = listed.filter { index in
        guard holds(index) else { return true }
        held.append(index)
        return false
      }
      if left.count < listed.count { positions[part] = left.isEmpty ? nil : left }
    }
    return held
  }

  /// Lists the expectations that were added since the last check.
  private mutating func list() {
    for (index, parts) in added {
      let rarest = parts.min { shares[$0, default: 0] < shares[$1, default: 0] }
      if let rarest { positions[rarest, default: []].append(index) }
    }
    added.removeAll()
  }
}
