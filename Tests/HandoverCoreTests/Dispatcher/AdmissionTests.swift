import HandoverCore
import Testing

@Suite("EndpointDispatcher: admission and prediction")
struct AdmissionTests {
  static let counted: [RequestKind] = [.synchronous, .short]

  @Test("The limits belong to one dispatcher and do not affect another (U12, U24, U64)")
  func limitsAreOfOneDispatcher() throws {
    var first = try DispatcherRig()
    first.arrive(4, .short)
    var second = try DispatcherRig()
    #expect(first.prediction(.short) == .waits(position: 1))
    #expect(second.prediction(.short) == .startsNow && second.core.unfinishedCount == 0)
    #expect(second.arrive(1, .short) == [.start(request(0))])
  }

  @Test(
    "Short and synchronous requests may use the whole total (U13, U14, U15)", arguments: counted)
  func shortUsesTheTotal(_ kind: RequestKind) throws {
    var rig = try DispatcherRig(total: 4, long: 2)
    #expect(rig.arrive(4, kind) == (0..<4).map { .start(request($0)) })
    #expect(rig.arrive(1, kind) == [.wait(request(4), position: 1)])
    #expect(rig.core.holders(of: endpoint(0)) == (0..<4).map { request($0) })
  }

  @Test("Long requests use a part of the total, and the rest is reserved for short ones (U13, U16)")
  func keepsRoomForShort() throws {
    var rig = try DispatcherRig(total: 4, long: 3)
    #expect(rig.arrive(3, .long) == (0..<3).map { .start(request($0)) })
    #expect(rig.prediction(.long) == .refused(.longLimitThrowing))
    #expect(rig.prediction(.short) == .startsNow)
    #expect(rig.arrive(1, .short) == [.start(request(3))])
    #expect(rig.prediction(.short) == .waits(position: 1))
  }

  @Test("A request keeps the kind that its caller declared, however long it takes (U17)")
  func kindIsDeclared() throws {
    var rig = try DispatcherRig()
    rig.arrive(RequestSettings(.short, timeout: .zero))
    rig.wait(until: .seconds(3_600))
    #expect(rig.usage().runningLong == 0 && rig.usage().running == 1)
  }

  @Test("A request is counted and handed over in the step in which it arrives (U18, U23)")
  func countsAtArrival() throws {
    var rig = try DispatcherRig(total: 4, long: 2)
    let effects = rig.arrive(5, .long)
    let started = effects.filter { if case .start = $0 { true } else { false } }
    #expect(started == [.start(request(0)), .start(request(1))])
    #expect(rig.usage().long == 2)
  }

  @Test("A prediction changes nothing, and each endpoint has its own answer (U19, U32)")
  func askingIsFree() throws {
    var rig = try DispatcherRig(total: 2, long: 1)
    let before = rig
    for kind in RequestKind.allCases { _ = rig.prediction(kind) }
    #expect(rig == before)
    rig.arrive(1, .long)
    #expect(rig.prediction(.long) == .refused(.longLimitThrowing))
    #expect(rig.prediction(.long, on: 1) == .startsNow)
  }

  @Test("Queued long requests count, so a prediction below the limit is kept (U20, U22)")
  func queuedLongCounts() throws {
    var rig = try DispatcherRig(total: 2, long: 1, policy: .fail)
    rig.arrive(2, .short)
    #expect(rig.arrive(1, .long) == [.wait(request(2), position: 1)])
    #expect(rig.usage().long == 1 && rig.usage().runningLong == 0)
    #expect(rig.prediction(.long) == .refused(.longLimitFailing))
    #expect(rig.usage(1).long == 0)
  }

  @Test("Short requests count too: below the long limit a long request waits for the total (U21)")
  func countsShortLoad() throws {
    var rig = try DispatcherRig(total: 4, long: 2)
    rig.arrive(4, .short)
    #expect(rig.prediction(.long) == .waits(position: 1))
    #expect(rig.arrive(1, .long) == [.wait(request(4), position: 1)])
    #expect(rig.core.position(of: request(4)) == 1)
    #expect(rig.send(.finished(request(0))).last == .start(request(4)))
    #expect(rig.core.position(of: request(4)) == nil)
  }

  @Test("An exempt request always starts and takes no slot")
  func exemptNeedsNoSlot() throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(1, .short)
    #expect(rig.prediction(.exempt) == .startsNow)
    #expect(rig.arrive(2, .exempt) == [.start(request(1)), .start(request(2))])
    #expect(rig.usage().running == 1 && rig.usage().exempt == 2)
    #expect(rig.core.phase(of: request(1)) == .exempt)
    #expect(rig.send(.finished(request(1))) == [.notify(request(1), .finished)])
  }

  @Test(
    "A request with an identifier that the dispatcher did not issue is a programming error (U60)")
  func trapsOnWrongRequests() async {
    await #expect(processExitsWith: .failure) {
      var rig = try DispatcherRig()
      rig.send(.requestArrived(request(1), endpoint(0), RequestSettings(.short)))
    }
  }

  @Test("An endpoint that was not registered is a programming error (U60)")
  func trapsOnWrongEndpoints() async {
    await #expect(processExitsWith: .failure) {
      var rig = try DispatcherRig()
      rig.arrive(1, .short, on: 2)
    }
  }

  @Test("A copy is independent")
  func copiesAreValues() throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(2, .short)
    let copy = rig
    rig.send(.finished(request(0)))
    #expect(copy.usage().waitingShort == 1 && rig.usage().waitingShort == 0)
    #expect(copy.core.holders(of: endpoint(0)) == [request(0)])
  }
}

