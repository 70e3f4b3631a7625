/// The log in which a TLS server lists the application data that it sent.
///
/// The log takes precedence over the classification of the TLS records. Its lines have these forms,
/// with addresses in hexadecimal digits:
///
/// - `open DEVICE PORT SERVER PORT`: the server accepted a connection.
/// - `sent DEVICE PORT SERVER PORT FROM TO`: the bytes of the connection from one position up to
///   another are application data.
/// - `full`: the log ends here although the server continued to send.
public struct ServerLog: Hashable, Sendable {
  struct Connection: Hashable, Sendable {
    var device: FlowEnd
    var server: FlowEnd
    /// The positions of application data among the bytes that the server sent, in order.
    var spans: [Range<Int>] = []
  }

  /// The connections, in the order in which they were accepted.
  private(set) var connections: [Connection] = []
  /// Whether the log is incomplete because it reached its maximum size.
  private(set) var isFull = false

  /// Reads a log; lines that are malformed or incomplete are ignored.
  public init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words == ["full"] { isFull = true }
      guard words.count >= 5, let device = Self.end(words[1...2]),
        let server = Self.end(words[3...4])
      else { continue }
      let numbers = words.dropFirst(5).compactMap { Int($0) }
      switch words[0] {
      case "open": connections.append(Connection(device: device, server: server))
      case "sent" where numbers.count == 2 && numbers[0] < numbers[1]:
        let index = connections.lastIndex { $0.device == device && $0.server == server }
        if let index { connections[index].spans.append(numbers[0]..<numbers[1]) }
      default: continue
      }
    }
  }

  private static func end(_ words: ArraySlice<Substring>) -> FlowEnd? {
    guard let digits = words.first, let port = words.last.flatMap({ UInt16($0) }),
      digits.utf8.count == 8 || digits.utf8.count == 32, let bits = UInt128(digits, radix: 16)
    else { return nil }
    let count = digits.utf8.count / 2
    let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt128(8 * $0)) }
    return HostAddress(bytes).map { FlowEnd(address: $0, port: port) }
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
        let index = open.firstIndex(where: { $0.device == flow.local && $0.server == flow.remote })
      else { return flow }
      var flow = flow
      // If a port is reused, the log contains a separate connection for each use.
      flow.hear(open.remove(at: index).spans, isWhole: !log.isFull)
      return flow
    }
  }
}
