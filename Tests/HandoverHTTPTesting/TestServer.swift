public import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A server on this machine, whose answers the test selects by path.
///
/// - `short`: a short answer. `missing`: 404. `redirect?URL`: a redirect to that URL. `private`:
///   401 without credentials.
/// - `stream`: one line immediately, and one for each ``probe()``, endlessly. `big`: 64 KiB,
///   without an end.
/// - `held`: headers and a part of a body, then nothing until ``release()``. `never`: nothing at
///   all. `broken`: a part of a body, and then the connection is closed.
public final class TestServer: Sendable {
  /// The counters of connections and requests.
  public struct Figures: Sendable {
    /// The number of open connections.
    public internal(set) var open = 0
    /// The maximum number of simultaneously open connections.
    public internal(set) var mostOpen = 0
    /// The number of requests without a complete answer.
    public internal(set) var running = 0
    /// The maximum number of simultaneous requests.
    public internal(set) var mostRunning = 0
    /// The requested paths, in the order of arrival.
    public internal(set) var paths: [String] = []
    /// The channels of the open streams.
    var streams: [any Channel] = []
    /// The channels whose answers are delayed.
    var held: [any Channel] = []
  }

  /// The counters.
  public let figures: Watched<Figures>
  /// The port on which the server listens.
  public let port: Int
  private let group: MultiThreadedEventLoopGroup

  private init(_ figures: Watched<Figures>, _ group: MultiThreadedEventLoopGroup, _ port: Int) {
    self.figures = figures
    self.group = group
    self.port = port
  }

  /// Runs a closure with a server, and stops the server afterward.
  public static func run<Result>(
    _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    let figures = Watched(Figures())
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.pipeline.configureHTTPServerPipeline().flatMap {
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Answerer(figures))
          }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let server = TestServer(figures, group, channel.localAddress?.port ?? 0)
    do {
      let result = try await body(server)
      try await group.shutdownGracefully()
      return result
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  /// Returns a URL of the server, with a path and a name of this machine.
  public func url(_ path: String, host: String = "127.0.0.1") -> URL {
    guard let url = URL(string: "http://\(host):\(port)/\(path)") else {
      preconditionFailure("\(path) is no path")
    }
    return url
  }

  /// Sends a line to every open stream.
  public func probe() {
    for channel in figures.value.streams {
      channel.writeAndFlush(Answerer.line(), promise: nil)
    }
  }

  /// Completes every delayed answer.
  public func release() {
    let held = figures.change { figures in
      defer { figures.held = [] }
      return figures.held
    }
    for channel in held {
      channel.write(
        HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "end"))), promise: nil)
      channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
      figures.change { $0.running -= 1 }
    }
  }
}

/// Answers the requests of one connection.
private final class Answerer: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let figures: Watched<TestServer.Figures>
  private var head: HTTPRequestHead?
  private var isRunning = false

  init(_ figures: Watched<TestServer.Figures>) {
    self.figures = figures
  }

  static func line() -> HTTPServerResponsePart {
    .body(.byteBuffer(ByteBuffer(string: "PROBE\r\n")))
  }

  func channelActive(context: ChannelHandlerContext) {
    figures.change { figures in
      figures.open += 1
      figures.mostOpen = max(figures.mostOpen, figures.open)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    let channel = context.channel
    let wasRunning = isRunning
    figures.change { figures in
      let isHeld = figures.held.contains { $0 === channel }
      let isStream = figures.streams.contains { $0 === channel }
      figures.open -= 1
      if isHeld || isStream || wasRunning { figures.running -= 1 }
      figures.held.removeAll { $0 === channel }
      figures.streams.removeAll { $0 === channel }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      let path = String(head.uri.dropFirst())
      figures.change { figures in
        figures.paths.append(path)
        figures.running += 1
        figures.mostRunning = max(figures.mostRunning, figures.running)
      }
      isRunning = true
      answer(head, path, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func answer(_ head: HTTPRequestHead, _ path: String, _ context: ChannelHandlerContext) {
    switch path.split(separator: "?").first ?? "" {
    case "short": answer(.ok, "short", context)
    case "redirect":
      let target = String(path.drop { $0 != "?" }.dropFirst())
      answer(.found, "elsewhere", context, headers: [("Location", target)])
    case "private":
      let challenge = [("WWW-Authenticate", "Basic realm=\"club\"")]
      if let proof = head.headers.first(name: "Authorization") {
        let isMember = proof == "Basic bWVtYmVyOnNlY3JldA=="
        answer(isMember ? .ok : .unauthorized, "who", context, headers: isMember ? [] : challenge)
      } else {
        answer(.unauthorized, "who", context, headers: challenge)
      }
    case "stream":
      hand(over: \.streams, context)
      begin(context)
      write(Self.line(), context)
    case "held":
      hand(over: \.held, context)
      begin(context)
      write(Self.line(), context)
    case "big":
      begin(context)
      pour(context)
    case "broken":
      begin(context, length: 100)
      write(Self.line(), context)
      context.close(promise: nil)
    case "never": break
    default: answer(.notFound, "nothing", context)
    }
  }

  /// Leaves the rest of the answer to the test.
  ///
  /// Data that is written in the same pass of the event loop comes first.
  private func hand(
    over list: WritableKeyPath<TestServer.Figures, [any Channel]>, _ context: ChannelHandlerContext
  ) {
    isRunning = false
    let channel = context.channel
    figures.change { $0[keyPath: list].append(channel) }
  }

  private func begin(
    _ context: ChannelHandlerContext, _ status: HTTPResponseStatus = .ok, length: Int? = nil,
    headers: [(String, String)] = []
  ) {
    var fields = HTTPHeaders(headers)
    if let length {
      fields.add(name: "Content-Length", value: "\(length)")
    } else {
      fields.add(name: "Transfer-Encoding", value: "chunked")
    }
    fields.add(name: "Content-Type", value: "text/plain")
    write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields)), context)
  }

  private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(part), promise: nil)
  }

  private func answer(
    _ status: HTTPResponseStatus, _ text: String, _ context: ChannelHandlerContext,
    headers: [(String, String)] = []
  ) {
    isRunning = false
    // A client that has the answer may read the counters immediately.
    figures.change { $0.running -= 1 }
    begin(context, status, length: text.utf8.count, headers: headers)
    write(.body(.byteBuffer(ByteBuffer(string: text))), context)
    write(.end(nil), context)
  }

  /// Writes a part of an endless body.
  private func pour(_ context: ChannelHandlerContext) {
    let chunk = ByteBuffer(repeating: UInt8(ascii: "x"), count: 4_096)
    for _ in 0..<16 { write(.body(.byteBuffer(chunk)), context) }
  }
}
