import NIOCore

/// Serves HTTP/2: the services of ``HTTPHandler``, and a stream and an echo for gRPC.
///
/// A call of a method `Drip` gets a numbered message every 200 ms. The echo of every other method
/// returns gRPC messages unchanged, so that it works for unary and streaming calls of any type. Its
/// client gets a new flow-control window only for data that was sent back.
final class HTTP2Handler: ChannelInboundHandler, HTTP2SessionDelegate {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// A request and its response.
  private struct Stream {
    var path = "/"
    var host = ""
    var type = ""
    /// The number of the last event that the client received, as a header or a message states.
    var received: Int?
    /// The messages of a gRPC request.
    var messages = MessageBoundaries()
    var method = "GET"
    /// Data that is still to be sent.
    var output = ByteBuffer()
    /// Whether the response ends after the output.
    var isComplete = false
    var stop: () -> Void = {}

    /// The name of the stream or poll that the request selects.
    var name: String { MessageBoard.name(host: host, path: path) }
    var isHead: Bool { method == "HEAD" }
    var isCall: Bool { type.hasPrefix("application/grpc") }
    var isDripCall: Bool { isCall && path.hasSuffix("/Drip") }
    var isEcho: Bool { isCall && !isDripCall }
  }

  /// The length from which on frames are written together.
  private static let writeLength = 8_192
  private static let maximumStreamCount: UInt32 = 100
  /// The time and the number of bytes for which an ended connection discards data, so that the
  /// client reads the reason.
  private static let discardingTime = TimeAmount.seconds(10)
  private static let maximumDiscardedCount = 2 << 20
  /// The maximum length of a header that selects the service.
  ///
  /// A longer header has no effect.
  private static let maximumHeaderLength = 1_024

  private let board: MessageBoard
  private var session: HTTP2Session?
  private var streams: [Int32: Stream] = [:]  // lookup only
  private var context: ChannelHandlerContext?
  /// The number of bytes that were discarded after the end.
  private var discardedCount = 0
  /// The notes about output that was not sent yet, in order.
  private var notes: [(stream: Int32, note: ServiceNote)] = []

  init(_ board: MessageBoard) {
    self.board = board
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    session = HTTP2Session(self, maximumStreamCount: Self.maximumStreamCount)
    guard session != nil else { return context.close(promise: nil) }
    if context.channel.isActive { send() }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    endSession()
    self.context = nil
  }

