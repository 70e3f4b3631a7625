import Foundation
import HandoverCore
import HandoverHTTPTesting
import Synchronization
import Testing

@testable import HandoverURLDispatcher

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What a dispatcher keeps of endpoints")
struct IdleEndpointTests {
  @Test("asking leaves nothing behind, and is answered as of an endpoint that is empty")
  func asking() throws {
    let rig = try Rig(total: 4, long: 2, policy: .enqueue)
    try rig.dispatcher.setLongLimit(3)
    for number in 0..<1_000 {
      let url = try #require(rig.request("", host: "host\(number)").url)
      #expect(try rig.dispatcher.prediction(for: .long, to: url).word == "starts")
      let usage = try rig.dispatcher.usage(of: url)
      #expect(usage.total == 4 && usage.longLimit == 3 && usage.running == 0)
      try rig.dispatcher.announce(streams: nil, for: url)
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
}

extension Rig {
  /// How many endpoints the dispatcher knows.
  fileprivate var endpoints: Int {
    dispatcher.engine.state.withLock { $0.endpoints.count }
  }
}
