public import HandoverInterceptors
import Synchronization

/// The one interceptor that all calls of a process go through (L50, optional; I32 to I35).
///
/// It stands behind the interceptors of the call and before those of its transport. Its factory may
/// make no link for a call, which disables it for that call (I34); it cannot be taken back.
public final class GlobalInterceptor: Sendable {
  /// One was registered before, and stays.
  public struct AlreadyRegistered: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the one that stays.
    public let name: String

    /// What to do.
    public var description: String {
      "the global interceptor is \(name) already; there is one for each process"
    }
  }

  /// The process's own, which clients use unless they are given another.
  public static let process = GlobalInterceptor()

  private let registered = Mutex<(any InterceptorFactory)?>(nil)

  /// Makes one apart from the process's, as tests need it.
  public init() {}

  /// Registers the interceptor of the process; nil is ignored.
  ///
  /// - Throws: ``AlreadyRegistered`` where there is one.
  public static func register(
    _ factory: (any InterceptorFactory)?
  ) throws(AlreadyRegistered) {
    try process.register(factory)
  }

  /// Registers the interceptor; nil is ignored.
  ///
  /// - Throws: ``AlreadyRegistered`` where there is one.
  public func register(_ factory: (any InterceptorFactory)?) throws(AlreadyRegistered) {
    guard let factory else { return }
    let first = registered.withLock { registered in
      defer { registered = registered ?? factory }
      return registered
    }
    if let first { throw AlreadyRegistered(name: first.name) }
  }

  /// What was registered; nil where nothing was.
  public var factory: (any InterceptorFactory)? {
    registered.withLock { $0 }
  }
}
