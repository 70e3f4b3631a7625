/// The times of the original pool, which are the defaults (U70).
package enum ThreadPoolTimes {
  /// The time for which a thread must be idle before a collection ends it, in seconds.
  package static let idleSeconds: Int64 = 10
  /// The interval between collections, in seconds.
  package static let collectionSeconds: Int64 = 15
}
