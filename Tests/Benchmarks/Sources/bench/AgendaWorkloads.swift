import HandoverCore

/// The payload of an agenda event: a kind and the number of what the event concerns.
struct BenchItem: Hashable, Sendable {
  var kind: UInt32
  var index: UInt32
}

/// The agenda under the workloads w1 and w2.
///
/// The agenda is a stored property, as in a session.
struct AgendaWorkload: ~Copyable {
  private var agenda = Agenda<BenchItem>()
  private var random = XorShift()
  private var order = OrderSum()
  private var deadlines: ContiguousArray<Agenda<BenchItem>.Handle> = []

  /// Timer churn: each event that fires schedules one successor.
  static func churn(pending: Int, events: UInt64) -> Measurement {
    var workload = AgendaWorkload()
    for index in 0..<pending { workload.scheduleWork(UInt32(index), after: 0) }
    return measure("agenda w1 \(pending)") { workload.churn(events) }
  }

  /// Cancel-heavy: each event cancels the deadline of its slot and schedules both again.
  static func cancelHeavy(pending: Int, events: UInt64) -> Measurement {
    var workload = AgendaWorkload()
    for index in 0..<(pending / 2) {
      workload.deadlines.append(workload.scheduleBoth(index, after: 0))
    }
    return measure("agenda w2 \(pending)") { workload.cancelHeavy(events) }
  }

  @inline(__always)
  private mutating func scheduleWork(_ index: UInt32, after now: Int64) {
    agenda.schedule(
      BenchItem(kind: 0, index: index),
      at: Instant(microseconds: now + Int64(random.next() & 0xFFFFF) + 1), .callback)
  }

  @inline(__always)
  private mutating func scheduleBoth(
    _ index: Int, after now: Int64
  ) -> Agenda<BenchItem>.Handle {
    scheduleWork(UInt32(truncatingIfNeeded: index), after: now)
    return agenda.schedule(
      BenchItem(kind: 1, index: UInt32(truncatingIfNeeded: index)),
      at: Instant(microseconds: now + (1 << 24) + Int64(random.next() & 0xFFFFF)), .callback)
  }

  private mutating func churn(_ events: UInt64) -> (operations: UInt64, order: UInt64) {
    var done: UInt64 = 0
    while done < events, let now = agenda.nextInstant, let item = agenda.popFirst() {
      order.add(UInt64(bitPattern: now.microseconds) &+ UInt64(item.index))
      scheduleWork(item.index, after: now.microseconds)
      done += 1
    }
    return (done, order.value)
  }

  private mutating func cancelHeavy(_ events: UInt64) -> (operations: UInt64, order: UInt64) {
    var done: UInt64 = 0
    while done < events, let now = agenda.nextInstant, let item = agenda.popFirst() {
      precondition(item.kind == 0, "a deadline that was cancelled never fires")
      order.add(UInt64(bitPattern: now.microseconds) &+ UInt64(item.index))
      agenda.cancel(deadlines[Int(item.index)])
      deadlines[Int(item.index)] = scheduleBoth(Int(item.index), after: now.microseconds)
      done += 1
    }
    return (done, order.value)
  }
}
