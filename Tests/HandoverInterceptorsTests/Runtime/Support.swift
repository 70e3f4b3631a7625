import Dispatch
import HandoverCore
import HandoverInterceptors
import Synchronization
import Testing

/// A list to which many threads append.
final class Record<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func add(_ element: Element) {
    elements.withLock { $0.append(element) }
  }
}

/// Receives what a call reports to its user.
struct Ear: Sendable {
  private let responses: AsyncStream<ChainResponse>
  private let continuation: AsyncStream<ChainResponse>.Continuation

  init() {
    (responses, continuation) = AsyncStream.makeStream()
  }

  func handler(on place: ExecutionPlace = .dispatch(.global())) -> ResponseHandler {
    let continuation = continuation
    var handler = ResponseHandler(on: place)
    handler.didReceiveInitialMetadata = { continuation.yield(.initialMetadata($0)) }
    handler.didReceiveData = { continuation.yield(.message($0)) }
    handler.didWriteData = { continuation.yield(.writeDone) }
    handler.didClose = { continuation.yield(.close($0)) }
    return handler
  }

  /// Returns the responses up to and including the close.
  func received() async -> [ChainResponse] {
    var all: [ChainResponse] = []
    for await response in responses {
      all.append(response)
      if case .close = response { break }
    }
    return all
  }

  /// Returns the responses so far, without waiting.
  func receivedSoFar() async -> [ChainResponse] {
    continuation.finish()
    return await responses.reduce(into: []) { $0.append($1) }
  }
}

extension [ChainResponse] {
  var texts: [String] {
    compactMap {
      guard case .message(let message) = $0 else { return nil }
      return String(decoding: message.bytes ?? [], as: UTF8.self)
    }
  }

  var closes: [CallClose] {
    compactMap { if case .close(let close) = $0 { close } else { nil } }
  }
}

/// Sends back each message, and ends a call when its requests are finished.
struct EchoTransport: ChainTransport {
  let orders = Record<Ordered>()

  struct Ordered: Hashable, Sendable {
    let order: TransportOrder
    let attempt: TransportAttempt
  }

  func carryOut(_ order: TransportOrder, for attempt: TransportAttempt) {
    orders.add(Ordered(order: order, attempt: attempt))
    switch order {
    case .start: attempt.receive(.headers(["server": "echo"]))
    case .send(let bytes): attempt.receive(.message(bytes))
    case .finish: attempt.receive(.ended(.ok, trailers: nil))
    case .cancel, .readMessage: break
    }
  }

  /// The orders of each attempt, in the order of their starts.
  var byAttempt: [[TransportOrder]] {
    let all = orders.all
    var attempts: [TransportAttempt] = []
    for ordered in all where !attempts.contains(ordered.attempt) {
      attempts.append(ordered.attempt)
    }
    return attempts.map { attempt in all.filter { $0.attempt == attempt }.map(\.order) }
  }
}

/// Does nothing by itself; a test decides the result of each attempt.
struct ScriptedTransport: ChainTransport {
  private let stream: AsyncStream<EchoTransport.Ordered>
  private let continuation: AsyncStream<EchoTransport.Ordered>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func carryOut(_ order: TransportOrder, for attempt: TransportAttempt) {
    continuation.yield(EchoTransport.Ordered(order: order, attempt: attempt))
  }

  /// Waits for a number of orders.
  func orders(_ count: Int) async -> [EchoTransport.Ordered] {
    var all: [EchoTransport.Ordered] = []
    for await ordered in stream {
      all.append(ordered)
      if all.count == count { break }
    }
    return all
  }
}

/// A clock that a test advances.
final class ManualClock: ChainClock {
  private final class Timer: ChainTimer {
    let fire: @Sendable () -> Void
    let at = Mutex<Instant?>(nil)
    let isSet = DispatchSemaphore(value: 0)

    init(_ fire: @escaping @Sendable () -> Void) {
      self.fire = fire
    }

    func set(_ instant: Instant?) {
      at.withLock { $0 = instant }
      if instant != nil { isSet.signal() }
    }
  }

  private let instant = Mutex(Instant.zero)
  private let timers = Record<Timer>()
  private let made = DispatchSemaphore(value: 0)

  var now: Instant { instant.withLock { $0 } }

  func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any ChainTimer {
    let timer = Timer(fire)
    timers.add(timer)
    made.signal()
    return timer
  }

  /// Waits until the first timer is set, and advances to its instant.
  ///
  /// The method blocks its thread, which must not be one of the cooperative pool.
  func advanceToTimer() {
    made.wait()
    made.signal()
    let timer = timers.all[0]
    timer.isSet.wait()
    let due = timer.at.withLock { at in
      defer { at = nil }
      return at
    }
    guard let due else { return }
    instant.withLock { $0 = max($0, due) }
    timer.fire()
  }
}

/// Makes the interceptor that a closure returns.
struct Making: InterceptorFactory {
  let name: String
  let queues: InterceptorQueues
  private let make: Closure

  private final class Closure: Sendable {
    let run: @Sendable (CallStart) -> (any Interceptor)?
    init(_ run: @escaping @Sendable (CallStart) -> (any Interceptor)?) { self.run = run }
  }

  init(
    _ name: String, queues: InterceptorQueues = .own,
    _ make: @escaping @Sendable (CallStart) -> (any Interceptor)? = { _ in ForwardingInterceptor() }
  ) {
    self.name = name
    self.queues = queues
    self.make = Closure(make)
  }

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? { make.run(call) }

  static func == (left: Making, right: Making) -> Bool { left.make === right.make }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(make)) }
}

/// A reference in an interceptor; two are equal if they refer to the same object.
struct Shared<Object: AnyObject & Sendable>: Hashable, Sendable {
  let object: Object

  static func == (left: Shared, right: Shared) -> Bool { left.object === right.object }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

extension RequestOptions {
  static let echo = RequestOptions(host: "api.example:443", path: "/echo.Echo/Say")
}

extension CallOptions {
  init(_ factories: (any InterceptorFactory)...) {
    self.init()
    interceptorFactories = factories
  }
}

extension InterceptedClient.Configuration {
  /// Returns a configuration that is isolated from other tests in the process.
  static func apart(_ change: (inout Self) -> Void = { _ in }) -> Self {
    var configuration = Self()
    configuration.global = GlobalInterceptor()
    change(&configuration)
    return configuration
  }
}
