import HandoverCore
import Testing

@testable import HandoverSimulation

@Suite("The agenda")
struct AgendaTests {
  /// An agenda with the same behavior and the simplest implementation.
  struct Oracle {
    struct Entry: Equatable {
      var item: Int
      var at: Instant
      var phase: Phase
      var order: Int
    }

    private(set) var entries: [Entry] = []

    mutating func schedule(_ item: Int, at instant: Instant, _ phase: Phase) {
      entries.append(Entry(item: item, at: instant, phase: phase, order: item))
      entries.sort {
        ($0.at, $0.phase.rawValue, $0.order) < ($1.at, $1.phase.rawValue, $1.order)
      }
    }

    mutating func cancel(_ item: Int) { entries.removeAll { $0.item == item } }

    mutating func popFirst() -> Int? { entries.isEmpty ? nil : entries.removeFirst().item }
  }

  /// Removes and returns all items.
  func drain(_ agenda: inout Agenda<Int>) -> [Int] {
    var items: [Int] = []
    while let item = agenda.popFirst() { items.append(item) }
    return items
  }

  @Test("A clone keeps its items, changes independently, and cancels by the same handles")
  func clones() {
    var agenda = Agenda<Int>()
    var handles: [Agenda<Int>.Handle] = []
    for item in 0..<40 {
      let at = Instant(microseconds: Int64(item * 7_919 % 100_003))
      handles.append(agenda.schedule(item, at: at, .transport))
    }
    _ = agenda.popFirst()
    var clone = agenda.clone()
    clone.cancel(handles[5])
    clone.schedule(99, at: Instant(microseconds: 200_000), .callback)
    let original = drain(&agenda)
    #expect(original.count == 39 && original.contains(5) && !original.contains(99))
    #expect(drain(&clone) == original.filter { $0 != 5 } + [99])
  }

  @Test("An item that was dropped early delays nothing before it")
  func drops() {
    var agenda = Agenda<Int>()
    for item in 1...3 {
      agenda.schedule(item, at: Instant(microseconds: Int64(item) * 10_000), .transport)
    }
    agenda.dropFirst()
    agenda.schedule(4, at: Instant(microseconds: 5_000), .transport)
    #expect(agenda.nextInstant == Instant(microseconds: 5_000))
    #expect(drain(&agenda) == [4, 2, 3])
    agenda.dropFirst()
    #expect(agenda.count == 0)
  }

  @Test(
    "The agenda agrees with a sorted list after any sequence of operations",
    arguments: [
      1, 2, 3, 4,
    ] as [UInt64])
  func agreesWithASortedList(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var agenda = Agenda<Int>()
    var oracle = Oracle()
    var handles: [Agenda<Int>.Handle] = []
    var now = Instant.zero
    for step in 0..<3_000 {
      switch generator.next(upToAndIncluding: 5) {
      case 0, 1, 2:
        // No item is scheduled in the past. Far items may be next to still farther ones.
        let farthest: UInt64 = generator.next(upToAndIncluding: 3) == 0 ? 100_000 : 20
        let at = now + Interval(microseconds: Int64(generator.next(upToAndIncluding: farthest)))
        let isCallback = generator.next(upToAndIncluding: 1) == 0 && at > now
        let phase: Phase = isCallback ? .callback : .transport
        let item = handles.count
        handles.append(agenda.schedule(item, at: at, phase))
        oracle.schedule(item, at: at, phase)
      case 3 where !handles.isEmpty:
        // Often an item that has fired already, for which a cancel must do nothing.
        let item = Int(generator.next(upToAndIncluding: UInt64(handles.count - 1)))
        agenda.cancel(handles[item])
        oracle.cancel(item)
      default:
        now = oracle.entries.first?.at ?? now
        if agenda.popFirst() != oracle.popFirst() {
          Issue.record("seed \(seed): another item comes first at step \(step)")
          return
        }
      }
      if step % 50 == 0 {
        agenda = agenda.clone()
        var shown: [Oracle.Entry] = []
        agenda.forEach { shown.append(Oracle.Entry(item: $0, at: $1, phase: $2, order: $0)) }
        #expect(shown == oracle.entries, "seed \(seed): what is shown at step \(step)")
      }
      let first = oracle.entries.first
      guard agenda.count == oracle.entries.count, agenda.first == first?.item,
        agenda.nextInstant == first?.at, agenda.firstPhase == first?.phase
      else {
        Issue.record("seed \(seed): the two differ after step \(step)")
        return
      }
    }
    #expect(drain(&agenda) == oracle.entries.map(\.item), "seed \(seed)")
  }

  @Test("If the first item is dropped, others can still come before the rest", arguments: 1...4)
  func dropsAmongMany(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var agenda = Agenda<Int>()
    var oracle = Oracle()
    var now = Instant.zero
    for item in 0..<2_000 {
      switch generator.next(upToAndIncluding: 3) {
      case 0, 1:
        let wait = Int64(generator.next(upToAndIncluding: 50_000))
        agenda.schedule(item, at: now + Interval(microseconds: wait), .transport)
        oracle.schedule(item, at: now + Interval(microseconds: wait), .transport)
      case 2:
        agenda.dropFirst()
        _ = oracle.popFirst()
      default:
        now = oracle.entries.first?.at ?? now
        #expect(agenda.popFirst() == oracle.popFirst(), "seed \(seed), step \(item)")
      }
      #expect(agenda.first == oracle.entries.first?.item, "seed \(seed), step \(item)")
      #expect(agenda.nextInstant == oracle.entries.first?.at, "seed \(seed), step \(item)")
    }
    #expect(drain(&agenda) == oracle.entries.map(\.item), "seed \(seed)")
  }

  @Test("At one instant and phase, items come in the order in which they were scheduled")
  func isFirstInFirstOut() {
    var agenda = Agenda<Int>()
    for item in 0..<50 { agenda.schedule(item, at: .milliseconds(1), .transport) }
    #expect(drain(&agenda) == Array(0..<50))
  }

  @Test("At one instant callbacks come before transport events, whenever they were scheduled")
  func ordersPhases() {
    var agenda = Agenda<Int>()
    agenda.schedule(3, at: .milliseconds(1), .transport)
    agenda.schedule(1, at: .milliseconds(1), .callback)
    agenda.schedule(4, at: .milliseconds(2), .callback)
    agenda.schedule(2, at: .milliseconds(1), .callback)
    #expect(drain(&agenda) == [1, 2, 3, 4])
  }

  @Test("An event can cancel a later one at the same instant")
  func cancelsWithinAnInstant() {
    var agenda = Agenda<Int>()
    agenda.schedule(1, at: .milliseconds(1), .transport)
    let second = agenda.schedule(2, at: .milliseconds(1), .transport)
    agenda.schedule(3, at: .milliseconds(1), .transport)
    #expect(agenda.popFirst() == 1)
    agenda.cancel(second)
    #expect(agenda.popFirst() == 3)
    #expect(agenda.popFirst() == nil)
  }

  @Test("The slot of a cancelled item is reused without confusion")
  func tellsOwnersApart() {
    var agenda = Agenda<Int>()
    let first = agenda.schedule(1, at: .milliseconds(1), .transport)
    agenda.cancel(first)
    agenda.schedule(2, at: .milliseconds(1), .transport)
    agenda.cancel(first)
    #expect(drain(&agenda) == [2])
  }

  @Test("No item can be scheduled before the start of the run")
  func trapsOnThePast() async {
    await #expect(processExitsWith: .failure) {
      var agenda = Agenda<Int>()
      agenda.schedule(1, at: Instant(microseconds: -1), .callback)
    }
  }
}
