import Foundation
import HandoverCore
import Testing

@Suite("Recordings of links")
struct LinkTraceTests {
  private static func trace(_ text: String) throws(LinkTrace.Problem) -> LinkTrace {
    try LinkTrace(name: "t", bytes: Array(text.utf8))
  }

  @Test("A recording has one time per line")
  func reading() throws {
    #expect(try Self.trace("0\n3\n3\n10\n").opportunities == [0, 3, 3, 10])
    #expect(try Self.trace("7\r\n8").opportunities == [7, 8])
  }

  @Test(
    "An invalid recording is refused with a position",
    arguments: [
      ("", "it is empty"), ("\n", "line 1"), ("0\n", "no length"), ("1\nx\n", "line 2"),
      ("5\n4\n", "line 2"), ("1\n-2\n", "line 2"), ("1.5\n", "line 1"),
      ("3600001\n", "later than an hour"), ("1234567890\n", "line 1"),
    ])
  func problems(_ text: String, _ reason: String) {
    do throws(LinkTrace.Problem) {
      _ = try Self.trace(text)
      Issue.record("\(text) is one")
    } catch {
      #expect(error.reason.contains(reason), "\(error.reason)")
    }
  }

  @Test("A recording has a maximum size in bytes")
  func size() throws {
    let lines = String(repeating: "000000001\n", count: LinkTrace.maximumByteCount / 10)
    let rest = LinkTrace.maximumByteCount - lines.utf8.count
    let full = lines + String(repeating: "0", count: rest - 1) + "1"
    #expect(try Self.trace(full).opportunities.count == LinkTrace.maximumByteCount / 10 + 1)
    #expect(throws: LinkTrace.Problem.self) { try Self.trace(full + "\n") }
  }

  /// Returns when the sent bytes have passed, by a slow simulation of each opportunity.
  private static func naive(_ trace: LinkTrace, _ sent: [(at: Int64, count: Int64)]) -> [Int64] {
    var (position, rest, ends): (Int, Int64, [Int64]) = (0, LinkTrace.bytesPerOpportunity, [])
    func time(_ position: Int) -> Int64 {
      let (round, index) = position.quotientAndRemainder(dividingBy: trace.opportunities.count)
      let length = trace.opportunities.last.map { Int64($0) } ?? 0
      return (Int64(round) * length + Int64(trace.opportunities[index])) * 1_000
    }
    for (at, count) in sent {
      for _ in 0..<count {
        while time(position) < at || rest == 0 {
          position += 1
          rest = LinkTrace.bytesPerOpportunity
        }
        rest -= 1
      }
      ends.append(time(position))
    }
    return ends
  }

  @Test("Bytes pass as in the slow simulation", arguments: 0..<40 as Range<UInt64>)
  func course(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var (lines, time) = ("", UInt64(0))
    for _ in 0..<generator.next(upToAndIncluding: 30) + 1 {
      time += generator.next(upToAndIncluding: 6)
      lines += "\(time)\n"
    }
    lines += "\(time + 1)\n"
    let trace = try Self.trace(lines)
    var (course, now): (LinkTracePlayback, Int64) = (.init(trace, from: 0), 0)
    var (sent, ends): ([(at: Int64, count: Int64)], [Int64]) = ([], [])
    for _ in 0..<60 {
      now += Int64(generator.next(upToAndIncluding: 9_000))
      let count = Int64(generator.next(upToAndIncluding: 4_000)) + 1
      sent.append((now, count))
      ends.append(course.end(ofBytes: count, sentAt: now))
      now = max(now, ends[ends.count - 1])
    }
    #expect(ends == Self.naive(trace, sent), "seed \(seed)")
  }

  @Test("A digest distinguishes the position in a recording and the unused bytes there")
  func digest() throws {
    let trace = try Self.trace("1\n2\n3\n")
    let sent: [[Int64]] = [[1], [2], [1_505], [1_506], [3_009]]
    let digests = sent.map { counts in
      var playback = LinkTracePlayback(trace, from: 0)
      for count in counts { _ = playback.end(ofBytes: count, sentAt: 0) }
      var digest = StateDigest(at: .zero)
      playback.combine(into: &digest)
      return digest
    }
    #expect(Set(digests).count == sent.count)
  }

  @Test("The bundled recordings are valid, and equal the output of their script")
  func shipped() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory.appending(path: "traces-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = Process()
    script.executableURL = root.appending(path: "Tests/Tools/traces")
    script.arguments = [folder.path]
    try script.run()
    script.waitUntilExit()
    #expect(script.terminationStatus == 0)
    for name in ["wifi-leaving-home.trace", "train.trace"] {
      let shipped = try Data(contentsOf: root.appending(path: "Fixtures/Traces/\(name)"))
      #expect(try Data(contentsOf: folder.appending(path: name)) == shipped)
      let trace = try LinkTrace(name: name, bytes: Array(shipped))
      #expect((10_000...60_000).contains(trace.opportunities.last ?? 0))
    }
  }
}
