/// A queue of tasks for links.
public struct QueueID: Hashable, Sendable {
  /// The place in the table.
  public let index: Int
  /// Which owner of the place, counted from 0.
  public let generation: UInt32

  /// Makes an identifier.
  init(index: Int, generation: UInt32 = 0) {
    self.index = index
    self.generation = generation
  }
}

/// What a queue is for, so that a driver knows where to run it.
public enum QueueUse: Hashable, Sendable {
  /// What the user of a call is told.
  case user(ChainID)
  /// What the transport of a call is asked for.
  case transport(ChainID)
  /// The work of one link.
  case link
  /// The work of one link, on the threads of the concurrent queue named.
  case concurrent(String)
  /// The work of all links whose factories name it.
  case shared(String)

  var isShared: Bool {
    switch self {
    case .shared: true
    case .user, .transport, .link, .concurrent: false
    }
  }
}

/// One hop: something that a link, the user or the transport's end is to take.
struct ChainTask: Hashable, Sendable {
  var chain: ChainID
  var link: LinkID
  var work: Work
}

/// What a link is told; what is not forwarded lies apart, to keep this small.
enum Work: Hashable, Sendable {
  case request(ChainRequest)
  case response(ChainResponse)
  indirect case answer(String?, question: String)
  case timeElapsed
}

/// Tasks in the order of their arrival.
struct TaskQueue: Hashable, Sendable {
  /// Tells those apart who own the place in the table one after another.
  var generation: UInt32 = 0
  var use: QueueUse
  var tasks: ShortQueue<ChainTask> = []
  /// Whether a task of the queue is being run.
  var isBusy = false
  /// How often it was told to run while its next task waited for a link that another queue runs.
  var turnsWaiting = 0
}

/// Notes for a driver, which are no part of what the machine is: any two are equal.
struct EmptiedQueues: Hashable, Sendable {
  var areNoted = false
  var places: [Int] = []

  static func == (_: EmptiedQueues, _: EmptiedQueues) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

/// The queues between the links of all calls.
struct ChainQueues: Hashable, Sendable {
  var rows: [TaskQueue] = []
  private var unused: [Int] = []
  private var shared: [String: Int] = [:]  // lookup only
  /// The places of queues that were given back while tasks waited on them, for drivers that ask.
  var emptied = EmptiedQueues()

  func id(at index: Int) -> QueueID {
    QueueID(index: index, generation: rows[index].generation)
  }

  /// Whether a queue was not given back meanwhile.
  @inline(__always)
  func isInUse(_ queue: QueueID) -> Bool { rows[queue.index].generation == queue.generation }

  // MARK: Tasks

  @inline(__always)
  mutating func append(
    _ task: consuming ChainTask, to queue: Int, into effects: inout [ChainEffect]
  ) {
    rows[queue].tasks.append(consume task)
    effects.append(.queueFilled(id(at: queue)))
  }

  /// Takes the next task of a queue; nil where there is none, or the queue was given back.
  @inline(__always)
  mutating func popTask(of queue: QueueID) -> ChainTask? {
    isInUse(queue) ? rows[queue.index].tasks.popFirst() : nil
  }

  /// Whether nothing waits on a queue and nothing of it is being run.
  @inline(__always)
  func isIdle(_ queue: Int) -> Bool { !rows[queue].isBusy && rows[queue].tasks.isEmpty }

  /// What a queue ran has ended.
  mutating func ended(_ queue: QueueID) {
    if isInUse(queue) { rows[queue.index].isBusy = false }
  }

  /// Tells a queue again, as often as it was told in vain while its next task waited for a link.
  mutating func wake(_ queue: Int, into effects: inout [ChainEffect]) {
    for _ in 0..<rows[queue].turnsWaiting { effects.append(.queueFilled(id(at: queue))) }
    rows[queue].turnsWaiting = 0
  }

  // MARK: Queues

  /// The queues of a link, for requests and for the rest.
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

  /// The queue that all links share whose factories name it.
  private mutating func sharedQueue(_ name: String) -> Int {
    if let known = shared[name] { return known }
    let queue = make(QueueUse.shared(name))
    shared[name] = queue
    return queue
  }

  /// Gives queues back; what still waits on them was for nobody.
  ///
  /// One that is busy is given back too: what its run completes is of an older generation.
  mutating func free(_ one: Int, _ other: Int) {
    for queue in one == other ? [one] : [one, other] where !rows[queue].use.isShared {
      if emptied.areNoted, !rows[queue].tasks.isEmpty { emptied.places.append(queue) }
      rows[queue] = TaskQueue(generation: rows[queue].generation &+ 1, use: rows[queue].use)
      unused.append(queue)
    }
  }
}
