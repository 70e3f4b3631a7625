import HandoverCore
import Testing

/// OkHttp's pool: an idle connection is used again without a check whether it still works.
@Suite("The HTTP/1.1 connection pool")
struct HTTPConnectionPoolTests {
  /// A pool and its last effects.
  struct Rig {
    var pool = HTTPConnectionPool()
    var now = Instant.zero

    mutating func send(
      _ event: CarrierEvent, at milliseconds: Int64? = nil
    ) -> [CarrierEffect] {
      if let milliseconds { now = .zero + .milliseconds(milliseconds) }
      var effects = EffectLog<CarrierEffect>()
      pool.step(event, at: now, into: &effects)
      return effects.elements
    }

    mutating func begin(
      _ id: UInt32, endpoint: UInt32 = 0, pool: UInt32 = 0, timeout: Interval = .seconds(10),
      isExempt: Bool = false, body: RequestBody = .none, at milliseconds: Int64? = nil
    ) -> [CarrierEffect] {
      send(
        .started(
          CarriedRequest(
            id: id, endpoint: endpoint, pool: pool, timeout: timeout, isExempt: isExempt,
            body: body)), at: milliseconds)
    }

    /// Lets requests run on new connections with the same numbers until they are finished.
    mutating func finish(_ ids: ClosedRange<UInt32>, pool: UInt32 = 0) {
      for id in ids { _ = begin(id, endpoint: id, pool: pool) }
      for id in ids { _ = send(.connected(HTTPConnectionID(id))) }
      for id in ids { _ = send(.finished(id)) }
    }

    /// Returns the digest of the pool at an instant.
    func digest(at instant: Instant) -> StateDigest {
      var digest = StateDigest(at: instant)
      pool.combine(into: &digest)
      return digest
    }

    mutating func lose(_ connection: UInt32, at milliseconds: Int64? = nil) -> [CarrierEffect] {
      send(
        .connectionLost(HTTPConnectionID(connection), code: RequestErrorCode.connectionLost),
        at: milliseconds)
    }
  }

  private func opens(
    _ connection: UInt32, for request: UInt32, endpoint: UInt32 = 0
  ) -> [CarrierEffect] {
    let id = HTTPConnectionID(connection)
    return [.open(id, endpoint: endpoint, pool: 0), .send(request, id)]
  }

  @Test("Every request without an idle connection opens one, without a limit")
  func noLimit() {
    var rig = Rig()
    for id in 0..<100 as Range<UInt32> { #expect(rig.begin(id) == opens(id, for: id)) }
  }

  @Test("A request takes the idle connection to its endpoint that was opened first")
  func reuse() {
    var rig = Rig()
    for id in 0...1 as ClosedRange<UInt32> { _ = rig.begin(id) }
    for id in [1, 0] as [UInt32] {
      _ = rig.send(.connected(HTTPConnectionID(id)))
      #expect(rig.send(.finished(id)).isEmpty)
    }
    #expect(rig.begin(2, endpoint: 1) == opens(2, for: 2, endpoint: 1))
    #expect(rig.begin(3) == [.send(3, HTTPConnectionID(0))])
    #expect(rig.begin(4) == [.send(4, HTTPConnectionID(1))])
  }

  @Test("Pools do not share connections")
  func pools() {
    var rig = Rig()
    rig.finish(0...0)
    let id = HTTPConnectionID(1)
    #expect(rig.begin(1, pool: 1) == [.open(id, endpoint: 0, pool: 1), .send(1, id)])
  }

  @Test("The sixth idle connection closes the one that was idle for the longest time")
  func idleLimit() {
    var rig = Rig()
    rig.finish(0...4)
    rig.finish(5...5, pool: 1)
    _ = rig.begin(6, endpoint: 6)
    _ = rig.send(.connected(HTTPConnectionID(6)))
    #expect(rig.send(.finished(6)) == [.close(HTTPConnectionID(0))])
  }

  @Test("An idle connection is closed after five minutes")
  func idleTime() {
    var rig = Rig()
    rig.finish(0...0)
    #expect(rig.pool.nextDeadline == .zero + .seconds(300))
    #expect(rig.send(.timeElapsed, at: 299_999).isEmpty)
    #expect(rig.send(.timeElapsed, at: 300_000) == [.close(HTTPConnectionID(0))])
    #expect(rig.pool.nextDeadline == nil)
  }

  @Test("An attempt ends after ten seconds, whatever the timeout of the request")
  func connectTimeout() {
    var rig = Rig()
    _ = rig.begin(0, timeout: .zero)
    #expect(rig.send(.timeElapsed, at: 9_999).isEmpty)
    #expect(
      rig.send(.timeElapsed, at: 10_000) == [
        .fail(0, code: RequestErrorCode.timedOut), .close(HTTPConnectionID(0)),
      ])
  }

