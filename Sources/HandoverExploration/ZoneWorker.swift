import HandoverMachines

/// What one worker has found in some zones of a round.
final class ZoneBox: @unchecked Sendable {
  // Sound to send: what is in it is changed by the one worker that has its zones, and looked at by
  // others when all of them are done.

  let found = Fixed(ZoneSuccessors())
}

/// What follows some zones, in the order in which it was found.
struct ZoneSuccessors: ~Copyable {
  /// A zone of a state that was reached.
  struct Successor: BitwiseCopyable, Hashable, Sendable {
    /// Its state, and the zone that it follows.
    var state: SuccessorBatch.Successor
    /// Where its bounds stand.
    var bounds: Int
    var size: Int
    /// The turn of its state where the most failures come first.
    var turn: Int
    var depth: UInt32
  }

  /// An act that broke a rule, and how many successors and transitions were found before it.
  struct Broken {
    var place: Int
    var transitions: Int
    var parent: UInt32
    var act: Act
    var breach: Breach
  }

  private let before = Apart()
  var successors = Rows<Successor>()
  var forms = FormBytes()
  var bounds = Rows<Int32>()
  var breaches: [Broken] = []
  var transitions = 0
  /// How many of the successors are known to lie within none that was seen.
  private var checked = 0
  private let behind = Apart()

  mutating func removeAll() {
    checked = 0
    successors.removeAll()
    forms.removeAll()
    bounds.removeAll()
    breaches.removeAll(keepingCapacity: true)
    transitions = 0
  }

  /// Forgets the successors that were added last and lie within one that was seen, or found of
  /// late.
  ///
  /// All are asked for before the first answer is looked at, so that the waits for memory go side
  /// by side.
  ///
  /// - Returns: what was read ahead, which has to go somewhere.
  mutating func dropHeld(
    by seen: borrowing ZoneRecords, _ recent: inout RecentZones
  ) -> UInt64 {
    guard checked < successors.count else { return 0 }
    var sum: UInt64 = 0
    for place in checked..<successors.count {
      sum &+= seen.touch(successors[place].state.low)
    }
    for place in checked..<successors.count {
      sum &+= seen.touchBounds(successors[place].state.digest)
    }
    let first = successors[checked]
    var (endOfForms, endOfBounds) = (Int(first.state.start), first.bounds)
    for place in checked..<successors.count {
      var one = successors[place]
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

/// Finds what follows zones, and drops what lies within one that was seen.
final class ZoneWorker: @unchecked Sendable {
  // Sound to send: one thread at a time has it, and the team waits for that.

  /// The turn of states without any failure.
  private let lastTurn: Int
  /// The mean delays after so many failures.
  private let means: [Interval]
  /// At places of their own: they are lent in every step.
  private let stepper: Fixed<ZoneStepper>
  private let recent: Fixed<RecentZones>
  /// The mean of each host that was asked for last, and after how many failures it comes.
  private let lately: Fixed<Rows<Failures>>
  /// What was read ahead.
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

  /// The largest of what the states had that were looked at.
  var growth: GrowthWatch { stepper.value.finder.value.growth }

  /// Forgets what it has found, of which nothing is taken up any more.
  func forget() { recent.value.forget() }

  /// Finds the first states.
  func begin(into box: inout ZoneSuccessors) {
    var first = SuccessorBatch()
    stepper.value.finder.value.begin(into: &first)
    for place in 0..<first.successors.count {
      let one = first.successors[place]
      // An empty box has the forms where the batch has them.
      box.forms.append(first.forms, from: Int(one.start), count: Int(one.length))
      add(one, turn: 0, depth: 0, to: &box)
    }
  }

  /// Finds what follows a zone.
  ///
  /// - Parameters:
  ///   - node: the zone.
  ///   - forms: where the form of its state stands.
  ///   - seen: the zones that were seen before.
  ///   - box: takes what was found.
  func expand(
    _ node: ZoneQueue.Node, _ forms: borrowing FormBytes, _ seen: borrowing ZoneRecords,
    into box: inout ZoneSuccessors
  ) {
    stepper.value.read(forms, at: node.form)
    seen.read(node.record, size: stepper.value.timerCount + 1, into: &stepper.value.zone)
    for index in 0..<stepper.value.actCount {
      let act = stepper.value.act(index)
      switch stepper.value.happen(act) {
      case .impossible: continue
      case .broken(let breach):
        box.transitions += 1
        ahead.value &+= box.dropHeld(by: seen, &recent.value)
        box.breaches.append(
          ZoneSuccessors.Broken(
            place: box.successors.count, transitions: box.transitions, parent: node.number,
            act: act, breach: breach))
      case .led:
        box.transitions += 1
        let start = box.forms.count
        stepper.value.writeForm(into: &box.forms)
        let reached = SuccessorBatch.Successor(
          StateDigest(of: box.forms, from: start), form: start..<box.forms.count,
          from: node.number, by: act.code)
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

  /// The turn of the state that the stepper has led to: the more failures, the earlier.
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
