/// The application data that a TLS server sent.
///
/// The log takes precedence over the classification of the TLS records.
public struct ServerLog: Hashable, Sendable {
  struct Connection: Hashable, Sendable {
    var ends: FlowEnds
    /// The positions of application data among the bytes that the server sent, in order.
    var spans: [Range<Int>] = []
  }

  /// The maximum number of connections and spans together.
  static let maximumCount = 100_000

  /// The connections, in the order in which they were accepted.
  private(set) var connections: [Connection] = []
  private var count = 0

  /// Creates an empty log.
  public init() {}

  /// Whether the log is incomplete because it reached its maximum size.
  var isFull: Bool { count >= Self.maximumCount }

  /// Adds an accepted connection.
  ///
  /// - Returns: The index of the connection in the log, or `nil` if the log is full.
  public mutating func open(_ ends: FlowEnds) -> Int? {
    guard !isFull else { return nil }
    count += 1
    connections.append(Connection(ends: ends))
    return connections.count - 1
  }

  /// Adds the positions of application data among the bytes that a connection's server sent.
  public mutating func add(_ span: Range<Int>, to position: Int) {
    guard !isFull else { return }
    count += 1
    connections[position].spans.append(span)
  }
}

extension FlowTable {
  /// Returns the flows, with their application data taken from the servers' log.
  ///
  /// The log replaces the classification of the TLS records.
  public func flows(accordingTo log: ServerLog) -> [Flow] {
    var open = log.connections
    return flows.map { flow in
      guard flow.transport == .tcp, flow.established != nil,
        let index = open.firstIndex(where: { $0.ends == flow.ends })
      else { return flow }
      var flow = flow
      // If a port is reused, the log contains a separate connection for each use.
      flow.receive(open.remove(at: index).spans, isWhole: !log.isFull)
      return flow
    }
  }
}
