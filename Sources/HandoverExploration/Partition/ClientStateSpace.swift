import HandoverCore

/// The state space of a client for a sharded exploration: encoded states and their successors.
///
/// Actions are tried one after the other, in the order of ``ExplorationSetup``, which is the same
/// in every process. The numbers of the actions therefore describe a path that every process can
/// follow.
struct ClientStateSpace: ~Copyable {
  private let setup: ExplorationSetup
  private var finder: SuccessorFinder
  /// The encoding of the entered state, and that of the state after the last action.
  private var entered = FormBytes()
  private var written = FormBytes()
  private var next = 0

  /// The last action.
  private(set) var action = ClientAction(.callback)
  /// The index of the last action among those of the entered state.
  private(set) var number = 0
  /// The violation of the last action, or `nil` if all invariants held.
  private(set) var violation: Violation?
  /// The encoding of the state after the last action, if the action violated no invariant.
  private(set) var encoding: ContiguousArray<UInt8> = []
  /// The digest of that state.
  private(set) var digest = StateDigest(at: .zero)
  /// The maxima over all states that were entered.
  var growth: GrowthWatch { finder.growth }

  init(_ setup: ExplorationSetup) {
    self.setup = setup
    finder = SuccessorFinder(setup)
  }

  /// The number of initial states: one per category that the monitor may read first.
  var rootCount: Int { setup.initialReads.count }

  /// Enters an initial state and stores its encoding in ``encoding``.
  mutating func enterRoot(_ number: Int) {
    var roots = SuccessorBatch()
    finder.begin(into: &roots)
    let root = roots.successors[number]
    digest = root.digest
    encoding = ContiguousArray(
      roots.forms.array(from: Int(root.start), count: Int(root.length)))
  }

  /// Enters a state and resets the list of its actions.
  ///
  /// - Parameter bytes: The encoding of the state.
  mutating func enter(_ bytes: some Collection<UInt8>) {
    entered.removeAll()
    entered.append(bytes)
    finder.read(entered, at: 0)
    finder.restoreBase()
    next = 0
  }

  /// Tries the next action of the state.
  ///
  /// - Returns: Whether there was another action.
  mutating func advance() -> Bool {
    guard next < finder.actions.count else { return false }
    number = next
    action = finder.actions[next]
    next += 1
    violation = finder.happen(action)
    if violation == nil { encode() }
    return true
  }

  /// Returns the actions along a path, or `nil` if the path is invalid.
  mutating func counterexample(along way: ActionSequence) -> Counterexample? {
    var numbers = way.numbers
    guard !numbers.isEmpty, numbers[0] < rootCount else { return nil }
    let read = setup.initialReads[numbers.removeFirst()]
    enterRoot(way.numbers[0])
    var actions: [ClientAction] = []
    var broken: Violation?
    for wanted in numbers {
      guard broken == nil else { return nil }
      enter(encoding)
      var isPresent = false
      while !isPresent, advance() { isPresent = number == wanted }
      guard isPresent else { return nil }
      actions.append(action)
      broken = violation
    }
    return broken.map { Counterexample(initialRead: read, actions: actions, violation: $0) }
  }

  private mutating func encode() {
    written.removeAll()
    finder.writeForm(into: &written)
    digest = StateDigest(of: written, from: 0)
    encoding.removeAll(keepingCapacity: true)
    encoding.append(contentsOf: written.array())
  }
}
