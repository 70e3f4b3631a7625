public import HandoverCore

/// Answers calls again that were answered before.
///
/// Only calls whose safety is ``CallSafety/cacheable`` are looked up, by host, path, access token
/// and messages. A hit is answered by the link itself: nothing behind it is ever made (I26). Only
/// answers with OK are stored.
///
///     initialized → start, not cacheable          → passing
///     initialized → start                         → collecting
///     collecting  → finish, known                 → answering → all was read → closed
///     collecting  → finish, or beyond the limits  → passing
///     passing     → OK                            → stored, closed
///
/// Limits: the requests are held back until they are finished, and each write is told done at
/// once, so a call that waits for an answer before it finishes must not be cacheable. Headers are
/// not part of what is looked up. Beyond the number of entries the oldest goes; requests or an
/// answer beyond the buffer's limits are not stored.
public struct CacheInterceptor: Interceptor {
  /// Makes the links that share one cache.
  public struct Factory: InterceptorFactory {
    /// The name of the links.
    public var name: String
    private let cache: SharedState<ResponseCache>
    private let limits: BufferLimits

    /// Makes a factory with an empty cache.
    ///
    /// - Parameters:
    ///   - name: the name of the links.
    ///   - timeToLive: how long an answer is good.
    ///   - entries: how many answers are kept.
    ///   - limits: how large the requests, and the answer, of one call may be.
    public init(
      name: String = "cache", timeToLive: Interval = .minutes(1), entries: Int = 100,
      limits: BufferLimits = BufferLimits()
    ) {
      self.name = name
      self.limits = limits
      cache = SharedState(ResponseCache(timeToLive: timeToLive, limit: entries))
    }

    /// What one call learns, all know.
    public var sharesState: Bool { true }

    /// Makes the link of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      CacheInterceptor(cache: cache, limits: limits)
    }
  }

  private enum Phase: Hashable {
    case initialized
    case collecting(CallStart)
    /// The key under which the answer is to be stored; nil where it is not.
    case passing(storeAs: ResponseCache.Key?)
    case answering(OwnResponse)
  }

  private let cache: SharedState<ResponseCache>
  private let limits: BufferLimits
  private var phase = Phase.initialized
  private var held = RequestBuffer()
  /// How many writes the link itself told done; the transport's word for them is dropped.
  private var writesTold = 0
  private var answer = CallResponse(close: CallClose(.ok))
  private var answerBytes = 0

  init(cache: SharedState<ResponseCache>, limits: BufferLimits) {
    self.cache = cache
    self.limits = limits
  }

  // MARK: Requests

  /// Goes on where the call is not cacheable; else the requests are collected.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    guard phase == .initialized else { return handle(.start(start), &manager) }
    let early = held.messages.count
    held.append(.start(start))
    guard start.request.safety == .cacheable else { return pass(storeAs: nil, &manager) }
    phase = .collecting(start)
    for _ in 0..<early { sendDone(&manager) }
  }

  /// Collected, told done at once, or passed on.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    handle(.write(message), &manager)
    if case .collecting = phase { sendDone(&manager) }
  }

  /// Answers from the cache, or passes on everything collected.
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

  /// Collected, passed on, or heeded by the link's own answer.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    guard case .answering(var response) = phase else {
      return handle(.receiveNextMessages(count), &manager)
    }
    response.allow(count)
    answer(response, &manager)
  }

  /// Ends the call at once.
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
    writesTold += 1
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

  /// Kept with the answer, and passed on.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    answer.headers = metadata
    manager.forwardPreviousInterceptor(initialMetadata: metadata)
  }

  /// Kept with the answer, and passed on.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    keep(message)
    manager.forwardPreviousInterceptor(message: message)
  }

  /// Passed on, unless the link itself told it before.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    guard writesTold == 0 else { return writesTold -= 1 }
    manager.forwardPreviousInterceptorDidWrite()
  }

  /// Stores an answer with OK, and passes the end on.
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

/// Answers by what was asked, the oldest first.
struct ResponseCache: Hashable, Sendable {
  /// What was asked.
  struct Key: Hashable {
    var host: String
    var path: String
    /// One user's answers are not another's.
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
