import HandoverCore

/// An order of a chain to the transport below it.
public enum TransportOrder: Hashable, Sendable {
  /// Start the call on a channel.
  case start(CallStart)
  /// Send a message.
  case send([UInt8])
  /// Notify the server that no more messages follow.
  case finish
  /// Cancel the call.
  case cancel
  /// Read one message; only with flow control (I37).
  case readMessage
}

/// An event of a call that the transport reports.
public enum TransportEvent: Hashable, Sendable {
  /// The headers of the server.
  case headers(Metadata)
  /// A message from the server.
  case message([UInt8])
  /// A message was sent.
  case written
  /// The call is over.
  indirect case ended(CallStatus, trailers: Metadata?)
}

/// The transport end of a chain, which implements the call logic and has no interceptor after it.
///
/// The original implementation calls it `GRPCCall2Internal`. Illegal requests are dropped and
/// reported as findings (I27).
struct TransportLink: Hashable, Sendable {
  /// The number of the attempt; events of earlier attempts are dropped.
  let attempt: UInt32
  /// The transport with which the call was opened, even if a substitute is used (R3).
  private let transport: TransportIdentifier
  private var phase = RequestSendingPhase.initialized
  private var isShutDown = false
  private var marshaller: AnyMarshaller?
  private var hasFlowControl = false
  /// The messages written before the start.
  private var early: [Message] = []
  /// The number of messages that may still be delivered; requests before the start count (I36).
  private var wanted = 0
  /// Whether a message is being read (I37).
  private var isReading = false
  private var headers: Metadata?
  private var hasHeaders = false
  private var hasPublishedHeaders = false
  /// The messages that arrived and were not requested yet.
  private var unread: [[UInt8]] = []
  /// The close, withheld until all earlier messages were read (I38).
  private var pendingEnd: CallClose?
  private let reportsEveryWrite: Bool

  init(attempt: UInt32, transport: TransportIdentifier, reportsEveryWrite: Bool) {
    self.attempt = attempt
    self.transport = transport
    self.reportsEveryWrite = reportsEveryWrite
  }

  /// The consequences of one request or event.
  struct Reaction: Hashable, Sendable {
    var orders: ShortQueue<TransportOrder> = []
    var responses: ShortQueue<ChainResponse> = []
    var finding: ChainFinding.Kind?
  }

  /// The message of the crash if another run has taken the transport end out of its chain.
  static var alreadyInUse: String { "the transport end of this call is already in use" }

  /// Whether the call was started and the transport has not ended it.
  var isUnderWay: Bool { !isShutDown && phase != .initialized && pendingEnd == nil }

  mutating func handle(_ work: TransportWork, into reaction: inout Reaction) {
    switch work {
    case .request(let request): handle(request, into: &reaction)
    case .event(let event): handle(event, into: &reaction)
    }
  }

  private mutating func handle(_ request: ChainRequest, into reaction: inout Reaction) {
    guard !isShutDown else { return }
    switch request {
    case .start(let start):
      guard phase == .initialized else { return reaction.finding = .startedTwice }
      begin(start, into: &reaction)
    case .write(let message):
      switch phase {
      case .initialized: early.append(message)
      case .started: send(message, into: &reaction)
      case .halfClosed, .finished: reaction.finding = .writtenAfterFinish
      }
    case .finish:
      guard phase == .started else {
        reaction.finding = phase == .initialized ? .finishedBeforeStart : .finishedTwice
        return
      }
      phase = .halfClosed
      order(.finish, into: &reaction)
    case .cancel:
      // The caller is notified first, then the cancel is carried out (I20).
      let hasCall = phase != .initialized
      close(CallClose(CallStatus(.cancelled)), text: .cancelledByApplication, into: &reaction)
      if hasCall { order(.cancel, into: &reaction) }
    case .receiveNextMessages(let count):
      wanted = wanted.adding(wanted: count)
      deliver(into: &reaction)
    }
  }

