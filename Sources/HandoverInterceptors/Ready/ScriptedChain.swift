public import HandoverCore

/// The interceptor factories that a script describes, created once for each run.
///
/// State that the interceptors of one factory share is shared among the calls of that run.
public struct ScriptedChain: Hashable, Sendable {
  private let own: [ScriptedFactory]
  private let last: ScriptedFactory?

  /// Creates the factories.
  public init(_ script: Script) {
    let links = script.configuration.chain.links
    own = links.filter { !$0.isGlobal }.map { ScriptedFactory($0, script) }
    last = links.first(where: \.isGlobal).map { ScriptedFactory($0, script) }
  }

  /// The factories of the interceptors that belong to the calls, first to last.
  public var factories: [any InterceptorFactory] { own }

  /// The factory of the global interceptor, or `nil` if there is none.
  public var global: (any InterceptorFactory)? { last }
}

/// Creates the interceptors that one part of a script describes, with its name and queues.
struct ScriptedFactory: InterceptorFactory {
  let name: String
  let queues: InterceptorQueues
  private let base: AnyFactory?

  init(_ link: InterceptorScript, _ script: Script) {
    name = link.name
    queues =
      switch link.queues {
      case .own: .own
      case .separate: .separate
      case .shared: .shared(link.name)
      case .concurrent: .concurrent(link.name)
      }
    base = Self.base(link, script).map(AnyFactory.init)
  }

  var sharesState: Bool { base?.factory.sharesState ?? false }

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
    base?.factory.makeInterceptor(for: call)
  }

  private static func base(_ link: InterceptorScript, _ script: Script) -> (any InterceptorFactory)?
  {
    switch link.kind {
    case .none: nil
    case .forward: LinkFactory(link: AnyInterceptor(ForwardingInterceptor()))
    case .gate: LinkFactory(link: AnyInterceptor(GateInterceptor()))
    case .rewrite(let rewrite):
      LinkFactory(link: AnyInterceptor(RewriteInterceptor(changes(rewrite, script))))
    case .logging: LoggingInterceptor.Factory(name: link.name)
    case .metrics: MetricsInterceptor.Factory(name: link.name)
    case .token: TokenInterceptor.Factory(name: link.name)
    case .cache(let keep): CacheInterceptor.Factory(name: link.name, timeToLive: keep)
    case .mock(let mock): MockInterceptor.Factory(name: link.name, answers: [answer(mock)])
    case .retry(let attempts, let backoff, let calls):
      RetryInterceptor.Factory(
        name: link.name,
        policy: RetryInterceptor.Policy(calls: calls, attempts: attempts, backoff: backoff),
        seed: script.configuration.seed)
    }
  }

  private static func changes(
    _ rewrite: RewriteScript, _ script: Script
  ) -> RewriteInterceptor.Changes {
    var changes = RewriteInterceptor.Changes()
    changes.host = rewrite.host.map { script.hosts[$0].written }
    changes.path = rewrite.path
    changes.safety = rewrite.safety
    changes.metadata = Metadata(rewrite.metadata.map { Metadata.Entry($0.key, $0.value) })
    changes.prefix = rewrite.prefix
    changes.answerPrefix = rewrite.answerPrefix
    changes.trailers = Metadata(rewrite.trailers.map { Metadata.Entry($0.key, $0.value) })
    changes.timeout = rewrite.deadline
    changes.failsFast = rewrite.failFast
    changes.flowControl = rewrite.hasFlowControl
    changes.channel = rewrite.options
    // The reader allows an interceptor to name only earlier ones, so the recursion ends.
    changes.interceptorFactories = rewrite.links.map { places in
      places.map { ScriptedFactory(script.configuration.chain.links[$0], script) }
    }
    return changes
  }

  private static func answer(_ mock: MockScript) -> MockInterceptor.Answer {
    MockInterceptor.Answer(
      mock.path ?? "**",
      CallResponse(
        headers: ["server": "mock"], messages: mock.messages.map { Message($0) },
        close: CallClose(CallStatus(mock.status))),
      delay: mock.takes)
  }
}

/// Creates equal interceptors that share nothing.
private struct LinkFactory: InterceptorFactory {
  let link: AnyInterceptor

  var name: String { "link" }

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? { link.interceptor }
}
