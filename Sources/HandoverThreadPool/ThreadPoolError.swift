/// Why a call of a thread pool cannot do what it is asked for.
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

    /// A value of the configuration is out of its range (U66).
    public static let invalidConfiguration = Code(kind: .invalidConfiguration)
    /// All threads are busy, and as many operations wait as may.
    public static let full = Code(kind: .full)
    /// The pool is shut down and accepts nothing more (U73).
    public static let shutDown = Code(kind: .shutDown)
    /// The system has no thread for the operation, and the pool has none either.
    public static let noThread = Code(kind: .noThread)
    /// A thread of the pool would wait for its own pool, and could wait for ever (U87).
    public static let wouldDeadlock = Code(kind: .wouldDeadlock)
    /// The time was up before what was waited for had happened.
    public static let timedOut = Code(kind: .timedOut)
  }

  /// The kind.
  public let code: Code
  /// The name of the pool (U73).
  public let poolName: String
  /// What is wrong, in words.
  public let message: String

  init(_ code: Code, of poolName: String, _ message: String) {
    self.code = code
    self.poolName = poolName
    self.message = message
  }

  /// The name of the pool and what is wrong.
  public var description: String { "thread pool \"\(poolName)\": \(message)" }
}
