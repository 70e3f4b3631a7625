import Dispatch
import HandoverBackend
import HandoverCore
import HandoverNIO
import Testing

/// Runs scripts on the loopback interface and records how calls end.
struct LoopbackRun {
  let networks: LoopbackNetworks
  var trace = Trace()
  var leaks: [String] = []
  private(set) var ends: [CallEnd?]

  /// How long runs wait for late events if calls have not ended.
  ///
  /// No machine needs that long.
  private static let patience = Interval.minutes(1)

  /// Runs a script as the engine does.
  init(
    _ script: Script, _ profile: Profile, tolerance: Interval = patience,
    in networks: LoopbackNetworks = LoopbackNetworks(),
    pauseAfterEntry: DispatchTimeInterval = .never
  ) throws {
    self.networks = networks
    var options = RealTime.Options()
    options.tolerance = tolerance
    let last = script.entries.map(\.at).max() ?? .zero
    let backend = NIOBackend(in: networks, options: options) { _, _ in last + .milliseconds(100) }
    let session = try backend.makeSession()
    try session.open(script, profile: profile, into: &trace)
    for (index, entry) in script.entries.enumerated() {
      try session.advance(before: entry.at, into: &trace)
      try session.play(index, into: &trace)
      if pauseAfterEntry != .never {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + pauseAfterEntry)
      }
    }
    let end = try session.runUntilIdle(through: .zero + .minutes(60), into: &trace)
    leaks = try session.close(at: end, into: &trace)
    ends = Array(repeating: nil, count: script.calls.count)
    var positions: [CallID: Int] = [:]
    for record in trace.records {
      switch record.body {
      case .world(.callIntroduced(let index, let id)): positions[id] = Int(index)
      case .effect(.endCall(let id, let end)): positions[id].map { ends[$0] = end }
      default: break
      }
    }
  }

  /// Runs a script whose entries must come after another event.
  ///
  /// On a busy machine the event may come too late. Then the script runs again with more time
  /// between its entries, until the order is right.
  ///
  /// - Parameters:
  ///   - profile: The profile of the client.
  ///   - script: Makes the script, with all times multiplied by a factor.
  ///   - isOrdered: Whether everything happened before the entries that it must precede.
  /// - Returns: The first run with the right order.
  /// - Throws: ``NeverOrdered`` if there is no such run, and any error of a run.
  static func ordered(
    _ profile: Profile, _ script: (Int64) -> Script, by isOrdered: (Self) -> Bool
  ) throws -> Self {
    for factor in [1, 4, 16, 64] as [Int64] {
      let run = try Self(script(factor), profile)
      #expect(run.steps == run.replayed(script(factor), profile))
      if isOrdered(run) { return run }
    }
    throw NeverOrdered()
  }

  struct NeverOrdered: Error {}

  /// Whether the trace has a matching record before an entry.
  func has(before entry: UInt32, _ isMeant: (TraceRecord.Body) -> Bool) -> Bool {
    let played = trace.records.firstIndex { $0.body == .world(.entryPlayed(entry)) }
    return played.map { trace.records[..<$0].contains { isMeant($0.body) } } ?? false
  }

  /// Whether the client was connected before an entry.
  func isConnected(before entry: UInt32) -> Bool {
    has(before: entry) { if case .event(.pool(.connected)) = $0 { true } else { false } }
  }

  /// Whether a call ended before an entry.
  func hasEnd(before entry: UInt32) -> Bool {
    has(before: entry) { if case .effect(.endCall) = $0 { true } else { false } }
  }

  /// Returns the records of a new client that receives the same events at the same instants.
  func replayed(_ script: Script, _ profile: Profile) -> [TraceRecord] {
    var core = ClientCore(PoolConfiguration(script.configuration, policy: profile.policy))
    for call in script.calls {
      _ = core.register(ChannelKey(host: script.hosts[call.host].name, options: call.options))
    }
    var records: [TraceRecord] = []
    for record in trace.records {
      guard case .event(let event) = record.body else { continue }
      var effects = EffectLog<ClientEffect>()
      core.step(event, at: record.at, into: &effects)
      records.append(record)
      for effect in effects.elements {
        records.append(TraceRecord(at: record.at, body: .effect(effect)))
      }
    }
    return records
  }

  /// The events and effects of the client in the trace.
  var steps: [TraceRecord] {
    trace.records.filter { if case .world = $0.body { false } else { true } }
  }
}

