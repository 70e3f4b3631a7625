/// The ID of a queue of tasks for interceptors.
public struct QueueID: Hashable, Sendable {
  /// The index in the table.
  public let index: Int
  /// The number of earlier owners of the index.
  public let generation: UInt32

  /// Creates an identifier.
  init(index: Int, generation: UInt32 = 0) {
    self.index = index
    self.generation = generation
  }
}

/// The use of a queue, which determines where a driver runs it.
public enum QueueUse: Hashable, Sendable {
  /// Events for the caller of a call.
  case user(ChainID)
  /// Orders for the transport of a call.
  case transport(ChainID)
  /// Work of one interceptor.
  case link
  /// Work of one interceptor, on the threads of a named concurrent queue.
  case concurrent(String)
  /// Work of all interceptors whose factories name the queue.
  case shared(String)

  var isShared: Bool {
    switch self {
    case .shared: true
    case .user, .transport, .link, .concurrent: false
    }
  }
}

/// One hop: work for an interceptor, the caller or the transport end.
struct ChainTask: Hashable, Sendable {
  var chain: ChainID
  var link: LinkID
  var work: Work
}

/// A piece of work for an interceptor; rare cases are indirect to keep the type small.
enum Work: Hashable, Sendable {
  case request(ChainRequest)
  case response(ChainResponse)
  indirect case answer(String?, question: String)
  case timeElapsed
}

/// Tasks in arrival order.
struct TaskQueue: Hashable, Sendable {
  /// The number of earlier owners of the row in the table.
  var generation: UInt32 = 0
  var use: QueueUse
  var tasks: ShortQueue<ChainTask> = []
  /// Whether a task of the queue is running.
  var isBusy = false
  /// The number of times that the queue was run while its next task waited for an interceptor in
  /// use.
  var turnsWaiting = 0
}

/// Notes for a driver that are not part of the machine's state; all values are equal.
struct EmptiedQueues: Hashable, Sendable {
  var areNoted = false
  var places: [Int] = []

  static func == (_: EmptiedQueues, _: EmptiedQueues) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

/// The queues between the interceptors of all calls.
struct ChainQueues: Hashable, Sendable {
  var rows: [TaskQueue] = []
  private var unused: [Int] = []
  private var shared: [String: Int] = [:]  // lookup only
  /// The indices of queues that were released while tasks waited, for drivers that need them.
  var emptied = EmptiedQueues()

  func id(at index: Int) -> QueueID {
    QueueID(index: index, generation: rows[index].generation)
  }

  /// Returns whether a queue has not been released.
  func isInUse(_ queue: QueueID) -> Bool { rows[queue.index].generation == queue.generation }

  // MARK: Tasks

  mutating func append(
    _ task: consuming ChainTask, to queue: Int, into effects: inout [ChainEffect]
  ) {
    rows[queue].tasks.append(consume task)
    effects.append(.queueFilled(id(at: queue)))
  }

  /// Removes and returns the next task, or returns `nil` if there is none or the queue was
  /// released.
  mutating func popTask(of queue: QueueID) -> ChainTask? {
    isInUse(queue) ? rows[queue.index].tasks.popFirst() : nil
  }

  /// Returns whether a queue has no waiting task and no running task.
  func isIdle(_ queue: Int) -> Bool { !rows[queue].isBusy && rows[queue].tasks.isEmpty }

  /// Records that the running task of a queue has ended.
  mutating func ended(_ queue: QueueID) {
    if isInUse(queue) { rows[queue.index].isBusy = false }
  }

  /// Reports a queue as filled, once for each run that found its interceptor in use.
  mutating func wake(_ queue: Int, into effects: inout [ChainEffect]) {
    for _ in 0..<rows[queue].turnsWaiting { effects.append(.queueFilled(id(at: queue))) }
    rows[queue].turnsWaiting = 0
  }

  // MARK: Queues

  /// Returns the queues of an interceptor, for requests and for everything else.
  mutating func make(_ kind: InterceptorQueues) -> (Int, Int) {
    switch kind {
    case .own:
      let queue = make(QueueUse.link)
      return (queue, queue)
    case .separate:
      return (make(QueueUse.link), make(QueueUse.link))
    case .concurrent(let name):
      return (make(QueueUse.concurrent(name)), make(QueueUse.concurrent(name)))
    case .shared(let name):
      let queue = sharedQueue(name)
      return (queue, queue)
    }
  }

  mutating func make(_ use: QueueUse) -> Int {
    if let free = unused.popLast() {
      rows[free].use = use
      return free
    }
    rows.append(TaskQueue(use: use))
    return rows.count - 1
  }

  /// Returns the queue that all interceptors share whose factories name it.
  private mutating func sharedQueue(_ name: String) -> Int {
    if let known = shared[name] { return known }
    let queue = make(QueueUse.shared(name))
    shared[name] = queue
    return queue
  }

  /// Releases queues; tasks that still wait on them have no receiver and are dropped.
  ///
  /// A busy queue is released too, because the completion of its run has an older generation.
  mutating func free(_ one: Int, _ other: Int) {
    for queue in one == other ? [one] : [one, other] where !rows[queue].use.isShared {
      if emptied.areNoted, !rows[queue].tasks.isEmpty { emptied.places.append(queue) }
      rows[queue] = TaskQueue(generation: rows[queue].generation &+ 1, use: rows[queue].use)
      unused.append(queue)
    }
  }
}
