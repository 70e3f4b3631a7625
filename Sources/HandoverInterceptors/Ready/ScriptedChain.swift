public import HandoverCore

// The interceptors that a script describes.
extension Script {
  /// The factories of the links that belong to the calls, first to last.
  public var interceptorFactories: [any InterceptorFactory] {
    configuration.chain.links.filter { !$0.isGlobal }.map { ScriptedFactory($0, hosts: hosts) }
  }

  /// The factory of the global interceptor; nil where there is none.
  public var globalInterceptor: (any InterceptorFactory)? {
    configuration.chain.links.first(where: \.isGlobal).map { ScriptedFactory($0, hosts: hosts) }
  }
}

/// Makes the links that one part of a script describes.
struct ScriptedFactory: InterceptorFactory {
  private let link: LinkScript
  private let changes: RewriteInterceptor.Changes

  init(_ link: LinkScript, hosts: [ScriptHost]) {
    self.link = link
    var changes = RewriteInterceptor.Changes()
    if case .rewrite(let script) = link.kind {
      changes.host = script.host.map { hosts[$0].written }
      changes.path = script.path
      changes.safety = script.safety
      changes.metadata = Self.metadata(script.metadata)
      changes.prefix = script.prefix
      changes.answerPrefix = script.answerPrefix
      changes.trailers = Self.metadata(script.trailers)
    }
    self.changes = changes
  }

  private static func metadata(_ headers: [ScriptHeader]) -> Metadata {
    Metadata(headers.map { Metadata.Entry($0.key, $0.value) })
  }

  var name: String { link.name }

  var queues: InterceptorQueues {
    switch link.queues {
    case .own: .own
    case .separate: .separate
    case .shared: .shared(link.name)
    }
  }

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
    switch link.kind {
    case .none: nil
    case .forward: ForwardingInterceptor()
    case .gate: GateInterceptor()
    case .rewrite: RewriteInterceptor(changes)
    case .logging, .metrics, .token, .cache, .mock, .retry: ForwardingInterceptor()
    }
  }
}
