public import HandoverCore

/// A query of the device to a name server.
public struct NameLookup: Hashable, Sendable {
  /// The instant of the query.
  public var at: Instant
  /// The host name in lowercase letters, or an empty string if the query is malformed.
  public var name: String
  /// The instant of the answer, or `nil` if there was none.
  public var answered: Instant?

  /// Creates a query.
  public init(at: Instant, name: String = "", answered: Instant? = nil) {
    self.at = at
    self.name = name
    self.answered = answered
  }
}

/// The queries of a device to name servers, with their answers.
struct NameQueries: Sendable {
  private(set) var lookups: [NameLookup] = []
  /// The indices of the queries that have no answer yet.
  private var open: [Key: Int] = [:]  // lookup only

  private struct Key: Hashable {
    var local: FlowEnd
    var identifier: UInt16
  }

  /// The maximum number of queries; later ones are ignored.
  private static let maximumCount = 4_096

  /// Processes a message between the device and a name server.
  mutating func handle(
    _ message: ArraySlice<UInt8>, of local: FlowEnd, fromDevice: Bool, at now: Instant
  ) {
    let key = Key(
      local: local, identifier: message.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
    guard fromDevice else {
      if let position = open.removeValue(forKey: key) { lookups[position].answered = now }
      return
    }
    guard lookups.count < Self.maximumCount else { return }
    // A query that is sent again has the same identifier, and its answer belongs to the last one.
    open[key] = lookups.count
    lookups.append(NameLookup(at: now, name: Self.name(in: message)))
  }

  /// Returns the name in the question of a message, or an empty string if there is none.
  private static func name(in message: ArraySlice<UInt8>) -> String {
    var rest = message.dropFirst(12)
    var labels: [String] = []
    while let length = rest.popFirst(), length > 0 {
      guard length < 64, rest.count >= Int(length) else { return "" }
      labels.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self).lowercased())
      rest = rest.dropFirst(Int(length))
    }
    return labels.joined(separator: ".")
  }
}
