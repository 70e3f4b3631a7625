import HandoverCore

extension ThreadPool {
  /// The configuration of a pool.
  public struct Configuration: Hashable, Sendable {
    /// The largest permitted value of ``threads``.
    public static let maximumThreadCount = 1_024
    /// The idle time of the original pool: 10 s (U70).
    public static let defaultIdleTime = Duration.seconds(ThreadPoolTimes.idleSeconds)
    /// The collection period of the original pool: 15 s (U70).
    public static let defaultCollectionPeriod = Duration.seconds(ThreadPoolTimes.collectionSeconds)

    /// The name of the pool, used in errors and as a prefix of thread names; must not be empty.
    public var name: String
    /// The maximum number of concurrent threads, from 1 to ``maximumThreadCount``.
    public var threads: Int
    /// The time for which a thread must be idle before a collection ends it; must not be negative.
    ///
    /// The default is ``defaultIdleTime``.
    public var idleTime: Duration
    /// The interval between collections while there are threads; must be positive.
    ///
    /// The default is ``defaultCollectionPeriod``.
    public var collectionPeriod: Duration
    /// The maximum number of waiting operations while all permitted threads are busy (U67).
    ///
    /// The default is `nil`, which means no limit. With zero, an operation is accepted only if a
    /// thread can run it immediately. The value must not be negative.
    public var maximumQueueLength: Int?

    /// Creates a configuration, by default with the times and the unbounded queue of the original
    /// pool.
    public init(
      name: String, threads: Int, idleTime: Duration = Self.defaultIdleTime,
      collectionPeriod: Duration = Self.defaultCollectionPeriod, maximumQueueLength: Int? = nil
    ) {
      self.name = name
      self.threads = threads
      self.idleTime = idleTime
      self.collectionPeriod = collectionPeriod
      self.maximumQueueLength = maximumQueueLength
    }

    /// A description of the first invalid value, or `nil` if the configuration is valid.
    var mistake: String? {
      if name.isEmpty { return "the name of a pool must not be empty" }
      if !(1...Self.maximumThreadCount).contains(threads) {
        return
          "the number of threads must be from 1 to \(Self.maximumThreadCount), found \(threads)"
      }
      if idleTime < .zero { return "the idle time is \(idleTime), and must not be negative" }
      if collectionPeriod <= .zero {
        return "the collection period is \(collectionPeriod), and must be more than zero"
      }
      if let maximumQueueLength, maximumQueueLength < 0 {
        return "the bound of the queue is \(maximumQueueLength), and must not be negative"
      }
      return nil
    }
  }

  /// The manner in which a pool shuts down.
  public enum Shutdown: Hashable, Sendable {
    /// All accepted operations run to their end.
    case orderly
    /// Running operations run to their end, and waiting operations are refused.
    case immediate
  }
}

extension ThreadPool.Shutdown {
  var ofMachine: ThreadPoolShutdown {
    switch self {
    case .orderly: .orderly
    case .immediate: .immediate
    }
  }
}
