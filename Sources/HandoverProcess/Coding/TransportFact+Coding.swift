import HandoverBackend
import HandoverCore

// The messages to a remote transport and their parts. `TransportNames` writes them, and
// `ServedTransport` reads them. Elapsed time and closing are separate commands.
extension TransportFact: CodedMessage {
  typealias Call = UInt32

  private static let connection = ConnectionID(index: 0, generation: 0)

  static let examples: [TransportFact] = [
    .connect(connection, host: 0), .close(connection),
    .send(connection, call: 0, ServerAnswer(kind: .unary, takes: nil, every: nil)),
    .sendMessages(connection, call: 0, count: 1, bytes: 0), .finish(connection, call: 0),
    .reset(connection, call: 0), .ping(connection),
    .device(Device(flags: [], path: nil, keptAlive: [], app: .foreground)),
    .server(host: 0, .accept, entry: 0), .names(host: 0, .resolve, entry: 0),
    .fault(.all, .stall, entry: 0),
  ]

  static let messageForms = MessageForms<TransportFact>()

  func coded<Coder: MessageCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> TransportFact where Coder.Call == UInt32 {
    switch self {
    case .connect(let id, let host):
      coder.begin("connect")
      return .connect(try coder.newConnection(id), host: try coder.destination(host))
    case .close(let id):
      coder.begin("close")
      return .close(try coder.connection(id))
    case .send(let id, let call, let answer):
      coder.begin("send")
      return .send(
        try coder.connection(id), call: try coder.newCall(call),
        ServerAnswer(
          kind: try coder.keyword("kind", answer.kind),
          takes: try coder.length("takes", answer.takes),
          every: try coder.length("every", answer.every)))
    case .sendMessages(let id, let call, let count, let bytes):
      coder.begin("send", with: "messages")
      return .sendMessages(
        try coder.connection(id), call: try coder.call(call),
        count: try coder.count("messages", count, from: 1), bytes: try coder.count("bytes", bytes))
    case .finish(let id, let call):
      coder.begin("finish")
      return .finish(try coder.connection(id), call: try coder.call(call))
    case .reset(let id, let call):
      coder.begin("reset")
      return .reset(try coder.connection(id), call: try coder.call(call))
    case .ping(let id):
      coder.begin("ping")
      return .ping(try coder.connection(id))
    case .device(let device):
      coder.begin("device")
      return .device(try coder.device(device))
    case .server(let host, let fault, let entry):
      coder.begin("server")
      return .server(
        host: try coder.host(host), try coder.keyword("do", fault), entry: try coder.entry(entry))
    case .names(let host, let fault, let entry):
      coder.begin("names")
      return .names(
        host: try coder.host(host), try coder.keyword("do", fault), entry: try coder.entry(entry))
    case .fault(let hosts, let keyword, let entry):
      coder.begin("transport")
      return .fault(
        try coder.hosts(hosts), try coder.keyword("become", keyword), entry: try coder.entry(entry))
    case .timeElapsed, .closed: return self
    }
  }
}
