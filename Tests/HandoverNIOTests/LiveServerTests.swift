import HandoverBackend
import HandoverCore
import NIOCore
import NIOPosix
import Testing

@testable import HandoverNIO

/// Tests the server of one host over a socket, with a client that sends arbitrary frames.
@Suite("The server of a host in real time")
struct LiveServerTests {
  @Test("After GOAWAY the server ignores calls that start after the client has read it")
  func ignoresCallsAfterGoAway() throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let address = LiveAddress(LoopbackNetwork.freshAddress(), port: 50_051)
    let reads = NIOLoopBoundBox<[UInt32]>.makeBoxSendingValue([], eventLoop: loop)
    let received = NIOLoopBoundBox<[Frame]>.makeBoxSendingValue([], eventLoop: loop)
    let server = try loop.submit {
      NIOLoopBound(
        LiveServer(
          0, ScriptHost(written: "a:1"), at: [address], connectDelay: .zero, on: loop
        ) { read in
          if case .request(_, let call, _) = read { reads.value.append(call) }
          if case .message(_, let call, _) = read { reads.value.append(100 + call) }
        }, eventLoop: loop)
    }.wait()
    try loop.flatSubmit { server.value.begin() }.wait()
    defer { try? loop.flatSubmit { server.value.end() }.wait() }

    let hasPing = loop.makePromise(of: Void.self)
    let lastHasEnded = loop.makePromise(of: Void.self)
    let channel = try ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(FrameDecoder()),
            FrameEar { frame in
              received.value.append(frame)
              if frame == .ping { hasPing.succeed() }
              if frame == .end(call: 2) { lastHasEnded.succeed() }
            },
          ])
        }
      }
      .connect(host: address.address, port: Int(address.port)).wait()
    func send(_ frames: [Frame]) throws {
      let promise = loop.makePromise(of: Void.self)
      channel.send(frames, promise: promise)
      try promise.futureResult.wait()
    }
    let quick = Frame.Answer(takes: 0, every: -1)
    try send([.request(call: 1, .init(takes: 300_000, every: -1)), .finish(call: 1)])
    _ = try loop.flatSubmit { server.value.command(.goaway) }.wait()
    try hasPing.futureResult.wait()
    // Call 2 starts before the client has answered the ping, call 3 after it.
    try send([.request(call: 2, quick), .pong])
    try send([.request(call: 3, quick), .message(call: 3, bytes: 1), .finish(call: 3)])
    try send([.finish(call: 2)])
    try lastHasEnded.futureResult.wait()
    let (read, reported) = try loop.submit { (reads.value, received.value) }.wait()
    #expect(read == [1, 2])
    #expect(!reported.contains(.end(call: 3)))
    channel.close(promise: nil)
  }

  @Test("A server that refused connections accepts them when it becomes silent")
  func silenceEndsRefusal() throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let address = LiveAddress(LoopbackNetwork.freshAddress(), port: 50_051)
    let server = try loop.submit {
      NIOLoopBound(
        LiveServer(
          0, ScriptHost(written: "a:1"), at: [address], connectDelay: .zero, on: loop
        ) { _ in }, eventLoop: loop)
    }.wait()
    try loop.flatSubmit { server.value.begin() }.wait()
    defer { try? loop.flatSubmit { server.value.end() }.wait() }
    func connect() throws {
      try ClientBootstrap(group: loop)
        .connect(host: address.address, port: Int(address.port)).flatMap { $0.close() }.wait()
    }
    try loop.flatSubmit { server.value.command(.refuse) }.wait()
    #expect(throws: (any Error).self) { try connect() }
    try loop.flatSubmit { server.value.command(.silent) }.wait()
    #expect(throws: Never.self) { try connect() }
  }

  @Test("A client answers the ping after GOAWAY, so that the server knows when the client read it")
  func clientAnswersPing() throws {
    let stream = ScriptCall(
      id: "stream", host: 0, kind: .streaming, takes: .milliseconds(200),
      every: .milliseconds(10))
    let unary = ScriptCall(id: "unary", host: 0, kind: .unary, takes: .milliseconds(10))
    let script = Script(
      calls: [(0, stream), (120, unary)], entries: [(60, .server(0, .goaway))])
    let run = try LoopbackRun(script, .sockets)
    #expect(run.ends == [CallEnd(.ok, .empty), CallEnd(.ok, .empty)])
    let hasReadGoAway = run.trace.records.contains {
      if case .event(.pool(.connectionDraining(_))) = $0.body { true } else { false }
    }
    #expect(hasReadGoAway)
  }
}

/// Passes on each frame that arrives.
private final class FrameEar: ChannelInboundHandler {
  typealias InboundIn = Frame
  private let receive: (Frame) -> Void

  init(_ receive: @escaping (Frame) -> Void) {
    self.receive = receive
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { receive(unwrapInboundIn(data)) }
}