  private func endSession() {
    for stream in streams.values { stream.stop() }
    streams = [:]
    session = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    send()
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    guard let session else {
      discardedCount += bytes.readableBytes
      if discardedCount > Self.maximumDiscardedCount { context.close(promise: nil) }
      return
    }
    let isValid = session.receive(bytes)
    send()
    if !isValid { end(context) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    send()
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Sends frames while the connection is writable; further frames wait in the session.
  private func send() {
    guard let context, let session else { return }
    while context.channel.isWritable {
      var bytes = ByteBuffer()
      while bytes.readableBytes < Self.writeLength {
        guard let count = session.writeFrame(to: &bytes) else {
          return context.close(promise: nil)
        }
        if count == 0 { break }
      }
      if bytes.readableBytes == 0 { break }
      context.write(Self.wrapOutboundOut(bytes), promise: nil)
    }
    context.flush()
    noteSent(context)
    // A handler that closed the connection has no session any more.
    if self.session?.isOver == true { end(context) }
  }

  /// Ends the connection after its last frame, which may state an error of the client.
  ///
  /// Closing a socket with unread data resets the connection, and the client may then lose the last
  /// frame. Therefore the server discards data until the client closes the connection, too.
  private func end(_ context: ChannelHandlerContext) {
    guard session != nil else { return }
    endSession()
    let channel = context.channel
    context.close(mode: .output, promise: nil)
    context.eventLoop.scheduleTask(in: Self.discardingTime) { channel.close(promise: nil) }
  }

  /// Records the messages whose stream has no unsent output.
  private func noteSent(_ context: ChannelHandlerContext) {
    guard !notes.isEmpty else { return }
    func isSent(_ id: Int32) -> Bool { streams[id].map { $0.output.readableBytes == 0 } ?? true }
    for (id, note) in notes where isSent(id) {
      context.triggerUserOutboundEvent(note, promise: nil)
    }
    notes.removeAll { isSent($0.stream) }
  }

  // MARK: Requests

  func beginRequest(_ id: Int32) { streams[id] = Stream() }

  func addHeader(_ name: [UInt8], _ value: [UInt8], to id: Int32) {
    guard value.count <= Self.maximumHeaderLength else { return }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: name, as: UTF8.self) {
    case ":path": streams[id]?.path = text
    case ":method": streams[id]?.method = text
    case "content-type": streams[id]?.type = text
    case ":authority": streams[id]?.host = text
    case "last-event-id": streams[id]?.received = Int(text)
    default: break
    }
  }

  func serve(_ id: Int32) {
    guard let stream = streams[id], let loop = context?.eventLoop else { return }
    board.recordRequest("\(stream.method) \(stream.name), HTTP/2")
    guard !stream.isCall else { return respond(id, type: stream.type) }
    let bound = NIOLoopBound(self, eventLoop: loop)
    switch HTTPHandler.Service(path: stream.path) {
    case .drip where !stream.isHead:
      respond(id, type: "text/event-stream")
      drip(id, stream, HTTPHandler.event) { self.add(HTTPHandler.greeting, to: id) }
    case .poll(let milliseconds):
      let task = loop.scheduleTask(in: .milliseconds(milliseconds)) {
        bound.value.answerPoll(id)
        bound.value.send()
      }
      streams[id]?.stop = { task.cancel() }
    case .drip, .answer: answer(id, "{\"ok\":true}\n")
    }
  }

  /// Sends the messages of a stream, which `message` makes from their numbers.
  private func drip(
    _ id: Int32, _ stream: Stream, _ message: @escaping (Int) -> ByteBuffer, greet: () -> Void
  ) {
    guard let loop = context?.eventLoop else { return }
    let ticker = MessageTicker(
      board.subscribe(to: stream.name, each: HTTPHandler.period, after: stream.received),
      isReady: {
        self.streams[id]?.output.readableBytes == 0 && self.context?.channel.isWritable == true
      },
      send: { number in
        self.add(message(number), to: id)
        self.send()
      },
      note: { self.note($0, of: id) })
    streams[id]?.stop = { ticker.stop() }
    ticker.start(on: loop, greet: greet)
    send()
  }

  /// Records a message, or does so when its stream has no unsent output.
  private func note(_ note: ServiceNote, of id: Int32) {
    notes.append((id, note))
    if let context { noteSent(context) }
  }

  private func answerPoll(_ id: Int32) {
    guard let stream = streams[id] else { return }
    let (number, topic) = board.answer(stream.name)
    if let topic { notes.append((id, .sent(number, topic: topic))) }
    answer(id, "{\"ok\":true,\"n\":\(number)}\n")
  }

  private func answer(_ id: Int32, _ body: String) {
    guard let stream = streams[id] else { return }
    if !stream.isHead { streams[id]?.output = ByteBuffer(string: body) }
    streams[id]?.isComplete = true
    respond(id, type: "application/json")
  }

  private func add(_ bytes: ByteBuffer, to id: Int32) {
    var bytes = bytes
    streams[id]?.output.writeBuffer(&bytes)
    session?.resume(id)
  }

  /// Receives a part of a request's body; only calls need it.
  func receive(_ bytes: ByteBuffer, for id: Int32) {
    guard streams[id]?.isCall == true, var stream = streams.removeValue(forKey: id) else {
      session?.consume(bytes.readableBytes, of: id)
      return
    }
    let known = stream.messages.count
    stream.messages.append(bytes.readableBytesView)
    streams[id] = stream
    if stream.isDripCall {
      session?.consume(bytes.readableBytes, of: id)
      if known == 0, stream.messages.count > 0 { beginDripCall(id) }
      return
    }
    for _ in known..<stream.messages.count {
      let (number, topic) = board.answer(stream.name)
      if let topic { notes.append((id, .sent(number, topic: topic))) }
    }
    add(bytes, to: id)
  }

  /// Sends the messages of a stream to a call whose request is complete.
  private func beginDripCall(_ id: Int32) {
    guard var stream = streams[id] else { return }
    stream.received = stream.messages.number.flatMap { $0 > 0 ? $0 : nil }
    drip(id, stream, { ByteBuffer(bytes: MessageBoundaries.message($0)) }, greet: {})
  }

  func endRequest(_ id: Int32) {
    guard streams[id]?.isEcho == true else { return }
    streams[id]?.isComplete = true
    session?.resume(id)
  }

  func remove(_ id: Int32) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    stream.stop()
    if stream.output.readableBytes > 0 { notes.removeAll { $0.stream == id } }
    // The window of the connection also contains data that is never sent back.
    if stream.isEcho { session?.consume(stream.output.readableBytes) }
  }

  // MARK: Responses

  private func respond(_ id: Int32, type: String) {
    session?.respond(id, [(":status", "200"), ("content-type", type)])
  }

  func copyOutput(
    of id: Int32, atMost limit: Int, _ copy: (RawSpan) -> Void
  ) -> HTTP2Session.Output {
    // A second reference to the output would cause a copy of it.
    guard var stream = streams.removeValue(forKey: id) else { return .failed }
    defer { streams[id] = stream }
    let count = min(limit, stream.output.readableBytes)
    if count == 0, !stream.isComplete { return .nothing }
    copy(stream.output.readableBytesSpan.extracting(0..<count))
    stream.output.moveReaderIndex(forwardBy: count)
    stream.output.discardReadBytes()
    if stream.isEcho { session?.consume(count, of: id) }
    guard stream.isComplete, stream.output.readableBytes == 0 else { return .part(count) }
    if stream.isEcho { session?.submitTrailers(id, [("grpc-status", "0")]) }
    return .end(count, hasTrailers: stream.isEcho)
  }
}
