import HandoverCore
import HandoverInterceptors
import Testing

@Suite("A chain of interceptors that forward everything")
struct ForwardingTests {
  private static let three = [Plain("first"), Plain("second"), Plain("third")]

  @Test(
    "L39: A unary call passes forwarding interceptors unchanged, and each of them shuts down",
    arguments: [0, 1, 3])
  func unaryCall(links: Int) throws {
    var world = ChainWorld()
    let call = try world.open(Array(Self.three.prefix(links)))
    world.askUnary(call)
    #expect(
      world.orders == [.start(ChainWorld.start), .send(Array("hello".utf8)), .finish])
    world.send(
      call, .headers(["a": "1"]), .message(Array("hi".utf8)), .ended(.ok, trailers: ["b": "2"]))
    #expect(
      world.user == [
        .initialMetadata(["a": "1"]), .message(Message("hi")),
        .close(CallClose(.ok, trailers: ["b": "2"])),
      ])
    #expect(world.released == links)
    #expect(world.findings.isEmpty)
    #expect(world.chains.audit(call).isEmpty)
    #expect(world.chains.readyQueues.isEmpty)
  }

  @Test("L50: A cancel reaches the transport, and the close comes back through every interceptor")
  func forwardedCancel() throws {
    var world = ChainWorld(CallChains.Configuration())
    let call = try world.open(Self.three)
    world.ask(call, .start(ChainWorld.start), .cancel)
    #expect(world.user == [.close(CallClose(CallStatus(.cancelled, "Canceled by app")))])
    #expect(world.orders == [.start(ChainWorld.start), .cancel])
    #expect(world.released == 3)
    #expect(world.findings.isEmpty)
    #expect(world.chains.audit(call).isEmpty)
  }

  @Test("L50: A cancel before the start is forwarded too, and leaves nothing behind (I21)")
  func cancelBeforeTheStart() throws {
    var world = ChainWorld(CallChains.Configuration())
    let call = try world.open(Self.three)
    world.ask(call, .cancel)
    #expect(world.user == [.close(CallClose(CallStatus(.cancelled, "Canceled by app")))])
    #expect(world.orders.isEmpty && world.released == 3)
    #expect(world.findings.isEmpty)
  }

  @Test(
    "I18, I19: As in the later code, a cancel ends the call once, at the first interceptor"
  )
  func cancel() throws {
    var configuration = CallChains.Configuration.laterCode
    configuration.cancel = .close
    var world = ChainWorld(configuration)
    let call = try world.open(Self.three)
    world.ask(call, .start(ChainWorld.start), .cancel)
    #expect(world.user == [.close(CallClose(CallStatus(.cancelled, "Canceled")))])
    #expect(world.orders == [.start(ChainWorld.start), .cancel])
    #expect(world.released == 3)
    #expect(world.findings.isEmpty)
  }
}
