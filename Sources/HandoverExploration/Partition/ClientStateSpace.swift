import HandoverMachines

/// All that an exploration in parts knows of a client: its states as bytes, the first ones, and
/// what each leads to.
///
/// One act is tried after the other, in the order that ``ExplorationSetup`` lists them, which is
/// the same in every process; so the numbers of the acts are a way that everybody walks alike.
struct ClientStateSpace: ~Copyable {
  private let setup: ExplorationSetup
  private var finder: SuccessorFinder
  /// The state that was entered, and the one that the last act led to.
  private var entered = FormBytes()
  private var written = FormBytes()
  private var next = 0

  /// The act that was tried last.
  private(set) var act = Act(.callback)
  /// Its number among those of the state that was entered.
  private(set) var number = 0
  /// The rule that it broke; nil where it broke none.
  private(set) var breach: Breach?
  /// The state that it led to, where it broke none.
  private(set) var encoding: ContiguousArray<UInt8> = []
  /// The digest of that state.
  private(set) var digest = StateDigest(at: .zero)
  /// The largest of what any state had that was entered.
  var growth: GrowthWatch { finder.growth }

  init(_ setup: ExplorationSetup) {
    self.setup = setup
    finder = SuccessorFinder(setup)
  }

  /// How many first states there are: one for each first read.
  var rootCount: Int { setup.initialReads.count }

  /// Goes to a first state, which is in ``encoding`` then.
  mutating func enterRoot(_ number: Int) {
    var roots = SuccessorBatch()
    finder.begin(into: &roots)
    let root = roots.successors[number]
    digest = root.digest
    encoding = ContiguousArray(
      roots.forms.array(from: Int(root.start), count: Int(root.length)))
  }

  /// Goes to a state, of which no act was tried yet.
  ///
  /// - Parameter bytes: its encoding.
  mutating func enter(_ bytes: some Collection<UInt8>) {
    entered.removeAll()
    entered.append(bytes)
    finder.read(entered, at: 0)
    finder.settle()
    next = 0
  }

  /// Tries the next act of the state.
  ///
  /// - Returns: whether there was one.
  mutating func advance() -> Bool {
    guard next < finder.acts.count else { return false }
    number = next
    act = finder.acts[next]
    next += 1
    breach = finder.happen(act)
    if breach == nil { encode() }
    return true
  }

  /// The sequence of acts of a way; nil where it is none.
  mutating func counterexample(along way: Way) -> Counterexample? {
    var numbers = way.numbers
    guard !numbers.isEmpty, numbers[0] < rootCount else { return nil }
    let read = setup.initialReads[numbers.removeFirst()]
    enterRoot(way.numbers[0])
    var acts: [Act] = []
    var broken: Breach?
    for wanted in numbers {
      guard broken == nil else { return nil }
      enter(encoding)
      var isThere = false
      while !isThere, advance() { isThere = number == wanted }
      guard isThere else { return nil }
      acts.append(act)
      broken = breach
    }
    return broken.map { Counterexample(initialRead: read, acts: acts, breach: $0) }
  }

  private mutating func encode() {
    written.removeAll()
    finder.writeForm(into: &written)
    digest = StateDigest(of: written, from: 0)
    encoding.removeAll(keepingCapacity: true)
    encoding.append(contentsOf: written.array())
  }
}
