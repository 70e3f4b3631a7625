import HandoverMachines

/// Finds what follows a state: every act that can happen in it is let happen to a client made from
/// its form, held against the rules, and the form that comes out written down.
///
/// The step that every walk is made of. It keeps one client from which each act starts, and what
/// it needs besides, so that nothing is allocated.
///
struct SuccessorFinder: ~Copyable {
  let setup: ExplorationSetup
  private let form: CanonicalForm
  private let origin: Fixed<ClientCore>
  private let client: Fixed<ClientCore>
  private var rules: StepRules
  /// The state, and what an act has made of it.
  let base = Fixed(ClientSurvey())
  let after = Fixed(ClientSurvey())
  /// The mean delays that the failures allow in the state.
  private var baseExpected: ExpectedDelays
  /// What the client ordered in the act.
  private(set) var log = EffectLog<ClientEffect>(reserving: 64)
  /// What can happen.
  private(set) var acts = Rows<Act>()
  /// The largest of what the states had that were looked at.
  private(set) var growth = GrowthWatch()

  init(_ setup: ExplorationSetup) {
    self.setup = setup
    form = CanonicalForm(setup)
    // Each registers the hosts itself: a copy would share its tables.
    origin = Fixed(setup.makeClient())
    client = Fixed(setup.makeClient())
    rules = StepRules(setup)
    baseExpected = rules.expected
  }

  /// Adds the states that a client begins in, each with the read that leads to it.
  mutating func begin(into found: inout SuccessorBatch) {
    for read in setup.initialReads {
      client.value = setup.makeClient()
      log.removeAll()
      client.value.step(
        .reachability(.initialRead(ClientCore.flags(of: read))), at: CanonicalForm.present,
        into: &log)
      client.value.surveyInPlace(into: &after.value, at: CanonicalForm.present)
      let start = found.forms.count
      form.write(
        after.value, ExpectedDelays(setup.configuration.backoff.initial), at: CanonicalForm.present,
        into: &found.forms)
      found.add(formFrom: start, from: .max, by: Act(.callback, place: Int(read.rawValue)))
    }
  }

  /// Adds what follows a state.
  ///
  /// - Parameters:
  ///   - bytes: where its form stands.
  ///   - start: the first byte of the form.
  ///   - length: how many bytes it has.
  ///   - number: the number that the state is known by.
  ///   - found: takes each successor but the state itself, and each broken rule.
  mutating func find(
    from bytes: borrowing FormBytes, at start: Int, count length: Int, numbered number: UInt32,
    into found: inout SuccessorBatch
  ) {
    read(bytes, at: start)
    settle()
    for index in 0..<acts.count {
      let act = acts[index]
      if let breach = happen(act) {
        found.breaches.append(
          SuccessorBatch.Broken(
            place: found.successors.count, parent: number, act: act, breach: breach))
        continue
      }
      let first = found.forms.count
      writeForm(into: &found.forms)
      // What changes nothing leads nowhere new.
      if found.forms.count - first == length,
        found.forms.isSame(from: first, as: bytes, from: start, count: length)
      {
        found.forms.removeAll(from: first)
      } else {
        found.add(formFrom: first, from: number, by: act)
      }
    }
    found.transitions += acts.count
  }

  // MARK: One after the other

  /// Reads the form of a state, which can still be changed then.
  mutating func read(_ bytes: borrowing FormBytes, at start: Int) {
    form.read(bytes, from: start, hosts: setup.hosts, into: &base.value, &baseExpected)
  }

  /// Makes a client of the state that was read, and lists what can happen to it.
  mutating func settle() {
    growth.see(base.value)
    setup.list(base.value, at: CanonicalForm.present, into: &acts)
    origin.value.restore(base.value, at: CanonicalForm.present)
    rules.look(at: base.value)
  }

