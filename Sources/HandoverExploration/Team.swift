/// Those who do the work of an exploration, at the same time where there are several.
///
/// Threads are put in: what comes of an exploration is the same whoever works, and however many
/// they are.
package protocol Team: Sendable {
  /// How many there are, at least one.
  var count: Int { get }

  /// Lets each of them do its part, and waits until all are done.
  ///
  /// - Parameter part: is given the place of a worker, counted from 0; called once for each, at the
  ///   same time or not.
  func work(_ part: @Sendable (Int) -> Void)

  /// Called by a worker between two pieces of its part, which it may delay.
  func pause(_ worker: Int)
}

extension Team {
  package func pause(_ worker: Int) {}
}

/// A team of one, who works where it is called.
package struct Alone: Team {
  package init() {}

  package var count: Int { 1 }

  package func work(_ part: @Sendable (Int) -> Void) { part(0) }
}
