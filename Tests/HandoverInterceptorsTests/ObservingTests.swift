import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Logging and metrics")
struct ObservingTests {
  private static func unaryCall(
    _ factory: any InterceptorFactory
  ) throws -> (ChainWorld, ChainID) {
    var world = ChainWorld()
    let call = try world.open([factory])
    world.now = Instant(microseconds: 1_000)
    world.askUnary(call, "a secret")
    world.ask(call, .receiveNextMessages(1))
    world.now = Instant(microseconds: 3_000)
    world.send(call, .written, .headers(["password": "hidden"]), .message([1, 2, 3]))
    world.now = Instant(microseconds: 7_000)
    world.send(call, .ended(CallStatus(.notFound, "nobody"), trailers: ["t": "hidden"]))
    return (world, call)
  }

  @Test("Logging writes one line for each event, without its content")
  func logging() throws {
    let (world, call) = try Self.unaryCall(LoggingInterceptor.Factory())
    #expect(
      world.notes == [
        .text("start standard api.example:443/a.B/C"), .text("write 8 B"), .text("finish"),
        .text("receive 1"), .text("write done"), .text("headers 1"), .text("message 3 B"),
        .text("close NOT_FOUND (nobody)"),
      ])
    #expect(world.chains.audit(call).isEmpty)
    #expect(world.findings.isEmpty)
  }

  @Test("Logging changes nothing, not even the order")
  func loggingChangesNothing() throws {
    let (logged, _) = try Self.unaryCall(LoggingInterceptor.Factory())
    let (plain, _) = try Self.unaryCall(Plain("plain"))
    #expect(logged.user == plain.user)
    #expect(logged.orders == plain.orders)
  }

  @Test("Logging includes cancels, values and raw messages")
  func loggingOfTheRest() throws {
    struct Value: MessageValue {}
    var world = ChainWorld()
    let raw = Hooked("raw") { hook in
      hook.data = { _, manager in manager.forwardPreviousInterceptor(rawMessage: [1, 2]) }
    }
    let call = try world.open([LoggingInterceptor.Factory(), raw])
    world.ask(call, .write(.value(Value())), .start(ChainWorld.start))
    #expect(world.notes.first == .text("write of a value"))
    let other = try world.open([LoggingInterceptor.Factory(), raw])
    world.ask(other, .start(ChainWorld.start))
    world.send(other, .message([1, 2]))
    #expect(world.notes.last == .text("raw message 2 B"))
    #expect(world.findings == [ChainFinding(link: "logging", .rawMessage)])
    let third = try world.open([LoggingInterceptor.Factory()])
    world.ask(third, .cancel)
    #expect(world.notes.last == .text("cancel"))
    #expect(world.reported(third) == [.close(.cancelled)])
  }

  @Test("Metrics count calls, messages and bytes, and measure the call and its first message")
  func metrics() throws {
    let (world, call) = try Self.unaryCall(MetricsInterceptor.Factory())
    #expect(
      world.notes == [
        .count("calls.started", 1), .count("calls.ended.NOT_FOUND", 1),
        .count("messages.sent", 1), .count("bytes.sent", 8), .count("messages.received", 1),
        .count("bytes.received", 3), .duration("call", Interval(microseconds: 6_000)),
        .duration("firstMessage", Interval(microseconds: 2_000)),
      ])
    #expect(world.chains.audit(call).isEmpty)
    let (plain, _) = try Self.unaryCall(Plain("plain"))
    #expect(world.user == plain.user)
    #expect(world.orders == plain.orders)
  }

  @Test("Metrics count a cancelled call as CANCELLED, and ignore one that never started")
  func metricsOfCancels() throws {
    var world = ChainWorld()
    let call = try world.open([MetricsInterceptor.Factory()])
    world.ask(call, .start(ChainWorld.start))
    world.wait(.milliseconds(5))
    world.ask(call, .cancel)
    #expect(world.notes[1] == .count("calls.ended.CANCELLED", 1))
    #expect(world.notes.last == .duration("call", .milliseconds(5)))
    let count = world.notes.count
    world.ask(try world.open([MetricsInterceptor.Factory()]), .cancel)
    #expect(world.notes.count == count)
    #expect(world.orders == [.start(ChainWorld.start), .cancel])
  }
}
