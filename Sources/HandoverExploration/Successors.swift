import HandoverCore

/// Finds the successors of a state.
///
/// The finder restores a client from the canonical form of the state. For every possible action, it
/// performs the action, checks the invariants, and writes the form of the resulting state.
///
/// Every search consists of these steps. The finder reuses one original client, one working copy
/// and its buffers, so that nothing is allocated.
struct SuccessorFinder: ~Copyable {
  // The fixed values come first, because the thread sanitizer mistakes a change of one for a change
  // of the first stored property. `setup` is shared by all workers.
  /// The state, and the state after an action.
  let base = Fixed(ClientSurvey())
  let after = Fixed(ClientSurvey())
  let setup: ExplorationSetup
  private let form: CanonicalForm
  private let origin: Fixed<ClientCore>
  private let client: Fixed<ClientCore>
  private var rules: StepRules
  /// The mean delays that the failures allow in the state.
  private let baseExpected: Fixed<ExpectedDelays>
  /// The effects of the last action.
  let log = Fixed(EffectLog<ClientEffect>(reserving: 64))
  /// The possible actions.
  private(set) var actions = Rows<ClientAction>()
  /// The maxima over the states that were expanded.
  var growth = GrowthWatch()

  init(_ setup: ExplorationSetup) {
    self.setup = setup
    form = CanonicalForm(setup)
    // Each client registers the hosts itself, because a copy would share its tables.
    origin = Fixed(setup.makeClient())
    client = Fixed(setup.makeClient())
    rules = StepRules(setup)
    baseExpected = Fixed(rules.expected)
  }

  /// Adds the initial states, each with the read that leads to it.
  mutating func begin(into found: inout SuccessorBatch) {
    for read in setup.initialReads {
      client.value = setup.makeClient()
      log.value.removeAll()
      client.value.stepDecorated(
        .reachability(.initialRead(ClientCore.flags(of: read))), at: CanonicalForm.present,
        into: &log.value)
      client.value.surveyInPlace(into: &after.value, at: CanonicalForm.present)
      let start = found.forms.count
      form.write(
        after.value, ExpectedDelays(setup.configuration.backoff.firstDelay),
        at: CanonicalForm.present, into: &found.forms)
      found.add(
        formFrom: start, from: .max, by: ClientAction(.callback, position: Int(read.rawValue)).code)
    }
  }

  /// Adds the successors of a state.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the form of the state.
  ///   - start: The position of the first byte of the form.
  ///   - length: The length of the form in bytes.
  ///   - number: The number of the state.
  ///   - filter: The filter that recognizes visited states.
  ///   - found: Receives each successor that was not visited.
  ///   - violations: Receives each violation.
  mutating func find(
    from bytes: borrowing FormBytes, at start: Int, count length: Int, numbered number: UInt32,
    _ filter: SeenFilter, into found: inout SuccessorBatch,
    _ violations: inout [BrokenRule<Violation>]
  ) {
    read(bytes, at: start)
    restoreBase()
    for index in 0..<actions.count {
      let action = actions[index]
      found.transitions &+= 1
      if let violation = happen(action) {
        found.dropSeen(filter)
        violations.append(BrokenRule(after: found, parent: number, action.code, violation))
        continue
      }
      let first = found.forms.count
      form.write(
        after.value, rules.expected, at: CanonicalForm.present, into: &found.forms)
      // An unchanged state is not new.
      if found.forms.count - first == length,
        found.forms.isSame(from: first, as: bytes, from: start, count: length)
      {
        found.forms.removeAll(from: first)
      } else {
        found.add(formFrom: first, from: number, by: action.code)
      }
    }
    found.dropSeen(filter)
  }

  // MARK: Single steps

  /// Reads the form of a state; the caller may still change the state before ``restoreBase()``.
  mutating func read(_ bytes: borrowing FormBytes, at start: Int) {
    form.read(bytes, from: start, hosts: setup.hosts, into: &base.value, &baseExpected.value)
  }

  /// Restores a client from the state that was read, and lists the possible actions.
  mutating func restoreBase() {
    growth.observe(base.value)
    setup.list(base.value, at: CanonicalForm.present, into: &actions)
    origin.value.restore(base.value, at: CanonicalForm.present)
    rules.setBase(base.value)
  }

  /// Performs an action on a copy of the restored client.
  ///
  /// - Returns: The violation, or `nil` if all invariants hold.
  mutating func happen(_ action: ClientAction) -> Violation? {
    client.value.assign(from: &origin.value)
    log.value.removeAll()
    if let event = client.value.happen(action, base.value, at: CanonicalForm.present) {
      client.value.stepDecorated(event, at: CanonicalForm.present, into: &log.value)
    }
    client.value.surveyInPlace(into: &after.value, at: CanonicalForm.present)
    rules.expected = baseExpected.value
    return rules.checkStep(action, base.value, after.value, log.value, at: CanonicalForm.present)
  }

  /// The mean delays that the failures allow after the last action.
  var expected: ExpectedDelays { rules.expected }

  // The following members are mutating although they only read, because a large value that is
  // borrowed for reading would be copied first.

  /// Appends the form of the state after the last action.
  mutating func writeForm(into bytes: inout FormBytes) {
    form.write(after.value, rules.expected, at: CanonicalForm.present, into: &bytes)
  }

  /// The number of possible actions.
  var actionCount: Int { mutating get { actions.count } }

  /// Returns a possible action by its index.
  mutating func action(_ index: Int) -> ClientAction { actions[index] }

