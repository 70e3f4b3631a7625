import HandoverCore

/// The whole scenario format: its objects and keywords, and the lists derived from them.
package enum ScenarioFormat {
  /// All kinds of objects, the scenario first, in the order in which keys refer to them.
  static let objects: [ObjectFormat] = {
    var objects = [ScenarioKey.object]
    var next = 0
    while next < objects.count {
      for member in objects[next].members {
        forEachPart(of: member.format.value) { part in
          guard case .object(let object) = part else { return }
          let found = object()
          if !objects.contains(where: { $0.name == found.name }) { objects.append(found) }
        }
      }
      next += 1
    }
    return objects
  }()

  /// All closed sets of keywords, in the order in which keys refer to them.
  static let keywordSets: [KeywordSet] = {
    var sets = [KeywordSet("flag", ReachabilityFlags.names.map { ($0.name, meaning(of: $0.flag)) })]
    for member in objects.flatMap(\.members) {
      forEachPart(of: member.format.value) { part in
        guard case .keyword(let keywords) = part else { return }
        if !sets.contains(where: { $0.name == keywords.name }) { sets.append(keywords) }
      }
    }
    return sets
  }()

  /// All keys and keywords, sorted and without repetitions.
  package static var keywords: [String] {
    let keywords =
      objects.flatMap(\.members).map(\.key)
      + keywordSets.flatMap(\.keywords).map(\.spelling) + ["comment"]
    return keywords.sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Calls `body` with a type and all types that it consists of, but not with those of object keys.
  private static func forEachPart(of value: ValueFormat, _ body: (ValueFormat) -> Void) {
    body(value)
    switch value {
    case .list(let element, _, _): forEachPart(of: element, body)
    case .names(let element, _): forEachPart(of: element, body)
    case .either(let values): for value in values { forEachPart(of: value, body) }
    case .anything, .version, .notation, .reference, .text, .boolean, .integer, .decimal, .keyword,
      .flags, .null, .scalar, .object:
      break
    }
  }

  private static func meaning(of flag: ReachabilityFlags) -> String {
    switch flag {
    case .reachable: "Reachable with the current network configuration (R, bit 1)"
    case .connectionRequired: "A connection must be established first (c, bit 2)"
    case .isWWAN: "Reachable over cellular (W, bit 18)"
    case .transientConnection: "Reachable through a transient connection (t, bit 0)"
    case .connectionOnTraffic: "Traffic establishes the connection (C, bit 3)"
    case .interventionRequired: "The user must act first (i, bit 4)"
    case .connectionOnDemand: "A connection is established on demand (D, bit 5)"
    case .isLocalAddress: "An address of this device (l, bit 16)"
    default: "On a network to which this device is attached (d, bit 17)"
    }
  }
}

// MARK: - Keys of a file

extension ScenarioFormat {
  /// Returns the keys, each with its object, that occur in none of some valid scenario files.
  package static func keysMissing(from texts: [String]) -> [String] {
    var used: Set<String> = []  // lookup only
    for text in texts {
      guard let document = try? JSONReader.read(Array(text.utf8)) else { continue }
      collect(document.root, .object { ScenarioKey.object }, &used)
    }
    return objects.flatMap { object in
      object.members.map { "\(object.name).\($0.key)" }.filter { !used.contains($0) }
    }
  }

  private static func collect(
    _ value: JSONValue, _ format: ValueFormat, _ used: inout Set<String>  // lookup only
  ) {
    switch format.matching(value.kind) {
    case .object(let object):
      let object = object()
      for member in value.members {
        let key = member.key.text ?? ""
        guard let format = object.format(of: key) else { continue }
        used.insert("\(object.name).\(key)")
        collect(member.value, format.value, &used)
      }
    case .list(let element, _, _):
      for value in value.elements { collect(value, element, &used) }
    case .names(let element, _):
      for member in value.members { collect(member.value, element, &used) }
    default:
      break
    }
  }
}

extension ValueFormat {
  /// Returns the alternative for a kind of value, or the type itself if it is the only one.
  func matching(_ kind: JSONKind) -> ValueFormat {
    guard case .either(let alternatives) = self else { return self }
    return alternatives.first { alternative in
      switch alternative {
      case .object, .names: kind == .object
      case .list: kind == .array
      default: kind != .object && kind != .array
      }
    } ?? .anything
  }
}
