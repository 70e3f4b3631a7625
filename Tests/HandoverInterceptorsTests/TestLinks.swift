import HandoverCore

@testable import HandoverInterceptors

/// An interceptor that runs a test's closures for some events, and forwards the others.
struct Hook: Interceptor {
  typealias Method<Argument> = @Sendable (Argument, inout InterceptorManager) -> Void

  /// The closures that replace methods of the base interceptor.
  struct Methods: Sendable {
    var start: Method<CallStart>?
    var write: Method<Message>?
    var finish: Method<Void>?
    var cancel: Method<Void>?
    var receive: Method<Int>?
    var headers: Method<Metadata?>?
    var data: Method<Message>?
    var close: Method<CallClose>?
    var writeDone: Method<Void>?
    var answer: Method<String?>?
  }

  private final class Table: Sendable {
    let methods: Methods

    init(_ methods: Methods) { self.methods = methods }
  }

  private let table: Table
  private var base = ForwardingInterceptor()

  init(_ change: (inout Methods) -> Void) {
    var methods = Methods()
    change(&methods)
    table = Table(methods)
  }

  mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    guard let method = table.methods.start else { return base.start(start, &manager) }
    method(start, &manager)
  }

  mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    guard let method = table.methods.write else { return base.write(message, &manager) }
    method(message, &manager)
  }

  mutating func finish(_ manager: inout InterceptorManager) {
    guard let method = table.methods.finish else { return base.finish(&manager) }
    method((), &manager)
  }

  mutating func cancel(_ manager: inout InterceptorManager) {
    guard let method = table.methods.cancel else { return base.cancel(&manager) }
    method((), &manager)
  }

  mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    guard let method = table.methods.receive else {
      return base.receiveNextMessages(count, &manager)
    }
    method(count, &manager)
  }

  mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    guard let method = table.methods.headers else {
      return base.didReceiveInitialMetadata(metadata, &manager)
    }
    method(metadata, &manager)
  }

  mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    guard let method = table.methods.data else { return base.didReceiveData(message, &manager) }
    method(message, &manager)
  }

  mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    guard let method = table.methods.close else { return base.didClose(close, &manager) }
    method(close, &manager)
  }

  mutating func didWriteData(_ manager: inout InterceptorManager) {
    guard let method = table.methods.writeDone else { return base.didWriteData(&manager) }
    method((), &manager)
  }

  mutating func didReceiveAnswer(
    _ answer: String?, to question: String, _ manager: inout InterceptorManager
  ) {
    table.methods.answer?(answer, &manager)
  }

  static func == (left: Hook, right: Hook) -> Bool { left.table === right.table }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(table)) }
}

extension TransportRegistry {
  /// A registry whose default makes no transports (R6).
  static var withoutTransports: TransportRegistry {
    var registry = TransportRegistry()
    registry.register(TransportFactory(.coreSecure, makesTransports: false))
    return registry
  }
}

/// The events that the interceptors of a test saw, in order.
typealias Log = SharedState<[Seen]>

/// An event that an interceptor saw.
struct Seen: Hashable, Sendable {
  enum Event: Hashable, Sendable {
    case request(ChainRequest)
    case response(ChainResponse)
  }

  var link: String
  var event: Event
}

extension SharedState<[Seen]> {
  convenience init() { self.init([]) }

  var all: [Seen] { withValue { $0 } }

  func requests(_ link: String) -> [ChainRequest] {
    all.compactMap {
      if $0.link == link, case .request(let request) = $0.event { request } else { nil }
    }
  }

  func responses(_ link: String) -> [ChainResponse] {
    all.compactMap {
      if $0.link == link, case .response(let response) = $0.event { response } else { nil }
    }
  }

  /// Counts the events of each kind that an interceptor saw, as the original's own tests do.
  func counts(_ link: String) -> Counts {
    var counts = Counts()
    for request in requests(link) {
      switch request {
      case .start: counts.starts += 1
      case .write: counts.writes += 1
      case .finish: counts.finishes += 1
      case .cancel: counts.cancels += 1
      case .receiveNextMessages: counts.receives += 1
      }
    }
    for response in responses(link) {
      switch response {
      case .initialMetadata: counts.headers += 1
      case .message: counts.messages += 1
      case .close: counts.closes += 1
      case .writeDone: counts.writesDone += 1
      case .rawMessage: break
      }
    }
    return counts
  }
}

/// The number of events of each kind that an interceptor saw.
struct Counts: Hashable {
  var starts = 0
  var writes = 0
  var finishes = 0
  var cancels = 0
  var receives = 0
  var headers = 0
  var messages = 0
  var closes = 0
  var writesDone = 0
}

/// Makes interceptors that record what they see and forward it.
struct Recording: InterceptorFactory {
  var name: String
  var log: Log

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
    let (name, log) = (name, log)
    @Sendable func see(_ request: ChainRequest) {
      log.withValue { $0.append(Seen(link: name, event: .request(request))) }
    }
    @Sendable func see(_ response: ChainResponse) {
      log.withValue { $0.append(Seen(link: name, event: .response(response))) }
    }
    return Hook { hook in
      hook.start = {
        see(.start($0)); $1.startNextInterceptor($0)
      }
      hook.write = {
        see(.write($0)); $1.writeNextInterceptor($0)
      }
      hook.finish = {
        see(.finish); $1.finishNextInterceptor()
      }
      hook.cancel = { _, manager in
        see(.cancel)
        var base = ForwardingInterceptor()
        base.cancel(&manager)
      }
      hook.receive = {
        see(.receiveNextMessages($0)); $1.receiveNextInterceptorMessages($0)
      }
      hook.headers = {
        see(.initialMetadata($0))
        $1.forwardPreviousInterceptor(initialMetadata: $0)
      }
      hook.data = {
        see(.message($0)); $1.forwardPreviousInterceptor(message: $0)
      }
      hook.close = {
        see(.close($0))
        $1.forwardPreviousInterceptorClose($0)
        $1.shutDown()
      }
      hook.writeDone = {
        see(.writeDone); $1.forwardPreviousInterceptorDidWrite()
      }
    }
  }
}

/// Makes interceptors from the closures of a test.
struct Hooked: InterceptorFactory {
  var name: String
  private var hook: Hook

  init(_ name: String, _ change: (inout Hook.Methods) -> Void) {
    self.name = name
    hook = Hook(change)
  }

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? { hook }
}
