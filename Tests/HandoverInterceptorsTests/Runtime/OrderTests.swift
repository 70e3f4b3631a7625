import Dispatch
import HandoverCore
import HandoverInterceptors
import Synchronization
import Testing

/// Runs jobs on a concurrent dispatch queue, as a task executor.
private final class PoolExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "pool", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Detects when two pieces of work run at the same time.
private final class Turnstile: Sendable {
  private let passed = Mutex(0)
  let collisions = Record<Void>()

  func pass() {
    let count: Int? = passed.withLockIfAvailable { passed in
      for _ in 0..<100 { passed += 1 }
      return passed
    }
    if count == nil { collisions.add(()) }
  }
}

@Suite("Order over concurrent queues", .timeLimit(.minutes(30)))
struct OrderTests {
  static let calls = 24
  static let messages = 40

  static func places() -> [ExecutionPlace] {
    [
      .dispatch(DispatchQueue(label: "concurrent", attributes: .concurrent)),
      .dispatch(DispatchQueue(label: "serial")), .tasks(PoolExecutor()),
    ]
  }

  /// Detects in both directions whether it runs alone.
  private struct Watching: Interceptor {
    let turnstile: Shared<Turnstile>

    mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
      turnstile.object.pass()
      manager.writeNextInterceptor(message)
    }

    mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
      turnstile.object.pass()
      manager.forwardPreviousInterceptor(message: message)
    }
  }

  @Test(
    "I12, I13, I14: Many concurrent calls keep their order on every hop", arguments: 0..<3)
  func order(place: Int) async throws {
    let place = Self.places()[place]
    let turnstiles = Record<Turnstile>()
    let shared = Turnstile()
    let transport = EchoTransport()
    let client = InterceptedClient(
      transport,
      .apart {
        $0.place = place
        $0.places = ["pool": place, "all": place]
      })
    func watching(_ name: String, _ queues: InterceptorQueues) -> Making {
      Making(name, queues: queues) { _ in
        let turnstile = Turnstile()
        turnstiles.add(turnstile)
        return Watching(turnstile: Shared(object: turnstile))
      }
    }
    let options = CallOptions(
      watching("own", .own), watching("concurrent", .concurrent("pool")),
      Making("shared", queues: .shared("all")) { _ in
        Watching(turnstile: Shared(object: shared))
      },
      watching("separate", .separate))
    let ears = (0..<Self.calls).map { _ in Ear() }
    let calls = try ears.map { try client.makeCall(.echo, options, handler: $0.handler(on: place)) }
    DispatchQueue.concurrentPerform(iterations: Self.calls) { index in
      calls[index].start()
      for number in 0..<Self.messages { calls[index].write(Message("\(index).\(number)")) }
      calls[index].finish()
    }
    for (index, ear) in ears.enumerated() {
      let received = await ear.received()
      #expect(received.texts == (0..<Self.messages).map { "\(index).\($0)" })
      #expect(received.closes == [CallClose(.ok)])
    }
    #expect((turnstiles.all + [shared]).allSatisfy { $0.collisions.all.isEmpty })
    #expect(transport.byAttempt.allSatisfy { $0.count == Self.messages + 2 })
  }

  @Test("A handler on a concurrent queue receives one event at a time", arguments: 0..<3)
  func handler(place: Int) async throws {
    let turnstile = Turnstile()
    let ear = Ear()
    var handler = ear.handler(on: Self.places()[place])
    let inner = handler.didReceiveData
    handler.didReceiveData = {
      turnstile.pass()
      inner?($0)
    }
    let call = try InterceptedClient(EchoTransport(), .apart()).makeCall(.echo, handler: handler)
    call.start()
    for number in 0..<200 { call.write(Message("\(number)")) }
    call.finish()
    #expect(await ear.received().texts == (0..<200).map(String.init))
    #expect(turnstile.collisions.all.isEmpty)
  }

  @Test(
    "A cancel that races with everything else closes each call once, and nothing is sent after it",
    arguments: 0..<3)
  func cancelRaces(place: Int) async throws {
    let place = Self.places()[place]
    let transport = EchoTransport()
    let client = InterceptedClient(transport, .apart { $0.place = place })
    let ears = (0..<100).map { _ in Ear() }
    let calls = try ears.map {
      try client.makeCall(
        .echo, CallOptions(Making("first"), Making("second", queues: .separate)),
        handler: $0.handler(on: place))
    }
    DispatchQueue.concurrentPerform(iterations: calls.count * 2) { index in
      let call = calls[index / 2]
      guard index.isMultiple(of: 2) else { return call.cancel() }
      call.start()
      call.write(Message("hello"))
      call.finish()
    }
    for ear in ears {
      let close = try #require(await ear.received().closes.first)
      #expect(close.status.code == .cancelled || close == CallClose(.ok))
    }
    for orders in transport.byAttempt {
      guard let cancel = orders.firstIndex(of: .cancel) else { continue }
      #expect(cancel == orders.count - 1)
    }
    for ear in ears { #expect(await ear.receivedSoFar().isEmpty) }
  }
}
