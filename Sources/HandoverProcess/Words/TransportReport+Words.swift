import HandoverBackend
import HandoverCore
import HandoverTrace

// The words of what a transport elsewhere reports, and their parts; its reader is `TransportNames`,
// its writer `ServedTransport`.
extension TransportReport: CodedMessage {
  typealias Call = UInt32

  private static let connection = ConnectionID(index: 0, generation: 0)

  static let examples: [TransportReport] = [
    .connected(connection), .connectFailed(connection, .refused), .broken(connection, .reset),
    .draining(connection), .pong(connection), .ended(call: 0, .ok), .message(call: 0),
    .moved(connection), .stalled(connection), .resumed(connection), .sendBufferFull(connection),
    .readMessages(call: 0, count: 1), .readRequest(call: 0), .tookEffect(entry: 0),
  ]

  static let messageForms = MessageForms<TransportReport>()

  /// Whether it is reported in real time too, where names, servers and faults are played by others.
  var isOfRealTime: Bool {
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
    case .connected(let id):
      coder.begin("connected")
      return .connected(try coder.connection(id))
    case .connectFailed(let id, let failure):
      coder.begin("connectFailed")
      return .connectFailed(try coder.connection(id), try coder.failure(failure))
    case .broken(let id, let failure):
      coder.begin("broken")
      return .broken(try coder.connection(id), try coder.failure(failure))
    case .draining(let id):
      coder.begin("draining")
      return .draining(try coder.connection(id))
    case .pong(let id):
      coder.begin("received", with: "pong")
      let id = try coder.connection(id)
      coder.mark("pong")
      return .pong(id)
    case .message(let call):
      coder.begin("received")
      let call = try coder.call(call)
      coder.mark("message")
      return .message(call: call)
    case .ended(let call, let code):
      coder.begin("received", with: "status")
      return .ended(call: try coder.call(call), try coder.status(code))
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
        call: try coder.call(call), count: try coder.count("messages", count))
    case .tookEffect(let entry):
      return .tookEffect(entry: try coder.only("tookEffect", entry: entry))
    }
  }
}
