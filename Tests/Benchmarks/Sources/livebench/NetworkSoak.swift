import CMalloc
import Glibc
import HandoverLinux

/// Runs random network timelines around programs that send traffic all the time, many in parallel.
///
/// Each run must end in time and leave nothing behind. Each worker process is the device of its
/// labs, so many devices need many processes. The processes mostly wait.
struct NetworkSoak {
  var count: Int
  var seconds: ClosedRange<Int>
  var seed: UInt64
  var jobs: Int

  /// The interval between progress lines, in microseconds.
  private static let progressInterval: Int64 = 15_000_000
  /// The time that a worker may take beyond its timelines, in seconds: per timeline, and in total.
  private static let graceSeconds = (each: 3, all: 60)

  func run() throws {
    let jobs = min(jobs, count)
    print("seed \(seed): \(count) timelines of \(seconds) s, \(jobs) in parallel")
    fflush(nil)
    // Orphaned processes are reparented to this process, so that it can find them.
    guard adopt_orphans() == 0 else { throw Failed("prctl: \(errno)") }
    let pipe = try BlockingPipe().release()
    defer { close(pipe.read) }
    var parts: [ChildProcess] = []
    for first in 1...jobs {
      let lines = (count - first) / jobs + 1
      parts.append(
        try ChildProcess.start(
          ["/proc/self/exe"]
            + NetworkSoakPart(
              first: first, step: jobs, count: lines, seconds: seconds, seed: seed
            ).arguments,
          environment: Environment.forOtherPrograms + [
            "\(NamespaceEntry.networkVariable)=1", "\(NamespaceEntry.userVariable)=1",
          ], output: pipe.write))
    }
    close(pipe.write)
    let report = watch(pipe.read, until: deadline(jobs))
    if !report.isOver { for part in parts { part.signal(SIGKILL) } }
    for part in parts {
      let end = try part.wait()
      guard end == .exited(0) else { throw Failed("a part ended \(end)") }
    }
    guard waitpid(-1, nil, WNOHANG) < 0, errno == ECHILD else {
      throw Failed("a process is left behind")
    }
    guard report.lateness.count == count else {
      throw Failed("\(report.lateness.count) of \(count) timelines were run")
    }
    print(report.lateness.line("network_lines_late"))
    print("the longest ended \(report.longest / 1_000) ms after its timeline")
    print("nothing is left behind")
  }

  private func deadline(_ jobs: Int) -> Int64 {
    let each = seconds.upperBound + Self.graceSeconds.each
    let most = Int64((count + jobs - 1) / jobs * each + Self.graceSeconds.all)
    return monotonicMicroseconds() + most * 1_000_000
  }

  private struct Report {
    var lateness = Times()
    var longest: Int64 = 0
    /// Whether all writers have closed the pipe.
    var isOver = false
  }

  /// Reads the reports of the workers: one line for each timeline, with how late it ended.
  private func watch(_ descriptor: Int32, until deadline: Int64) -> Report {
    var report = Report()
    var rest = ""
    var reported = monotonicMicroseconds()
    while true {
      let now = monotonicMicroseconds()
      guard now < deadline, let ready = try? waitReadable([descriptor], atMost: 1_000_000) else {
        return report
      }
      if now - reported > Self.progressInterval {
        reported = now
        print(
          "  \(report.lateness.count) of \(count), the longest ended \(report.longest / 1_000) ms"
            + " after its timeline")
        fflush(nil)
      }
      guard ready[0] else { continue }
      var room = [UInt8](repeating: 0, count: 4_096)
      let length = read(descriptor, &room, room.count)
      guard length > 0 else {
        report.isOver = true
        return report
      }
      rest += String(decoding: room[..<length], as: UTF8.self)
      while let end = rest.firstIndex(of: "\n") {
        let line = String(rest[..<end])
        rest = String(rest[rest.index(after: end)...])
        guard let late = Int64(line) else {
          print("  \(line)")
          continue
        }
        report.lateness.append(late)
        report.longest = max(report.longest, late)
      }
    }
  }
}
