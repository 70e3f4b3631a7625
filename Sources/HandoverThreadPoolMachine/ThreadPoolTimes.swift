/// The times of the original's pool, which hold where nobody tells others (U70).
package enum ThreadPoolTimes {
  /// How long a thread must have been idle before a collection ends it, in seconds.
  package static let idleSeconds: Int64 = 10
  /// How far apart collections are, in seconds.
  package static let collectionSeconds: Int64 = 15
}
