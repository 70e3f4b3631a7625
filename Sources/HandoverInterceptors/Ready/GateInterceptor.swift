public import HandoverCore

/// A scripted interceptor that forwards everything until a script commands something else, right or
/// wrong.
///
/// Answers to the question ``question`` are the commands: a keyword of `GateAction`, and for a
/// close a space and the status. Scenarios use this interceptor to show the effect of a faulty
/// interceptor on a call.
public struct GateInterceptor: Interceptor {
  /// The question whose answers are commands.
  public static let question = "do"

  private var isHolding = false
  private var held: [Held] = []
  private var start: CallStart?

  private enum Held: Hashable {
    case request(ChainRequest)
    case response(ChainResponse)
  }

  /// Creates an interceptor that forwards everything.
  public init() {}

  /// Returns a command in the form of an answer.
  public static func command(_ word: GateAction, _ status: StatusCode) -> String {
    word == .close ? "\(word.rawValue) \(status.name)" : word.rawValue
  }

  /// Forwards the start, or holds it until the release.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    self.start = start
    pass(.request(.start(start)), &manager)
  }

  /// Forwards the message, or holds it until the release.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    pass(.request(.write(message)), &manager)
  }

  /// Forwards the end of the messages, or holds it until the release.
  public mutating func finish(_ manager: inout InterceptorManager) {
    pass(.request(.finish), &manager)
  }

  /// Forwards the request, or holds it until the release.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    pass(.request(.receiveNextMessages(count)), &manager)
  }

  /// Forwards the headers, or holds them until the release.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    pass(.response(.initialMetadata(metadata)), &manager)
  }

  /// Forwards the message, or holds it until the release.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    pass(.response(.message(message)), &manager)
  }

  /// Forwards the close, or holds it until the release.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    pass(.response(.close(close)), &manager)
  }

  /// Forwards the notification, or holds it until the release.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    pass(.response(.writeDone), &manager)
  }

  /// Executes a command.
  public mutating func didReceiveAnswer(
    _ answer: String?, to question: String, _ manager: inout InterceptorManager
  ) {
    let words = (answer ?? "").split(separator: " ")
    guard question == Self.question, let name = words.first,
      let word = GateAction(rawValue: String(name))
    else { return }
    switch word {
    case .hold:
      isHolding = true
    case .release:
      isHolding = false
      let held = self.held
      self.held = []
      for item in held {
        forward(item, &manager)
        // Items after a close have no receiver.
        if case .response(.close) = item { break }
      }
    case .message:
      manager.forwardPreviousInterceptor(message: Message("from the gate"))
    case .close:
      let code = words.count > 1 ? StatusCode(name: String(words[1])) : nil
      manager.forwardPreviousInterceptorClose(CallClose(CallStatus(code ?? .ok)))
    case .cancel:
      manager.cancelNextInterceptor()
    case .start:
      if let start { manager.startNextInterceptor(start) }
    case .shutDown:
      manager.shutDown()
    }
  }

  private mutating func pass(_ item: Held, _ manager: inout InterceptorManager) {
    if isHolding { held.append(item) } else { forward(item, &manager) }
  }

  private func forward(_ item: Held, _ manager: inout InterceptorManager) {
    switch item {
    case .request(let request): manager.forwardNextInterceptor(request)
    case .response(.initialMetadata(let metadata)):
      manager.forwardPreviousInterceptor(initialMetadata: metadata)
    case .response(.message(let message)): manager.forwardPreviousInterceptor(message: message)
    case .response(.rawMessage(let bytes)): manager.forwardPreviousInterceptor(rawMessage: bytes)
    case .response(.writeDone): manager.forwardPreviousInterceptorDidWrite()
    case .response(.close(let close)):
      manager.forwardPreviousInterceptorClose(close)
      manager.shutDown()
    }
  }
}
