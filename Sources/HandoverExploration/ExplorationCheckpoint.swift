import HandoverCore

/// Saves a stopped search as bytes, so that it can continue later.
extension BreadthFirst {
  private static var mark: [UInt8] { Array("handover exploration 3\n".utf8) }

  private static func head(_ settings: [String]) -> [UInt8] {
    mark + Array((settings.joined(separator: " ") + "\n").utf8)
  }

  /// Returns every visited state and the frontier, as bytes.
  ///
  /// - Parameter settings: The settings that must match when the search resumes.
  /// - Returns: About 25 bytes per state, and more per state of the last depth.
  /// - Throws: A ``FrontierProblem`` if the spilled frontier cannot be read back.
  func checkpoint(_ settings: [String]) throws(FrontierProblem) -> [UInt8] {
    var writer = ByteWriter()
    writer.bytes = Self.head(settings)
    let figures = exploration.figures
    for number in [
      figures.states, figures.transitions, figures.depth, figures.frontier, figures.widest,
    ] {
      writer.write(UInt64(number))
    }
    for size in growth.sizes { writer.write(UInt64(size)) }
    exploration.visited.write(into: &writer)
    exploration.ways.write(into: &writer)
    try exploration.level.write(into: &writer)
    try exploration.next.write(into: &writer)
    writer.write(StateDigest.checksum(writer.bytes))
    return writer.bytes
  }

  /// Resumes a stopped search.
  ///
  /// - Parameters:
  ///   - bytes: The result of ``checkpoint(_:)``.
  ///   - settings: The settings that were passed to it.
  ///   - isAction: Whether a code denotes an action of this search.
  /// - Throws: A ``SavedFileProblem`` if the bytes are not a checkpoint of this search.
  mutating func resume(
    _ bytes: [UInt8], _ settings: [String], where isAction: (ActionCode) -> Bool
  ) throws(SavedFileProblem) {
    guard bytes.starts(with: Self.mark) else { throw .foreign }
    let head = Self.head(settings)
    guard bytes.starts(with: head) else { throw .other }
    var reader = ByteReader(bytes, from: head.count)
    guard bytes.count >= head.count + 8,
      bytes.word(at: bytes.count - 8) == StateDigest.checksum(bytes.dropLast(8))
    else { throw .damaged }
    exploration.figures.states = try reader.count()
    exploration.figures.transitions = try reader.count()
    exploration.figures.depth = try reader.count()
    exploration.figures.frontier = try reader.count()
    exploration.figures.widest = try reader.count()
    for position in growth.sizes.indices { growth.sizes[position] = try reader.count() }
    try exploration.visited.read(from: &reader)
    try exploration.ways.read(from: &reader, where: isAction)
    try exploration.level.read(from: &reader, before: exploration.ways.count)
    try exploration.next.read(from: &reader, before: exploration.ways.count)
  }
}

extension Explorer {
  private static func settings(_ setup: ExplorationSetup, _ version: String) -> [String] {
    [version] + setup.settings
  }

  /// Returns every visited state and the frontier, as bytes.
  ///
  /// - Parameter version: The version of the client.
  /// - Returns: About 25 bytes per state, and more per state of the last depth.
  /// - Throws: A ``FrontierProblem`` if the spilled frontier cannot be read back.
  package func checkpoint(version: String) throws(FrontierProblem) -> [UInt8] {
    try search.checkpoint(Self.settings(setup, version))
  }

  /// Resumes a stopped exploration.
  ///
  /// - Parameters:
  ///   - bytes: The result of ``checkpoint(version:)``.
  ///   - setup: The setup.
  ///   - version: The version of the client.
  /// - Throws: A ``SavedFileProblem`` if the bytes are not a checkpoint of this setup.
  package init(
    resuming bytes: [UInt8], _ setup: ExplorationSetup, version: String
  ) throws(SavedFileProblem) {
    self.init(setup)
    try search.resume(bytes, Self.settings(setup, version)) { ClientAction($0) != nil }
  }
}

extension ExplorationSetup {
  /// The settings that distinguish one exploration from another.
  var settings: [String] {
    [
      profile.name, "\(hosts)", "\(calls)", "\(extras.rawValue)",
      altered.map { String(describing: $0).replacing("\n", with: " ") } ?? "",
    ]
  }
}

extension ParentLinks {
  func write(into writer: inout ByteWriter) {
    writer.write(UInt64(count))
    for number in 0..<UInt32(truncatingIfNeeded: count) {
      let way = self[number]
      writer.write(way.parent)
      writer.bytes.append(way.action.kind)
      writer.bytes.append(way.action.first)
      writer.bytes.append(way.action.second)
    }
  }

  mutating func read(
    from reader: inout ByteReader, where isAction: (ActionCode) -> Bool
  ) throws(SavedFileProblem) {
    let count = try reader.count(ofSize: 7)
    for number in 0..<count {
      let parent: UInt32 = try reader.number()
      let action = ActionCode(
        kind: try reader.number(), first: try reader.number(), second: try reader.number())
      guard isAction(action), parent == .max || parent < number else { throw .damaged }
      append(Link(parent: parent, action: action))
    }
  }
}

extension Frontier {
  func write(into writer: inout ByteWriter) throws(FrontierProblem) {
    writer.write(UInt64(count))
    writer.write(UInt64(segments.count - next))
    for segment in segments[next...] {
      try segment.load(from: store)
      writer.write(segment.firstNumber)
      writer.write(UInt64(segment.count))
      writer.write(UInt64(segment.bytes.count))
      writer.bytes.append(contentsOf: segment.bytes.array())
    }
  }

  // Rejects states whose number is at least `limit`, because no such state was visited.
  mutating func read(
    from reader: inout ByteReader, before limit: Int
  ) throws(SavedFileProblem) {
    let whole = try reader.count()
    for _ in 0..<(try reader.count(ofSize: 20)) {
      let first: UInt32 = try reader.number()
      let states = try reader.count(ofSize: 2)
      let bytes = try reader.bytes(try reader.count(ofSize: 1))
      guard Int(first) + states <= limit,
        let segment = FrontierSegment(firstNumber: first, count: states, bytes)
      else { throw .damaged }
      append(segment)
    }
    guard count <= whole else { throw .damaged }
    restoreCount(whole)
  }
}

extension VisitedStates {
  func write(into writer: inout ByteWriter) {
    writer.write(UInt64(count))
    forEach { high, low in
      writer.write(high)
      writer.write(low)
    }
  }

  func read(from reader: inout ByteReader) throws(SavedFileProblem) {
    let count = try reader.count(ofSize: 16)
    for _ in 0..<count {
      var digest = StateDigest(at: .zero)
      digest.high = try reader.number()
      digest.low = try reader.number()
      guard insert(digest) else { throw .damaged }
    }
  }
}
