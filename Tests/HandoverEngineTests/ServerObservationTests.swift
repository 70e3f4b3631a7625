import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("Observations of servers and the kernel")
struct ServerObservationTests {
  /// Expectations about ``KnownRun``: one request over cellular, three over WiFi.
  static let servers: [Row] =
    Row.holds(
      #"{"server": {"host": "a:1", "received": 1, "path": "cellular"}}"#,
      #"{"server": {"host": "a:1", "received": 3, "path": "wifi"}}"#,
      #"{"server": {"host": "*", "received": 3, "accepted": 1, "path": "wifi"}}"#,
      #"{"server": {"host": "a:1", "received": 4, "accepted": 2, "twice": 0}}"#,
      #"{"server": {"host": "a:1", "received": 2, "since": "3s"}}"#,
      #"{"server": {"host": "a:1", "received": 0, "path": "cellular", "since": "1s"}}"#,
      #"{"server": {"host": "a:1", "received": 1, "path": "wifi", "since": "2s"}, "at": "2.5s"}"#,
      #"{"server": {"host": "a:1", "received": 0, "since": "3s"}, "at": "2.5s"}"#,
      #"{"server": {"host": "b:1", "received": 0, "path": "wifi"}}"#,
      #"{"never": {"server": {"host": "a:1", "received": 2, "path": "cellular"}}}"#,
      #"{"never": {"server": {"host": "a:1", "accepted": 1, "path": "cellular", "since": "1s"}}}"#,
      #"{"never": {"server": {"host": "*", "twice": 1}}}"#)
    + Row.fails(
      #"{"server": {"host": "a:1", "received": 4, "path": "wifi"}}"#,
      #"{"server": {"host": "a:1", "twice": 1}}"#,
      #"{"server": {"host": "a:1", "received": 1, "accepted": 0, "path": "cellular"}}"#,
      #"{"server": {"host": "a:1", "received": 3, "since": "3s"}}"#,
      #"{"never": {"server": {"host": "a:1", "received": 3, "path": "wifi"}}}"#,
      #"{"never": {"server": {"host": "*", "received": 1, "since": "3.5s"}}}"#)

  @Test(
    "Server counts per network, since an instant, and of requests read twice", arguments: servers)
  func known(row: Row) throws {
    let result = try KnownRun.run(expecting: row.expectation)
    #expect(result.verdict == (row.holds ? .passed : .failed), "\(result.findings)")
  }

  @Test(
    "Messages that a server reads count with their network and time too",
    arguments: [
      (#"{"server": {"host": "a:1", "received": 3, "path": "cellular"}}"#, true),
      (#"{"server": {"host": "a:1", "received": 1, "path": "cellular"}}"#, false),
      (#"{"server": {"host": "a:1", "received": 1, "since": "1.5s"}}"#, true),
      (#"{"never": {"server": {"host": "a:1", "received": 3, "path": "cellular"}}}"#, false),
    ])
  func messages(expectation: String, holds: Bool) throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi"}}"#,
        #"{"at": "1s", "send": {"call": "a", "bytes": 1}}"#,
        #"{"at": "2s", "send": {"call": "a", "bytes": 1}}"#,
        #"{"at": "3s", "finish": "a"}"#,
      ], expect: [expectation])
    let result = try Sample.run(scenario)
    #expect(result.verdict == (holds ? .passed : .failed), "\(result.findings)")
  }

  @Test("A trace names the connection of each request and message, if an expectation names a path")
  func connectionsOfReadings() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi"}}"#,
        #"{"at": "1s", "send": {"call": "a", "bytes": 1}}"#,
      ],
      expect: [#"{"server": {"host": "a:1", "received": 2, "path": "cellular"}}"#])
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let records = try #require(worker.run(scenario).cases.first?.trace).records
    let readings = records.indices.filter { position in
      switch records[position].body {
      case .world(.serverReadRequest), .world(.serverReadMessages): true
      default: false
      }
    }
    #expect(readings.count == 2)
    let connection = ConnectionID(index: 0, generation: 0)
    for position in readings {
      #expect(records[position - 1].body == .world(.cameOver(connection)))
    }
  }

  // MARK: Comparison with the trace

  private static let seed = UInt64(20_261)

  /// One observation of a server, taken from the records.
  private struct ObservedCoverage {
    var at: Instant
    var host: String
    var path: PathIndex?
    var address: Int?
    var received = 0
    var accepted = 0
    var twice = 0
  }

  /// The filter of an expectation, without its counts.
  private struct Asked {
    var host: String
    var path: String?
    var since: Int?
    var address: Int?
    /// The requested counts: received, accepted, twice.
    var kinds: [Int]

    init(_ draw: inout SeededGenerator) {
      func below(_ count: Int) -> Int { Int(draw.next(upToAndIncluding: UInt64(count - 1))) }
      host = ["*", "a:1", "b:1"][below(3)]
      path = [nil, "wifi", "cellular"][below(3)]
      since = below(2) == 0 ? nil : below(12_000)
      kinds = [[0], [1], [2], [0, 1], [0, 1, 2]][below(5)]
      if host == "b:1", kinds.contains(1), below(2) == 0 { address = below(2) }
    }

    /// Returns the counts of observations by an instant in milliseconds, or by the end if it is
    /// `nil`.
    func numbers(_ sights: [ObservedCoverage], by at: Int64?) -> [Int] {
      let index = path.map { $0 == "wifi" ? Script.wifiPath : Script.cellularPath }
      let counted = sights.filter { coverage in
        (host == "*" || coverage.host == host) && (index == nil || coverage.path == index)
          && coverage.at.microseconds >= Int64(since ?? 0) * 1_000
          && coverage.at.microseconds <= at ?? .max
      }
      let accepted = counted.filter { address == nil || $0.address == address }
      let all = [
        counted.map(\.received).reduce(0, +), accepted.map(\.accepted).reduce(0, +),
        counted.map(\.twice).reduce(0, +),
      ]
      return kinds.map { all[$0] }
    }

    /// Returns the expectation with the given counts.
    func text(_ numbers: [Int]) -> String {
      let parts =
        zip(kinds, numbers).map { #""\#(["received", "accepted", "twice"][$0])": \#($1)"# }
        + [
          path.map { #""path": "\#($0)""# }, since.map { #""since": "\#($0)ms""# },
          address.map { #""address": "192.0.2.\#($0 + 1)""# },
        ].compactMap { $0 }
      return #""server": {"host": "\#(host)", \#(parts.joined(separator: ", "))}"#
    }
  }

  @Test("The counts equal those of the trace in random runs")
  func drawn() throws {
    var draw = SeededGenerator(seed: Self.seed)
    var (twice, over, seen) = (0, Set<PathIndex>(), 0)
    for number in 0..<400 {
      let timeline = Self.timeline(&draw)
      let first = #"{"never": {"server": {"host": "*", "received": 999, "path": "wifi"}}}"#
      let sights = try Self.sights(of: Self.scenario(timeline, [first]))
      twice += sights.map(\.twice).reduce(0, +)
      over.formUnion(sights.compactMap(\.path))
      for _ in 0..<6 {
        let (asked, at) = (Asked(&draw), draw.next(upToAndIncluding: 1) == 0 ? nil : 7_000)
        let numbers = asked.numbers(sights, by: at.map { Int64($0) * 1_000 })
        let time = at.map { #", "at": "\#($0)ms""# } ?? ""
        for more in [0, 1] {
          let text = "{\(asked.text(numbers.map { $0 + more }))\(time)}"
          #expect(
            try Self.isMet(timeline, [first, text]) == (more == 0),
            "seed \(Self.seed), run \(number): \(text) \(timeline)")
        }
        // An expectation that something never happens is evaluated at the end of every instant.
        let never = numbers.map { _ in Int(draw.next(upToAndIncluding: 3)) }
        let isSeen =
          never.allSatisfy { $0 == 0 }
          || sights.contains { asked.numbers(sights, by: $0.at.microseconds) == never }
        let text = #"{"never": {\#(asked.text(never))}}"#
        #expect(
          try Self.isMet(timeline, [text, first]) != isSeen,
          "seed \(Self.seed), run \(number): \(text) \(timeline)")
        seen += isSeen ? 1 : 0
      }
    }
    // The random expectations cover the possible observations.
    #expect(twice > 20 && over.count == 2 && seen > 100)
  }

  private static func isMet(_ timeline: [String], _ expect: [String]) throws -> Bool {
    !(try Sample.run(scenario(timeline, expect))).findings.contains { $0.kind == .expectation }
  }

  private static func scenario(_ timeline: [String], _ expect: [String]) throws -> Scenario {
    try Sample.scenario(
      timeline: timeline, expect: expect, profiles: [.sockets],
      hosts: #""a:1": {"connect": "50ms"}, "b:1": {"connect": "20ms", "addresses": "#
        + #"[{"ip": "192.0.2.1", "answer": "refuse"}, "192.0.2.2"]}"#,
      config:
        #"{"interceptors": [{"kind": "retry", "calls": "any", "backoff": {"jitter": 0}}], "#
        + #""until": "60s"}"#,
      flags: #"["Reachable"]"#)
  }

  private static func timeline(_ draw: inout SeededGenerator) -> [String] {
    func below(_ count: Int) -> Int { Int(draw.next(upToAndIncluding: UInt64(count - 1))) }
    let count = 6 + below(10)
    var entries: [String] = []
    for entry in 0..<count {
      let host = ["a:1", "b:1"][below(2)]
      let kind = below(7)
      let at = #""at": "\#(entry * 700 + below(700))ms""#
      switch kind {
      case 0: entries.append(#"{\#(at), "flags": ["Reachable", "IsWWAN"]}"#)
      case 1: entries.append(#"{\#(at), "flags": ["Reachable"]}"#)
      case 2: entries.append(#"{\#(at), "transport": {"host": "\#(host)", "become": "stall"}}"#)
      case 3: entries.append(#"{\#(at), "transport": {"host": "\#(host)", "become": "resume"}}"#)
      case 4: entries.append(#"{\#(at), "server": {"host": "\#(host)", "do": "reset"}}"#)
      default:
        entries.append(
          #"{\#(at), "call": {"id": "c\#(entry)", "host": "\#(host)", "takes": "2s", "#
            + #""deadline": "20s"}}"#)
      }
    }
    return entries
  }

  private static func sights(of scenario: Scenario) throws -> [ObservedCoverage] {
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let trace = try #require(worker.run(scenario).cases.first?.trace)
    let hosts = scenario.script.hosts.map(\.written)
    var paths: [ConnectionID: PathIndex] = [:]
    var madeTo: [ConnectionID: UInt32] = [:]
    var addresses: [ConnectionID: Int] = [:]
    var way: ConnectionID?
    var readings: [[UInt32]: Int] = [:]
    var sights: [ObservedCoverage] = []
    for record in trace.records {
      switch record.body {
      case .world(.attemptBegan(let id, let host, let path)):
        paths[id] = path
        madeTo[id] = host
      case .world(.attemptMoved(let id, let path)): paths[id] = path
      case .world(.addressAnswered(let id, _, let address)): addresses[id] = Int(address)
      case .event(.pool(.connected(let id))):
        let host = try #require(madeTo[id])
        sights.append(
          ObservedCoverage(
            at: record.at, host: hosts[Int(host)], path: paths[id], address: addresses[id],
            accepted: 1))
      case .world(.cameOver(let id)): way = id
      case .world(.serverReadRequest(let host, let call)):
        readings[[host, call], default: 0] += 1
        let id = try #require(way)
        sights.append(
          ObservedCoverage(
            at: record.at, host: hosts[Int(host)], path: paths[id], received: 1,
            twice: readings[[host, call]] == 2 ? 1 : 0))
      case .world(.serverReadMessages(let host, _, let count)):
        let id = try #require(way)
        sights.append(
          ObservedCoverage(
            at: record.at, host: hosts[Int(host)], path: paths[id], received: Int(count)))
      case .world(.runEnded): return sights
      default: break
      }
    }
    return sights
  }

  // MARK: The kernel

  /// 7 retransmitted segments, 2 reset connections, 1 socket left.
  static let counters: [Row] =
    Row.holds(
      #"{"kernel": {"retransmitted": 7}}"#, #"{"kernel": {"resets": 2}}"#,
      #"{"kernel": {"sockets": 1}}"#,
      #"{"kernel": {"retransmitted": 8, "resets": 3, "sockets": 9}}"#)
    + Row.fails(
      #"{"kernel": {"retransmitted": 6}}"#, #"{"kernel": {"resets": 1}}"#,
      #"{"kernel": {"sockets": 0}}"#,
      #"{"kernel": {"retransmitted": 7, "resets": 2, "sockets": 0}}"#)

  @Test("The kernel's counters are upper limits", arguments: counters)
  func kernel(row: Row) throws {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "s", "host": "a:1"}}"#], expect: [row.expectation],
      profiles: [.sockets])
    let counted = TraceRecord(
      at: try Instant("1s"),
      body: .world(.kernelCounted(retransmitted: 7, resets: 2, sockets: 1)))
    let result = try Sample.run(
      scenario, on: ReportingBackend(reported: [counted], capabilities: [.kernel]))
    let unmet = result.findings.filter { $0.kind == .expectation }
    #expect(unmet.isEmpty == row.holds, "\(result.findings)")
    let uncounted = try Sample.run(
      scenario, on: ReportingBackend(reported: [], capabilities: [.kernel]))
    #expect(
      uncounted.findings.contains {
        $0.kind == .expectation && $0.seen == "kernel counters not available"
      })
  }

  @Test("In virtual time only expectations about kernel counters are unsupported")
  func virtualKernel() throws {
    let result = try KnownRun.run(
      expecting: #"{"kernel": {"retransmitted": 0}}"#, #"{"call": "next", "status": "OK"}"#)
    #expect(result.verdict == .passedPartially)
    #expect(result.findings.map(\.kind) == [.unsupported])
    #expect(
      result.findings.map(\.expected) == [
        "the kernel of the device has counted no segment sent again"
      ])
  }
}