extension Script {
  /// Creates a script with one host and some calls, each started by an entry at its instant.
  init(
    calls: [(at: Int64, ScriptCall)], entries: [(at: Int64, ScriptAction)] = [],
    host: ScriptHost = ScriptHost(written: "api.example:443")
  ) {
    self.init()
    hosts = [host]
    self.calls = calls.map(\.1)
    let starts = calls.indices.map { (at: calls[$0].at, ScriptAction.startCall($0)) }
    self.entries = ContiguousArray(
      (starts + entries).sorted { $0.at < $1.at }.map {
        ScriptEntry(at: Instant(microseconds: $0.at * 1_000), action: $0.1)
      })
  }
}

/// An endless stream, and a call with an immediate answer.
private let stream = ScriptCall(
  id: "stream", host: 0, kind: .streaming, takes: nil, every: .milliseconds(10))
private let unary = ScriptCall(id: "unary", host: 0, kind: .unary, takes: .milliseconds(10))

@Suite("The client over real sockets, in real time")
struct LiveSessionTests {
  @Test("A call is answered, and nothing is left", arguments: Profile.all)
  func unaryCall(profile: Profile) throws {
    let script = Script(calls: [(0, unary)])
    let run = try LoopbackRun(script, profile)
    #expect(run.ends == [CallEnd(.ok, .empty)])
    #expect(run.leaks.isEmpty)
    #expect(!run.networks.made.map(\.isClosed).contains(false))
    #expect(run.steps == run.replayed(script, profile))
  }

  @Test("A category change ends the call, and the next one has a new connection (D9)")
  func transition() throws {
    let run = try LoopbackRun.ordered(.socketsMonitor) { factor in
      Script(
        calls: [(0, stream), (60 * factor, unary)],
        entries: [
          (30 * factor, .flags([.reachable, .isWWAN], path: nil, linksUp: [], linksDown: []))
        ])
    } by: {
      $0.isConnected(before: 1)
    }
    #expect(run.ends == [.connectivityLost, CallEnd(.ok, .empty)])
    let attempts = run.trace.records.filter {
      if case .world(.attemptBegan) = $0.body { true } else { false }
    }
    #expect(attempts.count == 2)
  }

  @Test(
    "A server never answers before a network change of the same instant, even on a slow kernel",
    arguments: [0, 60])
  func slowMove(firstCall: Int64) throws {
    // The call of that instant uses an existing connection, or makes one.
    let script = Script(
      calls: [(firstCall, unary), (60, unary)],
      entries: [(60, .flags([.reachable, .isWWAN], path: nil, linksUp: [], linksDown: []))])
    let run = try LoopbackRun(
      script, .socketsMonitor, in: LoopbackNetworks(slowness: .milliseconds(100)))
    #expect(run.ends[1] == .connectivityLost)
    #expect(run.steps == run.replayed(script, .socketsMonitor))
  }

