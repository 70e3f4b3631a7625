import HandoverMachines

/// All that an exploration in parts knows of a client: its states as bytes, the first ones, and
/// what each leads to.
///
/// One act is tried after the other, in the order that ``ExplorationSetup`` lists them, which is
/// the same in every process; so the numbers of the acts are a way that everybody walks alike.
struct ClientStateSpace: ~Copyable {
  private let setup: ExplorationSetup
  private let form: CanonicalForm
  private var client: ClientCore
  private var rules: StepRules
  private var base = ClientSurvey()
  private var expected: ContiguousArray<Interval>
  private var after = ClientSurvey()
  private var log = EffectLog<ClientEffect>(reserving: 64)
  private var acts: ContiguousArray<Act> = []
  private var next = 0

  /// The act that was tried last.
  private(set) var act = Act(.callback)
  /// Its number among those of the state that was entered.
  private(set) var number = 0
  /// The rule that it broke; nil where it broke none.
  private(set) var breach: Breach?
  /// The state that it led to, where it broke none.
  private(set) var encoding: ContiguousArray<UInt8> = []
  /// The largest of what any state had that was led to.
  var growth = GrowthWatch()

  init(_ setup: ExplorationSetup) {
    self.setup = setup
    form = CanonicalForm(setup)
    client = setup.makeClient()
    rules = StepRules(setup)
    expected = rules.expected
  }

  /// How many first states there are: one for each first read.
  var rootCount: Int { setup.initialReads.count }

  /// Goes to a first state, which is in ``encoding`` then.
  mutating func enterRoot(_ number: Int) {
    client = setup.makeClient()
    rules = StepRules(setup)
    log.removeAll()
    client.step(
      .reachability(.initialRead(ClientCore.flags(of: setup.initialReads[number]))),
      at: CanonicalForm.present, into: &log)
    client.survey(into: &after, at: CanonicalForm.present)
    encode()
  }

  /// Goes to a state, of which no act was tried yet.
  ///
  /// - Parameters:
  ///   - bytes: where its encoding stands.
  ///   - start: the first byte.
  mutating func enter(_ bytes: ContiguousArray<UInt8>, from start: Int) {
    form.read(bytes, from: start, hosts: setup.hosts, into: &base, &expected)
    setup.list(base, at: CanonicalForm.present, into: &acts)
    next = 0
  }

  /// Tries the next act of the state.
  ///
  /// - Returns: whether there was one.
  mutating func advance() -> Bool {
    guard next < acts.count else { return false }
    number = next
    act = acts[next]
    next += 1
    client.restore(base, at: CanonicalForm.present)
    log.removeAll()
    client.perform(act, seen: base, at: CanonicalForm.present, into: &log)
    client.survey(into: &after, at: CanonicalForm.present)
    rules.expected = expected
    breach = rules.check(act, base, after, log, at: CanonicalForm.present)
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
      enter(encoding, from: 0)
      var isThere = false
      while !isThere, advance() { isThere = number == wanted }
      guard isThere else { return nil }
      acts.append(act)
      broken = breach
    }
    return broken.map { Counterexample(initialRead: read, acts: acts, breach: $0) }
  }

  private mutating func encode() {
    encoding.removeAll(keepingCapacity: true)
    form.write(after, rules.expected, at: CanonicalForm.present, into: &encoding)
    growth.see(after)
  }
}
