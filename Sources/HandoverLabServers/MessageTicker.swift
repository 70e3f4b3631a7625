import NIOCore
import NIOHTTP1

/// Sends the messages of a subscription when their time has come.
///
/// A connection that accepts no data gets its messages later, because a message takes no memory
/// until it is sent.
final class MessageTicker {
  private var subscription: MessageBoard.Subscription
  private let isReady: () -> Bool
  private let send: (Int) -> Void
  private let note: (ServiceNote) -> Void
  private var task: Scheduled<Void>?
  private var isStopped = false

  /// Creates a ticker.
  ///
  /// - Parameters:
  ///   - subscription: the subscription.
  ///   - isReady: returns whether the next message can be sent.
  ///   - send: sends the message with a number.
  ///   - note: records what was sent.
  init(
    _ subscription: MessageBoard.Subscription, isReady: @escaping () -> Bool,
    send: @escaping (Int) -> Void, note: @escaping (ServiceNote) -> Void
  ) {
    self.subscription = subscription
    self.isReady = isReady
    self.send = send
    self.note = note
  }

  /// Begins to send.
  ///
  /// - Parameters:
  ///   - loop: the event loop of the connection.
  ///   - greet: sends a greeting if no message is due yet.
  func start(on loop: any EventLoop, greet: () -> Void) {
    if let topic = subscription.topic {
      note(.subscribed(topic: topic, after: subscription.after))
    }
    if subscription.due > .now() { greet() }
    tick(loop)
  }

  /// Stops sending.
  func stop() {
    isStopped = true
    task?.cancel()
  }

  private func tick(_ loop: any EventLoop) {
    let now = NIODeadline.now()
    while !isStopped, isReady(), let number = subscription.take(at: now) {
      send(number)
      if let topic = subscription.topic { note(.sent(number, topic: topic)) }
    }
    guard !isStopped else { return }
    // After messages that could not be sent, the next attempt is one period later.
    let next = subscription.due > now ? subscription.due : now + subscription.period
    let bound = NIOLoopBound(self, eventLoop: loop)
    task = loop.scheduleTask(deadline: next) { bound.value.tick(loop) }
  }
}

extension MessageBoard {
  /// Returns the name of the stream that a request selects: its host and its path.
  static func name(of head: HTTPRequestHead) -> String {
    name(host: head.headers.first(name: "Host") ?? "", path: head.uri)
  }

  /// Returns the name of the stream of a host and a path, without the query.
  static func name(host: String, path: String) -> String { host + path.prefix { $0 != "?" } }
}