@Suite("EndpointDispatcher: at the long limit")
struct LongLimitTests {
  /// Returns a dispatcher whose two long slots are taken by requests 0 and 1.
  func full(_ policy: LongLimitPolicy = .throw) throws -> DispatcherRig {
    var rig = try DispatcherRig(total: 4, long: 2, policy: policy)
    rig.arrive(2, .long)
    return rig
  }

  @Test(
    "`throw` and `fail` refuse in different ways, and nothing is counted (U25, U26)",
    arguments: [(.throw, .longLimitThrowing), (.fail, .longLimitFailing)]
      as [(LongLimitPolicy, RequestRefusal)])
  func refuse(policy: LongLimitPolicy, refusal: RequestRefusal) throws {
    var rig = try full(policy)
    let usage = rig.usage()
    #expect(rig.prediction(.long) == .refused(refusal))
    #expect(
      rig.arrive(1, .long) == [
        .limitReached(request(2), endpoint(0)), .refuse(request(2), refusal),
      ])
    #expect(rig.usage() == usage && rig.core.unfinishedCount == 2)
    #expect(rig.core.nextRequestID == request(2, 1), "what was refused keeps its identifier")
  }

  @Test("`enqueue` waits, counts beyond the limit, and starts in a freed long slot (U27)")
  func enqueue() throws {
    var rig = try full(.enqueue)
    #expect(rig.prediction(.long) == .waits(position: 1))
    #expect(
      rig.arrive(1, .long) == [
        .limitReached(request(2), endpoint(0)), .wait(request(2), position: 1),
      ])
    #expect(rig.usage().long == 3)
    #expect(rig.prediction(.long, policy: .fail) == .refused(.longLimitFailing))
    #expect(
      rig.send(.finished(request(0))) == [
        .slotReleased(request(0)), .notify(request(0), .finished), .start(request(2)),
      ])
  }

  @Test("A request may have its own policy (U16, U28, U29)")
  func ownPolicy() throws {
    var rig = try full(.throw)
    #expect(rig.prediction(.long, policy: .enqueue) == .waits(position: 1))
    #expect(
      rig.arrive(RequestSettings(.long, policy: .enqueue)).last
        == .wait(request(2), position: 1))
    var room = try DispatcherRig()
    #expect(
      room.arrive(RequestSettings(.long, policy: .fail)) == [.start(request(0))],
      "below the limit no policy matters")
  }

  @Test("`ignore` freezes the request, and the slots reserved for short requests stay reserved")
  func ignore() throws {
    var rig = try full(.ignore)
    #expect(rig.prediction(.long) == .freezes)
    #expect(
      rig.arrive(1, .long) == [.limitReached(request(2), endpoint(0)), .hold(request(2))])
    #expect(rig.core.phase(of: request(2)) == .frozen && rig.usage().running == 2)
    #expect(rig.arrive(1, .short) == [.start(request(3))])
    // The transport does not have the request, so its event is invalid.
    #expect(rig.send(.failed(request(2), code: -1001)) == [])
    for index in 0..<2 { rig.send(.responded(request(UInt32(index)))) }
    rig.send(.finished(request(3)))
    #expect(
      rig.wait(until: .seconds(60)) == [.notify(request(2), .failed(code: -1001))],
      "it ends as on a platform that has no connection for it")
  }

  @Test("A request frozen by `ignore` thaws when a long slot is free, and not before")
  func ignoredThaws() throws {
    var rig = try full(.ignore)
    rig.arrive(2, .short)
    rig.arrive(1, .long)
    rig.arrive(1, .short)
    #expect(
      rig.send(.finished(request(2))) == [
        .slotReleased(request(2)), .notify(request(2), .finished), .start(request(5)),
      ], "the slot of a short one is for a short one")
    #expect(
      rig.send(.finished(request(0))) == [
        .slotReleased(request(0)), .notify(request(0), .finished), .thaw(request(4)),
      ])
    #expect(rig.usage().runningLong == 2 && rig.usage().frozen == 0)
    #expect(rig.send(.responded(request(4))) == [])
    #expect(rig.core.nextDeadline != nil && rig.core.phase(of: request(4)) == .running)
  }

  @Test("A waiting long request and a frozen one get a long slot in their order of arrival")
  func ignoredKeepsItsTurn() throws {
    var rig = try full(.ignore)
    let frozen = rig.core.nextRequestID
    rig.arrive(1, .long)
    let waiting = rig.core.nextRequestID
    rig.arrive(RequestSettings(.long, policy: .enqueue))
    #expect(
      rig.send(.cancelled(request(0))) == [
        .abandon(request(0)), .slotReleased(request(0)), .notify(request(0), .cancelled),
        .thaw(frozen),
      ])
    #expect(rig.send(.cancelled(request(1))).last == .start(waiting))
    #expect(rig.send(.cancelled(frozen)).first == .abandon(frozen), "now the transport has it")
  }

  @Test("A stream that is cancelled while frozen by `ignore` leaves nothing behind")
  func ignoredIsCancelled() throws {
    var rig = try full(.ignore)
    rig.arrive(1, .long)
    #expect(rig.send(.cancelled(request(2))) == [.notify(request(2), .cancelled)])
    #expect(rig.core.unfinishedCount == 2 && rig.usage().frozen == 0)
  }

  @Test("A higher long limit thaws requests that were frozen by `ignore`")
  func ignoredThawsAtALimit() throws {
    var rig = try full(.ignore)
    rig.arrive(1, .long)
    let higher = try ConnectionLimits(total: 4, long: 3)
    #expect(rig.send(.limitsChanged(higher)) == [.thaw(request(2))])
  }

  @Test("`takeSpare` uses slots reserved for short requests, and freezes if none is left")
  func takeSpare() throws {
    var rig = try full(.takeSpare)
    rig.arrive(1, .short)
    #expect(rig.prediction(.long) == .startsNow)
    #expect(
      rig.arrive(1, .long) == [.limitReached(request(3), endpoint(0)), .start(request(3))])
    #expect(rig.usage().runningLong == 3)
    #expect(rig.prediction(.long) == .freezes)
    #expect(
      rig.arrive(1, .long) == [.limitReached(request(4), endpoint(0)), .freeze(request(4))])
    #expect(rig.core.phase(of: request(4)) == .frozen)
    #expect(rig.usage().running == 4 && rig.usage().frozen == 1)
    // Only the platform's own timeout ends it; no timer of the dispatcher does.
    #expect(rig.wait(until: .seconds(59)) == [])
    #expect(
      rig.send(.failed(request(4), code: -1001)) == [.notify(request(4), .failed(code: -1001))])
  }

  @Test("A frozen request gets the first free connection, because the platform already has it")
  func frozenIsFirst() throws {
    var rig = try DispatcherRig(total: 1, long: 1, policy: .takeSpare)
    rig.arrive(2, .long)
    rig.arrive(1, .short)
    #expect(
      rig.send(.finished(request(0))) == [
        .slotReleased(request(0)), .notify(request(0), .finished), .thaw(request(1)),
      ])
    #expect(rig.core.holders(of: endpoint(0)) == [request(1)])
    #expect(
      rig.send(.cancelled(request(1))) == [
        .abandon(request(1)), .slotReleased(request(1)), .notify(request(1), .cancelled),
        .start(request(2)),
      ])
  }

  @Test("`poll` replaces the stream by short requests with rests between them")
  func poll() throws {
    var rig = try full(.poll(every: .seconds(3)))
    #expect(rig.prediction(.long) == .polls(position: 0))
    #expect(
      rig.arrive(1, .long) == [
        .limitReached(request(2), endpoint(0)), .replaceByPolls(request(2), every: .seconds(3)),
        .startPoll(request(2)),
      ])
    #expect(rig.usage().running == 3 && rig.usage().runningLong == 2)
    #expect(rig.send(.pollAnswered(request(2)), at: .seconds(1)) == [.slotReleased(request(2))])
    #expect(rig.core.phase(of: request(2)) == .resting && rig.usage().running == 2)
    #expect(rig.core.nextDeadline == .seconds(4))
    #expect(rig.wait(until: .seconds(4)) == [.startPoll(request(2))])
    #expect(
      rig.send(.finished(request(2))) == [
        .slotReleased(request(2)), .notify(request(2), .finished),
      ])
  }

  @Test("A poll joins the queue of short requests each time")
  func pollsWait() throws {
    var rig = try full(.poll())
    rig.arrive(2, .short)
    #expect(rig.prediction(.long) == .polls(position: 1))
    #expect(rig.arrive(1, .long).last == .wait(request(4), position: 1))
    rig.arrive(1, .short)
    #expect(rig.send(.finished(request(2))).last == .startPoll(request(4)))
    #expect(
      rig.send(.pollAnswered(request(4))) == [
        .slotReleased(request(4)), .start(request(5)),
      ])
    #expect(rig.wait(until: .seconds(1)) == [.wait(request(4), position: 1)])
    #expect(rig.send(.cancelled(request(4))) == [.notify(request(4), .cancelled)])
  }

  @Test("A resting stream can be cancelled, and ends at its deadline")
  func restingEnds() throws {
    var rig = try full(.poll(every: .seconds(3)))
    rig.arrive(RequestSettings(.long, deadline: .seconds(2)))
    rig.send(.pollAnswered(request(2)))
    let cancelled = rig.after { $0.send(.cancelled(request(2))) }
    #expect(cancelled.core.unfinishedCount == 2)
    #expect(rig.wait(until: .seconds(2)) == [.notify(request(2), .deadlineExceeded)])
  }
}
