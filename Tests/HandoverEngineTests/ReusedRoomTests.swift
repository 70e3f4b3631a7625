import HandoverCore
import Testing

@testable import HandoverEngine

@Suite("Reused storage")
struct ReusedRoomTests {
  @Test("An emptied array contains only later elements")
  func reusedArray() {
    var array = ReusedArray<Int>()
    for count in [3, 0, 5, 2] {
      array.removeAll()
      #expect(array.isEmpty)
      for number in 0..<count { array.append(10 * count + number) }
      #expect(Array(array) == (0..<count).map { 10 * count + $0 })
      #expect(array.last == (count == 0 ? nil : 10 * count + count - 1))
      for index in array.indices { array[index] += 1 }
      #expect(Array(array) == (0..<count).map { 10 * count + $0 + 1 })
    }
    var other = ReusedArray<Int>()
    for number in [21, 22] { other.append(number) }
    #expect(array == other)
    #expect(array.hashValue == other.hashValue)
    other.append(23)
    #expect(array != other)
  }

  @Test("An index beyond the used elements is out of bounds, whatever was stored there")
  func reusedArrayBounds() async {
    await #expect(processExitsWith: .failure) {
      var array = ReusedArray<Int>()
      array.append(1)
      array.removeAll()
      _ = array[0]
    }
  }

  @Test("A call that lost its row is found by its identifier, among few and among many")
  func formerCalls() {
    var former = FormerCalls()
    #expect(former.isEmpty)
    for count in [100, 10] {
      for generation in 0..<count {
        former.append(Self.call(generation), UInt32(generation))
        for earlier in 0...generation { #expect(former.index(of: Self.call(earlier)) == earlier) }
        #expect(former.index(of: Self.call(generation + 1)) == nil)
      }
      #expect(!former.isEmpty)
      former.removeAll()
      #expect(former.isEmpty)
      #expect(former.index(of: Self.call(0)) == nil)
    }
  }

  @Test("A call that lost its row in several attempts is found at its last index")
  func latestFormerCall() {
    var former = FormerCalls()
    for index in 0..<40 as Range<UInt32> {
      former.append(Self.call(7), index)
      #expect(former.index(of: Self.call(7)) == Int(index))
    }
  }

  @Test("A copy of a run's state shares its tables, and changes independently")
  func copiesOfRuns() {
    var script = Script()
    script.hosts = [ScriptHost(written: "a.example:443")]
    script.calls = [ScriptCall(id: "a", host: 0, kind: .unary, takes: nil)]
    var trace = Trace()
    trace.endpointHosts = [0]
    let (id, channel) = (Self.call(0), ChannelID(endpoint: EndpointID(index: 0), generation: 1))
    let connection = ConnectionID(index: 0, generation: 0)
    let bodies: [TraceRecord.Body] = [
      .world(.callIntroduced(0, id)),
      .event(.pool(.callStarted(id, channel.endpoint, CallSettings()))),
      .effect(.channelCreated(channel)), .effect(.callBound(id, channel, isNew: true)),
      .effect(.openConnection(connection, channel)), .event(.pool(.connected(connection))),
      .effect(.startStream(id, connection)), .effect(.endCall(id, .disconnected)),
    ]
    var runs = [RunProjection(script, of: trace)]
    for body in bodies {
      var next = runs[runs.count - 1]
      next.apply(TraceRecord(at: .zero, body: body))
      runs.append(next)
    }
    // A new run that applies the records without copies has the same state after each record.
    for count in runs.indices {
      var fresh = RunProjection(script, of: trace)
      for body in bodies.prefix(count) { fresh.apply(TraceRecord(at: .zero, body: body)) }
      #expect(runs[count].calls == fresh.calls)
      #expect(runs[count].channels == fresh.channels)
      #expect(runs[count].connections == fresh.connections)
      #expect(runs[count].hosts == fresh.hosts)
      #expect(runs[count].index(of: id) == fresh.index(of: id))
      #expect(runs[count].index(of: connection) == fresh.index(of: connection))
    }
    #expect(runs[bodies.count].calls != runs[bodies.count - 1].calls)
    // No record contains the path of the connection, and `commonPath` is `nil`.
    #expect(runs[bodies.count].connections.count == 1)
    #expect(runs[bodies.count].connections[0].phase == .open)
    #expect(runs[bodies.count].commonPath(of: .all) == nil)
  }

  /// The state that a run can leave behind, one item each.
  private static let leftovers: [@Sendable (inout RunProjection) -> Void] = [
    { $0.path = PathIndex(1) }, { $0.path = nil }, { $0.flags = .isWWAN },
    { $0.app = .background }, { $0.monitorHasBegun = true }, { $0.receivedFlags = .reachable },
    { $0.lastReturn = .zero }, { $0.lastMovedAt = .zero }, { $0.notifications = 1 },
    { $0.channelCount = 1 }, { $0.existing = 1 }, { $0.attached = 1 }, { $0.orphans = 1 },
    { $0.tolerance = .seconds(1) }, { $0.seesChannels = false },
    { $0.figures.append(.zero) }, { $0.effectiveFaults.append(0) },
  ]

  @Test("A run that is restarted equals a new one", arguments: leftovers.indices)
  func begun(_ position: Int) {
    var script = Script()
    script.initial.path = PathIndex(2)
    let fresh = RunProjection(script, of: Trace())
    var run = fresh
    Self.leftovers[position](&run)
    #expect(Self.parts(run) != Self.parts(fresh))
    run.begin(script, of: Trace())
    #expect(Self.parts(run) == Self.parts(fresh))
  }

  @Test("A run whose trace names an unknown host keeps the channels before it")
  func strangeHost() {
    var script = Script()
    script.hosts = [ScriptHost(written: "a.example:443")]
    for endpoints in [[0, 5, 0], [0, 0, 5], [5, 0, 0], [0, 1, 0]] as [[UInt32]] {
      var trace = Trace()
      trace.endpointHosts = [0, 0, 0]
      var run = RunProjection(script, of: trace)
      #expect(run.channels.count == 3)
      trace.endpointHosts = ContiguousArray(endpoints)
      run.begin(script, of: trace)
      #expect(run.channels.count == endpoints.prefix { $0 == 0 }.count)
      #expect(run.channels.count == RunProjection(script, of: trace).channels.count)
    }
  }

  private static func parts(_ run: RunProjection) -> [String] {
    [
      "\(String(describing: run.path))", "\(run.flags)", "\(run.app)", "\(run.monitorHasBegun)",
      "\(String(describing: run.receivedFlags))", "\(String(describing: run.lastReturn))",
      "\(String(describing: run.lastMovedAt))", "\(run.notifications)", "\(run.channelCount)",
      "\(run.existing)", "\(run.attached)", "\(run.orphans)", "\(run.tolerance)",
      "\(run.seesChannels)", "\(Array(run.figures))", "\(Array(run.effectiveFaults))",
    ]
  }

  private static func call(_ generation: Int) -> CallID {
    CallID(index: 0, generation: UInt32(generation))
  }
}