  /// Returns the mean delay of a host after the last action.
  mutating func meanAfter(of host: Int) -> Interval { after.value.hosts[host].mean }
}

/// The successors of some states, in the order in which they were found.
struct SuccessorBatch: ~Copyable {
  /// A state that was reached.
  struct Successor: BitwiseCopyable, Hashable, Sendable {
    /// The halves of its digest.
    var high: UInt64
    var low: UInt64
    /// The position and the length of its form.
    var start: UInt32
    var length: UInt32
    /// The state that precedes it.
    var parent: UInt32
    var action: ActionCode

    init(
      _ digest: StateDigest, form: Range<Int>, from parent: UInt32, by action: ActionCode
    ) {
      (high, low) = (digest.high, digest.low)
      start = UInt32(truncatingIfNeeded: form.lowerBound)
      length = UInt32(truncatingIfNeeded: form.upperBound &- form.lowerBound)
      self.parent = parent
      self.action = action
    }

    var digest: StateDigest {
      var digest = StateDigest(at: .zero)
      digest.high = high
      digest.low = low
      return digest
    }
  }

  private(set) var successors = Rows<Successor>()
  /// The concatenated forms of the successors.
  var forms = FormBytes(reserving: 1 << 14)
  /// The number of performed actions.
  var transitions = 0
  /// The number of successors that have passed the filter.
  private var checked = 0

  mutating func removeAll() {
    successors.removeAll()
    forms.removeAll()
    transitions = 0
    checked = 0
  }

  /// Adds the state whose form is at the end of `forms`.
  mutating func add(formFrom start: Int, from parent: UInt32, by action: ActionCode) {
    add(formFrom: start, StateDigest(of: forms, from: start), from: parent, by: action)
  }

  /// Adds the state whose form is at the end of `forms`, with a digest other than that of the form.
  mutating func add(
    formFrom start: Int, _ digest: StateDigest, from parent: UInt32, by action: ActionCode
  ) {
    successors.append(Successor(digest, form: start..<forms.count, from: parent, by: action))
  }

  /// Removes the visited states among those that were added since the last check.
  ///
  /// All lookups are prefetched before the first result is used, so that the memory accesses
  /// overlap.
  mutating func dropSeen(_ filter: SeenFilter) {
    guard checked < successors.count else { return }
    filter.touch(successors, from: checked)
    var end = checked == 0 ? 0 : Int(successors[checked - 1].start + successors[checked - 1].length)
    for position in checked..<successors.count {
      var one = successors[position]
      guard filter.isNew(one.digest) else { continue }
      forms.move(from: Int(one.start), count: Int(one.length), to: end)
      one.start = UInt32(truncatingIfNeeded: end)
      end += Int(one.length)
      successors[checked] = one
      checked += 1
    }
    successors.count = checked
    forms.removeAll(from: end)
  }

  /// Removes the last state if it was visited.
  ///
  /// - Returns: Whether the state is new.
  mutating func keepsLast(_ filter: SeenFilter) -> Bool {
    let last = successors[successors.count - 1]
    if filter.isNew(last.digest) {
      checked = successors.count
      return true
    }
    forms.removeAll(from: Int(last.start))
    successors.count -= 1
    return false
  }
}

/// A violation, with its position in the results.
struct BrokenRule<Violation> {
  /// The numbers of successors and transitions up to and including the violation.
  var position: Int
  var transitions: Int
  /// Whether the violation belongs to the last of these successors, and counts only if that is new.
  var concernsSuccessor: Bool
  var parent: UInt32
  var action: ActionCode
  var violation: Violation

  init(
    after found: borrowing SuccessorBatch, concernsSuccessor: Bool = false, parent: UInt32,
    _ action: ActionCode, _ violation: Violation
  ) {
    position = found.successors.count
    transitions = found.transitions
    self.concernsSuccessor = concernsSuccessor
    self.parent = parent
    self.action = action
    self.violation = violation
  }
}

/// A filter that recognizes visited states for one worker.
///
/// The filter knows the states that were merged before the round began, some of those merged since,
/// and those that the worker found recently. It may miss a visited state. If it knows a state, that
/// state comes earlier in the order in which results are merged. The result of the search is
/// therefore independent of how much the filter knows.
final class SeenFilter {
  private static let size = 1 << 12

  private let visited: VisitedStates
  /// A separate allocation, which avoids exclusivity checks on each access.
  private let recent = Fixed(Rows<Recent>(reserving: size))
  /// The sum of the prefetched words; stored so that the compiler keeps the prefetch.
  private let ahead = Fixed<UInt64>(0)

  private struct Recent: BitwiseCopyable, Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0
  }

  init(_ visited: VisitedStates) {
    self.visited = visited
    forget()
  }

  /// Forgets the states that this worker found, because not all of them were merged.
  func forget() {
    recent.value.fill(with: Recent(), count: Self.size)
  }

  /// Prefetches the table slots of some states.
  func touch(_ successors: borrowing Rows<SuccessorBatch.Successor>, from first: Int) {
    var sum: UInt64 = 0
    for position in first..<successors.count { sum &+= visited.touch(successors[position].digest) }
    ahead.value = sum
  }

  /// Adds a state to the filter, and returns whether the filter did not know it.
  func isNew(_ digest: StateDigest) -> Bool {
    if visited.contains(digest) { return false }
    let position = Int(truncatingIfNeeded: digest.low) & (Self.size - 1)
    let own = recent.value[position]
    if own.low == digest.low, own.high == digest.high { return false }
    recent.value[position] = Recent(high: digest.high, low: digest.low)
    return true
  }
}
