import HandoverCore
import Testing

/// The platform of the article: few connections, and silence for every further request.
@Suite("The platform's URL loading")
struct URLLoaderTests {
  /// A platform and its last effects.
  struct Rig {
    var loader: URLLoader
    var now = Instant.zero

    init(limit: UInt32 = 4, keepAlive: Interval = .zero, streams: [UInt32?] = [nil, nil]) {
      loader = URLLoader(limit: limit, keepAlive: keepAlive, streams: streams)
    }

    mutating func send(_ event: URLLoader.Event, at seconds: Int64? = nil) -> [URLLoader.Effect] {
      if let seconds { now = .zero + .seconds(seconds) }
      var effects = EffectLog<URLLoader.Effect>()
      loader.step(event, at: now, into: &effects)
      return effects.elements
    }

    mutating func begin(
      _ id: UInt32, endpoint: UInt32 = 0, pool: UInt32 = 0, timeout: Interval = .seconds(60),
      isExempt: Bool = false, at seconds: Int64? = nil
    ) -> [URLLoader.Effect] {
      send(
        .started(
          CarriedRequest(
            id: id, endpoint: endpoint, pool: pool, timeout: timeout, isExempt: isExempt)),
        at: seconds)
    }
  }

  private func opens(_ connection: UInt32, for load: UInt32, endpoint: UInt32 = 0, pool: UInt32 = 0)
    -> [URLLoader.Effect]
  {
    let id = HTTPConnectionID(connection)
    return [.open(id, endpoint: endpoint, pool: pool), .send(load, id)]
  }

