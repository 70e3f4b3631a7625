import Foundation
import NIOCore
import Synchronization

/// A log of which bytes of each connection carry application data, which TLS packets do not reveal.
///
/// A line is `open DEVICE PORT SERVER PORT`, `sent DEVICE PORT SERVER PORT FROM TO`, or `full`.
final class PayloadLog: Sendable {
  private struct State {
    let file: FileHandle
    var rest = maximumLineCount
  }

  private let state: Mutex<State>

  /// The maximum number of lines.
  private static let maximumLineCount = 100_000

  /// Creates a log in a new file.
  init(_ path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    state = Mutex(State(file: try FileHandle(forWritingTo: URL(fileURLWithPath: path))))
  }

  func write(_ line: String) {
    state.withLock { state in
      guard state.rest > 0 else { return }
      state.rest -= 1
      let text = state.rest == 0 ? "full\n" : line + "\n"
      // If the log cannot be written, the verdict is based on packets alone.
      try? state.file.write(contentsOf: Data(text.utf8))
    }
  }

  /// Returns the two endpoints of a connection, the client's first.
  static func name(_ channel: any Channel) -> String {
    [channel.remoteAddress, channel.localAddress].map(text).joined(separator: " ")
  }

  private static func text(_ address: SocketAddress?) -> String {
    let bytes: [UInt8] =
      switch address {
      case .v4(let address): withUnsafeBytes(of: address.address.sin_addr, Array.init)
      case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr, Array.init)
      default: []
      }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "\(digits) \(address?.port ?? 0)"
  }
}

/// Counts the bytes sent on a connection, below TLS.
final class SentCounter: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private(set) var count = 0

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    count += Self.unwrapOutboundIn(data).readableBytes
    context.write(data, promise: promise)
  }
}

/// Inspects sent data above TLS, and logs which bytes of the connection carry application data.
final class PayloadLogger: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let log: PayloadLog
  private let counter: SentCounter
  private var scanner = PayloadScanner()
  private var isUseful = false

  init(_ log: PayloadLog, _ counter: SentCounter) {
    self.log = log
    self.counter = counter
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let bytes = Array(Self.unwrapOutboundIn(data).readableBytesView)
    if scanner.scan(bytes[...], length: bytes.count) { isUseful = true }
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    // TLS encrypts written data only at the flush.
    let before = counter.count
    context.flush()
    guard isUseful, counter.count > before else { return }
    isUseful = false
    log.write("sent \(PayloadLog.name(context.channel)) \(before) \(counter.count)")
  }
}
