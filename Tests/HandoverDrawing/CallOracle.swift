/// Predicts the end of a call from the specifications alone, without any state machine.
///
/// The oracle tracks the network of the device, the single connection of the call, and the end of
/// the call.
///
/// Sources: the table of flags and the paragraph below it (the newer network transitions document),
/// its two issues of TCP sockets, and the paragraph about CFStream.
struct CallOracle {
  enum Category {
    case none, wifi, cellular

    /// Returns the category by the table of the specification, row by row.
    init(reachable: Bool, connectionRequired: Bool, isWWAN: Bool) {
      switch (reachable, connectionRequired, isWWAN) {
      case (false, _, _), (_, true, _): self = .none
      case (true, false, false): self = .wifi
      case (true, false, true): self = .cellular
      }
    }
  }

  /// The events of the timeline that can affect a call.
  enum Event {
    case device(Category, path: String?, isCallback: Bool)
    case suspended
    case resumed
    case cancel(Int)
    case send(Int)
  }

  struct Call {
    var start: Int
    var connect: Int
    /// The time from the request to the end of the server's answer, or `nil` if the answer does not
    /// end.
    var takes: Int?
    var deadline: Int?
  }

  struct End: Equatable {
    var status: String
    var message: String?
    var at: Int
  }

  /// How connections of a profile behave when the device leaves their network.
  enum Transport {
    case tcp, cfStream, linux
  }

  let transport: Transport
  let hasMonitor: Bool
  let tcpTimeout: Int
  /// The end of the run.
  let until: Int
  /// The order of the events that reach a call at one instant.
  let order: [DrawnOrder.News]

  // The device.
  private var category: Category
  private var path: String?
  private var isSuspended = false
  private var held: Category
  private var callbackIsHeld = false

  // The call, its connection, and its pending result.
  private var call = Call(start: 0, connect: 0)
  private var index = 0
  private var own: String?
  private var ownCategory = Category.none
  private var isStarted = false
  private var isStalled = false
  private var isLost = false
  private var answerIsDue = false
  private var answer: Int?
  private var firstUnacknowledged: Int?
  private var unheard: [End] = []
  private var end: End?

  init(
    _ transport: Transport, hasMonitor: Bool, tcpTimeout: Int, until: Int,
    order: [DrawnOrder.News], category: Category, path: String?
  ) {
    self.transport = transport
    self.hasMonitor = hasMonitor
    self.tcpTimeout = tcpTimeout
    self.until = until
    self.order = order
    self.category = category
    self.path = path
    held = category
  }

  /// Returns how a call ends, or `nil` if it never does.
  func end(of call: Call, at index: Int, _ events: [(at: Int, event: Event)]) -> End? {
    var copy = self
    copy.call = call
    copy.index = index
    for (at, event) in events {
      if !copy.isStarted, at > call.start { copy.begin() }
      copy.pass(to: at)
      if copy.end == nil { copy.handle(event, at) }
    }
    if !copy.isStarted { copy.begin() }
    copy.pass(to: until)
    return copy.end
  }

  private mutating func begin() {
    isStarted = true
    own = path
    ownCategory = category
    answer = call.takes.map { call.start + call.connect + $0 }
  }

  // MARK: Time

  /// Handles everything before an instant, the earliest event first.
  private mutating func pass(to instant: Int) {
    guard isStarted else { return }
    while end == nil {
      let timeout = isStalled && !isLost ? firstUnacknowledged.map { $0 + tcpTimeout } : nil
      let deadline = isSuspended ? nil : call.deadline.map { call.start + $0 }
      let reply = isLost ? nil : answer
      let next = min(timeout ?? .max, deadline ?? .max, reply ?? .max)
      guard next < instant else { return }
      if next == deadline {
        end = End(status: "DEADLINE_EXCEEDED", message: "Deadline Exceeded", at: next)
      } else if next == reply {
        answer = nil
        if isStalled { answerIsDue = true } else { receive("OK", at: next) }
      } else {
        lose("Connection timed out", at: next)
      }
    }
  }

  /// Delivers an event to the device, and to its app if that is running.
  private mutating func receive(_ status: String, _ message: String? = nil, at instant: Int) {
    let news = End(status: status, message: message, at: instant)
    if isSuspended { unheard.append(news) } else { end = news }
  }

  private mutating func lose(_ message: String, at instant: Int) {
    isLost = true
    receive("UNAVAILABLE", message, at: instant)
  }

  // MARK: Events

  private mutating func handle(_ event: Event, _ at: Int) {
    switch event {
    case .device(let next, let path, let isCallback): move(next, path, isCallback, at)
    case .suspended: isSuspended = true
    case .resumed: resume(at)
    case .cancel(let other):
      if isStarted, other == index {
        end = End(status: "CANCELLED", message: "Canceled by app", at: at)
      }
    case .send(let other):
      if isStarted, other == index, isStalled, !isLost, firstUnacknowledged == nil {
        firstUnacknowledged = at
      }
    }
  }

  private mutating func move(_ next: Category, _ path: String?, _ isCallback: Bool, _ at: Int) {
    let left = self.path
    category = next
    self.path = path
    for news in order where end == nil {
      switch news {
      case .callbacks: if isCallback { heardOf(next, at) }
      case .transport: leave(left, for: next, at)
      case .deadlines: break
      }
    }
  }

  /// Updates the connection after a network change of the device.
  private mutating func leave(_ left: String?, for next: Category, _ at: Int) {
    guard isStarted, !isLost, left != path else { return }
    if own == path {
      isStalled = false
      firstUnacknowledged = nil
      if answerIsDue { receive("OK", at: at) }
    } else if own == left {
      lose(to: next, at)
    }
  }

  /// Handles the loss of the connection's network.
  private mutating func lose(to next: Category, _ at: Int) {
    switch transport {
    case .linux: isStalled = true
    case .cfStream: lose("Software caused connection abort", at: at)
    case .tcp where isSuspended: isStalled = true
    // The first of the two issues.
    case .tcp where ownCategory == .cellular && next == .wifi: isStalled = true
    case .tcp: lose("Software caused connection abort", at: at)
    }
  }

  /// Handles a category change: with a monitor it ends every unfinished call.
  private mutating func heardOf(_ next: Category, _ at: Int) {
    guard hasMonitor else { return }
    guard !isSuspended else { return callbackIsHeld = true }
    defer { held = next }
    if next != held, isStarted {
      end = End(status: "UNAVAILABLE", message: "Connectivity lost.", at: at)
    }
  }

  private mutating func resume(_ at: Int) {
    isSuspended = false
    for news in order where end == nil {
      switch news {
      case .callbacks:
        guard callbackIsHeld else { continue }
        callbackIsHeld = false
        heardOf(category, at)
      case .transport:
        guard let first = unheard.first else { continue }
        end = End(status: first.status, message: first.message, at: at)
      case .deadlines:
        guard isStarted, let deadline = call.deadline, call.start + deadline < at else { continue }
        end = End(status: "DEADLINE_EXCEEDED", message: "Deadline Exceeded", at: at)
      }
    }
  }
}
