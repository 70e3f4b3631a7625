import Glibc
import HandoverBackend
import HandoverLinux

/// Durations of one kind, in microseconds.
struct Times {
  private var values: [Int64] = []

  var count: Int { values.count }

  mutating func append(_ microseconds: Int64) { values.append(microseconds) }

  /// Returns the value that the given percentage of all values does not exceed.
  private func percentile(_ hundredths: Int) -> Int64 {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, sorted.count * hundredths / 100)]
  }

  /// The line: `NAME median_us 254 p99_us 801 count 200`.
  func line(_ name: String) -> String {
    "\(name) median_us \(percentile(50)) p99_us \(percentile(99)) count \(values.count)"
  }
}

/// A measurement that could not be made as intended.
struct Failed: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

func fail(_ text: String, status: Int32) -> Never {
  let line = "livebench: \(text)\n"
  _ = write(STDERR_FILENO, line, line.utf8.count)
  exit(status)
}

/// Makes the measurement that the arguments name.
func measure(_ arguments: [String]) {
  let numbers = arguments.dropFirst().compactMap { Int($0) }
  func number(_ index: Int, fallback: Int) -> Int {
    index < numbers.count ? max(1, numbers[index]) : fallback
  }
  do {
    switch arguments.first {
    case "category":
      try CategoryBench().run(flips: number(0, fallback: 200))
    case "calls":
      try CallsBench(
        calls: number(0, fallback: 1), connections: number(1, fallback: 1)
      ).run(flips: number(2, fallback: 200))
    case "lab":
      try LabBench().run(count: number(0, fallback: 200))
    case "soak":
      try Soak(flips: number(0, fallback: 10_000)).run()
    case "air":
      try AirBench().run(
        echoes: number(0, fallback: 2_000), seconds: number(1, fallback: 5))
    case "networks":
      let shortest = number(1, fallback: 5)
      try NetworkSoak(
        count: number(0, fallback: 50),
        seconds: shortest...max(shortest, number(2, fallback: shortest)),
        seed: UInt64(number(3, fallback: 1)), jobs: number(4, fallback: 40)
      ).run()
    case NetworkSoakPart.word: try NetworkSoakPart(numbers).run()
    default:
      fail(
        "usage: livebench category [FLIPS] | calls CALLS CONNECTIONS [FLIPS] | lab [COUNT]"
          + " | air [ECHOES [SECONDS]] | soak [FLIPS] | networks [COUNT [SHORTEST [LONGEST [SEED"
          + " [JOBS]]]]]",
        status: 2)
    }
  } catch {
    fail("\(error)", status: 1)
  }
}
