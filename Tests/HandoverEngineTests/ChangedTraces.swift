import HandoverBackend
import HandoverCore
import HandoverSimulation

/// The simulated backend, whose traces are changed at random before they are checked.
///
/// It may also declare fewer capabilities than it has.
struct TraceChangingBackend: Backend {
  var seed: UInt64
  var description: BackendDescription

  init(seed: UInt64) {
    self.seed = seed
    description = SimulatedBackend().description
    var draw = SeededGenerator(seed: seed)
    // Half of them have all capabilities, in virtual time.
    if draw.below(4) == 0 {
      description.capabilities = Capabilities(rawValue: UInt8(draw.below(128)))
    }
    if draw.below(4) == 0 { description.time = .real(tolerance: .milliseconds(50)) }
  }

  func makeSession() throws(BackendError) -> any BackendSession {
    try TraceChangingSession(seed: seed)
  }
}

private final class TraceChangingSession: ForwardingSession {
  private let seed: UInt64

  init(seed: UInt64) throws(BackendError) {
    self.seed = seed
    try super.init()
  }

  override func close(
    at instant: Instant, into trace: inout Trace
  ) throws(BackendError) -> [String] {
    let leaks = try super.close(at: instant, into: &trace)
    var changes = TraceChanges(
      records: Array(trace.records), draw: SeededGenerator(seed: seed).forked(label: 1))
    changes.make()
    trace.removeRecords()
    for record in changes.records { trace.append(record.body, at: record.at) }
    return leaks
  }
}

/// One to three random changes of a trace.
struct TraceChanges {
  var records: [TraceRecord]
  var draw: SeededGenerator

  mutating func make() {
    for _ in 0...draw.below(3) where records.count > 3 { change() }
  }

  /// Whether a record may be removed: all but the end of the run.
  private func mayGo(_ index: Int) -> Bool {
    if case .world(.runEnded) = records[index].body { false } else { true }
  }

  private mutating func change() {
    let (one, other) = (draw.below(records.count), draw.below(records.count))
    guard mayGo(one), mayGo(other) else { return }
    switch draw.below(8) {
    case 0: records.remove(at: one)
    case 1: records.insert(records[one], at: one)
    case 2:
      let next = min(one + 1, records.count - 1)
      guard mayGo(next) else { return }
      (records[one].body, records[next].body) = (records[next].body, records[one].body)
    case 3: records[one].body = records[other].body
    case 4:
      records.insert(TraceRecord(at: records[one].at, body: records[other].body), at: one)
    case 5: records.removeSubrange(min(one, end)..<min(one + 1 + draw.below(4), end))
    default: moveInTime(from: one)
    }
  }

  /// The index of the end of the run, which is not removed.
  private var end: Int {
    records.indices.first { !mayGo($0) } ?? records.count
  }

  /// Shifts one record, or all records after it too, slightly or far in time.
  private mutating func moveInTime(from index: Int) {
    let lengths: [Int64] = [-1, 1, 1, 1_000, 50_000, 50_001, 1_000_000, 30_000_000]
    let length = Interval(microseconds: lengths[draw.below(lengths.count)])
    let (instant, onlyThis) = (records[index].at, draw.below(2) == 0)
    for position in records.indices
    where onlyThis ? records[position].at == instant : records[position].at >= instant {
      records[position].at = records[position].at + length
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func below(_ count: Int) -> Int {
    Int(next(upToAndIncluding: UInt64(max(count, 1) - 1)))
  }
}
