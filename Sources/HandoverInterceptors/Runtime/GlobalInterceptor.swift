import Synchronization

/// The one interceptor that applies to all calls of a process (L50, optional; I32 to I35).
///
/// It follows the interceptors of the call and precedes those of the transport. Its factory may
/// return no interceptor for a call, which disables it for that call (I34). It cannot be
/// unregistered.
public final class GlobalInterceptor: Sendable {
  /// An error for a second registration; the first interceptor stays registered.
  public struct AlreadyRegistered: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the registered interceptor.
    public let name: String

    /// A description of the error.
    public var description: String {
      "the global interceptor is \(name) already; there is one for each process"
    }
  }

  /// The registration of the process, which clients use by default.
  public static let process = GlobalInterceptor()

  private let registered = Mutex<(any InterceptorFactory)?>(nil)

  /// Creates a registration that is separate from the process's, for tests.
  public init() {}

  /// Registers the interceptor of the process; `nil` is ignored.
  ///
  /// - Throws: ``AlreadyRegistered`` if an interceptor is already registered.
  public static func register(
    _ factory: (any InterceptorFactory)?
  ) throws(AlreadyRegistered) {
    try process.register(factory)
  }

  /// Registers the interceptor; `nil` is ignored.
  ///
  /// - Throws: ``AlreadyRegistered`` if an interceptor is already registered.
  public func register(_ factory: (any InterceptorFactory)?) throws(AlreadyRegistered) {
    guard let factory else { return }
    let first = registered.withLock { registered in
      defer { registered = registered ?? factory }
      return registered
    }
    if let first { throw AlreadyRegistered(name: first.name) }
  }

  /// The registered factory, or `nil` if there is none.
  public var factory: (any InterceptorFactory)? {
    registered.withLock { $0 }
  }
}
