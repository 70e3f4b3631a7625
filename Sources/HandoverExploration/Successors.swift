import HandoverMachines

/// Finds what follows a state: every act that can happen in it is let happen to a client made from
/// its form, held against the rules, and the form that comes out written down.
///
/// The step that every walk is made of. It keeps one client from which each act starts, and what
/// it needs besides, so that nothing is allocated.
struct SuccessorFinder: ~Copyable {
  // A fixed value comes first: the thread sanitizer takes a change of one for a change of what its
  // owner begins with, and a setup is everybody's.
  /// The state, and what an act has made of it.
  let base = Fixed(ClientSurvey())
  let after = Fixed(ClientSurvey())
  let setup: ExplorationSetup
  private let form: CanonicalForm
  private let origin: Fixed<ClientCore>
  private let client: Fixed<ClientCore>
  private var rules: StepRules
  /// Whether the client does something wrong beside its machines.
  private let isTampered: Bool
  /// The mean delays that the failures allow in the state.
  private let baseExpected: Fixed<ExpectedDelays>
  /// What the client ordered in the act.
  let log = Fixed(EffectLog<ClientEffect>(reserving: 64))
  /// What can happen.
  private(set) var acts = Rows<Act>()
  /// The largest of what the states had that were looked at.
  var growth = GrowthWatch()

  init(_ setup: ExplorationSetup) {
    self.setup = setup
    form = CanonicalForm(setup)
    // Each registers the hosts itself: a copy would share its tables.
    origin = Fixed(setup.makeClient())
    client = Fixed(setup.makeClient())
    rules = StepRules(setup)
    isTampered = (setup.altered ?? setup.configuration).isTampered
    baseExpected = Fixed(rules.expected)
  }

  /// Adds the states that a client begins in, each with the read that leads to it.
  mutating func begin(into found: inout SuccessorBatch) {
    for read in setup.initialReads {
      client.value = setup.makeClient()
      log.value.removeAll()
      client.value.stepTampered(
        .reachability(.initialRead(ClientCore.flags(of: read))), at: CanonicalForm.present,
        into: &log.value)
      client.value.surveyInPlace(into: &after.value, at: CanonicalForm.present)
      let start = found.forms.count
      form.write(
        after.value, ExpectedDelays(setup.configuration.backoff.firstDelay),
        at: CanonicalForm.present, into: &found.forms)
      found.add(formFrom: start, from: .max, by: Act(.callback, place: Int(read.rawValue)).code)
    }
  }

  /// Adds what follows a state.
  ///
  /// - Parameters:
  ///   - bytes: where its form stands.
  ///   - start: the first byte of the form.
  ///   - length: how many bytes it has.
  ///   - number: the number that the state is known by.
  ///   - filter: knows what was seen.
  ///   - found: takes each successor that was not.
  ///   - breaches: takes each broken rule.
  mutating func find(
    from bytes: borrowing FormBytes, at start: Int, count length: Int, numbered number: UInt32,
    _ filter: SeenFilter, into found: inout SuccessorBatch, _ breaches: inout [BrokenRule<Breach>]
  ) {
    read(bytes, at: start)
    settle()
    for index in 0..<acts.count {
      let act = acts[index]
      found.transitions &+= 1
      if let breach = happen(act) {
        found.dropSeen(filter)
        breaches.append(BrokenRule(after: found, parent: number, act.code, breach))
        continue
      }
      let first = found.forms.count
      form.write(
        after.value, rules.expected, at: CanonicalForm.present, into: &found.forms)
      // What changes nothing leads nowhere new.
      if found.forms.count - first == length,
        found.forms.isSame(from: first, as: bytes, from: start, count: length)
      {
        found.forms.removeAll(from: first)
      } else {
        found.add(formFrom: first, from: number, by: act.code)
      }
    }
    found.dropSeen(filter)
  }

  // MARK: One after the other

  /// Reads the form of a state, which can still be changed then.
  mutating func read(_ bytes: borrowing FormBytes, at start: Int) {
    form.read(bytes, from: start, hosts: setup.hosts, into: &base.value, &baseExpected.value)
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
    log.value.removeAll()
    if let event = client.value.happen(act, base.value, at: CanonicalForm.present) {
      if isTampered {
        client.value.stepTampered(event, at: CanonicalForm.present, into: &log.value)
      } else {
        client.value.step(event, at: CanonicalForm.present, into: &log.value)
      }
    }
    client.value.surveyInPlace(into: &after.value, at: CanonicalForm.present)
    rules.expected = baseExpected.value
    return rules.checkStep(act, base.value, after.value, log.value, at: CanonicalForm.present)
  }

  /// The mean delays that the failures allow after the act that happened last.
  var expected: ExpectedDelays { rules.expected }

  // What is only read changes nothing, and is said to change: a large value that is lent to be read
  // is copied to be lent, and that costs more.

