import HandoverTry
import NIOCore
import Synchronization

/// A note that a service sends through its pipeline, after the bytes that the note describes.
enum ServiceNote {
  /// The client has subscribed to a topic, after the message that it received last.
  case subscribed(topic: Int, after: Int?)
  /// The message with this number was written.
  case sent(Int, topic: Int)
  /// From now on, the bytes come from a server at the other end of this connection.
  case relayed(FlowEnds)
}

/// The streams of the servers, and the log of the messages that were sent.
///
/// The number of a stream's message follows from the time since the first subscription. Therefore
/// the messages that a client misses need no memory, and can be sent later.
final class MessageBoard: Sendable {
  /// A stream with one message in each period.
  private struct Stream {
    var topic: Int?
    var start: NIODeadline
    var period: TimeAmount

    /// Returns the number of the last message before a time.
    func last(before now: NIODeadline) -> Int {
      Int((now - start).nanoseconds / period.nanoseconds) + 1
    }
  }

  private struct State {
    var log = MessageLog()
    var streams: [String: Stream] = [:]  // lookup only
    var polls: [String: Poll] = [:]  // lookup only
    var requests: [(at: NIODeadline, text: String)] = []
  }

  private struct Poll {
    var topic: Int?
    var last = 0
  }

  /// The maximum number of streams, and of kinds of polls.
  private static let maximumTopicCount = 1_000
  /// The maximum number of requests that are kept, and the maximum length of each in characters.
  private static let (maximumRequestCount, maximumRequestLength) = (4_096, 200)

  private let state = Mutex(State())

  /// The log until now.
  var log: MessageLog {
    state.withLock { state in
      let now = NIODeadline.now()
      var log = state.log
      for stream in state.streams.values {  // lookup only
        if let topic = stream.topic { log.setLast(stream.last(before: now), of: topic) }
      }
      return log
    }
  }

  // MARK: Streams

  /// Subscribes to a stream, which begins with its first subscription.
  ///
  /// - Parameters:
  ///   - name: The host and the path.
  ///   - period: The time between two messages.
  ///   - received: The number of the last message that the client has received, or `nil` if the
  ///     client wants the messages from now on.
  /// - Returns: The subscription.
  func subscribe(
    to name: String, each period: TimeAmount, after received: Int? = nil
  ) -> Subscription {
    let now = NIODeadline.now()
    let stream = state.withLock { state in
      if let stream = state.streams[name] { return stream }  // lookup only
      var stream = Stream(topic: nil, start: now, period: period)
      // The messages of further streams are sent, but not counted.
      guard state.streams.count < Self.maximumTopicCount else {
        state.log.fill()
        return stream
      }
      stream.topic = state.log.addTopic()
      state.streams[name] = stream
      return stream
    }
    let last = stream.start == now ? 0 : stream.last(before: now)
    // A number that does not exist yet is not one that the client has received.
    let after = received.flatMap { (0...last).contains($0) ? $0 : nil }
    return Subscription(
      topic: stream.topic, after: after, start: stream.start, period: period,
      next: (after ?? last) + 1)
  }

  /// A position in a stream.
  struct Subscription {
    let topic: Int?
    /// The number of the last message that the client has received, or `nil` if it is unknown.
    let after: Int?
    fileprivate let start: NIODeadline
    let period: TimeAmount
    /// The number of the next message.
    fileprivate(set) var next: Int

    /// The time of the next message.
    var due: NIODeadline { start + period * (next - 1) }

    /// Returns the number of the next message if its time has come.
    mutating func take(at now: NIODeadline) -> Int? {
      guard due <= now else { return nil }
      defer { next += 1 }
      return next
    }
  }

  // MARK: Polls

  /// Returns the number and the topic of the next answer to a poll.
  func answer(_ name: String) -> (number: Int, topic: Int?) {
    state.withLock { state in
      var poll: Poll
      if let known = state.polls[name] {  // lookup only
        poll = known
      } else if state.polls.count < Self.maximumTopicCount {
        poll = Poll(topic: state.log.addTopic())
      } else {
        state.log.fill()
        return (1, nil)
      }
      poll.last += 1
      state.polls[name] = poll
      return (poll.last, poll.topic)
    }
  }

  // MARK: Requests

  /// The first requests, in order.
  var requests: [(at: NIODeadline, text: String)] { state.withLock { $0.requests } }

  /// Records a request.
  func recordRequest(_ text: String) {
    let now = NIODeadline.now()
    state.withLock { state in
      guard state.requests.count < Self.maximumRequestCount else { return }
      state.requests.append((now, String(text.unicodeScalars.prefix(Self.maximumRequestLength))))
    }
  }

  // MARK: Connections

  /// Returns a recorder of the bytes that a channel sends.
  func recorder(of channel: any Channel) -> MessageRecorder {
    let ends = FlowEnds(near: channel.remoteAddress, far: channel.localAddress)
    return MessageRecorder(self, ends.flatMap { ends in state.withLock { $0.log.open(ends) } })
  }

  fileprivate func update(_ body: (inout MessageLog) -> Void) {
    state.withLock { body(&$0.log) }
  }
}

/// The record of the messages on one connection.
struct MessageRecorder {
  private let board: MessageBoard
  private let position: Int?
  private var source: FlowEnds?

  fileprivate init(_ board: MessageBoard, _ position: Int?) {
    self.board = board
    self.position = position
  }

  /// Records a note, which describes bytes up to a number of sent bytes.
  mutating func record(_ note: ServiceNote, at end: Int) {
    guard let position else { return }
    switch note {
    case .subscribed(let topic, let after):
      board.update { $0.subscribe(to: topic, after: after, on: position) }
    case .sent(let number, let topic):
      board.update { $0.add(number, of: topic, endingAt: end, on: position) }
    case .relayed(let source): self.source = source
    }
  }

  /// Records that a number of relayed bytes were sent, as the given number of bytes.
  func recordRelayed(_ count: Int, at end: Int) {
    guard let position, let source else { return }
    board.update { $0.relay(from: source, upTo: count, to: position, at: end) }
  }
}

/// Counts the bytes that a connection without TLS sends, and records the messages among them.
final class MessageCounter: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var recorder: MessageRecorder
  private var count = 0

  init(_ recorder: MessageRecorder) {
    self.recorder = recorder
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    count += Self.unwrapOutboundIn(data).readableBytes
    context.write(data, promise: promise)
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let note = event as? ServiceNote else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    recorder.record(note, at: count)
    promise?.succeed()
  }
}
