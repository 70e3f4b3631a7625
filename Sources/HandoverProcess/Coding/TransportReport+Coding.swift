import HandoverBackend
import HandoverCore

// The messages about the network that reach a client. A remote transport reports them, and a remote
// client receives them, with the same keywords.
extension MessageCoder {
  mutating func connected(_ id: ConnectionID) throws(Failure) -> ConnectionID {
    begin("connected")
    return try connection(id)
  }

  mutating func connectFailed(
    _ id: ConnectionID, _ failure: ConnectionFailure
  ) throws(Failure) -> (ConnectionID, ConnectionFailure) {
    begin("connectFailed")
    return (try connection(id), try self.failure(failure))
  }

  mutating func broken(
    _ id: ConnectionID, _ failure: ConnectionFailure
  ) throws(Failure) -> (ConnectionID, ConnectionFailure) {
    begin("broken")
    return (try connection(id), try self.failure(failure))
  }

  mutating func draining(_ id: ConnectionID) throws(Failure) -> ConnectionID {
    begin("draining")
    return try connection(id)
  }

  mutating func pong(_ id: ConnectionID) throws(Failure) -> ConnectionID {
    begin("received", with: "pong")
    let id = try connection(id)
    mark("pong")
    return id
  }

  mutating func data(_ id: ConnectionID) throws(Failure) -> ConnectionID {
    begin("received", with: "data")
    let id = try connection(id)
    mark("data")
    return id
  }

  mutating func message(of call: Call) throws(Failure) -> Call {
    begin("received")
    let call = try self.call(call)
    mark("message")
    return call
  }

  mutating func ended(_ call: Call, _ code: StatusCode) throws(Failure) -> (Call, StatusCode) {
    begin("received", with: "status")
    return (try self.call(call), try status(code))
  }
}

// The messages from a remote transport and their parts. `TransportNames` reads them, and
// `ServedTransport` writes them.
extension TransportReport: CodedMessage {
  typealias Call = UInt32

  private static let connection = ConnectionID(index: 0, generation: 0)

  static let examples: [TransportReport] = [
    .connected(connection), .connectFailed(connection, .refused), .broken(connection, .reset),
    .draining(connection), .pong(connection), .message(call: 0), .ended(call: 0, .ok),
    .moved(connection), .stalled(connection), .resumed(connection), .sendBufferFull(connection),
    .readMessages(call: 0, count: 1), .readRequest(call: 0), .tookEffect(entry: 0),
  ]

  static let messageForms = MessageForms<TransportReport>()

  /// Whether it is also reported in real time, when other programs control names, servers and
  /// faults.
  var isReportedInRealTime: Bool {
    switch self {
    case .connected, .connectFailed, .broken, .draining, .pong, .message, .ended, .stalled,
      .resumed, .sendBufferFull:
      true
    case .moved, .readRequest, .readMessages, .tookEffect: false
    }
  }

  func coded<Coder: MessageCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> TransportReport where Coder.Call == UInt32 {
    switch self {
    case .connected(let id): return .connected(try coder.connected(id))
    case .connectFailed(let id, let failure):
      let (id, failure) = try coder.connectFailed(id, failure)
      return .connectFailed(id, failure)
    case .broken(let id, let failure):
      let (id, failure) = try coder.broken(id, failure)
      return .broken(id, failure)
    case .draining(let id): return .draining(try coder.draining(id))
    case .pong(let id): return .pong(try coder.pong(id))
    case .message(let call): return .message(call: try coder.message(of: call))
    case .ended(let call, let code):
      let (call, code) = try coder.ended(call, code)
      return .ended(call: call, code)
    case .moved(let id):
      coder.begin("moved")
      return .moved(try coder.connection(id))
    case .stalled(let id):
      coder.begin("stalled")
      return .stalled(try coder.connection(id))
    case .resumed(let id):
      coder.begin("resumed")
      return .resumed(try coder.connection(id))
    case .sendBufferFull(let id):
      coder.begin("bufferFull")
      return .sendBufferFull(try coder.connection(id))
    case .readRequest(let call):
      coder.begin("read")
      return .readRequest(call: try coder.call(call))
    case .readMessages(let call, let count):
      coder.begin("read", with: "messages")
      return .readMessages(
        call: try coder.call(call), count: try coder.count("messages", count, from: 1))
    case .tookEffect(let entry):
      return .tookEffect(entry: try coder.only("tookEffect", entry: entry))
    }
  }
}
