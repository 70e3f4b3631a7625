import HandoverCore

/// The data of a search: the visited states, the path to each, and the frontier.
///
/// Results are merged in the order of the states and of their actions.
final class ExplorationState: @unchecked Sendable {
  // Sound to send: one thread at a time changes it, either under the lock of the round or while no
  // worker runs. Workers concurrently read only `visited`, whose documentation explains why that is
  // safe.

  let visited = VisitedStates()
  var ways = ParentLinks()
  /// The states of the depth that is expanded, and of the next one.
  var level = Frontier()
  var next = Frontier()
  var figures = ExplorationFigures()
  /// The reason why a state could not be stored.
  var problem: FrontierProblem?
  /// Called for each new state with its form and its number, if set.
  var observer: ((borrowing FormBytes, _ start: Int, _ number: Int) -> Void)?

  /// Keeps the new states of a batch, in order.
  ///
  /// - Parameters:
  ///   - found: The batch.
  ///   - position: The first successor to merge; on return, `end`.
  ///   - end: The end of the range to merge.
  /// - Returns: Whether the last state was new.
  @discardableResult
  func merge(_ found: borrowing SuccessorBatch, from position: inout Int, to end: Int) -> Bool {
    var isNew = false
    while position < end {
      let one = found.successors[position]
      position += 1
      isNew = visited.insert(one.digest)
      if isNew { keep(one, found.forms) }
    }
    return isNew
  }

  private func keep(_ one: SuccessorBatch.Successor, _ forms: borrowing FormBytes) {
    let number = UInt32(truncatingIfNeeded: ways.count)
    if let found = next.append(
      forms, from: Int(one.start), count: Int(one.length), numbered: number)
    {
      problem = problem ?? found
    }
    ways.append(ParentLinks.Link(parent: one.parent, action: one.action))
    figures.states += 1
    observer?(forms, Int(one.start), Int(number))
  }

  /// Continues with the next depth.
  func beginNextDepth() {
    swap(&level, &next)
    next.removeAll()
  }
}
