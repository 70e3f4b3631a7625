import HandoverCore
import Testing

@Suite("Digests of dispatchers and of the platform")
struct DigestTests {
  @Test("Digests distinguish which row the next request gets")
  func freeRows() throws {
    func digest(ending order: [UInt32]) throws -> StateDigest {
      var rig = try DispatcherRig()
      rig.arrive(3, .short)
      for index in order { rig.send(.finished(request(index))) }
      var digest = StateDigest(at: rig.now)
      rig.core.combine(into: &digest)
      return digest
    }
    #expect(try digest(ending: [0, 1]) == digest(ending: [0, 1]))
    #expect(try digest(ending: [0, 1]) != digest(ending: [1, 0]))
  }

  @Test("Digests without names distinguish a closed dispatcher from an open one")
  func closed() throws {
    func digest(_ events: [EndpointDispatcher.Event]) throws -> StateDigest {
      var rig = try DispatcherRig()
      for event in events { rig.send(event) }
      var digest = StateDigest(at: rig.now)
      rig.core.combineUnnamedState(into: &digest, leavesOutStarts: false) { _ in 0 }
      return digest
    }
    #expect(try digest([]) == digest([]))
    #expect(try digest([]) != digest([.closed]))
  }

  @Test(
    "Digests distinguish a draining connection from one that accepts requests",
    arguments: [false, true])
  func draining(isExempt: Bool) {
    func digest(draining: Bool) -> StateDigest {
      var rig = URLLoaderTests.Rig(limit: 2, streams: [8])
      _ = rig.begin(0, isExempt: isExempt)
      if draining { _ = rig.send(.draining(HTTPConnectionID(0))) }
      var digest = StateDigest(at: rig.now)
      rig.loader.combine(into: &digest)
      return digest
    }
    #expect(digest(draining: false) == digest(draining: false))
    #expect(digest(draining: false) != digest(draining: true))
  }
}
