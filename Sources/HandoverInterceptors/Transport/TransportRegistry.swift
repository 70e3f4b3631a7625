/// The name of a transport in call options.
///
/// The registry compares the strings. Options compare the identifiers themselves, as the original
/// implementation compares pointers (R4). Two identifiers with the same string and different
/// origins therefore name one transport, but are two keys of the channel pool.
public struct TransportIdentifier: Hashable, Sendable {
  /// The name.
  public let text: String
  /// A number that distinguishes identifiers with the same string; the constants have 0.
  public let origin: UInt32

  /// Creates an identifier.
  public init(_ text: String, origin: UInt32 = 0) {
    self.text = text
    self.origin = origin
  }

  /// The core transport with TLS, which is the default (R1).
  public static let coreSecure = TransportIdentifier("io.grpc.transport.core.secure")
  /// The core transport without TLS (R1).
  public static let coreInsecure = TransportIdentifier("io.grpc.transport.core.insecure")
}

/// A factory of transports, with the interceptors that belong to them.
public struct TransportFactory: Hashable, Sendable {
  /// The identifier of the transport.
  public var identifier: TransportIdentifier
  /// Whether the factory can create a transport now; if not, a call has no transport (R6).
  public var makesTransports: Bool
  private var interceptors: [AnyFactory]

  /// Creates a factory; both core factories have no interceptors (R5).
  public init(
    _ identifier: TransportIdentifier, interceptorFactories: [any InterceptorFactory] = [],
    makesTransports: Bool = true
  ) {
    self.identifier = identifier
    self.makesTransports = makesTransports
    interceptors = interceptorFactories.map(AnyFactory.init)
  }

  /// The factories of the interceptors between the caller's interceptors and the transport (I1).
  public var interceptorFactories: [any InterceptorFactory] { interceptors.map(\.factory) }
}

/// The registered transports.
public struct TransportRegistry: Hashable, Sendable {
  /// The error that no transport was found, because no default transport is registered (R3).
  public struct NoDefaultTransport: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error and its remedy.
    public var description: String {
      "no default transport is registered; register \(TransportIdentifier.coreSecure.text) first"
    }
  }

  /// The result of a lookup.
  public struct Match: Hashable, Sendable {
    /// The factory of the transport.
    public var factory: TransportFactory
    /// Whether the identifier was unknown and the default transport replaces it (R3).
    public var isSubstitute: Bool
  }

  private var factories: [TransportFactory] = []

  /// Creates a registry without transports.
  public init() {}

  /// The registry with both core transports (R1).
  public static var core: TransportRegistry {
    var registry = TransportRegistry()
    registry.register(TransportFactory(.coreSecure))
    registry.register(TransportFactory(.coreInsecure))
    return registry
  }

  /// Registers a transport; the first factory for an identifier stays (R2).
  ///
  /// - Returns: whether the factory was registered; `false` if its identifier was in use.
  @discardableResult
  public mutating func register(_ factory: TransportFactory) -> Bool {
    guard !factories.contains(where: { $0.identifier.text == factory.identifier.text }) else {
      return false
    }
    factories.append(factory)
    return true
  }

  /// Finds a transport; returns the default for `nil` and for an unknown identifier (R3).
  public func find(_ identifier: TransportIdentifier?) throws(NoDefaultTransport) -> Match {
    let wanted = identifier ?? .coreSecure
    if let known = factories.first(where: { $0.identifier.text == wanted.text }) {
      return Match(factory: known, isSubstitute: false)
    }
    let fallback = TransportIdentifier.coreSecure.text
    guard let known = factories.first(where: { $0.identifier.text == fallback }) else {
      throw NoDefaultTransport()
    }
    return Match(factory: known, isSubstitute: identifier != nil)
  }
}
