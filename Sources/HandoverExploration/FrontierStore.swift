/// A store for the part of the frontier that does not fit into memory.
///
/// Callers inject an implementation, such as one with files. The result of an exploration does not
/// depend on it.
package protocol FrontierStore: AnyObject {
  /// Appends bytes to the store.
  ///
  /// - Returns: The position of the bytes.
  /// - Throws: A ``FrontierProblem`` if the bytes cannot be stored.
  func append(_ bytes: [UInt8]) throws(FrontierProblem) -> Int

  /// Reads bytes back.
  ///
  /// - Parameters:
  ///   - position: The position of the bytes.
  ///   - count: How many bytes to read.
  /// - Returns: The bytes, as they were stored.
  /// - Throws: A ``FrontierProblem`` if the bytes cannot be read.
  func read(at position: Int, count: Int) throws(FrontierProblem) -> [UInt8]

  /// Removes all bytes.
  func removeAll()
}

/// The reason why states cannot be written to a store or read back.
package struct FrontierProblem: Error, Hashable, Sendable {
  /// A description for people.
  package var text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// The part of a frontier that stays in memory, and the store for the rest.
package struct FrontierRoom {
  /// The number of bytes of one depth that stay in memory.
  package var limit: Int
  /// Creates a store for the rest; called at most twice.
  package var makeStore: () throws(FrontierProblem) -> any FrontierStore

  package init(
    limit: Int, makeStore: @escaping () throws(FrontierProblem) -> any FrontierStore
  ) {
    self.limit = limit
    self.makeStore = makeStore
  }
}