  @Test("The fifth request freezes and ends with -1001 at its timeout (U31)", arguments: [4, 5])
  func fifth(limit: UInt32) {
    var rig = Rig(limit: limit)
    for load in 0..<limit { #expect(rig.begin(load) == opens(load, for: load)) }
    #expect(rig.begin(limit, at: 3) == [.freeze(limit)])
    for load in 0..<limit { _ = rig.send(.received(load), at: 62) }
    #expect(rig.loader.nextDeadline == .zero + .seconds(63))
    #expect(rig.send(.timeElapsed, at: 62).isEmpty)
    #expect(rig.send(.timeElapsed, at: 63) == [.fail(limit, code: -1001)])
  }

  @Test("A frozen request gets the first free connection, in the order of arrival")
  func thaw() {
    var rig = Rig(limit: 1)
    _ = rig.begin(0)
    #expect(rig.begin(1) == [.freeze(1)])
    #expect(rig.begin(2) == [.freeze(2)])
    #expect(
      rig.send(.finished(0)) == [.close(HTTPConnectionID(0))] + opens(1, for: 1))
    #expect(
      rig.send(.cancelled([1])) == [.close(HTTPConnectionID(1))] + opens(2, for: 2))
  }

  @Test("Another endpoint is not affected (U32)")
  func otherEndpoint() {
    var rig = Rig(limit: 1)
    _ = rig.begin(0)
    #expect(rig.begin(1, endpoint: 1) == opens(1, for: 1, endpoint: 1))
  }

  @Test("Received data restarts the timeout, and zero means no timeout")
  func timeouts() {
    var rig = Rig()
    _ = rig.begin(0)
    _ = rig.begin(1, timeout: .zero)
    _ = rig.send(.received(0), at: 50)
    #expect(rig.send(.timeElapsed, at: 109).isEmpty)
    #expect(
      rig.send(.timeElapsed, at: 110) == [
        .fail(0, code: -1001), .close(HTTPConnectionID(0)),
      ])
    #expect(rig.loader.nextDeadline == nil)
  }

  @Test("A connection is kept for the next request of its pool, and closed if none comes")
  func keepAlive() {
    var rig = Rig(limit: 2, keepAlive: .seconds(30))
    _ = rig.begin(0)
    #expect(rig.send(.finished(0)).isEmpty)
    #expect(rig.begin(1, at: 10) == [.send(1, HTTPConnectionID(0))])
    _ = rig.send(.finished(1), at: 11)
    #expect(rig.send(.timeElapsed, at: 40).isEmpty)
    #expect(rig.send(.timeElapsed, at: 41) == [.close(HTTPConnectionID(0))])
  }

  @Test("Idle connections of other pools take the place of a request (F19, U12)")
  func idlePools() {
    var rig = Rig(limit: 2, keepAlive: .seconds(30))
    for pool in 0..<2 as Range<UInt32> {
      _ = rig.begin(pool, pool: pool)
      _ = rig.send(.finished(pool))
    }
    #expect(rig.begin(7, pool: 2, at: 1) == [.freeze(7)])
    #expect(
      rig.send(.timeElapsed, at: 30) == [.close(HTTPConnectionID(0))]
        + opens(2, for: 7, pool: 2) + [.close(HTTPConnectionID(1))])
  }

  @Test(
    "On HTTP/2, a request above the announced number of streams freezes (U86)"
  )
  func streams() {
    var rig = Rig(limit: 4, streams: [2])
    #expect(rig.begin(0) == opens(0, for: 0))
    #expect(rig.begin(1) == [.send(1, HTTPConnectionID(0))])
    #expect(rig.begin(2) == [.freeze(2)])
    #expect(rig.send(.cancelled([0])) == [.send(2, HTTPConnectionID(0))])
  }

  @Test("Requests are cancelled together, so that none gets the connection of another")
  func together() {
    var rig = Rig(limit: 1)
    for load in 0..<3 as Range<UInt32> { _ = rig.begin(load) }
    #expect(rig.send(.cancelled([0, 1])) == [.close(HTTPConnectionID(0))] + opens(1, for: 2))
  }

  @Test("A draining connection finishes its requests, and the next request uses another one")
  func draining() {
    var rig = Rig(limit: 4, keepAlive: .seconds(30), streams: [100])
    _ = rig.begin(0)
    #expect(rig.send(.draining(HTTPConnectionID(0))).isEmpty)
    #expect(rig.begin(1) == opens(1, for: 1))
    #expect(rig.send(.finished(0)) == [.close(HTTPConnectionID(0))])
    _ = rig.send(.finished(1))
    #expect(rig.send(.draining(HTTPConnectionID(1))) == [.close(HTTPConnectionID(1))])
  }

  @Test("A frozen request of a draining connection gets the next one, in the order of arrival")
  func drainingWithFrozenRequests() {
    var rig = Rig(limit: 4, streams: [1])
    _ = rig.begin(0)
    #expect(rig.begin(1) == [.freeze(1)])
    #expect(rig.begin(2) == [.freeze(2)])
    #expect(rig.send(.draining(HTTPConnectionID(0))) == opens(1, for: 1))
    #expect(rig.begin(3) == [.freeze(3)])
    #expect(rig.send(.finished(0)) == [.close(HTTPConnectionID(0))])
    #expect(rig.send(.draining(HTTPConnectionID(1))) == opens(2, for: 2))
  }

  @Test("A draining HTTP/1.1 connection counts toward the limit until it is closed")
  func drainingAtTheLimit() {
    var rig = Rig(limit: 1)
    _ = rig.begin(0)
    _ = rig.begin(1)
    #expect(rig.send(.draining(HTTPConnectionID(0))).isEmpty)
    #expect(rig.send(.finished(0)) == [.close(HTTPConnectionID(0))] + opens(1, for: 1))
  }

  @Test("A WebSocket has a separate connection that does not count toward the limit")
  func exempt() {
    var rig = Rig(limit: 1)
    _ = rig.begin(0)
    #expect(rig.begin(1, isExempt: true) == opens(1, for: 1))
    #expect(rig.send(.finished(1)) == [.close(HTTPConnectionID(1))])
  }

  @Test("A lost connection fails its requests, and frees its place")
  func lost() {
    var rig = Rig(limit: 1)
    _ = rig.begin(0)
    _ = rig.begin(1)
    #expect(
      rig.send(.connectionLost(HTTPConnectionID(0), code: -1005))
        == [.fail(0, code: -1005)] + opens(1, for: 1))
    #expect(rig.send(.connectionLost(HTTPConnectionID(0), code: -1005)).isEmpty)
  }

  @Test("After a close every request fails, present and future")
  func closed() {
    var rig = Rig(limit: 1)
    _ = rig.begin(0)
    _ = rig.begin(1)
    #expect(
      rig.send(.closed) == [
        .fail(0, code: -999), .fail(1, code: -999), .close(HTTPConnectionID(0)),
      ])
    #expect(rig.begin(2) == [.fail(2, code: -999)])
    #expect(rig.loader.nextDeadline == nil)
  }

  @Test(
    "In every order the limit is kept, and no request freezes while there is room",
    arguments: 0..<20)
  func randomOrders(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var rig = Rig(limit: 3, keepAlive: .seconds(2), streams: [nil, nil])
    var open: [UInt32: UInt32] = [:]  // lookup only
    var live: Set<UInt32> = []  // lookup only
    for load in 0..<400 as Range<UInt32> {
      rig.now = rig.now + .milliseconds(Int64(generator.next(upToAndIncluding: 900)))
      let ended = live.sorted().first { _ in generator.next(upToAndIncluding: 3) == 0 }
      var effects: [URLLoader.Effect]
      if let ended {
        live.remove(ended)
        effects = rig.send(.finished(ended))
      } else {
        live.insert(load)
        effects = rig.begin(
          load, endpoint: UInt32(generator.next(upToAndIncluding: 1)),
          pool: UInt32(generator.next(upToAndIncluding: 1)), timeout: .seconds(5))
      }
      effects += rig.send(.timeElapsed)
      for effect in effects {
        switch effect {
        case .open(let id, let endpoint, _): open[id.index] = endpoint
        case .close(let id): open[id.index] = nil
        case .fail(let id, _): live.remove(id)
        case .send, .freeze: break
        case .retry: Issue.record("seed \(seed)")
        }
      }
      for endpoint in 0...1 as ClosedRange<UInt32> {
        #expect(open.values.count { $0 == endpoint } <= 3, "seed \(seed)")
      }
    }
    let last = try #require(rig.loader.nextDeadline)
    rig.now = max(rig.now, last)
    while let next = rig.loader.nextDeadline {
      for case .close(let id) in rig.send(.timeElapsed, at: next.microseconds / 1_000_000 + 1) {
        open[id.index] = nil
      }
    }
    #expect(open.isEmpty, "seed \(seed)")
  }

  /// Returns a random event about a few requests, connections, endpoints and pools.
  private func fact(_ number: UInt32, _ generator: inout SeededGenerator) -> URLLoader.Event {
    func draw(_ most: UInt64) -> UInt32 { UInt32(generator.next(upToAndIncluding: most)) }
    let connection = HTTPConnectionID(draw(UInt64(number / 3)))
    switch draw(19) {
    case 0...7:
      return .started(
        CarriedRequest(
          id: number, endpoint: draw(2), pool: draw(2),
          timeout: .seconds(Int64(draw(9))), isExempt: draw(9) == 0))
    case 8...10: return .finished(draw(UInt64(number)))
    case 11: return .cancelled((0..<draw(9)).map { _ in draw(UInt64(number)) })
    case 12...13: return .received(draw(UInt64(number)))
    case 14: return .draining(connection)
    case 15: return .connectionLost(connection, code: -1005)
    default: return .timeElapsed
    }
  }

  @Test("The loader agrees with the naive one", arguments: 0..<30 as Range<UInt64>)
  func agreesWithASearch(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let streams: [UInt32?] = [nil, nil, 3]
    let keepAlive = Interval.seconds(Int64(seed % 3))
    var loader = URLLoader(limit: 3, keepAlive: keepAlive, streams: streams)
    var naive = NaiveLoader(limit: 3, keepAlive: keepAlive, streams: streams)
    var now = Instant.zero
    for number in 0..<600 as Range<UInt32> {
      now = now + .milliseconds(Int64(generator.next(upToAndIncluding: 1_500)))
      let event = number == 599 ? .closed : fact(number, &generator)
      // A loader that shared its rows with a copy continues with its own rows.
      let copy = loader
      var seen = EffectLog<URLLoader.Effect>()
      var wanted = EffectLog<URLLoader.Effect>()
      loader.step(event, at: now, into: &seen)
      naive.step(event, at: now, into: &wanted)
      let isSame =
        seen.elements == wanted.elements && loader.nextDeadline == naive.nextDeadline
        && (0...number).allSatisfy { loader.connection(of: $0) == naive.connection(of: $0) }
      guard isSame else {
        Issue.record("seed \(seed): \(event) gives \(seen.elements), not \(wanted.elements)")
        return
      }
      #expect(!naive.couldThaw, "seed \(seed): \(event) leaves a request frozen")
      if number % 50 == 0 { loader = copy == loader ? copy : loader }
    }
  }

  @Test("As many requests as a scenario may have can freeze, end and follow each other")
  func many() {
    var rig = Rig(limit: 4)
    let count: UInt32 = 60_000
    for load in 0..<count { _ = rig.begin(load, timeout: .seconds(Int64(load) + 100)) }
    for load in 0..<count / 2 { _ = rig.send(.finished(load)) }
    #expect(rig.loader.connection(of: count / 2) != nil)
    let rest = Array(count / 2..<count)
    #expect(rig.send(.cancelled(rest)) == (0..<4).map { .close(HTTPConnectionID(count / 2 + $0)) })
    #expect(rig.loader.nextDeadline == nil)
  }
}
