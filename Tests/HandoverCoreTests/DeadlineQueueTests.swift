import Testing

@testable import HandoverCore

@Suite("The deadline queue")
struct DeadlineQueueTests {
  /// A queue with the same behavior and the simplest implementation.
  struct Oracle {
    private var entries: [DeadlineQueue.Entry] = []

    var first: DeadlineQueue.Entry? { entries.first }

    var earliest: Instant { first?.due ?? .never }

    func earliest(before limit: Instant, _ matters: (DeadlineQueue.Entry) -> Instant) -> Instant {
      entries.reduce(limit) { min($0, matters($1)) }
    }

    func isArmed(_ row: UInt32) -> Bool { entries.contains { $0.row == row } }

    mutating func arm(_ row: UInt32, due: Instant, order: UInt64) {
      disarm(row)
      entries.append(DeadlineQueue.Entry(due: due, order: order, row: row))
      entries.sort { ($0.due, $0.order) < ($1.due, $1.order) }
    }

    mutating func disarm(_ row: UInt32) {
      entries.removeAll { $0.row == row }
    }
  }

  /// The possible lengths of waits: one, so that deadlines are due in the order of arming; two;
  /// many.
  static let waits: [[UInt64]] = [[5], [5, 9], Array(0...25)]

  @Test(
    "The queue agrees with a sorted list after any sequence of operations",
    arguments: [1, 2, 3, 4] as [UInt64], waits)
  func agreesWithASortedList(seed: UInt64, waits: [UInt64]) {
    var generator = SeededGenerator(seed: seed)
    var queue = DeadlineQueue()
    var oracle = Oracle()
    for order in UInt64(0)..<4_000 {
      let row = UInt32(generator.next(upToAndIncluding: 40))
      switch generator.next(upToAndIncluding: 3) {
      case 0, 1:
        // Time passes slowly, so that many deadlines coincide.
        let wait = waits[Int(generator.next(upToAndIncluding: UInt64(waits.count - 1)))]
        let due = Instant(microseconds: Int64(order / 100 + wait))
        queue.arm(row, due: due, order: order)
        oracle.arm(row, due: due, order: order)
      case 2:
        queue.disarm(row)
        oracle.disarm(row)
      default:
        if let first = oracle.first {
          queue.disarm(first.row)
          oracle.disarm(first.row)
        }
      }
      // For every third row only a later instant matters, and for some rows none does.
      let limit = Instant(microseconds: Int64(order / 100 + 12))
      func matters(_ entry: DeadlineQueue.Entry) -> Instant {
        switch entry.row % 3 {
        case 0: entry.due
        case 1: entry.due + Interval(microseconds: 7)
        default: .never
        }
      }
      guard
        queue.earliest(before: limit, matters) == oracle.earliest(before: limit, matters),
        queue.first == oracle.first, queue.earliest == oracle.earliest,
        queue.isArmed(row) == oracle.isArmed(row)
      else {
        Issue.record("seed \(seed): the two differ after step \(order)")
        return
      }
    }
    while let first = oracle.first {
      #expect(queue.first == first, "seed \(seed)")
      queue.disarm(first.row)
      oracle.disarm(first.row)
    }
    #expect(queue.first == nil && queue.earliest == .never)
  }

  @Test("An emptied queue has no earliest deadline")
  func forgetsTheEarliest() {
    var queue = DeadlineQueue()
    queue.arm(0, due: .seconds(1), order: 1)
    queue.removeAll()
    #expect(queue.earliest == .never)
    queue.arm(0, due: .seconds(2), order: 2)
    #expect(queue.earliest == .seconds(2))
  }

  @Test("Of two deadlines at one instant, the one that was armed first comes first")
  func keepsTheOrderOfArming() {
    var queue = DeadlineQueue()
    for row in UInt32(0)..<20 { queue.arm(row, due: .seconds(1), order: UInt64(20 - row)) }
    var rows: [UInt32] = []
    while let first = queue.first {
      rows.append(first.row)
      queue.disarm(first.row)
    }
    #expect(rows == Array(0..<20).reversed())
  }

  /// Returns a queue with deadlines at the given instants, armed before or after those of another
  /// queue.
  ///
  /// Deadlines that are armed in order are all in the line; in reverse order most are in the heap.
  private static func queue(_ instants: [Int], isFirst: Bool, isHeap: Bool) -> DeadlineQueue {
    var queue = DeadlineQueue()
    for row in isHeap ? instants.indices.reversed() : Array(instants.indices) {
      queue.arm(
        UInt32(row), due: Instant(microseconds: Int64(instants[row])),
        order: UInt64(2 * instants[row] + (isFirst ? 0 : 1)))
    }
    return queue
  }

  @Test(
    "A digest distinguishes which of two queues comes first if their deadlines coincide",
    arguments: [false, true], [false, true])
  func tellsTies(isHeap: Bool, otherIsHeap: Bool) {
    let instants = (0..<32).map { set in (0..<5).filter { set & 1 << $0 != 0 } }
    for own in instants {
      for others in instants {
        func digest(isFirst: Bool) -> StateDigest {
          var digest = StateDigest(at: .zero)
          let other = Self.queue(others, isFirst: !isFirst, isHeap: otherIsHeap)
          Self.queue(own, isFirst: isFirst, isHeap: isHeap)
            .combineTies(1, with: other, into: &digest)
          return digest
        }
        let haveTies = !Set(own).isDisjoint(with: others)
        #expect(
          (digest(isFirst: true) != digest(isFirst: false)) == haveTies, "\(own), \(others)")
      }
    }
  }

  @Test("A digest distinguishes the order of deadlines that are all due at once")
  func tellsOrders() {
    // One bit for each deadline names its queue: three of one queue among three of the other.
    let orders = (0..<64).filter { $0.nonzeroBitCount == 3 }
    let digests = orders.map { order in
      var queues = [DeadlineQueue(), DeadlineQueue()]
      var rows: [UInt32] = [0, 0]
      for position in 0..<6 {
        let owner = order >> position & 1
        queues[owner].arm(rows[owner], due: .seconds(1), order: UInt64(position))
        rows[owner] += 1
      }
      var digest = StateDigest(at: .zero)
      queues[0].combineTies(1, with: queues[1], into: &digest)
      return digest
    }
    #expect(Set(digests).count == orders.count)
  }

  @Test("Reserved capacity contains no deadline")
  func makesRoom() {
    var queue = DeadlineQueue()
    queue.arm(1, due: .seconds(1), order: 1)
    queue.makeRoom(for: 8)
    #expect((0..<8).map(queue.isArmed) == (0..<8).map { $0 == 1 })
    #expect(queue.first?.row == 1 && queue.earliest == .seconds(1))
    queue.arm(7, due: .seconds(2), order: 2)
    queue.disarm(1)
    #expect(queue.first?.row == 7)
  }

  @Test("A row has one deadline, and disarming an unarmed row does nothing")
  func holdsOneForEachRow() {
    var queue = DeadlineQueue()
    queue.disarm(7)
    #expect(!queue.isArmed(7))
    queue.arm(7, due: .seconds(1), order: 1)
    queue.arm(7, due: .seconds(2), order: 2)
    #expect(queue.first?.due == .seconds(2))
    queue.disarm(7)
    #expect(queue.first == nil && !queue.isArmed(7))
  }
}
