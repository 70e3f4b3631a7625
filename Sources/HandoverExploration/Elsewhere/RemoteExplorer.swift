package import HandoverBackend
package import HandoverMachines

/// What came of the exploration of a client elsewhere.
package enum RemoteVerdict: Sendable {
  /// Everything that may happen was tried once in every state, as far as the client's digests tell
  /// states apart.
  case closed
  /// Everything was tried once wherever the client can be told apart from outside; it has no
  /// digests, so that nobody knows what else it is.
  case exhausted
  /// It was stopped: that proves nothing.
  case stopped(ExplorationVerdict.Stop)
  /// It does something else than the built-in client.
  case differs(RemoteCounterexample)
  /// It does not do the same again where the same happens.
  case drawsLots(RemoteCounterexample)
  /// Two ways end with one digest, and the same act has different consequences.
  case lies(RemoteLie)
  /// It broke the protocol, ended, or gave no answer, after these acts.
  case brokeDown(RemoteCounterexample, BackendError)
}

/// A sequence of acts after which a client elsewhere does what it should not.
package struct RemoteCounterexample: Hashable, Sendable {
  package var initialRead: NetworkCategory
  package var acts: [Act]
  /// What it does otherwise; nil where it broke down.
  package var difference: RemoteDifference?
  /// Whether it shows only where the exploration has gone on from a state that it takes for one
  /// that it knows.
  package var isHidden = false

  /// What happened, each act in words of one line.
  package func sentences(in setup: RemoteSetup) -> [String] {
    acts.map { $0.sentence(in: setup.client) }
  }

  /// Whether it shows at the closing of the client only.
  package var isOfClosing: Bool { difference.map { $0.act > acts.count } ?? false }
}

/// Two ways to one digest, and an act that has different consequences after them.
package struct RemoteLie: Hashable, Sendable {
  package var first: RemoteCounterexample
  package var second: RemoteCounterexample
  package var act: Act
}