  private mutating func begin(_ start: CallStart, into reaction: inout Reaction) {
    let options = start.options
    guard options.transport == nil || options.transport?.text == transport.text else {
      reaction.finding = .transportChanged
      let end = CallEnd(.invalidArgument, .transportChanged)
      return close(CallClose(CallStatus(end)), into: &reaction)
    }
    phase = .started
    marshaller = options.marshaller.map(AnyMarshaller.init)
    hasFlowControl = options.flowControl
    reaction.orders.append(.start(start))
    for message in early where !isShutDown { send(message, into: &reaction) }
    early = []
  }

  private mutating func send(_ message: Message, into reaction: inout Reaction) {
    switch message {
    case .bytes(let bytes):
      order(.send(bytes), into: &reaction)
    case .value(let value):
      guard let marshaller else {
        return fail("a message is not bytes, and the call has no marshaller", into: &reaction)
      }
      do throws(MarshallingError) {
        order(.send(try marshaller.marshaller.serialize(value)), into: &reaction)
      } catch {
        fail(error.message, into: &reaction)
      }
    }
  }

  /// Ends the call because a message cannot be serialized or deserialized.
  private mutating func fail(_ text: String, into reaction: inout Reaction) {
    close(CallClose(CallStatus(.internalError, text)), into: &reaction)
    order(.cancel, into: &reaction)
  }

  /// Emits an order unless the transport has ended the call.
  ///
  /// The caller may not know of that end yet (I38), and nothing may be sent after it.
  private func order(_ order: TransportOrder, into reaction: inout Reaction) {
    if pendingEnd == nil { reaction.orders.append(order) }
  }

  private mutating func handle(_ event: TransportEvent, into reaction: inout Reaction) {
    guard !isShutDown, pendingEnd == nil else { return }
    switch event {
    case .headers(let metadata):
      headers = metadata
      hasHeaders = true
      deliver(into: &reaction)
    case .message(let bytes):
      isReading = false
      hasHeaders = true
      unread.append(bytes)
      deliver(into: &reaction)
    case .written:
      // The specification and the code disagree on whether flow control determines this (I39).
      if hasFlowControl || reportsEveryWrite { reaction.responses.append(.writeDone) }
    case .ended(let status, let trailers):
      pendingEnd = CallClose(status, trailers: trailers)
      deliver(into: &reaction)
    }
  }

  /// Delivers the requested messages in order; the close follows when no message is left.
  private mutating func deliver(into reaction: inout Reaction) {
    while !unread.isEmpty, !hasFlowControl || wanted > 0 {
      if hasFlowControl { wanted -= 1 }
      publishHeaders(into: &reaction)
      let bytes = unread.removeFirst()
      guard let marshaller else {
        reaction.responses.append(.message(.bytes(bytes)))
        continue
      }
      do throws(MarshallingError) {
        reaction.responses.append(.message(.value(try marshaller.marshaller.deserialize(bytes))))
      } catch {
        return fail(error.message, into: &reaction)
      }
    }
    if let end = pendingEnd, unread.isEmpty {
      return close(end, into: &reaction)
    }
    // Reads one message at a time, and only after the headers.
    if hasFlowControl, phase != .initialized, hasHeaders, wanted > 0, !isReading {
      isReading = true
      order(.readMessage, into: &reaction)
    }
  }

  /// Reports the headers with the first message or the close, never alone; absent headers are
  /// omitted (I29).
  private mutating func publishHeaders(into reaction: inout Reaction) {
    guard !hasPublishedHeaders else { return }
    hasPublishedHeaders = true
    if let headers { reaction.responses.append(.initialMetadata(headers)) }
  }

  private mutating func close(
    _ close: CallClose, text: StatusText? = nil, into reaction: inout Reaction
  ) {
    var close = close
    if let text {
      close.status.message = text.text
    } else {
      publishHeaders(into: &reaction)
    }
    phase = .finished
    isShutDown = true
    reaction.responses.append(.close(close))
  }
}
