import Foundation
import HandoverCore
import HandoverNIO
import NIOCore
import NIOPosix
import Testing

/// Tests the servers for clients from a template over local sockets.
@Suite("Line servers")
struct LineServersTests {
  private let servers = LineServers()
  private let address = LoopbackNetwork.freshAddress()

  /// Connects and sends some lines.
  private func talk(_ lines: [String], port: Int, until last: String) throws -> Talk {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let received = loop.makePromise(of: [String].self)
    let wasReset = loop.makePromise(of: Bool.self)
    do {
      let channel = try ClientBootstrap(group: loop)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Ear(until: last, received, wasReset))
          }
        }
        .connect(host: address, port: port).wait()
      let text = lines.map { $0 + "\n" }.joined()
      try channel.writeAndFlush(ByteBuffer(string: text)).wait()
      return Talk(
        channel: channel, received: received.futureResult, wasReset: wasReset.futureResult)
    } catch {
      received.fail(error)
      wasReset.fail(error)
      throw error
    }
  }

  /// Returns the received lines up to and including a given one.
  private func ask(_ lines: [String], port: Int, until last: String) throws -> [String] {
    let talk = try talk(lines, port: port, until: last)
    defer { talk.channel.close(promise: nil) }
    return try talk.received.wait()
  }

  @Test("A call ends after its duration, a stream has messages before its end, and null never ends")
  func calls() throws {
    #expect(servers.listen(to: "a:1", at: address, port: 7_001) == nil)
    #expect(servers.listen(to: "b:1", at: address, port: 7_002) == nil)
    #expect(try ask(["start u unary 1000"], port: 7_001, until: "end u") == ["end u"])
    // A message every 200 ms: at most two, and on a slow machine at least one.
    let stream = try ask(["start s streaming 500000"], port: 7_002, until: "end s")
    #expect(
      [["message s", "end s"], ["message s", "message s", "end s"]].contains(stream), "\(stream)")
    let bidi = ["start e bidi null", "start c client-streaming 0", "send c", "finish c"]
    #expect(try ask(bidi, port: 7_001, until: "message e") == ["end c", "message e"])
    let cancelled = ["start a unary 1000", "cancel a", "start b unary 200000"]
    #expect(try ask(cancelled, port: 7_001, until: "end b") == ["end b"])
    servers.close()
    #expect(throws: (any Error).self) { try ask([], port: 7_001, until: "") }
  }

  @Test("A server refuses, accepts again, and ends existing connections")
  func words() throws {
    #expect(servers.listen(to: "a:1", at: address, port: 7_003) == nil)
    #expect(servers.play("refuse", on: "a:1") == nil)
    #expect(throws: (any Error).self) { try ask([], port: 7_003, until: "") }
    #expect(servers.play("accept", on: "a:1") == nil)
    #expect(servers.play("accept", on: "a:1") == nil)
    #expect(try ask(["start u unary 0"], port: 7_003, until: "end u") == ["end u"])
    for word in ["close", "reset"] {
      #expect(servers.play(word, on: "nobody:1") == nil)
      let talk = try talk(["start s streaming null"], port: 7_003, until: "message s")
      #expect(try talk.received.wait() == ["message s"])
      #expect(servers.play(word, on: "a:1") == nil)
      #expect(try talk.wasReset.wait() == (word == "reset"))
    }
    servers.close()
  }

  @Test("A second server of a host replaces the first at its address")
  func replaced() throws {
    for _ in 1...2 { #expect(servers.listen(to: "a:1", at: address, port: 7_005) == nil) }
    let talk = try talk(["start s streaming null"], port: 7_005, until: "message s")
    #expect(try talk.received.wait() == ["message s"])
    servers.close()
  }

  @Test("A port that is in use is reported")
  func take() {
    let other = LineServers()
    #expect(servers.listen(to: "a:1", at: address, port: 7_004) == nil)
    #expect(other.listen(to: "a:1", at: address, port: 7_004)?.contains("bind") == true)
    #expect(other.listen(to: "a:1", at: "no address", port: 7_004) != nil)
    servers.close()
    other.close()
  }
}

private struct Talk {
  var channel: any Channel
  var received: EventLoopFuture<[String]>
  /// Whether the connection ended with an error.
  var wasReset: EventLoopFuture<Bool>
}

/// Receives lines until a given one arrives, or the connection ends.
private final class Ear: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let last: String
  private let received: EventLoopPromise<[String]>
  private let wasReset: EventLoopPromise<Bool>
  private var text = ""

  init(
    until last: String, _ received: EventLoopPromise<[String]>, _ wasReset: EventLoopPromise<Bool>
  ) {
    self.last = last
    self.received = received
    self.wasReset = wasReset
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    let lines = text.split(separator: "\n").map(String.init)
    if let end = lines.firstIndex(of: last) { received.succeed(Array(lines[...end])) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    wasReset.succeed(true)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    received.fail(ChannelError.eof)
    wasReset.succeed(false)
  }
}
