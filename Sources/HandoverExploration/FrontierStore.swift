/// Where states are kept that wait to be looked at, once there are too many for memory.
///
/// Files are put in: what comes of an exploration is the same wherever they wait.
package protocol FrontierStore: AnyObject {
  /// Keeps bytes behind those that it has.
  ///
  /// - Returns: where they stand.
  /// - Throws: why they cannot be kept.
  func append(_ bytes: [UInt8]) throws(FrontierProblem) -> Int

  /// Gives bytes back.
  ///
  /// - Parameters:
  ///   - place: where they stand.
  ///   - count: how many there are.
  /// - Returns: the bytes, as they were kept.
  /// - Throws: why they cannot be had.
  func read(at place: Int, count: Int) throws(FrontierProblem) -> [UInt8]

  /// Forgets everything.
  func removeAll()
}

/// Why states cannot be kept outside of memory, or not be had back.
package struct FrontierProblem: Error, Hashable, Sendable {
  /// In words, for people.
  package var text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// How much of a frontier stays in memory, and where the rest goes.
package struct FrontierRoom {
  /// How many bytes of one depth stay in memory.
  package var limit: Int
  /// Makes a place for the rest; called twice at the most.
  package var makeStore: () throws(FrontierProblem) -> any FrontierStore

  package init(
    limit: Int, makeStore: @escaping () throws(FrontierProblem) -> any FrontierStore
  ) {
    self.limit = limit
    self.makeStore = makeStore
  }
}