  /// Lets an act happen to that client.
  ///
  /// - Returns: the rule that it broke.
  @inline(__always)
  mutating func happen(_ act: Act) -> Breach? {
    client.value.become(&origin.value)
    log.removeAll()
    client.value.perform(act, seen: base.value, at: CanonicalForm.present, into: &log)
    client.value.surveyInPlace(into: &after.value, at: CanonicalForm.present)
    rules.expected = baseExpected
    return rules.checkStep(act, base.value, after.value, log, at: CanonicalForm.present)
  }

  /// The mean delays that the failures allow after the act that happened last.
  var expected: ExpectedDelays { rules.expected }

  /// Appends the form that it led to.
  @inline(__always)
  func writeForm(into bytes: inout FormBytes) {
    form.write(after.value, rules.expected, at: CanonicalForm.present, into: &bytes)
  }
}

/// What follows some states, in the order in which it was found.
struct SuccessorBatch: ~Copyable {
  /// A state that was reached.
  struct Successor: BitwiseCopyable, Hashable, Sendable {
    /// The halves of its digest.
    var high: UInt64
    var low: UInt64
    /// Where its form stands, and how long it is.
    var start: UInt32
    var length: UInt32
    /// The state that it follows.
    var parent: UInt32
    var act: Act

    var digest: StateDigest {
      @inline(__always) get {
        var digest = StateDigest(at: .zero)
        digest.high = high
        digest.low = low
        return digest
      }
    }
  }

  /// An act that broke a rule.
  struct Broken {
    /// How many successors were found before it.
    var place: Int
    var parent: UInt32
    var act: Act
    var breach: Breach
  }

  var successors = Rows<Successor>()
  /// Their forms, one behind the other.
  var forms = FormBytes(reserving: 1 << 16)
  var breaches: [Broken] = []
  /// How many acts happened.
  var transitions = 0

  mutating func removeAll() {
    successors.removeAll()
    forms.removeAll()
    breaches.removeAll(keepingCapacity: true)
    transitions = 0
  }

  /// Adds a state whose form stands last.
  @inline(__always)
  mutating func add(formFrom start: Int, from parent: UInt32, by act: Act) {
    let digest = StateDigest(of: forms, from: start)
    successors.append(
      Successor(
        high: digest.high, low: digest.low, start: UInt32(truncatingIfNeeded: start),
        length: UInt32(truncatingIfNeeded: forms.count - start), parent: parent,
        act: act))
  }

  /// How many digests are asked for at once, so that the waits for memory go side by side.
  private static let window = 16

  /// Adds those successors to what was seen that were not, and tells which they are.
  ///
  /// - Parameters:
  ///   - visited: what was seen.
  ///   - worker: who asks; it asks every n-th table, and others the others at the same time.
  ///   - workers: how many ask.
  ///   - places: takes the places of the new ones among the worker's.
  /// - Returns: nothing that anybody wants to know: what was read ahead has to go somewhere.
  @discardableResult
  func findNew(
    _ visited: VisitedStates, worker: Int, of workers: Int,
    into places: inout Rows<UInt32>
  ) -> UInt64 {
    var sum: UInt64 = 0
    var first = 0
    while first < successors.count {
      let end = min(first + Self.window, successors.count)
      // Nobody looks at another's table, not even ahead: it may grow meanwhile.
      for place in first..<end where Self.isOf(worker, workers, successors[place].digest) {
        sum &+= visited.touch(successors[place].digest)
      }
      for place in first..<end where Self.isOf(worker, workers, successors[place].digest) {
        if visited.insert(successors[place].digest) {
          places.append(UInt32(truncatingIfNeeded: place))
        }
      }
      first = end
    }
    return sum
  }

  /// Whether a digest belongs to the tables of a worker.
  @inline(__always)
  private static func isOf(_ worker: Int, _ workers: Int, _ digest: StateDigest) -> Bool {
    workers == 1 || VisitedStates.part(of: digest) % workers == worker
  }
}
