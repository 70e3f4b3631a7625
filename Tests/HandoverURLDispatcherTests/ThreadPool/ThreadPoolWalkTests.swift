import Testing

@testable import HandoverCore

/// All possible events of a small pool, one after the other.
private struct Walk {
  var run: MachineRun
  /// The naive model: accepted operations that have not run, in order.
  var waiting: [(operation: Int, ticket: Ticket)] = []
  var expectedBegun: [Int] = []
  var accepted = 0
  var isClosed = false

  init(threads: Int, bound: Int?) {
    run = MachineRun(threads: threads, bound: bound)
  }

  enum Event: Hashable {
    case submit
    case nextWork(Int)
    case end(Int)
    case cancel(Int)
    case pass
    case shutDown(ThreadPoolShutdown)
  }

  /// The events that are possible now.
  var events: [Event] {
    var events: [Event] = [.submit, .pass]
    events += run.coming.map { .nextWork($0) }
    events += run.running.keys.sorted().map { .end($0) }
    if !waiting.isEmpty { events += [.cancel(0), .cancel(waiting.count - 1)] }
    if isClosed { events.append(.shutDown(.immediate)) } else { events.append(.shutDown(.orderly)) }
    return events
  }

  mutating func play(_ event: Event) {
    switch event {
    case .submit: submit()
    case .nextWork(let index): note { $0.nextWork(index) }
    case .end(let index): note { $0.end(index) }
    case .cancel(let index):
      let chosen = waiting.remove(at: index)
      expect(run.machine.cancel(chosen.ticket), is: chosen.operation)
    case .pass:
      run.now += .seconds(15)
      run.coming += run.machine.collect(at: run.now).leaving
    case .shutDown(let manner):
      isClosed = true
      let refused = run.shutDown(manner)
      switch manner {
      case .orderly: #expect(refused == [])
      case .immediate:
        #expect(refused == waiting.map(\.operation))
        waiting = []
      }
    }
    check()
  }

  private mutating func submit() {
    let isFull = run.machine.limits.maximumQueueLength.map {
      waiting.count + run.running.count >= run.machine.limits.threads + $0
    }
    let ticket = run.machine.nextTicket
    switch run.submit(accepted) {
    case .accepted(let given, _):
      #expect(given == ticket)
      #expect(!isClosed && isFull != true)
      waiting.append((accepted, ticket))
      accepted += 1
    case .full: #expect(isFull == true)
    case .closed: #expect(isClosed)
    }
  }

  /// Lets a thread look for work.
  ///
  /// If the thread takes an operation, it must be the one that has waited longest.
  private mutating func note(_ look: (inout MachineRun) -> Void) {
    let before = run.begun.count
    look(&run)
    if run.begun.count > before { expectedBegun.append(waiting.removeFirst().operation) }
  }

  /// Checks the invariants after each event.
  func check() {
    let numbers = run.numbers
    let present = run.machine.threads.count { $0 != .absent }
    let awake = run.machine.threads.count {
      if case .coming = $0 { true } else { false }
    }
    // All comparisons in one expression, because a walk has millions of steps.
    let isSound =
      run.begun == expectedBegun && numbers.queued == waiting.count
      && numbers.running == run.running.count && numbers.threads == present
      && present <= run.machine.limits.threads && awake == run.coming.count
      && accepted == numbers.queued + numbers.running + numbers.completed + numbers.failed
        + numbers.cancelled + numbers.refused
      && (waiting.isEmpty || awake > 0 || numbers.running == run.machine.limits.threads)
      && (run.machine.idle.isEmpty || run.machine.alarm(run.machine.idle[0].index) != nil)
    if !isSound { Issue.record("\(run.machine) should have \(waiting)") }
  }

  /// Continues until nothing more happens, and checks that nothing is left.
  mutating func finish() {
    while let index = run.coming.first ?? run.running.keys.min() {
      play(run.coming.isEmpty ? .end(index) : .nextWork(index))
    }
    #expect(waiting.isEmpty)
    #expect(run.numbers.running == 0)
    for _ in 0..<2 {
      play(.pass)
      while let index = run.coming.first { play(.nextWork(index)) }
    }
    #expect(run.numbers.threads == 0)
    #expect(!isClosed || run.machine.isTerminated)
  }
}

@Suite("All histories of a small thread pool")
struct ThreadPoolWalkTests {
  @Test("In all histories of six or seven steps, order and limits are kept and nothing is left")
  func exhaustive() {
    var count = 0
    func walk(_ state: Walk, _ depth: Int) {
      guard depth > 0 else {
        var state = state
        state.finish()
        count += 1
        return
      }
      for event in state.events {
        var next = state
        next.play(event)
        walk(next, depth - 1)
      }
    }
    walk(Walk(threads: 2, bound: nil), 6)
    walk(Walk(threads: 1, bound: 1), 7)
    #expect(count > 1_000)
  }

  @Test(
    "In 100,000 random steps, order and limits are kept and nothing is left",
    arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) {
    var generator = XorShift(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    for _ in 0..<200 {
      let bound = generator.below(3)
      var walk = Walk(threads: 1 + generator.below(4), bound: bound == 0 ? nil : bound)
      for _ in 0..<500 {
        let events = walk.events
        var event = events[generator.below(events.count)]
        // A shutdown leaves few possible events, so it comes late.
        if case .shutDown = event, generator.below(100) > 0 { event = .submit }
        walk.play(event)
      }
      walk.finish()
    }
  }
}

@Suite("A queue with cancellable operations")
struct TicketQueueTests {
  @Test("The queue agrees with a list after any sequence of operations")
  func model() {
    var generator = XorShift(state: 88_172_645_463_325_252)
    var queue = TicketQueue<Int>()
    var list: [(ticket: Ticket, operation: Int)] = []
    for step in 0..<100_000 {
      switch generator.below(step % 2_000 < 1_000 ? 5 : 9) {
      case 0...3: list.append((queue.append(step), step))
      case 4 where !list.isEmpty:
        let index = generator.below(list.count)
        expect(queue.remove(list[index].ticket), is: list[index].operation)
        expect(queue.remove(list[index].ticket), is: nil)
        list.remove(at: index)
      default:
        let first = queue.popFirst()
        #expect(first?.operation == list.first?.operation)
        if !list.isEmpty { list.removeFirst() }
      }
      #expect(queue.count == list.count)
      #expect(queue.first == list.first?.ticket)
    }
    expect(queue.removeAll(), is: list.map(\.operation))
    #expect(queue.count == 0)
  }

  @Test("A cancelled operation leaves no gap behind, however often")
  func gaps() {
    var queue = TicketQueue<Int>()
    _ = queue.append(0)
    for operation in 1..<100_000 {
      let ticket = queue.append(operation)
      _ = queue.append(operation)
      expect(queue.remove(ticket), is: operation)
      expect(queue.remove(ticket.next), is: operation)
    }
    #expect(queue.capacity <= 128)
  }
}

/// A random generator for the tests, with the same numbers in each run.
struct XorShift {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }
}
