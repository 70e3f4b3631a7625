import HandoverThreadPoolMachine

extension ThreadPool {
  /// What a pool is made with.
  public struct Configuration: Hashable, Sendable {
    /// The most threads a pool can be given.
    public static let mostThreads = 1_024
    /// How long a thread of the original must have been idle: 10 s (U70).
    public static let usualIdleTime = Duration.seconds(ThreadPoolTimes.idleSeconds)
    /// How often the original collects idle threads: every 15 s (U70).
    public static let usualCollectionPeriod = Duration.seconds(ThreadPoolTimes.collectionSeconds)

    /// The name of the pool, in errors and before the number of each of its threads; not empty.
    public var name: String
    /// The most threads there ever are at once, from 1 to ``mostThreads``.
    public var threads: Int
    /// How long a thread must have been idle before a collection ends it, at least zero;
    /// ``usualIdleTime`` unless told otherwise.
    public var idleTime: Duration
    /// How often idle threads are collected while there are threads, more than zero;
    /// ``usualCollectionPeriod`` unless told otherwise.
    public var collectionPeriod: Duration
    /// How many operations may wait while all threads that may be are busy, at least zero; nil, as
    /// it is unless told otherwise, for any number (U67).
    ///
    /// With zero an operation is accepted only if a thread can take it at once.
    public var queueBound: Int?

    /// A configuration with the idle time, the period and the queue of the original.
    public init(
      name: String, threads: Int, idleTime: Duration = Self.usualIdleTime,
      collectionPeriod: Duration = Self.usualCollectionPeriod, queueBound: Int? = nil
    ) {
      self.name = name
      self.threads = threads
      self.idleTime = idleTime
      self.collectionPeriod = collectionPeriod
      self.queueBound = queueBound
    }

    /// What is wrong with it, in words; nil if nothing is.
    var mistake: String? {
      if name.isEmpty { return "a pool needs a name" }
      if !(1...Self.mostThreads).contains(threads) {
        return "the number of threads is \(threads), and must be from 1 to \(Self.mostThreads)"
      }
      if idleTime < .zero { return "the idle time is \(idleTime), and must not be negative" }
      if collectionPeriod <= .zero {
        return "the collection period is \(collectionPeriod), and must be more than zero"
      }
      if let queueBound, queueBound < 0 {
        return "the bound of the queue is \(queueBound), and must not be negative"
      }
      return nil
    }
  }

  /// How a pool comes to its end.
  public enum Shutdown: Hashable, Sendable {
    /// What was accepted is run to the end.
    case orderly
    /// What runs is run to the end, and what waits is refused.
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
