import Testing

@testable import HandoverCore

@Suite("Rows of a table")
struct RowsTests {
  /// A table and the array that it must equal.
  struct Pair {
    var rows = Rows<UInt64>()
    var oracle: [UInt64] = []

    var agrees: Bool {
      rows.count == oracle.count && oracle.indices.allSatisfy { rows[$0] == oracle[$0] }
    }
  }

  @Test(
    "Tables agree with arrays, whatever is written to them and to their copies",
    arguments: [1, 2, 3, 4] as [UInt64])
  func agreeWithArrays(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pairs = [Pair()]
    for step in 0..<4_000 {
      let index = Int(generator.next(upToAndIncluding: UInt64(pairs.count - 1)))
      let value = generator.next()
      switch generator.next(upToAndIncluding: 9) {
      case 0...4:
        pairs[index].rows.append(value)
        pairs[index].oracle.append(value)
      case 5...6:
        guard !pairs[index].oracle.isEmpty else { continue }
        let row = Int(value % UInt64(pairs[index].oracle.count))
        pairs[index].rows[row] = value
        pairs[index].oracle[row] = value
      case 7:
        guard let last = pairs[index].oracle.popLast() else { continue }
        #expect(pairs[index].rows.removeLast() == last)
      case 8:
        guard step % 10 == 0 else { continue }
        let count = Int(value % 12)
        if count < pairs[index].oracle.count {
          pairs[index].rows.removeLast(pairs[index].oracle.count - count)
          pairs[index].oracle.removeLast(pairs[index].oracle.count - count)
        } else {
          pairs[index].rows.fill(with: value, count: count)
          pairs[index].oracle = Array(repeating: value, count: count)
        }
        guard value & 64 == 0 else { continue }
        pairs[index].rows.removeAll()
        pairs[index].oracle.removeAll()
      default:
        // The owner of one table detaches it from the storage that both share.
        var copy = pairs[index]
        copy.rows.detach()
        if pairs.count < 8 { pairs.append(copy) } else { pairs[Int(value % 8)] = copy }
      }
      guard pairs.allSatisfy(\.agrees) else {
        Issue.record("seed \(seed): a table and its array differ after step \(step)")
        return
      }
    }
  }

  @Test("Tables with equal rows are equal and hash equally, whatever their capacity")
  func areEqualByTheirRows() {
    var small = Rows<UInt64>()
    var large = Rows<UInt64>(reserving: 100)
    for value in 0..<10 as Range<UInt64> {
      small.append(value)
      large.append(value)
    }
    #expect(small == large && small.hashValue == large.hashValue)
    large[3] = 0
    #expect(small != large)
    _ = small.removeLast()
    #expect(small != large)
  }
}

@Suite("The effect log")
struct EffectLogTests {
  @Test("The log keeps effects in order beyond its capacity, and can be emptied")
  func keepsEffectsInOrder() {
    var log = EffectLog<ClientEffect>(reserving: 0)
    for index in UInt32(0)..<100 { log.append(.fetchToken(call(index))) }
    let expected = (UInt32(0)..<100).map { ClientEffect.fetchToken(call($0)) }
    let (count, elements, last) = (log.count, log.elements, log[99])
    #expect(count == 100)
    #expect(elements == expected)
    #expect(last == .fetchToken(call(99)))
    log.removeAll()
    let isEmpty = log.isEmpty
    #expect(isEmpty)
  }
}

@Suite("Copies of a pool")
struct PoolCopyTests {
  /// A rig with a running call, a call that waits with a deadline, and a draining connection.
  static let busy = Rig().after {
    $0.send(.reachability(.initialRead(.wifi)))
    $0.start(on: 0)
    $0.send(.connected(connection(0)))
    $0.send(.connectionDraining(connection(0)))
    $0.start(on: 1, CallSettings(deadline: .seconds(5)))
  }

  static let changes: [ClientCore.Event] = [
    .reachability(.callback(.cellular)), .pool(.connected(connection(1))),
    .pool(.connectFailed(connection(1), .refused)), .pool(.callCancelled(call(0))),
    .pool(.callStarted(call(2), endpoint(0), CallSettings())), .pool(.timeElapsed),
    .pool(.disconnectRequested(endpoint(1))), .pool(.closed),
  ]

  @Test("An event for one copy does not change the other", arguments: changes)
  func areIndependent(change: ClientCore.Event) {
    let before = Self.busy.core.pool
    let untouched = Self.busy.after { _ in }
    var reported = Self.busy
    reported.send(change, at: .seconds(20))
    #expect(reported.core.pool != before)
    #expect(Self.busy.core.pool == before)
    #expect(untouched.core.pool == Self.busy.core.pool)
    // The unchanged copy may still change, and the first one does not see it.
    var late = untouched
    let seen = reported.core.pool
    late.send(.closed, at: .seconds(21))
    #expect(reported.core.pool == seen)
  }

  @Test("A key that one copy registers does not change the other")
  func areIndependentOfKeys() {
    let original = ClientCore(PoolConfiguration(policy: Profile.sockets.policy))
    var other = original
    let key = ChannelKey(host: HostName("c.example"), options: ChannelOptions())
    #expect(other.register(key) == endpoint(0))
    #expect(other != original)
    var late = original
    #expect(late.register(key) == endpoint(0))
    #expect(late == other)
  }
}
