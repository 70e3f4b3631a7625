import HandoverCore

/// The results of one worker for some zones of a round.
final class ZoneBatch: @unchecked Sendable {
  // Sound to send: only the worker of these zones changes it. Other threads read it after all
  // workers have finished.

  let found = Fixed(ZoneSuccessors())
}

/// The successors of some zones, in the order in which they were found.
struct ZoneSuccessors: ~Copyable {
  /// A zone of a state that was reached.
  struct Successor: BitwiseCopyable, Hashable, Sendable {
    /// The state of the zone, and the preceding zone.
    var state: SuccessorBatch.Successor
    /// The position of its bounds.
    var bounds: Int
    var size: Int
    /// The priority of its state; states after more failures come first.
    var turn: Int
    var depth: UInt32
  }

  /// A violation, and how many successors and transitions were found before it.
  struct Broken {
    var position: Int
    var transitions: Int
    var parent: UInt32
    var action: ClientAction
    var violation: Violation
  }

  private let before = CacheLinePadding()
  var successors = Rows<Successor>()
  var forms = FormBytes()
  var bounds = Rows<Int32>()
  var violations: [Broken] = []
  var transitions = 0
  /// The number of successors that have passed the check for subsumption.
  private var checked = 0
  private let behind = CacheLinePadding()

  mutating func removeAll() {
    checked = 0
    successors.removeAll()
    forms.removeAll()
    bounds.removeAll()
    violations.removeAll(keepingCapacity: true)
    transitions = 0
  }

  /// Removes the subsumed zones among those that were added since the last check.
  ///
  /// All lookups are prefetched before the first result is used, so that the memory accesses
  /// overlap.
  ///
  /// - Returns: A sum of the prefetched words, so that the compiler keeps the prefetch.
  mutating func dropHeld(
    by seen: borrowing ZoneRecords, _ recent: inout RecentZones
  ) -> UInt64 {
    guard checked < successors.count else { return 0 }
    var sum: UInt64 = 0
    for position in checked..<successors.count {
      sum &+= seen.touch(successors[position].state.low)
    }
    for position in checked..<successors.count {
      sum &+= seen.touchBounds(successors[position].state.digest)
    }
    let first = successors[checked]
    var (endOfForms, endOfBounds) = (Int(first.state.start), first.bounds)
    for position in checked..<successors.count {
      var one = successors[position]
      if seen.isHeld(one.state.digest, bounds, at: one.bounds, size: one.size) { continue }
      guard recent.insert(one.state.digest, bounds, at: one.bounds, size: one.size) else {
        continue
      }
      forms.move(from: Int(one.state.start), count: Int(one.state.length), to: endOfForms)
      bounds.move(from: one.bounds, count: one.size * one.size, to: endOfBounds)
      one.state.start = UInt32(truncatingIfNeeded: endOfForms)
      one.bounds = endOfBounds
      endOfForms += Int(one.state.length)
      endOfBounds += one.size * one.size
      successors[checked] = one
      checked += 1
    }
    successors.count = checked
    bounds.count = endOfBounds
    forms.removeAll(from: endOfForms)
    return sum
  }
}

/// Finds the successors of zones, and drops those that visited zones subsume.
final class ZoneWorker: @unchecked Sendable {
  // Sound to send: one thread at a time uses it, and the team waits for that thread.

  /// The priority of states without failures.
  private let lastTurn: Int
  /// The mean delay by the number of previous failures.
  private let means: [Interval]
  /// Separate allocations, because these values are passed on in every step.
  private let stepper: Fixed<ZoneStepper>
  private let recent: Fixed<RecentZones>
  /// For each host, the last mean and the number of failures that lead to it.
  private let lately: Fixed<Rows<Failures>>
  /// The sum of the prefetched words.
  private let ahead = Fixed<UInt64>(0)

  private struct Failures: BitwiseCopyable, Hashable, Sendable {
    var mean: Interval
    var count: Int
  }

  init(_ setup: ExplorationSetup) {
    let backoff = setup.configuration.backoff
    var means = [backoff.firstDelay]
    while let last = means.last, last < backoff.maximum, means.count < 64 {
      means.append(min(last.scaled(by: backoff.multiplier), backoff.maximum))
    }
    self.means = means
    lastTurn = setup.hosts * means.count
    stepper = Fixed(ZoneStepper(setup))
    recent = Fixed(RecentZones(hosts: setup.hosts))
    var lately = Rows<Failures>()
    lately.fill(with: Failures(mean: backoff.firstDelay, count: 0), count: setup.hosts)
    self.lately = Fixed(lately)
  }

  /// The maxima over the states that were expanded.
  var growth: GrowthWatch { stepper.value.finder.value.growth }

  /// Finds the initial states.
  func begin(into box: inout ZoneSuccessors) {
    var first = SuccessorBatch()
    stepper.value.finder.value.begin(into: &first)
    for position in 0..<first.successors.count {
      let one = first.successors[position]
      // The box is empty, so that the forms have the same positions as in the batch.
      box.forms.append(first.forms, from: Int(one.start), count: Int(one.length))
      add(one, turn: 0, depth: 0, to: &box)
    }
  }

  /// Finds the successors of a zone.
  ///
  /// - Parameters:
  ///   - node: The zone.
  ///   - forms: The bytes that contain the form of its state.
  ///   - seen: The zones that were visited before the round.
  ///   - box: Receives the results.
  func expand(
    _ node: ZoneQueue.Node, _ forms: borrowing FormBytes, _ seen: borrowing ZoneRecords,
    into box: inout ZoneSuccessors
  ) {
    stepper.value.read(forms, at: node.form)
    seen.read(node.record, size: stepper.value.timerCount + 1, into: &stepper.value.zone)
    for index in 0..<stepper.value.actionCount {
      let action = stepper.value.action(index)
      switch stepper.value.happen(action) {
      case .impossible: continue
      case .broken(let violation):
        box.transitions += 1
        ahead.value &+= box.dropHeld(by: seen, &recent.value)
        box.violations.append(
          ZoneSuccessors.Broken(
            position: box.successors.count, transitions: box.transitions, parent: node.number,
            action: action, violation: violation))
      case .led:
        box.transitions += 1
        let start = box.forms.count
        stepper.value.writeForm(into: &box.forms)
        let reached = SuccessorBatch.Successor(
          StateDigest(of: box.forms, from: start), form: start..<box.forms.count,
          from: node.number, by: action.code)
        add(reached, turn: turnAfterFailures(), depth: node.depth + 1, to: &box)
      }
    }
    ahead.value &+= box.dropHeld(by: seen, &recent.value)
  }

  private func add(
    _ state: SuccessorBatch.Successor, turn: Int, depth: UInt32, to box: inout ZoneSuccessors
  ) {
    let bounds = box.bounds.count
    let size = stepper.value.appendZone(to: &box.bounds)
    box.successors.append(
      ZoneSuccessors.Successor(
        state: state, bounds: bounds, size: size, turn: turn, depth: depth))
  }

  /// Returns the priority of the resulting state; more failures give a lower number.
  private func turnAfterFailures() -> Int {
    var turn = lastTurn
    for host in 0..<lately.value.count {
      let mean = stepper.value.meanAfter(of: host)
      if lately.value[host].mean != mean {
        lately.value[host] = Failures(mean: mean, count: failures(before: mean))
      }
      turn -= lately.value[host].count
    }
    return turn
  }

  private func failures(before mean: Interval) -> Int {
    var failures = 0
    while failures + 1 < means.count, means[failures] < mean { failures += 1 }
    return failures
  }
}
