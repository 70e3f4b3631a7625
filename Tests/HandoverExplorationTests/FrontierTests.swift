import HandoverCore
import Testing

@testable import HandoverExploration

/// The frontier may be stored elsewhere than in memory.
@Suite("A frontier that does not fit in memory")
struct FrontierTests {
  /// A store that keeps bytes in an array, with a limited capacity and a limited number of reads.
  private final class Shelf: FrontierStore {
    private var bytes: [UInt8] = []
    private var room: Int
    private var reads: Int
    private(set) var kept = 0

    init(room: Int, reads: Int) {
      self.room = room
      self.reads = reads
    }

    func append(_ more: [UInt8]) throws(FrontierProblem) -> Int {
      guard bytes.count + more.count <= room else { throw FrontierProblem("it is full") }
      defer { bytes += more }
      kept += 1
      return bytes.count
    }

    func read(at position: Int, count: Int) throws(FrontierProblem) -> [UInt8] {
      guard reads > 0 else { throw FrontierProblem("it is lost") }
      reads -= 1
      return Array(bytes[position..<position + count])
    }

    func removeAll() { bytes = [] }

    func makeRoom() {
      room = .max
      reads = .max
    }
  }

  private static let setup = ExplorationSetup(.sockets, calls: 2, extras: .full)

  private static func explorer(_ limit: Int, _ shelves: [Shelf]) -> Explorer {
    let explorer = Explorer(setup)
    var left = shelves
    explorer.limitFrontier(to: FrontierRoom(limit: limit) { left.removeFirst() })
    return explorer
  }

  @Test("The memory limit does not change the result", arguments: [0, 1_000])
  func keeps(_ limit: Int) {
    var whole = Explorer(Self.setup)
    #expect(whole.run() == .closed)
    let shelves = [Shelf(room: .max, reads: .max), Shelf(room: .max, reads: .max)]
    var explorer = Self.explorer(limit, shelves)
    #expect(explorer.run() == .closed)
    #expect(explorer.figures == whole.figures)
    #expect(shelves.map(\.kept).reduce(0, +) > 0)
  }

  @Test("A full store loses nothing, and the exploration continues when there is space")
  func isFull() throws {
    var whole = Explorer(Self.setup)
    #expect(whole.run() == .closed)
    let shelves = [Shelf(room: 0, reads: .max), Shelf(room: 0, reads: .max)]
    var explorer = Self.explorer(0, shelves)
    #expect(explorer.run() == .stopped(.frontier(FrontierProblem("it is full")), growing: []))
    var resumed = try Explorer(
      resuming: try explorer.checkpoint(version: "1"), Self.setup, version: "1")
    #expect(resumed.run() == .closed)
    #expect(resumed.figures == whole.figures)
    for shelf in shelves { shelf.makeRoom() }
    #expect(explorer.run() == .closed)
    #expect(explorer.figures == whole.figures)
  }

  @Test("A store that returns nothing is reported")
  func isLost() {
    let shelves = [Shelf(room: .max, reads: 0), Shelf(room: .max, reads: 0)]
    var explorer = Self.explorer(0, shelves)
    #expect(explorer.run() == .stopped(.frontier(FrontierProblem("it is lost")), growing: []))
    for shelf in shelves { shelf.makeRoom() }
    #expect(explorer.run() == .closed)
  }
}
