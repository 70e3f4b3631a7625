public import HandoverCore

/// Answers calls from a cache of earlier answers.
///
/// Only calls whose safety is ``CallSafety/cacheable`` are looked up, by host, path, access token
/// and messages. On a hit the interceptor itself answers, and nothing after it is created (I26).
/// Only answers with OK are stored.
///
///     initialized → start, not cacheable          → passing
///     initialized → start                         → collecting
///     collecting  → finish, cache hit             → answering → all was read → closed
///     collecting  → finish, or beyond the limits  → passing
///     passing     → OK                            → stored, closed
///
/// Limits: requests are held back until they are finished, and each write is reported as done
/// immediately. A call that waits for an answer before it finishes must therefore not be cacheable.
/// Headers are not part of the lookup. If there are too many entries, the oldest one is removed.
/// Requests or answers that exceed the buffer limits are not stored.
public struct CacheInterceptor: Interceptor {
  /// Creates interceptors that share one cache.
  public struct Factory: InterceptorFactory {
    /// The name of the interceptors.
    public var name: String
    private let cache: SharedState<ResponseCache>
    private let limits: BufferLimits

    /// Creates a factory with an empty cache.
    ///
    /// - Parameters:
    ///   - name: the name of the interceptors.
    ///   - timeToLive: the time for which an answer is valid.
    ///   - entries: the maximum number of stored answers.
    ///   - limits: the maximum size of the requests, and of the answer, of one call.
    public init(
      name: String = "cache", timeToLive: Interval = .minutes(1), entries: Int = 100,
      limits: BufferLimits = BufferLimits()
    ) {
      self.name = name
      self.limits = limits
      cache = SharedState(ResponseCache(timeToLive: timeToLive, limit: entries))
    }

    /// `true`, because all calls share the cache.
    public var sharesState: Bool { true }

    /// Creates the interceptor of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      CacheInterceptor(cache: cache, limits: limits)
    }
  }

  private enum Phase: Hashable {
    case initialized
    case collecting(CallStart)
    /// The key under which to store the answer, or `nil` if it must not be stored.
    case passing(storeAs: ResponseCache.Key?)
    case answering(OwnResponse)
  }

  private let cache: SharedState<ResponseCache>
  private let limits: BufferLimits
  private var phase = Phase.initialized
  private var held = RequestBuffer()
  /// The number of writes that the interceptor itself reported as done; the transport's reports for
  /// them are dropped.
  private var reportedWrites = 0
  private var answer = CallResponse(close: CallClose(.ok))
  private var answerBytes = 0

  init(cache: SharedState<ResponseCache>, limits: BufferLimits) {
    self.cache = cache
    self.limits = limits
  }

  // MARK: Requests

  /// Forwards a call that is not cacheable, or starts to collect its requests.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    guard phase == .initialized else { return handle(.start(start), &manager) }
    let early = held.messages.count
    held.append(.start(start))
    guard start.request.safety == .cacheable else { return pass(storeAs: nil, &manager) }
    phase = .collecting(start)
    for _ in 0..<early { sendDone(&manager) }
  }

  /// Collects the message and reports it as done, or forwards it.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    handle(.write(message), &manager)
    if case .collecting = phase { sendDone(&manager) }
  }

  /// Answers from the cache, or forwards the collected requests.
  public mutating func finish(_ manager: inout InterceptorManager) {
    guard case .collecting(let start) = phase else { return handle(.finish, &manager) }
    held.append(.finish)
    let key = ResponseCache.Key(start, held.messages)
    let now = manager.now
    guard let known = cache.withValue({ $0.response(for: key, at: now) }) else {
      return pass(storeAs: key, &manager)
    }
    answer(
      OwnResponse(
        known, hasFlowControl: start.options.flowControl, wanted: held.wantedMessages), &manager)
  }

  /// Collects the request, forwards it, or applies it to the cached answer.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    guard case .answering(var response) = phase else {
      return handle(.receiveNextMessages(count), &manager)
    }
    response.allow(count)
    answer(response, &manager)
  }

  /// Ends the call immediately.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    if case .passing = phase { manager.cancelNextInterceptor() }
    manager.closeCancelled()
  }

  private mutating func handle(_ request: ChainRequest, _ manager: inout InterceptorManager) {
    switch phase {
    case .initialized:
      held.append(request)
    case .collecting:
      held.append(request)
      if held.exceeds(limits) { pass(storeAs: nil, &manager) }
    case .passing:
      manager.forwardNextInterceptor(request)
    case .answering:
      break
    }
  }

  private mutating func sendDone(_ manager: inout InterceptorManager) {
    reportedWrites += 1
    manager.forwardPreviousInterceptorDidWrite()
  }

  private mutating func pass(
    storeAs key: ResponseCache.Key?, _ manager: inout InterceptorManager
  ) {
    phase = .passing(storeAs: key)
    for request in held.requests { manager.forwardNextInterceptor(request) }
    held = RequestBuffer()
  }

  private mutating func answer(
    _ response: OwnResponse, _ manager: inout InterceptorManager
  ) {
    var response = response
    response.deliver(&manager)
    phase = .answering(response)
  }

  // MARK: Responses

  /// Stores the headers with the answer, and forwards them.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    answer.headers = metadata
    manager.forwardPreviousInterceptor(initialMetadata: metadata)
  }

  /// Stores the message with the answer, and forwards it.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    keep(message)
    manager.forwardPreviousInterceptor(message: message)
  }

  /// Forwards the notification, unless the interceptor itself has already reported the write.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    guard reportedWrites == 0 else { return reportedWrites -= 1 }
    manager.forwardPreviousInterceptorDidWrite()
  }

  /// Stores an answer with OK, and forwards the close.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    if case .passing(let key?) = phase, close.status.code == .ok {
      answer.close = close
      let (response, now) = (answer, manager.now)
      cache.withValue { $0.store(response, for: key, at: now) }
    }
    manager.forwardPreviousInterceptorClose(close)
    manager.shutDown()
  }

  private mutating func keep(_ message: Message) {
    guard case .passing(_?) = phase else { return }
    answer.messages.append(message)
    answerBytes += message.bytes?.count ?? 0
    guard answerBytes > limits.bytes || answer.messages.count > limits.events else { return }
    phase = .passing(storeAs: nil)
    answer.messages = []
  }
}

/// Answers by request, oldest first.
struct ResponseCache: Hashable, Sendable {
  /// The request that an answer belongs to.
  struct Key: Hashable {
    var host: String
    var path: String
    /// Part of the key, so that the answers of one user are not given to another user.
    var accessToken: String?
    var messages: [Message]

    init(_ start: CallStart, _ messages: [Message]) {
      host = start.request.host
      path = start.request.path
      accessToken = start.options.accessToken
      self.messages = messages
    }
  }

  private struct Entry: Hashable {
    var key: Key
    var response: CallResponse
    var expires: Instant
  }

  private let timeToLive: Interval
  private let limit: Int
  private var entries: [Entry] = []

  init(timeToLive: Interval, limit: Int) {
    self.timeToLive = timeToLive
    self.limit = limit
  }

  func response(for key: Key, at now: Instant) -> CallResponse? {
    entries.first { $0.key == key && now < $0.expires }?.response
  }

  mutating func store(_ response: CallResponse, for key: Key, at now: Instant) {
    entries.removeAll { $0.key == key || $0.expires <= now }
    entries.append(Entry(key: key, response: response, expires: now + timeToLive))
    entries.removeFirst(max(0, entries.count - limit))
  }
}
