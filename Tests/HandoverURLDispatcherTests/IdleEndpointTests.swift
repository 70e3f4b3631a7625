import Foundation
import HandoverCore
import HandoverHTTPTesting
import Synchronization
import Testing

@testable import HandoverURLDispatcher

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("State that a dispatcher keeps about endpoints")
struct IdleEndpointTests {
  @Test("A prediction leaves no state, and treats an unknown endpoint as empty")
  func asking() throws {
    let rig = try Rig(total: 4, long: 2, policy: .enqueue)
    try rig.dispatcher.setLongLimit(3)
    for number in 0..<1_000 {
      let url = try #require(rig.request("", host: "host\(number)").url)
      #expect(try rig.dispatcher.prediction(for: .long, to: url).word == "starts")
      let usage = try rig.dispatcher.usage(of: url)
      #expect(usage.total == 4 && usage.longLimit == 3 && usage.running == 0)
      try rig.dispatcher.setStreamLimit(nil, for: url)
    }
    #expect(rig.endpoints == 0)
    let url = try #require(rig.request("").url)
    try rig.dispatcher.setLongLimit(0)
    #expect(try rig.dispatcher.prediction(for: .long, to: url).word == "waits at 1 for 0")
    rig.dispatcher.close()
    #expect(try rig.dispatcher.prediction(for: .short, to: url).word == "refused with -1705")
    #expect(throws: URLDispatcherError.self) { try rig.dispatch(.short, "late") }
    #expect(rig.endpoints == 0)
  }

  @Test("Of many idle endpoints only the most recently used pools are kept")
  func idle() async throws {
    let rig = try Rig()
    for number in 0..<200 {
      let recorder = Recorder()
      let request = rig.request("\(number)", host: "host\(number)")
      try rig.dispatcher.startShort(request, delegate: recorder)
      #expect(rig.kept.gates == 1)
      try await rig.transport.begun(number).onEvent(.finished)
      try await recorder.ended()
    }
    #expect(rig.endpoints == 200)
    #expect(rig.kept == Kept(gates: 0, pools: IdlePools.most))
  }

  @Test("An endpoint that becomes busy again gets the pool that it had")
  func again() async throws {
    let rig = try Rig()
    var pools: [ObjectIdentifier?] = []
    for number in 0..<2 {
      let request = try rig.dispatch(.short, "\(number)")
      pools.append(rig.pool)
      try await rig.transport.begun(number).onEvent(.finished)
      try await request.recorder.ended()
    }
    #expect(pools[0] != nil && pools[0] == pools[1])
  }

  @Test("A request that never started, or was cancelled, leaves its endpoint idle too")
  func givenUp() async throws {
    let rig = try Rig(total: 1, long: 1, refusing: ["bad"])
    try await rig.dispatch(.short, "bad").recorder.ended()
    let request = try rig.dispatch(.short, "good")
    _ = try await rig.transport.begun(0)
    request.operation.cancel()
    try await request.recorder.ended()
    #expect(rig.kept == Kept(gates: 0, pools: 1))
  }
}

/// The state that a dispatcher keeps for busy endpoints.
private struct Kept: Hashable {
  var gates: Int
  var pools: Int
}

extension Rig {
  /// The number of endpoints that the dispatcher knows.
  fileprivate var endpoints: Int {
    dispatcher.engine.state.withLock { $0.endpoints.count }
  }

  fileprivate var kept: Kept {
    dispatcher.engine.state.withLock { state in
      Kept(gates: state.gates.count, pools: state.idlePools.count)
    }
  }

  /// The pool of the rig's endpoint, while it is busy.
  fileprivate var pool: ObjectIdentifier? {
    dispatcher.engine.state.withLock { state in
      state.gates.values.first?.pool.map(ObjectIdentifier.init)
    }
  }
}
