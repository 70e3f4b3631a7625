/// An error of a call to a thread pool.
public struct ThreadPoolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case invalidConfiguration
      case full
      case shutDown
      case noThread
      case wouldDeadlock
      case timedOut
    }
    private let kind: Kind

    /// A value of the configuration is out of range (U66).
    public static let invalidConfiguration = Code(kind: .invalidConfiguration)
    /// All threads are busy, and the queue is full.
    public static let full = Code(kind: .full)
    /// The pool is shut down and accepts no more operations (U73).
    public static let shutDown = Code(kind: .shutDown)
    /// The pool has no thread, and the system cannot start one for the operation.
    public static let noThread = Code(kind: .noThread)
    /// A thread of the pool would wait for its own pool, possibly forever (U87).
    public static let wouldDeadlock = Code(kind: .wouldDeadlock)
    /// The time limit passed before the awaited event occurred.
    public static let timedOut = Code(kind: .timedOut)
  }

  /// The kind of error.
  public let code: Code
  /// The name of the pool (U73).
  public let poolName: String
  /// A description of the problem.
  public let message: String

  init(_ code: Code, of poolName: String, _ message: String) {
    self.code = code
    self.poolName = poolName
    self.message = message
  }

  /// The name of the pool and the description of the problem.
  public var description: String { "thread pool \"\(poolName)\": \(message)" }
}