  /// Appends the form that it led to.
  mutating func writeForm(into bytes: inout FormBytes) {
    form.write(after.value, rules.expected, at: CanonicalForm.present, into: &bytes)
  }

  /// How many acts can happen.
  var actCount: Int { mutating get { acts.count } }

  /// One of them.
  mutating func act(_ index: Int) -> Act { acts[index] }

  /// The mean delay of a host after the act that happened last.
  mutating func meanAfter(of host: Int) -> Interval { after.value.hosts[host].mean }
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
    var act: ActCode

    @inline(__always)
    init(
      _ digest: StateDigest, form: Range<Int>, from parent: UInt32, by act: ActCode
    ) {
      (high, low) = (digest.high, digest.low)
      start = UInt32(truncatingIfNeeded: form.lowerBound)
      length = UInt32(truncatingIfNeeded: form.upperBound &- form.lowerBound)
      self.parent = parent
      self.act = act
    }

    var digest: StateDigest {
      @inline(__always) get {
        var digest = StateDigest(at: .zero)
        digest.high = high
        digest.low = low
        return digest
      }
    }
  }

  private(set) var successors = Rows<Successor>()
  /// Their forms, one behind the other.
  var forms = FormBytes(reserving: 1 << 14)
  /// How many acts happened.
  var transitions = 0
  /// How many of the successors are known not to have been seen.
  private var checked = 0

  mutating func removeAll() {
    successors.removeAll()
    forms.removeAll()
    transitions = 0
    checked = 0
  }

  /// Adds a state whose form stands last.
  @inline(__always)
  mutating func add(formFrom start: Int, from parent: UInt32, by act: ActCode) {
    add(formFrom: start, StateDigest(of: forms, from: start), from: parent, by: act)
  }

  /// Adds a state whose form stands last, and has another digest than that of its bytes.
  @inline(__always)
  mutating func add(
    formFrom start: Int, _ digest: StateDigest, from parent: UInt32, by act: ActCode
  ) {
    successors.append(Successor(digest, form: start..<forms.count, from: parent, by: act))
  }

  /// Forgets the states that were added last and are no new ones.
  ///
  /// All are asked for before the first answer is looked at, so that the waits for memory go side
  /// by side.
  mutating func dropSeen(_ filter: SeenFilter) {
    guard checked < successors.count else { return }
    filter.touch(successors, from: checked)
    var end = checked == 0 ? 0 : Int(successors[checked - 1].start + successors[checked - 1].length)
    for place in checked..<successors.count {
      var one = successors[place]
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

  /// Forgets the state that was added last, unless it is a new one.
  ///
  /// - Returns: whether it is.
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

/// An act that broke a rule, among what was found.
struct BrokenRule<Breach> {
  /// How many successors and transitions were found before it, it included.
  var place: Int
  var transitions: Int
  /// Whether it counts only where the last of these successors is a new state: it is of that.
  var isOfSuccessor: Bool
  var parent: UInt32
  var act: ActCode
  var breach: Breach

  init(
    after found: borrowing SuccessorBatch, isOfSuccessor: Bool = false, parent: UInt32,
    _ act: ActCode, _ breach: Breach
  ) {
    place = found.successors.count
    transitions = found.transitions
    self.isOfSuccessor = isOfSuccessor
    self.parent = parent
    self.act = act
    self.breach = breach
  }
}

/// What one worker knows of what was seen: all that was taken up before it began, some of what was
/// since, and what it has found itself of late.
///
/// That it does not know a state says nothing. What it knows was found before, in the order in
/// which everything is taken up; so nothing comes of how much it knows.
final class SeenFilter {
  private static let size = 1 << 12

  private let visited: VisitedStates
  /// At a place of its own, where nobody asks whether somebody else changes it just now.
  private let recent = Fixed(Rows<Recent>(reserving: size))
  /// What was read ahead, which has to go somewhere.
  private let ahead = Fixed<UInt64>(0)

  private struct Recent: BitwiseCopyable, Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0
  }

  init(_ visited: VisitedStates) {
    self.visited = visited
    forget()
  }

  /// Forgets what it has found itself, which was not all taken up.
  func forget() {
    recent.value.fill(with: Recent(), count: Self.size)
  }

  /// Reads ahead where some states would stand.
  @inline(__always)
  func touch(_ successors: borrowing Rows<SuccessorBatch.Successor>, from first: Int) {
    var sum: UInt64 = 0
    for place in first..<successors.count { sum &+= visited.touch(successors[place].digest) }
    ahead.value = sum
  }

  /// Whether it does not know a state; it does then.
  @inline(__always)
  func isNew(_ digest: StateDigest) -> Bool {
    if visited.contains(digest) { return false }
    let place = Int(truncatingIfNeeded: digest.low) & (Self.size - 1)
    let own = recent.value[place]
    if own.low == digest.low, own.high == digest.high { return false }
    recent.value[place] = Recent(high: digest.high, low: digest.low)
    return true
  }
}
