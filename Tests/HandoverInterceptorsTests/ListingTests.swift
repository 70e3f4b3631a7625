import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Each method of the proposal's listings")
struct ListingTests {
  private typealias Outgoing = InterceptorManager.Outgoing

  private static func manager(started: Bool = false) -> InterceptorManager {
    var manager = InterceptorManager(name: "link")
    manager.setPreviousInterceptor(.user)
    if started {
      manager.startNextInterceptor(ChainWorld.start)
      manager.outbox = []
    }
    return manager
  }

  // MARK: GRPCInterceptorInterface, as implemented by GRPCInterceptor

  @Test(
    "The factory chooses requestDispatchQueue and dispatchQueue; the default is one for both")
  func queues() {
    #expect(Plain("link").queues == .own)
    #expect(LoggingInterceptor.Factory().queues == .own)
    #expect(Plain("link", queues: .shared("one")).queues == .shared("one"))
  }

  @Test("startWithRequestOptions:callOptions: is forwarded to the next interceptor")
  func start() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager())
    link.start(ChainWorld.start, &manager)
    #expect(manager.outbox == [.request(.start(ChainWorld.start))])
  }

  @Test("writeData: is forwarded to the next interceptor")
  func write() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager())
    link.write(Message("hello"), &manager)
    #expect(manager.outbox == [.request(.write(Message("hello")))])
  }

  @Test("finish is forwarded to the next interceptor")
  func finish() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager(started: true))
    link.finish(&manager)
    #expect(manager.outbox == [.request(.finish)])
  }

  @Test("L50: cancel is forwarded to the next interceptor, and nothing else happens")
  func cancel() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager())
    link.cancel(&manager)
    #expect(manager.outbox == [.request(.cancel)])
  }

  @Test("I18: In the later code it then closes the previous one, and shuts down")
  func closingCancel() {
    var link = ForwardingInterceptor()
    var manager = InterceptorManager(name: "link", closesOnCancel: true)
    manager.setPreviousInterceptor(.user)
    link.cancel(&manager)
    let close = CallClose(CallStatus(.cancelled, "Canceled"), trailers: nil)
    #expect(manager.outbox == [.request(.cancel), .response(.close(close)), .shutDown])
  }

  @Test("receiveNextMessages: is forwarded to the next interceptor")
  func receiveNextMessages() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager())
    link.receiveNextMessages(3, &manager)
    #expect(manager.outbox == [.request(.receiveNextMessages(3))])
  }

  // MARK: GRPCResponseHandler, as implemented by GRPCInterceptor

  @Test("didReceiveInitialMetadata: is forwarded to the previous interceptor")
  func didReceiveInitialMetadata() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager())
    link.didReceiveInitialMetadata(["a": "1"], &manager)
    link.didReceiveInitialMetadata(nil, &manager)
    #expect(
      manager.outbox
        == [.response(.initialMetadata(["a": "1"])), .response(.initialMetadata(nil))])
  }

  @Test("didReceiveData: is forwarded to the previous interceptor")
  func didReceiveData() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager())
    link.didReceiveData(Message("hi"), &manager)
    #expect(manager.outbox == [.response(.message(Message("hi")))])
  }

  @Test(
    "I18: didCloseWithTrailingMetadata:error: is forwarded back, and the interceptor shuts down"
  )
  func didClose() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager())
    let close = CallClose(CallStatus(.aborted, "no"), trailers: ["b": "2"])
    link.didClose(close, &manager)
    #expect(manager.outbox == [.response(.close(close)), .shutDown])
  }

  @Test("didWriteData is forwarded to the previous interceptor")
  func didWriteData() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager())
    link.didWriteData(&manager)
    #expect(manager.outbox == [.response(.writeDone)])
  }

  @Test(
    "I30: didReceiveRawMessage: causes a finding, a cancel, a close INTERNAL and a shutdown"
  )
  func didReceiveRawMessage() {
    var (link, manager) = (ForwardingInterceptor(), Self.manager(started: true))
    link.didReceiveRawMessage([1], &manager)
    #expect(manager.outbox.count == 4)
    #expect(manager.outbox.first == .finding(.rawMessage))
    #expect(manager.outbox.dropFirst().first == .request(.cancel))
    #expect(manager.hasClosed && manager.isShutDown)
  }

  // MARK: GRPCInterceptorManager

  @Test(
    "I4: initWithNextInterceptor: belongs to the chain: the next interceptor is made on first use")
  func nextInterceptor() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("first"), Plain("second")])
    #expect(world.chains.linkNames(of: call) == ["first"])
    world.ask(call, .start(ChainWorld.start))
    #expect(world.chains.linkNames(of: call) == ["first", "second"])
  }

  @Test("L38, setPreviousInterceptor: can be called once, and not after the shutdown")
  func setPreviousInterceptor() {
    var manager = InterceptorManager(name: "link")
    let isFirstSet = manager.setPreviousInterceptor(.user)
    let isSecondSet = manager.setPreviousInterceptor(LinkID(position: 0, serial: 1))
    #expect(isFirstSet && !isSecondSet)
    manager.shutDown()
    let isThirdSet = manager.setPreviousInterceptor(.user)
    #expect(!isThirdSet)
  }

  @Test("Without a previous interceptor, responses are dropped")
  func noPreviousInterceptor() {
    var manager = InterceptorManager(name: "link")
    manager.forwardPreviousInterceptor(message: Message("lost"))
    #expect(manager.outbox.isEmpty)
  }

  @Test("I22: shutDown releases the neighbors immediately, and a second one does nothing")
  func shutDown() {
    var manager = Self.manager(started: true)
    manager.shutDown()
    manager.shutDown()
    #expect(manager.isShutDown)
    #expect(
      manager.outbox
        == [.finding(.closeNotForwarded), .finding(.nextLeftRunning), .shutDown])
    manager.outbox = []
    manager.writeNextInterceptor(Message("late"))
    manager.forwardPreviousInterceptor(message: Message("late"))
    #expect(
      manager.outbox == [.finding(.forwardedAfterShutDown), .finding(.forwardedAfterShutDown)])
  }

  @Test("I16, I22: A renewal after the close is distinct from one after the shutdown")
  func renewAtTheEnd() {
    var manager = Self.manager(started: true)
    manager.forwardPreviousInterceptorClose(.cancelled)
    manager.outbox = []
    manager.renewNextInterceptor()
    #expect(manager.outbox == [.finding(.forwardedAfterClose)])
    manager.shutDown()
    manager.outbox = []
    manager.renewNextInterceptor()
    #expect(manager.outbox == [.finding(.forwardedAfterShutDown)])
  }

  @Test("Each of the five methods toward the next interceptor forwards one request")
  func forwardToNext() {
    var manager = Self.manager()
    manager.startNextInterceptor(ChainWorld.start)
    manager.writeNextInterceptor(Message("hello"))
    manager.receiveNextInterceptorMessages(2)
    manager.finishNextInterceptor()
    manager.cancelNextInterceptor()
    #expect(
      manager.outbox == [
        .request(.start(ChainWorld.start)), .request(.write(Message("hello"))),
        .request(.receiveNextMessages(2)), .request(.finish), .request(.cancel),
      ])
    #expect(manager.nextHasEnded)
  }

  @Test("Each of the four methods toward the previous interceptor forwards one response")
  func forwardToPrevious() {
    var manager = Self.manager()
    manager.forwardPreviousInterceptor(initialMetadata: ["a": "1"])
    manager.forwardPreviousInterceptor(message: Message("hi"))
    manager.forwardPreviousInterceptorDidWrite()
    manager.forwardPreviousInterceptorClose(CallClose(.ok, trailers: ["b": "2"]))
    #expect(
      manager.outbox == [
        .response(.initialMetadata(["a": "1"])), .response(.message(Message("hi"))),
        .response(.writeDone), .response(.close(CallClose(.ok, trailers: ["b": "2"]))),
      ])
  }

  // MARK: GRPCInterceptorFactory, GRPCCallOptions, GRPCMarshaller

  @Test("createInterceptorWithInterceptorManager: makes one interceptor for each call")
  func createInterceptor() throws {
    var world = ChainWorld()
    let factory = Plain("link")
    _ = try world.open([factory])
    _ = try world.open([factory])
    #expect(world.made == ["link", "link"])
  }

  @Test("interceptorFactories keeps its order, and is part of the options' equality")
  func interceptorFactories() {
    var options = CallOptions()
    options.interceptorFactories = [Plain("a"), LoggingInterceptor.Factory()]
    #expect(options.interceptorFactories.map(\.name) == ["a", "logging"])
    var other = options
    #expect(options == other)
    other.interceptorFactories.reverse()
    #expect(options != other)
  }

  /// A message as an app knows it.
  private struct Greeting: MessageValue {
    var name: String
  }

  private struct Greetings: Marshaller {
    func serialize(_ value: any MessageValue) throws(MarshallingError) -> [UInt8] {
      guard let greeting = value as? Greeting else { throw MarshallingError("no greeting") }
      return Array(greeting.name.utf8)
    }

    func deserialize(_ bytes: [UInt8]) throws(MarshallingError) -> any MessageValue {
      guard !bytes.isEmpty else { throw MarshallingError("an empty greeting") }
      return Greeting(name: String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("serializeData: and deserializeData: come last: interceptors see and change values")
  func marshaller() throws {
    let polite = Hooked("polite") { hook in
      hook.write = { message, manager in
        guard case .value(let value) = message, let greeting = value as? Greeting else { return }
        manager.writeNextInterceptor(.value(Greeting(name: "dear " + greeting.name)))
      }
    }
    var world = ChainWorld()
    let call = try world.open([polite])
    world.ask(
      call, .start(ChainWorld.start { $0.marshaller = Greetings() }),
      .write(.value(Greeting(name: "Ada"))))
    #expect(world.orders.last == .send(Array("dear Ada".utf8)))
    world.send(call, .message(Array("Bob".utf8)))
    #expect(world.user == [.message(.value(Greeting(name: "Bob")))])
  }

  @Test("A message that no marshaller can write or read ends the call INTERNAL and cancels it")
  func marshallingFails() throws {
    struct Stranger: MessageValue {}
    for (options, text) in [
      (ChainWorld.start { $0.marshaller = Greetings() }, "no greeting"),
      (ChainWorld.start, "a message is not bytes, and the call has no marshaller"),
    ] {
      var world = ChainWorld()
      let call = try world.open([])
      world.ask(call, .start(options), .write(.value(Stranger())))
      #expect(world.user == [.close(CallClose(CallStatus(.internalError, text)))])
      #expect(world.orders.last == .cancel)
    }
    var world = ChainWorld()
    let call = try world.open([])
    world.ask(call, .start(ChainWorld.start { $0.marshaller = Greetings() }))
    world.send(call, .message([]))
    #expect(
      world.user == [.close(CallClose(CallStatus(.internalError, "an empty greeting")))])
    #expect(world.orders.last == .cancel)
  }
}
