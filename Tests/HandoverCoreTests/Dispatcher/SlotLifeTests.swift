import HandoverCore
import Testing

@Suite("EndpointDispatcher: the life of a slot")
struct SlotLifeTests {
  /// An event that ends request 0, the reported end, and whether the transport must be notified
  /// too.
  struct WayOut: Sendable, CustomTestStringConvertible {
    var event: EndpointDispatcher.Event
    var at = Instant.zero
    var end: RequestEnd
    var isAbandoned = false

    var testDescription: String { "\(end)" }
  }

  static let waysOut = [
    WayOut(event: .finished(request(0)), end: .finished),
    WayOut(event: .failed(request(0), code: -1005), end: .failed(code: -1005)),
    WayOut(event: .notStarted(request(0)), end: .notStarted),
    WayOut(event: .connectionsLost(endpoint(0)), end: .connectionLost),
    WayOut(event: .cancelled(request(0)), end: .cancelled, isAbandoned: true),
    WayOut(event: .timeElapsed, at: .seconds(60), end: .timedOut, isAbandoned: true),
    WayOut(event: .closed, end: .closed, isAbandoned: true),
  ]

  @Test(
    "Every end frees the slot and the long count before it is reported (U37, U38, U46, U59, U81)",
    arguments: waysOut, [RequestKind.long, .short, .synchronous])
  func everyWayOut(_ way: WayOut, kind: RequestKind) throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(1, kind)
    var expected: [DispatcherEffect] = way.isAbandoned ? [.abandon(request(0))] : []
    expected += [.slotReleased(request(0)), .notify(request(0), way.end)]
    #expect(rig.send(way.event, at: way.at) == expected)
    #expect(rig.usage().running == 0 && rig.usage().long == 0)
    #expect(rig.core.nextDeadline == nil && rig.core.unfinishedCount == 0)
    if way.end != .closed { #expect(rig.prediction(kind) == .startsNow) }
  }

  @Test(
    "Every end starts the next request after it is reported (U39)",
    arguments: waysOut.filter { $0.end != .closed })
  func nextStarts(_ way: WayOut) throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(2, .short)
    #expect(
      rig.send(way.event, at: way.at).suffix(2) == [
        .notify(request(0), way.end), .start(request(1)),
      ])
  }

  @Test("A second cancel, or one after the end, has no effect (U47)")
  func cancelTwice() throws {
    var rig = try DispatcherRig()
    rig.arrive(1, .long)
    rig.send(.cancelled(request(0)))
    #expect(rig.send(.cancelled(request(0))) == [])
  }

  @Test("Events of the transport about an ended request are dropped (U49, U53)")
  func lateFacts() throws {
    var rig = try DispatcherRig()
    rig.arrive(1, .long)
    rig.send(.cancelled(request(0)))
    rig.arrive(1, .long)
    let before = rig
    for event: EndpointDispatcher.Event in [
      .finished(request(0)), .failed(request(0), code: -1001), .responded(request(0)),
      .notStarted(request(0)), .pollAnswered(request(0)), .cancelled(request(0)),
    ] {
      #expect(rig.send(event) == [])
    }
    #expect(rig == before, "its place has another owner, who is not concerned")
  }

  @Test("The dispatcher ignores the status of a response (U58)")
  func statusIsNotExamined() throws {
    var rig = try DispatcherRig()
    rig.arrive(1, .short)
    rig.send(.responded(request(0)))
    #expect(rig.send(.finished(request(0))).last == .notify(request(0), .finished))
  }

  @Test("The state of a request, the slot owners and the queue lengths can be queried (U22, U57)")
  func inspection() throws {
    var rig = try DispatcherRig(total: 2, long: 1, policy: .enqueue)
    rig.arrive(2, .long)
    rig.arrive(2, .short)
    #expect(rig.core.holders(of: endpoint(0)) == [request(0), request(2)])
    #expect(rig.core.phase(of: request(0)) == .running)
    #expect(rig.core.phase(of: request(1)) == .waiting)
    #expect(rig.core.position(of: request(1)) == 1 && rig.core.position(of: request(0)) == nil)
    let usage = rig.usage()
    #expect(usage.total == 2 && usage.longLimit == 1 && usage.running == 2)
    #expect(usage.runningLong == 1 && usage.waitingShort == 1 && usage.waitingLong == 1)
    #expect(usage.long == 2 && usage.frozen == 0 && usage.exempt == 0)
    #expect(rig.usage(1).running == 0 && rig.core.unfinishedCount == 4)
  }

  @Test("Lost connections end their requests, free all slots and start the next requests")
  func connectionsLost() throws {
    var rig = try DispatcherRig(total: 2, long: 2)
    rig.arrive(2, .long)
    rig.arrive(1, .exempt)
    rig.arrive(3, .short)
    rig.arrive(1, .short, on: 1)
    #expect(
      rig.send(.connectionsLost(endpoint(0))) == [
        .slotReleased(request(0)), .notify(request(0), .connectionLost),
        .slotReleased(request(1)), .notify(request(1), .connectionLost),
        .notify(request(2), .connectionLost), .start(request(3)), .start(request(4)),
      ])
    #expect(rig.core.position(of: request(5)) == 1 && rig.usage(1).running == 1)
  }

  @Test("A frozen request survives lost connections and gets the first new one")
  func frozenSurvives() throws {
    var rig = try DispatcherRig(total: 1, long: 1, policy: .ignore)
    rig.arrive(2, .long)
    rig.send(.connectionsLost(endpoint(0)))
    #expect(rig.core.holders(of: endpoint(0)) == [request(1)])
  }

  @Test("A close ends everything, including waiting requests, and starts nothing (U50, U65)")
  func closes() throws {
    var rig = try DispatcherRig(total: 1, long: 0, policy: .poll())
    rig.arrive(1, .long)
    rig.send(.pollAnswered(request(0)))
    rig.arrive(2, .short)
    rig.arrive(1, .exempt)
    #expect(
      rig.send(.closed) == [
        .notify(request(0), .closed),
        .abandon(request(1)), .slotReleased(request(1)), .notify(request(1), .closed),
        .notify(request(2), .closed), .abandon(request(3)), .notify(request(3), .closed),
      ])
    #expect(rig.prediction(.short) == .refused(.closed))
    let late = rig.core.nextRequestID
    #expect(rig.arrive(1, .long) == [.refuse(late, .closed)])
    #expect(rig.send(.closed) == [] && rig.core.nextDeadline == nil)
  }
}
