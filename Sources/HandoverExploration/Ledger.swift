import HandoverMachines

/// What an exploration remembers: the states that were seen, how each was reached, and those that
/// are still to be looked at.
///
/// Everything is taken up in the order of the states and of their acts.
final class Ledger: @unchecked Sendable {
  // Sound to send: one at a time changes it, under the lock of the round, or while nobody else
  // works; only `visited` is asked meanwhile, which says how.

  let visited = VisitedStates()
  var ways = Ways()
  /// The states of the depth that is looked at, and of the next one.
  var level = Frontier()
  var next = Frontier()
  var figures = ExplorationFigures()
  /// Why a state could not be kept.
  var problem: FrontierProblem?
  /// Looks at each new state, where somebody wants to: its form, and its number.
  var looker: ((borrowing FormBytes, _ start: Int, _ number: Int) -> Void)?

  /// Keeps what is new of a batch, in its order.
  ///
  /// - Parameters:
  ///   - found: the batch.
  ///   - place: how far it was taken up before; becomes how far it is.
  ///   - end: how far it is to be.
  /// - Returns: whether the last one was new.
  @discardableResult
  func takeUp(_ found: borrowing SuccessorBatch, from place: inout Int, to end: Int) -> Bool {
    var isNew = false
    while place < end {
      let one = found.successors[place]
      place += 1
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
    ways.append(Ways.Way(parent: one.parent, act: one.act))
    figures.states += 1
    looker?(forms, Int(one.start), Int(number))
  }

  /// Goes on to the next depth.
  func goDeeper() {
    swap(&level, &next)
    next.removeAll()
  }
}
