import Dispatch
import HandoverInterceptors
import Testing

@Suite("The global interceptor", .timeLimit(.minutes(30)))
struct GlobalInterceptorTests {
  @Test("I32: The first registered interceptor stays, and nil is ignored")
  func registration() throws {
    let global = GlobalInterceptor()
    try global.register(nil)
    #expect(global.factory == nil)
    try global.register(Making("first"))
    #expect(throws: GlobalInterceptor.AlreadyRegistered.self) {
      try global.register(Making("second"))
    }
    try global.register(nil)
    #expect(global.factory?.name == "first")
  }

  @Test("I32: If many threads register, one wins and stays")
  func race() {
    let global = GlobalInterceptor()
    let winners = Record<String>()
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      let name = "interceptor \(index)"
      if (try? global.register(Making(name))) != nil { winners.add(name) }
    }
    #expect(winners.all.count == 1)
    #expect(global.factory?.name == winners.all.first)
  }

  @Test("I32: The process has one global interceptor, which ignores nil as well")
  func process() throws {
    try GlobalInterceptor.register(nil)
    #expect(InterceptedClient.Configuration().global === GlobalInterceptor.process)
  }

  /// Returns the names of the interceptors of a call, in the order of their creation.
  private func links(
    _ global: GlobalInterceptor, isLegacy: Bool = false
  ) async throws -> [String] {
    let made = Record<String>()
    let configuration = InterceptedClient.Configuration.apart {
      $0.global = global
      $0.report = { if case .linkMade(_, _, let name) = $0 { made.add(name) } }
      var transports = TransportRegistry()
      transports.register(
        TransportFactory(.coreSecure, interceptorFactories: [Making("transport's")]))
      $0.chains.transports = transports
    }
    let client = InterceptedClient(EchoTransport(), configuration)
    var options = CallOptions(Making("user's"))
    options.transport = .coreSecure
    let ear = Ear()
    let call =
      isLegacy
      ? try client.makeLegacyCall(.echo, options, handler: ear.handler())
      : try client.makeCall(.echo, options, handler: ear.handler())
    call.start()
    call.finish()
    #expect(await ear.received().closes == [CallClose(.ok)])
    return made.all
  }

  @Test(
    "I33: The global interceptor comes after the user's and before the transport's"
  )
  func position() async throws {
    let global = GlobalInterceptor()
    #expect(try await links(global) == ["user's", "transport's"])
    try global.register(Making("global"))
    #expect(try await links(global) == ["user's", "global", "transport's"])
  }

  @Test("I34: It is disabled for a call for which its factory makes no interceptor")
  func disabled() async throws {
    let global = GlobalInterceptor()
    try global.register(Making("global") { _ in nil })
    #expect(try await links(global) == ["user's", "transport's"])
  }

  @Test("I35: A call of the older interface goes through no interceptor")
  func legacy() async throws {
    let global = GlobalInterceptor()
    try global.register(Making("global"))
    #expect(try await links(global, isLegacy: true).isEmpty)
  }
}
