import CHTTP2
import NIOCore

/// Serves HTTP/2: the services of ``HTTPHandler``, and a stream and an echo for gRPC.
///
/// A call of a method `Drip` gets a numbered message every 200 ms. The echo of every other method
/// returns gRPC messages unchanged, so that it works for unary and streaming calls of any type. Its
/// client gets a new flow-control window only for data that was sent back.
@safe final class HTTP2Handler: ChannelInboundHandler {
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
  /// The maximum length of a header that selects the service.
  ///
  /// A longer header has no effect.
  private static let maximumHeaderLength = 1_024

  private let board: MessageBoard
  private var session: OpaquePointer?
  private var streams: [Int32: Stream] = [:]  // lookup only
  private var context: ChannelHandlerContext?
  /// The notes about output that was not sent yet, in order.
  private var notes: [(stream: Int32, note: ServiceNote)] = []

  init(_ board: MessageBoard) {
    self.board = board
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    var option: OpaquePointer?
    guard let callbacks = unsafe Self.makeCallbacks(), unsafe nghttp2_option_new(&option) == 0
    else { return context.close(promise: nil) }
    defer {
      unsafe nghttp2_session_callbacks_del(callbacks)
      unsafe nghttp2_option_del(option)
    }
    unsafe nghttp2_option_set_no_auto_window_update(option, 1)
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    var entry = nghttp2_settings_entry(
      settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
      value: Self.maximumStreamCount)
    guard unsafe nghttp2_session_server_new2(&session, callbacks, this, option) == 0,
      unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1) == 0
    else { return context.close(promise: nil) }
    if context.channel.isActive { send() }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    for stream in streams.values { stream.stop() }
    streams = [:]
    unsafe nghttp2_session_del(session)
    unsafe session = nil
    self.context = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    send()
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let session = unsafe session else { return }
    let bytes = Self.unwrapInboundIn(data)
    let result = unsafe bytes.withUnsafeReadableBytes { bytes in
      unsafe nghttp2_session_mem_recv(
        session, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
    send()
    if result < 0 { context.close(promise: nil) }
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
    guard let context, let session = unsafe session else { return }
    while context.channel.isWritable {
      var bytes = ByteBuffer()
      while bytes.readableBytes < Self.writeLength {
        var frame: UnsafePointer<UInt8>?
        let count = unsafe nghttp2_session_mem_send(session, &frame)
        guard count >= 0 else { return context.close(promise: nil) }
        if count == 0 { break }
        unsafe bytes.writeBytes(UnsafeBufferPointer(start: frame, count: count))
      }
      if bytes.readableBytes == 0 { break }
      context.write(Self.wrapOutboundOut(bytes), promise: nil)
    }
    context.flush()
    noteSent(context)
    // A handler that closed the connection has no session any more.
    guard let session = unsafe self.session else { return }
    let isOver =
      unsafe nghttp2_session_want_read(session) == 0
      && nghttp2_session_want_write(session) == 0
    if isOver { context.close(promise: nil) }
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

  private func addHeader(_ name: [UInt8], _ value: [UInt8], to id: Int32) {
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

  private func serve(_ id: Int32) {
    guard let stream = streams[id], let loop = context?.eventLoop else { return }
    board.recordRequest("\(stream.method) \(stream.name), HTTP/2")
    guard !stream.isCall else { return respond(id, type: stream.type) }
    let bound = NIOLoopBound(self, eventLoop: loop)
    switch HTTPHandler.Service(path: stream.path) {
    case .drip:
      respond(id, type: "text/event-stream")
      drip(id, stream, HTTPHandler.event) { self.add(HTTPHandler.greeting, to: id) }
    case .poll(let milliseconds):
      let task = loop.scheduleTask(in: .milliseconds(milliseconds)) {
        bound.value.answerPoll(id)
        bound.value.send()
      }
      streams[id]?.stop = { task.cancel() }
    case .answer: answer(id, "{\"ok\":true}\n")
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
    _ = unsafe nghttp2_session_resume_data(session, id)
  }

  /// Receives a part of a request's body; only calls need it.
  private func receive(_ bytes: ByteBuffer, for id: Int32) {
    guard streams[id]?.isCall == true, var stream = streams.removeValue(forKey: id) else {
      _ = unsafe nghttp2_session_consume(session, id, bytes.readableBytes)
      return
    }
    let known = stream.messages.count
    stream.messages.append(bytes.readableBytesView)
    streams[id] = stream
    if stream.isDripCall {
      _ = unsafe nghttp2_session_consume(session, id, bytes.readableBytes)
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

  private func endRequest(_ id: Int32) {
    guard streams[id]?.isEcho == true else { return }
    streams[id]?.isComplete = true
    _ = unsafe nghttp2_session_resume_data(session, id)
  }

  private func remove(_ id: Int32) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    stream.stop()
    if stream.output.readableBytes > 0 { notes.removeAll { $0.stream == id } }
    // The window of the connection also contains data that is never sent back.
    if stream.isEcho {
      _ = unsafe nghttp2_session_consume_connection(session, stream.output.readableBytes)
    }
  }

  // MARK: Responses

  private func respond(_ id: Int32, type: String) {
    var body = unsafe nghttp2_data_provider()
    unsafe body.read_callback = { _, id, room, length, flags, _, this in
      guard let room = unsafe room, let flags = unsafe flags else {
        return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
      }
      let rest = unsafe UnsafeMutableRawBufferPointer(start: room, count: length)
      return unsafe HTTP2Handler.of(this)?.copyOutput(of: id, to: rest, flags: flags)
        ?? Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    unsafe Self.withFields([(":status", "200"), ("content-type", type)]) { fields, count in
      _ = unsafe nghttp2_submit_response(session, id, fields, count, &body)
    }
  }

  /// Copies the next output of a stream, and returns its length or an error of the library.
  private func copyOutput(
    of id: Int32, to room: UnsafeMutableRawBufferPointer, flags: UnsafeMutablePointer<UInt32>
  ) -> Int {
    // A second reference to the output would cause a copy of it.
    guard var stream = streams.removeValue(forKey: id) else {
      return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    defer { streams[id] = stream }
    let count = min(room.count, stream.output.readableBytes)
    if count == 0, !stream.isComplete { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
    unsafe stream.output.withUnsafeReadableBytes { bytes in
      unsafe room.copyBytes(from: bytes.prefix(count))
    }
    stream.output.moveReaderIndex(forwardBy: count)
    stream.output.discardReadBytes()
    if stream.isEcho { _ = unsafe nghttp2_session_consume(session, id, count) }
    guard stream.isComplete, stream.output.readableBytes == 0 else { return count }
    unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
    if stream.isEcho {
      unsafe flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
      unsafe Self.withFields([("grpc-status", "0")]) { fields, count in
        _ = unsafe nghttp2_submit_trailer(session, id, fields, count)
      }
    }
    return count
  }

  /// Calls a closure with header fields, which are valid only during the call.
  private static func withFields(
    _ fields: [(name: String, value: String)], _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Void
  ) {
    var text = fields.flatMap { Array($0.name.utf8) + Array($0.value.utf8) }
    unsafe text.withUnsafeMutableBufferPointer { text in
      var next = text.baseAddress
      let values = unsafe fields.map { field in
        let (nameLength, valueLength) = (field.name.utf8.count, field.value.utf8.count)
        let value = unsafe next.map { unsafe $0 + nameLength }
        defer { unsafe next = unsafe value.map { unsafe $0 + valueLength } }
        return unsafe nghttp2_nv(
          name: next, value: value, namelen: nameLength, valuelen: valueLength,
          flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
      }
      unsafe body(values, values.count)
    }
  }

  // MARK: Callbacks of the library

  private static func of(_ this: UnsafeMutableRawPointer?) -> HTTP2Handler? {
    unsafe this.map { unsafe Unmanaged<HTTP2Handler>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func makeCallbacks() -> OpaquePointer? {
    var callbacks: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, this in
      if let frame = unsafe frame, unsafe HTTP2Handler.isRequest(frame.pointee) {
        unsafe HTTP2Handler.of(this)?.streams[frame.pointee.hd.stream_id] = Stream()
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameLength, value, valueLength, _, this in
      if let frame = unsafe frame, unsafe HTTP2Handler.isRequest(frame.pointee) {
        unsafe HTTP2Handler.of(this)?.addHeader(
          [UInt8](UnsafeBufferPointer(start: name, count: nameLength)),
          [UInt8](UnsafeBufferPointer(start: value, count: valueLength)),
          to: frame.pointee.hd.stream_id)
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, this in
      guard let frame = unsafe frame?.pointee, let handler = unsafe HTTP2Handler.of(this) else {
        return 0
      }
      let id = unsafe frame.hd.stream_id
      if unsafe HTTP2Handler.isRequest(frame) { handler.serve(id) }
      let endsStream = UInt8(NGHTTP2_FLAG_END_STREAM.rawValue)
      let types = [NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue]
      if unsafe types.contains(UInt32(frame.hd.type)) && frame.hd.flags & endsStream != 0 {
        handler.endRequest(id)
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
      _, _, id, data, length, this in
      let bytes = unsafe ByteBuffer(bytes: UnsafeBufferPointer(start: data, count: length))
      unsafe HTTP2Handler.of(this)?.receive(bytes, for: id)
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, _, this in
      unsafe HTTP2Handler.of(this)?.remove(id)
      return 0
    }
    return unsafe callbacks
  }

  /// Whether a frame begins a request; trailers do not.
  private static func isRequest(_ frame: nghttp2_frame) -> Bool {
    unsafe UInt32(frame.hd.type) == NGHTTP2_HEADERS.rawValue
      && frame.headers.cat == NGHTTP2_HCAT_REQUEST
  }
}
