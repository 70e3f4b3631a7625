import HandoverCore

/// The invariants of a profile, in the order of their numbers.
struct RuleList: Sendable {
  /// All invariants, in the order of their numbers.
  ///
  /// This is the only list of invariants. A new one needs a type, a case of ``RuleIdentifier``, and
  /// an element here.
  static let all: [any Rule.Type] = [
    CallEndsOnceRule.self, CategoryChangeRule.self, SameCategoryRule.self, SharedChannelRule.self,
    WaitingRule.self, SendingRule.self, RequestLimitsRule.self, AlivenessRule.self,
    ChainOrderRule.self, ChannelStatesRule.self, ConnectionPoolRule.self,
  ]

  /// For each moment, one bit for each invariant that it concerns.
  private typealias Concerned = InlineArray<22, UInt32>

  /// The invariants that each moment concerns.
  private static let concerned = {
    var concerned = Concerned(repeating: 0)
    for (number, type) in all.enumerated() {
      for moment in concerned.indices
      where type.moments.contains(RunMoments(rawValue: 1 << UInt32(moment))) {
        concerned[moment] |= 1 << UInt32(number)
      }
    }
    return concerned
  }()

  private(set) var rules = ContiguousArray(all.map { $0.init() })
  /// One bit for each invariant that the profile has.
  private(set) var holding: UInt32 = 0
  /// The invariants of the profile that each moment concerns.
  ///
  /// It is a copy, because a static property checks on each access that it exists; without the copy
  /// a replay misses its target in `make bench`.
  private var concerned = Concerned(repeating: 0)
  /// One bit for each invariant that has observed a record in this step.
  private var observing: UInt32 = 0

  /// Creates a list in which no invariant is active.
  init() {}

  /// Creates the invariants of a profile in their state before the first record.
  init(_ identifiers: [RuleIdentifier]) { restart(identifiers) }

  /// Resets the invariants to their state before the first record, and activates those of a
  /// profile; reuses their memory.
  mutating func restart(_ identifiers: [RuleIdentifier]) {
    holding = identifiers.reduce(0) { $0 | 1 << UInt32($1.rawValue - 1) }
    for moment in concerned.indices { concerned[moment] = Self.concerned[moment] & holding }
    for index in rules.indices { rules[index].restart() }
    observing = 0
  }

  /// Passes a record to the invariants that it concerns, before it changes the state of the run.
  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    var concerned = concerned(by: RunMoments(record))
    if record.at < run.now { concerned |= self.concerned(by: .timeReversal) }
    guard concerned != 0 else { return }
    observing |= concerned
    forEach(concerned) { $0.observe(record, before: &run) }
  }

  /// Handles the end of a step.
  ///
  /// An invariant that has observed nothing in the step waits for nothing.
  mutating func stepIsOver(_ run: inout ObservedRun) {
    let waiting = observing & concerned(by: .stepEnd)
    observing = 0
    forEach(waiting) { $0.stepIsOver(&run) }
  }

  /// Handles the end of an instant.
  mutating func instantIsOver(_ run: inout ObservedRun) {
    forEach(concerned(by: .instantEnd)) { $0.instantIsOver(&run) }
  }

  /// Handles the closing of the client; no records follow.
  mutating func finish(_ leaks: [String], _ run: inout ObservedRun) {
    forEach(concerned(by: .closing)) { $0.finish(leaks, &run) }
  }

  /// Returns one bit for each active invariant that a moment concerns.
  private func concerned(by moment: RunMoments) -> UInt32 {
    moment == [] ? 0 : concerned[moment.rawValue.trailingZeroBitCount]
  }

  private mutating func forEach(_ concerned: UInt32, _ body: (inout any Rule) -> Void) {
    var left = concerned
    while left != 0 {
      body(&rules[left.trailingZeroBitCount])
      left &= left - 1
    }
  }
}