  @Test("A change that the kernel completes too late ends the run")
  func lateMove() throws {
    let script = Script(
      calls: [(0, unary)],
      entries: [(60, .flags([.reachable, .isWWAN], path: nil, linksUp: [], linksDown: []))])
    let error = #expect(throws: BackendError.self) {
      try LoopbackRun(
        script, .socketsMonitor, tolerance: .zero,
        in: LoopbackNetworks(slowness: .milliseconds(1_100)))
    }
    #expect(error?.code == .late)
  }

  @Test("No server answers between two entries of an instant, however late the second one runs")
  func slowEntries() throws {
    let script = Script(
      calls: [(0, unary), (1_000, unary)],
      entries: [(1_000, .flags([.reachable, .isWWAN], path: nil, linksUp: [], linksDown: []))])
    let run = try LoopbackRun(script, .socketsMonitor, pauseAfterEntry: .milliseconds(100))
    #expect(run.ends[1] == .connectivityLost)
    #expect(run.steps == run.replayed(script, .socketsMonitor))
  }

  /// Returns a script with one call to a host whose addresses answer as given.
  ///
  /// The families alternate.
  private static func addressed(_ answers: [AddressAnswer], race: Interval?) throws -> Script {
    var host = ScriptHost(written: "api.example:443")
    for (position, answer) in answers.enumerated() {
      let text = position % 2 == 0 ? "2001:db8::\(position + 1)" : "192.0.2.\(position + 1)"
      host.addresses.append(
        ScriptAddress(try #require(AddressText(text)), connect: .zero, answer: answer))
    }
    var script = Script(calls: [(0, unary)], host: host)
    script.calls[0].failFast = true
    script.configuration.happyEyeballs = race
    return script
  }

  /// Returns the indices of the addresses that answered.
  private static func answered(_ trace: Trace) -> [UInt32] {
    trace.records.compactMap {
      if case .world(.addressAnswered(_, _, let address)) = $0.body { address } else { nil }
    }
  }

  @Test(
    "The first address of a host that accepts is used, in order or in a race",
    arguments: [
      ([.accept, .accept], 0), ([.refuse, .accept], 1), ([.refuse, .refuse, .accept], 2),
      ([.accept], 0),
    ] as [([AddressAnswer], UInt32)], [nil, .minutes(1)] as [Interval?])
  func addresses(_ row: (answers: [AddressAnswer], position: UInt32), race: Interval?) throws {
    let run = try LoopbackRun(try Self.addressed(row.answers, race: race), .sockets)
    #expect(run.ends == [CallEnd(.ok, .empty)])
    #expect(Self.answered(run.trace) == [row.position])
    #expect(run.leaks.isEmpty)
  }

  @Test(
    "If all addresses refuse, the attempt fails",
    arguments: [nil, .minutes(1)] as [Interval?])
  func allRefuse(race: Interval?) throws {
    let script = try Self.addressed([.refuse, .refuse, .refuse], race: race)
    let run = try LoopbackRun(script, .sockets)
    #expect(run.ends.map { $0?.code } == [.unavailable])
    #expect(Self.answered(run.trace).isEmpty && run.leaks.isEmpty)
  }

  @Test("A server that closes or resets its connections ends their calls (D2)")
  func serverEnds() throws {
    for (word, text) in [
      (ServerFault.close, StatusText.socketClosed), (.reset, .connectionReset),
    ] {
      let run = try LoopbackRun.ordered(.sockets) { factor in
        Script(calls: [(0, stream)], entries: [(40 * factor, .server(0, word))])
      } by: {
        $0.isConnected(before: 1)
      }
      #expect(run.ends == [CallEnd(.unavailable, text)])
    }
  }

  @Test("A server that refuses ends the attempt, and one that accepts again does not (D5b)")
  func refusal() throws {
    var hasty = unary
    hasty.options.connectInitialBackoff = .milliseconds(50)
    let call = hasty
    let run = try LoopbackRun.ordered(.sockets) { factor in
      Script(
        calls: [(0, call), (60 * factor, call)], entries: [(30 * factor, .server(0, .accept))],
        host: ScriptHost(written: "api.example:443", server: .refuse))
    } by: {
      $0.hasEnd(before: 1)
    }
    #expect(run.ends == [CallEnd(.unavailable, .connectionRefused), CallEnd(.ok, .empty)])
  }

  @Test("A silent server keeps the call waiting until it answers")
  func silence() throws {
    var patient = unary
    patient.deadline = .minutes(5)
    let script = Script(
      calls: [(0, patient)], entries: [(60, .server(0, .accept))],
      host: ScriptHost(written: "api.example:443", server: .silent))
    let run = try LoopbackRun(script, .sockets)
    #expect(run.ends == [CallEnd(.ok, .empty)])
    let answered = run.trace.records.last {
      if case .effect(.endCall) = $0.body { true } else { false }
    }
    let at = try #require(answered).at
    #expect(at >= Instant(microseconds: 60_000))
  }

  @Test("A deadline ends the call (D5c), and a message reaches the server")
  func deadline() throws {
    let run = try LoopbackRun.ordered(.sockets) { factor in
      var call = ScriptCall(id: "bidi", host: 0, kind: .bidi, takes: nil)
      call.deadline = .milliseconds(80 * factor)
      return Script(calls: [(0, call)], entries: [(20 * factor, .send(0, bytes: 1_000))])
    } by: { run in
      run.trace.records.contains {
        $0.body == .world(.serverReadMessages(host: 0, call: 0, count: 1))
      }
    }
    #expect(run.ends == [.deadlineExceeded])
  }

  @Test("An app in the background is notified of everything when it returns")
  func background() throws {
    let script = Script(
      calls: [(0, stream)],
      entries: [
        (20, .app(.background)), (40, .flags([], path: nil, linksUp: [], linksDown: [])),
        (60, .server(0, .close)), (100, .app(.foreground)),
      ])
    let run = try LoopbackRun(script, .socketsMonitor)
    #expect(run.ends == [.connectivityLost])
    let left = try #require(
      run.trace.records.firstIndex { $0.body == .world(.appMoved(.background)) })
    let returned = try #require(
      run.trace.records.firstIndex { $0.body == .world(.appMoved(.foreground)) })
    let meanwhile = run.trace.records[left..<returned]
    #expect(!meanwhile.contains { if case .event = $0.body { true } else { false } })
  }

  @Test("An app that runs in the background is notified immediately")
  func backgroundRunning() throws {
    let run = try LoopbackRun.ordered(.socketsMonitor) { factor in
      Script(
        calls: [(0, stream)],
        entries: [
          (20 * factor, .app(.backgroundRunning)), (40 * factor, .server(0, .close)),
          (200 * factor, .app(.foreground)),
        ])
    } by: {
      $0.isConnected(before: 2) && $0.hasEnd(before: 3)
    }
    #expect(run.ends == [ConnectionFailure.closed.callEnd])
  }

  @Test("A fault has an effect if there is a connection, or if an attempt meets it")
  func effects() throws {
    func effects(_ call: Int64, _ action: ScriptAction) throws -> Int {
      let script = Script(calls: [(call, unary)], entries: [(30, action)])
      return try LoopbackRun(script, .sockets).trace.records.count {
        if case .world(.faultTookEffect) = $0.body { true } else { false }
      }
    }
    let kill = ScriptAction.transport(.one(0), .kill)
    #expect(try effects(60, kill) == 0)
    #expect(try effects(0, kill) == 1)
    #expect(try effects(60, .server(0, .accept)) == 1)
  }

  @Test("The run waits for unfinished calls until the script's own end")
  func until() throws {
    var script = Script(calls: [(0, stream)])
    script.configuration.until = .zero + .milliseconds(3_500)
    func end() throws -> Instant {
      let run = try LoopbackRun(script, .sockets, tolerance: .seconds(1))
      return try #require(run.trace.records.last).at
    }
    #expect(try end() >= .zero + .milliseconds(3_500))
    // Without that end the run also ends, although the call does not.
    script.configuration.until = nil
    #expect(try end() >= .zero + .milliseconds(3_100))
    let time = RealTime(in: LoopbackNetworks()) { _, _ in .zero }
    for (until, last) in [(nil, 3_000), (2_000, 3_000), (3_500, 3_500)] as [(Int64?, Int64)] {
      script.configuration.until = until.map { .zero + .milliseconds($0) }
      let found = time.lastInstant(
        of: script, expectedEnd: .zero, limit: .zero + .minutes(60))
      #expect(found == .zero + .milliseconds(last))
    }
  }

  @Test("A script that takes too long is not run, and the reason is reported")
  func tooLong() throws {
    let backend = NIOBackend(in: LoopbackNetworks()) { _, _ in .zero + .minutes(15) }
    let session = try backend.makeSession()
    var trace = Trace()
    do throws(BackendError) {
      try session.open(Script(calls: [(0, unary)]), profile: .sockets, into: &trace)
      Issue.record("15 minutes are over the limit")
    } catch {
      #expect(error.code == .unsupported)
      #expect(error.message.contains("1min"))
    }
  }

  @Test("A network on which no server can listen is reported and removed, and the next run works")
  func brokenNetwork() throws {
    let networks = LoopbackNetworks(beginningWith: "192.0.2")
    let session = try NIOBackend(in: networks) { _, _ in .zero }.makeSession()
    let script = Script(calls: [(0, unary)])
    var trace = Trace()
    do throws(BackendError) {
      try session.open(script, profile: .sockets, into: &trace)
      Issue.record("no address of this machine begins so")
    } catch {
      #expect(error.code == .backendFailed)
    }
    #expect(networks.made.map(\.isClosed) == [true])
    try session.open(script, profile: .sockets, into: &trace)
    #expect(try session.close(at: .zero, into: &trace).isEmpty)
  }
}