  @Test("The read timeout starts with the connection and with each part, and is never repeated")
  func readTimeout() {
    var rig = Rig()
    rig.finish(0...0)
    _ = rig.begin(1, at: 1_000)
    _ = rig.send(.received(1), at: 8_000)
    #expect(rig.send(.timeElapsed, at: 17_999).isEmpty)
    #expect(
      rig.send(.timeElapsed, at: 18_000) == [
        .fail(1, code: RequestErrorCode.timedOut), .close(HTTPConnectionID(0)),
      ])
    _ = rig.begin(2, at: 20_000)
    _ = rig.send(.connected(HTTPConnectionID(1)), at: 29_000)
    #expect(rig.send(.timeElapsed, at: 38_999).isEmpty)
    #expect(rig.send(.timeElapsed, at: 39_000).count == 2)
  }

  @Test("Without a read timeout, a request on an established connection has no deadline")
  func noReadTimeout() {
    var rig = Rig()
    _ = rig.begin(0, timeout: .zero)
    _ = rig.send(.connected(HTTPConnectionID(0)))
    #expect(rig.pool.nextDeadline == nil)
  }

  @Test("The loss of an idle connection has no effect until a request fails on the connection")
  func lostIdle() {
    var rig = Rig()
    rig.finish(0...0)
    #expect(rig.lose(0, at: 5_000).isEmpty)
    #expect(
      rig.begin(1, at: 6_000) == [.retry(1, from: HTTPConnectionID(0))] + opens(1, for: 1))
  }

  @Test("A body that can be sent once is not repeated, and a repeatable body is")
  func bodies() {
    for body in [RequestBody.oneShot, .repeatable] {
      var rig = Rig()
      rig.finish(0...0)
      _ = rig.lose(0, at: 5_000)
      let effects = rig.begin(1, body: body, at: 6_000)
      #expect(
        effects
          == (body == .oneShot
            ? [.fail(1, code: RequestErrorCode.connectionLost)]
            : [.retry(1, from: HTTPConnectionID(0))] + opens(1, for: 1)))
    }
  }

  @Test("From ten idle seconds on, a POST does not use a lost connection, and a GET does")
  func probe() {
    for (body, at, isProbed) in [
      (RequestBody.oneShot, 9_999 as Int64, false), (.oneShot, 10_000, true),
      (.repeatable, 10_000, true), (.none, 60_000, false),
    ] {
      var rig = Rig()
      rig.finish(0...0)
      _ = rig.lose(0, at: 5_000)
      #expect((rig.begin(1, body: body, at: at) == opens(1, for: 1)) == isProbed, "\(body) \(at)")
    }
  }

  @Test("A used connection that breaks before the response repeats the request")
  func lostUsed() {
    var rig = Rig()
    rig.finish(0...0)
    _ = rig.begin(1, at: 1_000)
    #expect(rig.lose(0, at: 2_000) == [.retry(1, from: HTTPConnectionID(0))] + opens(1, for: 1))
    // The new connection has no replacement, because a host has one route.
    #expect(rig.lose(1, at: 3_000) == [.fail(1, code: RequestErrorCode.connectionLost)])
  }

  @Test("A connection that breaks after the response has begun fails the request")
  func lostResponse() {
    var rig = Rig()
    rig.finish(0...0)
    _ = rig.begin(1, at: 1_000)
    _ = rig.send(.received(1))
    #expect(rig.lose(0) == [.fail(1, code: RequestErrorCode.connectionLost)])
  }

  @Test("A canceled request closes its connection, and later events about it are dropped")
  func cancelled() {
    var rig = Rig()
    _ = rig.begin(0)
    #expect(rig.send(.cancelled([0])) == [.close(HTTPConnectionID(0))])
    #expect(rig.send(.finished(0)).isEmpty)
    #expect(rig.send(.received(0)).isEmpty)
    #expect(rig.send(.connected(HTTPConnectionID(0))).isEmpty)
    #expect(rig.lose(0).isEmpty)
    #expect(rig.lose(9).isEmpty)
    #expect(rig.pool.nextDeadline == nil)
  }

  @Test("A draining connection and that of a WebSocket are closed after the response")
  func notKept() {
    var rig = Rig()
    _ = rig.begin(0)
    _ = rig.begin(1, isExempt: true)
    _ = rig.send(.draining(HTTPConnectionID(0)))
    for id in 0...1 as ClosedRange<UInt32> {
      #expect(rig.send(.finished(id)) == [.close(HTTPConnectionID(id))])
    }
    rig.finish(2...2)
    #expect(rig.send(.draining(HTTPConnectionID(2))) == [.close(HTTPConnectionID(2))])
  }

  @Test("Closing ends every request and every connection, and later requests fail")
  func closed() {
    var rig = Rig()
    rig.finish(0...1)
    _ = rig.lose(0)
    _ = rig.begin(2, endpoint: 2)
    let cancelled = RequestErrorCode.cancelled
    #expect(
      rig.send(.closed) == [
        .fail(2, code: cancelled), .close(HTTPConnectionID(1)), .close(HTTPConnectionID(2)),
      ])
    #expect(rig.begin(3) == [.fail(3, code: cancelled)])
  }

  @Test("Digests distinguish a lost idle connection from a usable one")
  func digest() {
    func digest(isLost: Bool) -> StateDigest {
      var rig = Rig()
      rig.finish(0...0)
      if isLost { _ = rig.lose(0) }
      return rig.digest(at: rig.now)
    }
    #expect(digest(isLost: false) == digest(isLost: false))
    #expect(digest(isLost: false) != digest(isLost: true))
  }

  @Test("Digests distinguish requests, their connections, and the times since which they are idle")
  func digestParts() {
    let stories: [(inout Rig) -> Void] = [
      { _ in },
      { _ = $0.begin(0) },
      { _ = $0.begin(1) },
      { _ = $0.begin(0, endpoint: 1) },
      { _ = $0.begin(0, pool: 1) },
      { _ = $0.begin(0, timeout: .seconds(5)) },
      { _ = $0.begin(0, isExempt: true) },
      { _ = $0.begin(0, body: .repeatable) },
      { _ = $0.begin(0, body: .oneShot) },
      { rig in
        _ = rig.begin(0)
        _ = rig.send(.connected(HTTPConnectionID(0)))
      },
      { rig in
        _ = rig.begin(0)
        _ = rig.send(.connected(HTTPConnectionID(0)))
        _ = rig.send(.received(0))
      },
      { rig in
        rig.now = .milliseconds(10)
        rig.finish(0...0)
      },
      { rig in
        rig.now = .milliseconds(20)
        rig.finish(0...0)
      },
    ]
    let digests = stories.map { story in
      var rig = Rig()
      story(&rig)
      return rig.digest(at: .seconds(1))
    }
    #expect(Set(digests).count == stories.count)
  }

  @Test("Random events never break the pool: each request ends once, and copies are independent")
  func random() {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var rig = Rig()
      var live: Set<UInt32> = []
      var opened: UInt32 = 0
      var next: UInt32 = 0
      for _ in 0..<120 {
        rig.now = rig.now + .milliseconds(Int64(generator.next(upToAndIncluding: 4_000)))
        let event = Self.event(&generator, live: live.sorted(), opened: opened, next: next)
        if case .started(let request) = event {
          live.insert(request.id)
          next += 1
        }
        if case .finished(let id) = event { live.remove(id) }
        if case .cancelled(let ids) = event { live.subtract(ids) }
        var copy = rig
        let effects = rig.send(event)
        #expect(copy.send(event) == effects, "seed \(seed)")
        for effect in effects {
          if case .open(let id, _, _) = effect { opened = id.index + 1 }
          if case .fail(let id, _) = effect { #expect(live.remove(id) != nil, "seed \(seed)") }
        }
        for id in live { #expect(rig.pool.connection(of: id) != nil, "seed \(seed)") }
      }
      let ends = rig.send(.closed).count { if case .fail = $0 { true } else { false } }
      #expect(ends == live.count, "seed \(seed)")
    }
  }

  private static func event(
    _ generator: inout SeededGenerator, live: [UInt32], opened: UInt32, next: UInt32
  ) -> CarrierEvent {
    func below(_ count: Int) -> Int { Int(generator.next(upToAndIncluding: UInt64(count - 1))) }
    let connection = HTTPConnectionID(UInt32(below(Int(opened) + 1)))
    let request = live.isEmpty ? 0 : live[below(live.count)]
    return switch below(10) {
    case 0...2:
      .started(
        CarriedRequest(
          id: next, endpoint: UInt32(below(2)), pool: UInt32(below(2)),
          timeout: .seconds(Int64(below(3)) * 5), isExempt: below(8) == 0,
          body: RequestBody.allCases[below(3)]))
    case 3: .connected(connection)
    case 4: .received(request)
    case 5, 6: live.isEmpty ? .timeElapsed : .finished(request)
    case 7: .connectionLost(connection, code: RequestErrorCode.connectionLost)
    case 8: below(3) == 0 ? .draining(connection) : .cancelled(live.isEmpty ? [] : [request])
    default: .timeElapsed
    }
  }
}
