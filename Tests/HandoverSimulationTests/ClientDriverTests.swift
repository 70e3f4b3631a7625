import HandoverBackend
import HandoverCore
import Testing

@Suite("One set of rules drives the client")
struct ClientDriverTests {
  private static let broken = ChannelPool.Event.connectionBroken(
    ConnectionID(index: 0, generation: 0), .reset)
  private static let drained = ChannelPool.Event.connectionDraining(
    ConnectionID(index: 0, generation: 0))

  private static var script: Script {
    var script = Script()
    script.hosts = [ScriptHost(written: "api.example:443", for: .calls)]
    script.calls = [ScriptCall(id: "one", host: 0, kind: .unary, takes: nil)]
    return script
  }

  @Test("Deferred events are delivered in order: one callback, then the events")
  func holds() {
    var driver = ClientDriver(Self.script, .sockets)
    var trace = Trace()
    for event: ClientCore.Event in [
      .pool(Self.drained), .reachability(.callback([])), .reachability(.callback(.reachable)),
      .pool(Self.broken),
    ] {
      let receives = driver.receives(event, in: .background, at: .zero, into: &trace)
      #expect(!receives)
    }
    let kinds: [DeferredEventKind] = [.transportEvent, .callback, .callback, .transportEvent]
    #expect(trace.records.map(\.body) == kinds.map { .world(.deferred($0)) })
    let held = driver.resume(at: .zero, reading: .zero)
    #expect(held.hasCallback)
    #expect(Array(held.events) == [Self.drained, Self.broken])
    let further = driver.resume(at: .zero, reading: .zero)
    #expect(further == DeferredEvents())
  }

  @Test(
    "A running app is notified immediately, and the initial read is delivered in every state",
    arguments: AppState.allCases)
  func receives(_ app: AppState) {
    #expect(DeferredEvents.isDelivered(.reachability(.initialRead(nil)), in: app))
    #expect(DeferredEvents.isDelivered(.pool(Self.broken), in: app) == app.runs)
    #expect(DeferredEvents.isDelivered(.reachability(.resynchronized([])), in: app) == app.runs)
  }

  @Test("Each effect is recorded when it is fetched, at the instant of its event")
  func orders() {
    var driver = ClientDriver(Self.script, .sockets)
    var trace = Trace()
    let now = Instant.zero + .seconds(3)
    let id = driver.introduce(0)
    driver.deliver(
      .pool(.callStarted(id, driver.callEndpoints[0], CallSettings())), at: now, into: &trace)
    var reported = 1
    while let order = driver.nextOrder(into: &trace) {
      reported += 1
      #expect(trace.records.count == reported)
      #expect(trace.records.last == TraceRecord(at: now, body: .effect(order)))
    }
    #expect(reported > 2)
    let (call, known, ended) = (driver.call(id), driver.id(of: 0), driver.allCallsHaveEnded)
    #expect(call == 0)
    #expect(known == id)
    #expect(!ended)
    driver.deliver(.pool(.callCancelled(id)), at: now, into: &trace)
    while driver.nextOrder(into: &trace) != nil {}
    let haveEnded = driver.allCallsHaveEnded
    #expect(haveEnded)
  }

  @Test("Deadlines wait for the app and for reading, and end with the client")
  func deadlines() {
    var driver = ClientDriver(Self.script, .sockets)
    var trace = Trace()
    let id = driver.introduce(0)
    let due = Instant.zero + .seconds(1)
    driver.deliver(
      .pool(.callStarted(id, driver.callEndpoints[0], CallSettings(deadline: due))), at: .zero,
      into: &trace)
    let (running, suspended) = (
      driver.nextDeadline(in: .foreground), driver.nextDeadline(in: .background)
    )
    #expect(running == due)
    #expect(suspended == nil)
    _ = driver.resume(at: due, reading: .seconds(1))
    let rested = driver.nextDeadline(in: .foreground)
    #expect(rested == due + .seconds(1))
    let leaks = driver.close()
    #expect(leaks == ["a timer due at 1000000 us remains"])
    let closed = driver.nextDeadline(in: .foreground)
    #expect(closed == nil)
  }
}