/// Walks the states of a client elsewhere beside those of the built-in one, breadth first.
///
/// A client elsewhere cannot be copied: it is taken along each way from the start. The built-in
/// client goes the same way at the same instants, and both must do the same. A state is known again
/// by what the built-in client is in, by the order of its timers, by what the other one shows of
/// its own timers, and by its digest where it has one. Of the ways to a state that is known again
/// every few are gone on from, because a digest may leave something out.
package struct RemoteExplorer: ~Copyable {
  private struct State {
    var parent: Int
    var read: NetworkCategory
    var act: Act?
    var digest: String?
  }

  /// What tells two situations apart as far as a digest is to be believed.
  private struct Situation: Hashable {
    var digest: String
    var timers: [UInt8]
    var act: Act
  }

  private struct Key: Hashable {
    var form: [UInt8]
    var timers: UInt8
    var digest: String?
  }

  /// Of so many ways to a known state one is gone on from, for so many acts.
  private static let cutsForSample = 8
  private static let sampleLength = 4

  private let setup: RemoteSetup
  private var client: RemoteWay
  private var states: [State] = []
  private var visited: Set<Key> = []  // lookup only
  private var consequences: [Situation: (state: Int, deeds: [ClientEffect])] = [:]  // lookup only
  private var level: [Int] = []
  private var next: [Int] = []
  private var cuts = 0
  private var verdict: RemoteVerdict?
  /// What was found behind a state that is known; a shorter way may lead there.
  private var hidden: RemoteCounterexample?
  /// How far it has come.
  package private(set) var figures = ExplorationFigures()
  /// How often a known state was gone on from.
  package private(set) var samples = 0

  /// Makes an exploration that has seen nothing.
  package init(_ setup: RemoteSetup, _ client: any RemoteClient) {
    self.setup = setup
    self.client = RemoteWay(client, setup)
  }

  /// Explores until everything was seen, something is wrong, or a limit is reached.
  ///
  /// - Parameters:
  ///   - limits: where it is left.
  ///   - goesOn: is asked at each act whether to go on.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits, goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> RemoteVerdict {
    let verdict = walk(limits, goesOn: goesOn)
    switch verdict {
    case .closed, .exhausted, .stopped: return hidden.map { .differs($0) } ?? verdict
    case .differs, .drawsLots, .lies, .brokeDown: return verdict
    }
  }

  private mutating func walk(
    _ limits: ExplorationLimits, goesOn: (ExplorationFigures) -> Bool
  ) -> RemoteVerdict {
    for read in setup.client.initialReads { begin(read) }
    if let verdict { return verdict }
    swap(&level, &next)
    while !level.isEmpty {
      if let depth = limits.depth, figures.depth >= depth { return .stopped(.depth) }
      // No way is left that is as short.
      if let hidden, figures.depth >= hidden.acts.count { return .differs(hidden) }
      figures.frontier = level.count
      figures.widest = max(figures.widest, figures.frontier)
      for state in level {
        let way = way(to: state)
        for act in way.nextActs() where setup.has(act) {
          attempt(act, from: state, way)
          if let verdict { return verdict }
          if figures.states > limits.states { return .stopped(.states) }
          if !goesOn(figures) { return .stopped(.fromOutside) }
        }
      }
      guard !next.isEmpty else { break }
      swap(&level, &next)
      next.removeAll()
      figures.depth += 1
    }
    return setup.hasDigests ? .closed : .exhausted
  }

  private mutating func begin(_ read: NetworkCategory) {
    let way = OwnWay(setup.client, read)
    arrive(by: way, from: State(parent: -1, read: read))
  }

  /// The way to a state, gone again by the built-in client.
  private func way(to state: Int) -> OwnWay {
    var acts: [Act] = []
    var place = state
    while let act = states[place].act {
      acts.append(act)
      place = states[place].parent
    }
    var way = OwnWay(setup.client, states[place].read)
    for act in acts.reversed() { _ = way.perform(act) }
    return way
  }

  /// Tries an act in a state.
  private mutating func attempt(_ act: Act, from state: Int, _ base: OwnWay) {
    var way = base
    guard way.perform(act) else { return }
    figures.transitions += 1
    compare(act, from: state, base, way)
    guard verdict == nil else { return }
    arrive(by: way, from: State(parent: state, read: states[state].read, act: act))
  }

  /// Whether an act has the consequences that it had wherever the client said that it is the same.
  private mutating func compare(_ act: Act, from state: Int, _ base: OwnWay, _ way: OwnWay) {
    guard let digest = states[state].digest, let last = way.steps.last else { return }
    let situation = Situation(digest: digest, timers: base.timerOrder(), act: act)
    let deeds = last.deeds.filter(setup.isSeen).map { Renaming.nameless($0) }
    guard let known = consequences[situation] else {
      consequences[situation] = (state, deeds)
      return
    }
    guard known.deeds != deeds else { return }
    let other = self.way(to: known.state)
    verdict = .lies(
      RemoteLie(
        first: RemoteCounterexample(initialRead: other.initialRead, acts: other.acts),
        second: RemoteCounterexample(initialRead: base.initialRead, acts: base.acts), act: act))
  }

  /// Takes the client along a way, and keeps where it ends if that is new.
  private mutating func arrive(by way: OwnWay, from state: State) {
    var way = way
    do throws(BackendError) {
      if let difference = try client.take(way) { return note(difference, way) }
      var state = state
      state.digest = setup.hasDigests ? try client.digest(at: way.now) : nil
      let key = Key(form: way.bytes(), timers: client.timers, digest: state.digest)
      guard visited.insert(key).inserted else { return try goOn(by: &way) }
      figures.states += 1
      next.append(states.count)
      states.append(state)
      if way.hasNoTimer, let difference = try client.fireTimer(number: way.acts.count) {
        return note(difference, way)
      }
      // Nothing may remain of it, wherever it is closed.
      var closing = way.closing()
      closing.at = max(closing.at, client.now)
      if let difference = try client.take(closing, way, number: way.acts.count + 1) {
        note(difference, way)
      }
    } catch {
      verdict = .brokeDown(
        RemoteCounterexample(initialRead: way.initialRead, acts: way.acts), error)
    }
  }

  /// Goes on from some of the states that are known, as if they were none.
  ///
  /// The client is taken along the lengthened way from its start: it has to be told the deadlines
  /// that pass only there when their calls start.
  private mutating func goOn(by way: inout OwnWay) throws(BackendError) {
    cuts += 1
    guard hidden == nil, cuts % Self.cutsForSample == 0 else { return }
    samples += 1
    var lengthened: [OwnWay] = []
    for place in 0..<Self.sampleLength {
      let acts = way.nextActs().filter(setup.has)
      guard !acts.isEmpty else { break }
      // Another one each time, so that all have their turn.
      let act = acts[(cuts / Self.cutsForSample + place) % acts.count]
      guard way.perform(act) else { break }
      lengthened.append(way)
    }
    guard let longest = lengthened.popLast(), let difference = try client.take(longest) else {
      return
    }
    for shorter in lengthened {
      way = shorter
      if let difference = try client.take(way) { return note(difference, way, isHidden: true) }
    }
    note(difference, longest, isHidden: true)
  }

  private mutating func note(
    _ difference: RemoteDifference, _ way: OwnWay, isHidden: Bool = false
  ) {
    let found = RemoteCounterexample(
      initialRead: way.initialRead, acts: way.acts, difference: difference, isHidden: isHidden)
    // The way up to its last act was gone before, and nothing was wrong; but where a deadline
    // passes in that act, its call was told another one then.
    if difference.act < way.acts.count, way.acts.last?.isDeadline != true {
      verdict = .drawsLots(found)
    } else if isHidden {
      hidden = found
    } else {
      verdict = .differs(found)
    }
  }
}
