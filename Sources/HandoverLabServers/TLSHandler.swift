import HandoverTry
import NIOCore

/// Encrypts and decrypts a connection, and starts the protocol that the client selects.
final class TLSHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Adds the handlers of a protocol behind this one.
  typealias Start = (TLSConnection.Version, any Channel) throws -> Void

  /// The number of received bytes that are decrypted together.
  private static let step = 16_384

  private let connection: TLSConnection
  private let log: (Range<Int>) -> Void
  private let logKeys: ([UInt8]) -> Void
  private let start: Start
  private var hasStarted = false
  private var hasEnded = false
  private var scanner = PayloadScanner()
  private var sentCount = 0
  private var recorder: MessageRecorder
  /// The number of bytes that were encrypted.
  private var plainCount = 0

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - connection: the TLS connection.
  ///   - recorder: records the messages among the sent bytes.
  ///   - log: receives the positions of application data among the sent bytes.
  ///   - logKeys: receives the keys of the connection before they are used.
  ///   - start: runs after the handshake.
  init(
    _ connection: TLSConnection, _ recorder: MessageRecorder,
    log: @escaping (Range<Int>) -> Void, logKeys: @escaping ([UInt8]) -> Void,
    start: @escaping Start
  ) {
    self.connection = connection
    self.recorder = recorder
    self.log = log
    self.logKeys = logKeys
    self.start = start
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = Self.unwrapInboundIn(data)
    do {
      // The library keeps a buffer of the longest part for the rest of the connection.
      while let part = bytes.readSlice(length: min(bytes.readableBytes, Self.step)),
        part.readableBytes > 0
      {
        try connection.receive(part)
        try decrypt(context)
      }
    } catch {
      // The output contains the alert for the client.
      send(context, promise: nil)
      context.flush()
      context.close(promise: nil)
    }
  }

  private func decrypt(_ context: ChannelHandlerContext) throws {
    while context.channel.isActive {
      let decrypted = try connection.read(context.channel.allocator)
      let keys = connection.takeKeys()
      if !keys.isEmpty { logKeys(keys) }
      send(context, promise: nil)
      context.flush()
      if !hasStarted, let version = connection.version {
        hasStarted = true
        try start(version, context.channel)
      }
      switch decrypted {
      case .bytes(let bytes): context.fireChannelRead(Self.wrapInboundOut(bytes))
      case .nothing: return
      case .end: return end(context)
      }
    }
  }

  /// Reports the end of the client's direction once, whether TLS or TCP ended.
  private func end(_ context: ChannelHandlerContext) {
    guard !hasEnded else { return }
    hasEnded = true
    context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    if !hasStarted { context.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed {
      end(context)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let bytes = Self.unwrapOutboundIn(data)
    do {
      try connection.write(bytes)
    } catch {
      promise?.fail(error)
      return context.close(promise: nil)
    }
    let isUseful = scanner.scan(
      Array(bytes.readableBytesView)[...], length: bytes.readableBytes)
    let before = sentCount
    send(context, promise: promise)
    if isUseful { log(before..<sentCount) }
    plainCount += bytes.readableBytes
    recorder.recordRelayed(plainCount, at: sentCount)
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let note = event as? ServiceNote else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    recorder.record(note, at: sentCount)
    promise?.succeed()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode != .input, context.channel.isActive {
      connection.end()
      send(context, promise: nil)
      context.flush()
    }
    context.close(mode: mode, promise: promise)
  }

  private func send(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
    let bytes = connection.output(context.channel.allocator)
    sentCount += bytes.readableBytes
    guard bytes.readableBytes > 0 || promise != nil else { return }
    context.write(Self.wrapOutboundOut(bytes), promise: promise)
  }
}
