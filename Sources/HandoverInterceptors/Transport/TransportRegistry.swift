/// Names a transport in call options.
///
/// The registry compares the texts; options compare the identifiers themselves, as the original
/// compares pointers (R4): two identifiers with one text and two origins are one transport, and two
/// keys of the channel pool.
public struct TransportIdentifier: Hashable, Sendable {
  /// The name.
  public let text: String
  /// Which of the identifiers with this text; the constants have 0.
  public let origin: UInt32

  /// Makes an identifier.
  public init(_ text: String, origin: UInt32 = 0) {
    self.text = text
    self.origin = origin
  }

  /// The core's transport over TLS: the default (R1).
  public static let coreSecure = TransportIdentifier("io.grpc.transport.core.secure")
  /// The core's transport without TLS (R1).
  public static let coreInsecure = TransportIdentifier("io.grpc.transport.core.insecure")
}

/// Makes transports, and names the interceptors that belong to them.
public struct TransportFactory: Hashable, Sendable {
  /// The transport's identifier.
  public var identifier: TransportIdentifier
  /// Whether it can make a transport now; one that cannot leaves a call without (R6).
  public var makesTransports: Bool
  private var interceptors: [AnyFactory]

  /// Makes a factory; both factories of the core have no interceptors (R5).
  public init(
    _ identifier: TransportIdentifier, interceptorFactories: [any InterceptorFactory] = [],
    makesTransports: Bool = true
  ) {
    self.identifier = identifier
    self.makesTransports = makesTransports
    interceptors = interceptorFactories.map(AnyFactory.init)
  }

  /// The interceptors between the user's and the transport (I1).
  public var interceptorFactories: [any InterceptorFactory] { interceptors.map(\.factory) }
}

/// The transports there are, by their identifiers.
public struct TransportRegistry: Hashable, Sendable {
  /// A call's transport could not be found: nothing is registered as the default (R3).
  public struct NoDefaultTransport: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to do.
    public var description: String {
      "no default transport is registered; register \(TransportIdentifier.coreSecure.text) first"
    }
  }

  /// What a look-up finds.
  public struct Found: Hashable, Sendable {
    /// The transport.
    public var factory: TransportFactory
    /// Whether nobody knew the identifier, and the default stands in for it (R3).
    public var isSubstitute: Bool
  }

  private var factories: [TransportFactory] = []

  /// Makes a registry without transports.
  public init() {}

  /// The registry with both transports of the core (R1).
  public static var core: TransportRegistry {
    var registry = TransportRegistry()
    registry.register(TransportFactory(.coreSecure))
    registry.register(TransportFactory(.coreInsecure))
    return registry
  }

  /// Registers a transport; the first of an identifier stays (R2).
  ///
  /// - Returns: whether it was registered; false where its identifier was taken.
  @discardableResult
  public mutating func register(_ factory: TransportFactory) -> Bool {
    guard !factories.contains(where: { $0.identifier.text == factory.identifier.text }) else {
      return false
    }
    factories.append(factory)
    return true
  }

  /// Finds a transport; nil asks for the default, and so does what nobody knows (R3).
  public func find(_ identifier: TransportIdentifier?) throws(NoDefaultTransport) -> Found {
    let wanted = identifier ?? .coreSecure
    if let known = factories.first(where: { $0.identifier.text == wanted.text }) {
      return Found(factory: known, isSubstitute: false)
    }
    let fallback = TransportIdentifier.coreSecure.text
    guard let known = factories.first(where: { $0.identifier.text == fallback }) else {
      throw NoDefaultTransport()
    }
    return Found(factory: known, isSubstitute: identifier != nil)
  }
}
