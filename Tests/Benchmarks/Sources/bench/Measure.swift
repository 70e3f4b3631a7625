import Glibc

/// The random number generator of all peers, so that all of them do the same work.
struct XorShift {
  private var state: UInt64 = 88_172_645_463_325_252

  @inline(__always)
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

/// A checksum over the order of events: equal work in equal order gives equal sums.
struct OrderSum {
  private(set) var value: UInt64 = 0

  @inline(__always)
  mutating func add(_ what: UInt64) {
    value = (value &* 1_099_511_628_211) ^ what
  }
}

/// Returns the processor time of this process in nanoseconds.
func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// One measurement, printed as all peers print it.
struct Measurement {
  var name: String
  var operations: UInt64
  var nanoseconds: UInt64
  var order: UInt64

  /// The line: `name ns/op 12.345 ops 1000 chk 0123456789abcdef`.
  var line: String {
    let thousandths = nanoseconds * 1_000 / max(1, operations)
    let fraction = String(thousandths % 1_000)
    let digits = String(order, radix: 16)
    return "\(name) ns/op \(thousandths / 1_000)."
      + String(repeating: "0", count: 3 - fraction.count) + fraction
      + " ops \(operations) chk " + String(repeating: "0", count: 16 - digits.count) + digits
  }
}

func measure(
  _ name: String, _ work: () -> (operations: UInt64, order: UInt64)
) -> Measurement {
  let begin = processorTime()
  let done = work()
  return Measurement(
    name: name, operations: done.operations, nanoseconds: processorTime() - begin,
    order: done.order)
}
