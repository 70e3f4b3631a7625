import CHTTP2
import NIOCore

/// The requests of an HTTP/2 session, and the data of their responses.
protocol HTTP2SessionDelegate: AnyObject {
  /// A request begins.
  func beginRequest(_ id: Int32)
  /// A header of a request was received.
  func addHeader(_ name: [UInt8], _ value: [UInt8], to id: Int32)
  /// All headers of a request were received.
  func serve(_ id: Int32)
  /// A part of a request's body was received; it uses up a part of the flow-control window.
  func receive(_ bytes: ByteBuffer, for id: Int32)
  /// A request was received completely.
  func endRequest(_ id: Int32)
  /// A stream was closed.
  func remove(_ id: Int32)
  /// Passes the next data of a response, at most `limit` bytes, to a closure.
  func copyOutput(of id: Int32, atMost limit: Int, _ copy: (RawSpan) -> Void) -> HTTP2Session.Output
}

/// The server side of an HTTP/2 connection of nghttp2, without a socket.
///
/// One thread may use a session. The delegate may call the session in its methods.
@safe final class HTTP2Session {
  /// The result of providing the data of a response.
  enum Output {
    /// This number of bytes was provided.
    case part(Int)
    /// This number of bytes was provided, and they end the body. Trailers end the stream if there
    /// are any.
    case end(Int, hasTrailers: Bool)
    /// There is no data until ``HTTP2Session/resume(_:)`` is called.
    case nothing
    /// The stream is unknown.
    case failed
  }

  private var pointer: OpaquePointer?
  private unowned let delegate: any HTTP2SessionDelegate

  /// Creates a session, or returns `nil` if the library fails.
  init?(_ delegate: any HTTP2SessionDelegate, maximumStreamCount: UInt32) {
    self.delegate = delegate
    var option: OpaquePointer?
    guard let callbacks = unsafe Self.makeCallbacks(), unsafe nghttp2_option_new(&option) == 0
    else { return nil }
    defer {
      unsafe nghttp2_session_callbacks_del(callbacks)
      unsafe nghttp2_option_del(option)
    }
    unsafe nghttp2_option_set_no_auto_window_update(option, 1)
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    var entry = nghttp2_settings_entry(
      settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
      value: maximumStreamCount)
    guard unsafe nghttp2_session_server_new2(&pointer, callbacks, this, option) == 0,
      unsafe nghttp2_submit_settings(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1) == 0
    else { return nil }
  }

  deinit { unsafe nghttp2_session_del(pointer) }

  /// Processes received bytes, and returns `false` if they violate the protocol.
  func receive(_ bytes: ByteBuffer) -> Bool {
    let result = unsafe bytes.withUnsafeReadableBytes { bytes in
      unsafe nghttp2_session_mem_recv(
        pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
    return result >= 0
  }

  /// Appends the next frame to send, and returns its length; 0 means that there is none.
  ///
  /// - Returns: `nil` if the session failed.
  func writeFrame(to bytes: inout ByteBuffer) -> Int? {
    var frame: UnsafePointer<UInt8>?
    let count = unsafe nghttp2_session_mem_send(pointer, &frame)
    guard count >= 0 else { return nil }
    if count > 0 { unsafe bytes.writeBytes(UnsafeBufferPointer(start: frame, count: count)) }
    return count
  }

  /// Whether the session neither expects nor has further frames.
  var isOver: Bool {
    unsafe nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0
  }

  /// Continues a response whose data was not available.
  func resume(_ id: Int32) { _ = unsafe nghttp2_session_resume_data(pointer, id) }

  /// Makes room in the windows of a stream and of the connection for this number of bytes.
  func consume(_ count: Int, of id: Int32) {
    _ = unsafe nghttp2_session_consume(pointer, id, count)
  }

  /// Makes room in the window of the connection for this number of bytes.
  func consume(_ count: Int) { _ = unsafe nghttp2_session_consume_connection(pointer, count) }

  /// Begins a response with header fields; the delegate provides its data.
  func respond(_ id: Int32, _ fields: [(name: String, value: String)]) {
    var body = unsafe nghttp2_data_provider()
    unsafe body.read_callback = { _, id, room, length, flags, _, this in
      guard let room = unsafe room, let flags = unsafe flags,
        let this = unsafe HTTP2Session.of(this)
      else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
      let rest = unsafe UnsafeMutableRawBufferPointer(start: room, count: length)
      let output = this.delegate.copyOutput(of: id, atMost: length) { bytes in
        unsafe bytes.withUnsafeBytes { unsafe rest.copyBytes(from: $0) }
      }
      switch output {
      case .part(let count): return count
      case .end(let count, let hasTrailers):
        unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        if hasTrailers { unsafe flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue }
        return count
      case .nothing: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
      case .failed: return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
      }
    }
    unsafe Self.withFields(fields) { fields, count in
      _ = unsafe nghttp2_submit_response(pointer, id, fields, count, &body)
    }
  }

  /// Ends a response with trailers.
  func submitTrailers(_ id: Int32, _ fields: [(name: String, value: String)]) {
    unsafe Self.withFields(fields) { fields, count in
      _ = unsafe nghttp2_submit_trailer(pointer, id, fields, count)
    }
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

  private static func of(_ this: UnsafeMutableRawPointer?) -> HTTP2Session? {
    unsafe this.map { unsafe Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func makeCallbacks() -> OpaquePointer? {
    var callbacks: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, this in
      if let frame = unsafe frame, unsafe HTTP2Session.isRequest(frame.pointee) {
        unsafe HTTP2Session.of(this)?.delegate.beginRequest(frame.pointee.hd.stream_id)
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameLength, value, valueLength, _, this in
      if let frame = unsafe frame, unsafe HTTP2Session.isRequest(frame.pointee) {
        unsafe HTTP2Session.of(this)?.delegate.addHeader(
          [UInt8](UnsafeBufferPointer(start: name, count: nameLength)),
          [UInt8](UnsafeBufferPointer(start: value, count: valueLength)),
          to: frame.pointee.hd.stream_id)
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, this in
      guard let frame = unsafe frame?.pointee, let this = unsafe HTTP2Session.of(this) else {
        return 0
      }
      let id = unsafe frame.hd.stream_id
      if unsafe HTTP2Session.isRequest(frame) { this.delegate.serve(id) }
      let endsStream = UInt8(NGHTTP2_FLAG_END_STREAM.rawValue)
      let types = [NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue]
      if unsafe types.contains(UInt32(frame.hd.type)) && frame.hd.flags & endsStream != 0 {
        this.delegate.endRequest(id)
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
      _, _, id, data, length, this in
      let bytes = unsafe ByteBuffer(bytes: UnsafeBufferPointer(start: data, count: length))
      unsafe HTTP2Session.of(this)?.delegate.receive(bytes, for: id)
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, _, this in
      unsafe HTTP2Session.of(this)?.delegate.remove(id)
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
