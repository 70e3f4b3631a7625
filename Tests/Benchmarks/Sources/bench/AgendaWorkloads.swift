import HandoverCore

/// What the agenda holds here: three kinds of event about something with a number.
struct BenchItem: Hashable, Sendable {
  var kind: UInt32
  var index: UInt32
}

/// Timer churn: each event that fires schedules one successor.
func timerChurn(pending: Int, events: UInt64) -> Measurement {
  var agenda = Agenda<BenchItem>()
  var random = XorShift()
  var order = OrderSum()
  for index in 0..<pending {
    agenda.schedule(
      BenchItem(kind: 0, index: UInt32(index)),
      at: Instant(microseconds: Int64(random.next() & 0xFFFFF) + 1), .callback)
  }
  return measure("agenda w1 \(pending)") {
    var done: UInt64 = 0
    while done < events, let now = agenda.nextInstant, let item = agenda.popFirst() {
      order.add(UInt64(now.microseconds) &+ UInt64(item.index))
      agenda.schedule(
        item, at: Instant(microseconds: now.microseconds + Int64(random.next() & 0xFFFFF) + 1),
        .callback)
      done += 1
    }
    return (done, order.value)
  }
}

/// Cancel-heavy: each event cancels the deadline of its slot and schedules work and deadline again.
func cancelHeavy(pending: Int, events: UInt64) -> Measurement {
  var agenda = Agenda<BenchItem>()
  var random = XorShift()
  var order = OrderSum()
  var deadlines: ContiguousArray<Agenda<BenchItem>.Handle> = []
  func schedule(_ index: Int, at now: Int64) {
    agenda.schedule(
      BenchItem(kind: 0, index: UInt32(index)),
      at: Instant(microseconds: now + Int64(random.next() & 0xFFFFF) + 1), .callback)
    let deadline = agenda.schedule(
      BenchItem(kind: 1, index: UInt32(index)),
      at: Instant(microseconds: now + (1 << 24) + Int64(random.next() & 0xFFFFF)), .callback)
    if index < deadlines.count { deadlines[index] = deadline } else { deadlines.append(deadline) }
  }
  for index in 0..<(pending / 2) { schedule(index, at: 0) }
  return measure("agenda w2 \(pending)") {
    var done: UInt64 = 0
    while done < events, let now = agenda.nextInstant, let item = agenda.popFirst() {
      precondition(item.kind == 0, "a deadline that was cancelled never fires")
      order.add(UInt64(now.microseconds) &+ UInt64(item.index))
      agenda.cancel(deadlines[Int(item.index)])
      schedule(Int(item.index), at: now.microseconds)
      done += 1
    }
    return (done, order.value)
  }
}
