package import HandoverBackend
package import HandoverCore

/// The result of the exploration of a remote client.
package enum RemoteVerdict: Sendable {
  /// Every action was tried once in every state that the client's fingerprints distinguish.
  case closed
  /// Every action was tried once in every state that is distinguishable from outside.
  ///
  /// The client has no fingerprints, so its internal state may differ within such a state.
  case exhausted
  /// The exploration was stopped, which proves nothing.
  case stopped(ExplorationVerdict.Stop)
  /// The client's behavior differs from that of the built-in client.
  case differs(RemoteCounterexample)
  /// The client is not deterministic: the same events had different effects.
  case isNondeterministic(RemoteCounterexample)
  /// Two paths end with the same fingerprint, but the same action has different effects after them.
  case lies(RemoteLie)
  /// The client violated the protocol, exited, or did not answer, after these actions.
  case backendFailed(RemoteCounterexample, BackendError)
}

/// A sequence of actions after which the behavior of a remote client is wrong.
package struct RemoteCounterexample: Hashable, Sendable {
  package var initialRead: NetworkCategory
  package var actions: [ClientAction]
  /// The difference, or `nil` if the client had an internal error.
  package var difference: RemoteDifference?
  /// Whether the difference appears only after a state that the exploration considers already
  /// known.
  package var isHidden = false

  /// Returns a one-line description of each action.
  package func sentences(in setup: RemoteSetup) -> [String] {
    actions.map { $0.sentence(in: setup.client) }
  }

  /// Whether the difference appears only when the client is closed.
  package var appearsWhenClosed: Bool { difference.map { $0.action > actions.count } ?? false }
}

/// Two paths to one fingerprint, and an action that has different effects after them.
package struct RemoteLie: Hashable, Sendable {
  package var first: RemoteCounterexample
  package var second: RemoteCounterexample
  package var action: ClientAction
}

/// Explores the states of a remote client in parallel with the built-in client, breadth first.
///
/// A remote client cannot be copied, so it replays each path from the start. The built-in client
/// runs the same actions at the same instants, and both must have the same effects. Four things
/// identify a state: the state of the built-in client, the order of its timers, the visible timers
/// of the remote client, and its fingerprint if it has one. A fingerprint may omit part of the
/// state. The exploration therefore continues from a sample of the paths to known states, too.
package struct RemoteExplorer: ~Copyable {
  private struct State {
    var parent: Int
    var read: NetworkCategory
    var action: ClientAction?
    var digest: String?
  }

  /// Everything that distinguishes two situations if the fingerprint is correct.
  private struct Situation: Hashable {
    var digest: String
    var timers: [UInt8]
    var action: ClientAction
  }

  private struct Key: Hashable {
    var form: [UInt8]
    var timers: UInt8
    var digest: String?
  }

  /// The sample: one in `sampleInterval` paths to a known state continues, for `sampleLength`
  /// actions.
  private static let sampleInterval = 8
  private static let sampleLength = 4

  private let setup: RemoteSetup
  private var client: RemotePath
  private var states: [State] = []
  private var visited: Set<Key> = []  // lookup only
  private var consequences: [Situation: (state: Int, effects: [ClientEffect])] = [:]  // lookup only
  private var level: [Int] = []
  private var next: [Int] = []
  private var cuts = 0
  private var verdict: RemoteVerdict?
  /// A difference that was found after a known state; a shorter path may also lead to it.
  private var hidden: RemoteCounterexample?
  /// The progress so far.
  package private(set) var figures = ExplorationFigures()
  /// The number of paths that were continued from a known state.
  package private(set) var samples = 0

  /// Creates an exploration that has not visited any state.
  package init(_ setup: RemoteSetup, _ client: any RemoteClient) {
    self.setup = setup
    self.client = RemotePath(client, setup)
  }

  /// Explores until the state space is exhausted, a failure is found, or a limit is reached.
  ///
  /// - Parameters:
  ///   - limits: The limits at which the exploration stops.
  ///   - shouldContinue: Called at each action; returns whether to continue.
  /// - Returns: The verdict.
  package mutating func run(
    _ limits: ExplorationLimits, shouldContinue: (ExplorationFigures) -> Bool = { _ in true }
  ) -> RemoteVerdict {
    let verdict = walk(limits, shouldContinue: shouldContinue)
    switch verdict {
    case .closed, .exhausted, .stopped: return hidden.map { .differs($0) } ?? verdict
    case .differs, .isNondeterministic, .lies, .backendFailed: return verdict
    }
  }

  private mutating func walk(
    _ limits: ExplorationLimits, shouldContinue: (ExplorationFigures) -> Bool
  ) -> RemoteVerdict {
    for read in setup.client.initialReads { begin(read) }
    if let verdict { return verdict }
    swap(&level, &next)
    while !level.isEmpty {
      if let depth = limits.depth, figures.depth >= depth { return .stopped(.depth) }
      // No remaining path is as short as the hidden one.
      if let hidden, figures.depth >= hidden.actions.count { return .differs(hidden) }
      figures.frontier = level.count
      figures.widest = max(figures.widest, figures.frontier)
      for state in level {
        let way = way(to: state)
        for action in way.nextActions() where setup.has(action) {
          attempt(action, from: state, way)
          if let verdict { return verdict }
          if figures.states > limits.states { return .stopped(.states) }
          if !shouldContinue(figures) { return .stopped(.fromOutside) }
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
    let way = ReferencePath(setup.client, read)
    arrive(by: way, from: State(parent: -1, read: read))
  }

  /// Returns the path to a state, replayed by the built-in client.
  private func way(to state: Int) -> ReferencePath {
    var actions: [ClientAction] = []
    var position = state
    while let action = states[position].action {
      actions.append(action)
      position = states[position].parent
    }
    var way = ReferencePath(setup.client, states[position].read)
    for action in actions.reversed() { _ = way.perform(action) }
    return way
  }

  /// Tries an action in a state.
  private mutating func attempt(_ action: ClientAction, from state: Int, _ base: ReferencePath) {
    var way = base
    guard way.perform(action) else { return }
    figures.transitions += 1
    compare(action, from: state, base, way)
    guard verdict == nil else { return }
    arrive(by: way, from: State(parent: state, read: states[state].read, action: action))
  }

  /// Checks that an action has the same effects in every state with the same fingerprint.
  private mutating func compare(
    _ action: ClientAction, from state: Int, _ base: ReferencePath, _ way: ReferencePath
  ) {
    guard let digest = states[state].digest, let last = way.steps.last else { return }
    let situation = Situation(digest: digest, timers: base.timerOrder(), action: action)
    let effects = last.effects.filter(setup.isSeen).map { Renaming.nameless($0) }
    guard let known = consequences[situation] else {
      consequences[situation] = (state, effects)
      return
    }
    guard known.effects != effects else { return }
    let other = self.way(to: known.state)
    verdict = .lies(
      RemoteLie(
        first: RemoteCounterexample(initialRead: other.initialRead, actions: other.actions),
        second: RemoteCounterexample(initialRead: base.initialRead, actions: base.actions),
        action: action))
  }

  /// Replays a path with the client, and keeps the final state if it is new.
  private mutating func arrive(by way: ReferencePath, from state: State) {
    var way = way
    do throws(BackendError) {
      if let difference = try client.take(way) { return note(difference, way) }
      var state = state
      state.digest = setup.hasDigests ? try client.digest(at: way.now) : nil
      let key = Key(form: way.bytes(), timers: client.timers, digest: state.digest)
      guard visited.insert(key).inserted else { return try continueBeyondKnown(&way) }
      figures.states += 1
      next.append(states.count)
      states.append(state)
      if way.hasNoTimer, let difference = try client.fireTimer(number: way.actions.count) {
        return note(difference, way)
      }
      // Nothing may remain after the client is closed, in whichever state that happens.
      var closing = way.closing()
      closing.at = max(closing.at, client.now)
      if let difference = try client.take(closing, way, number: way.actions.count + 1) {
        note(difference, way)
      }
    } catch {
      verdict = .backendFailed(
        RemoteCounterexample(initialRead: way.initialRead, actions: way.actions), error)
    }
  }

  /// Continues from a sample of the known states, as if they were new.
  ///
  /// The client replays the extended path from its start. A deadline that passes only in the
  /// extension must be known when its call starts.
  private mutating func continueBeyondKnown(_ way: inout ReferencePath) throws(BackendError) {
    cuts += 1
    guard hidden == nil, cuts % Self.sampleInterval == 0 else { return }
    samples += 1
    var lengthened: [ReferencePath] = []
    for position in 0..<Self.sampleLength {
      let actions = way.nextActions().filter(setup.has)
      guard !actions.isEmpty else { break }
      // The choice varies, so that every action is tried at some point.
      let action = actions[(cuts / Self.sampleInterval + position) % actions.count]
      guard way.perform(action) else { break }
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
    _ difference: RemoteDifference, _ way: ReferencePath, isHidden: Bool = false
  ) {
    let found = RemoteCounterexample(
      initialRead: way.initialRead, actions: way.actions, difference: difference, isHidden: isHidden
    )
    // The path up to its last action was replayed before without a difference. If the last action
    // is a deadline, that earlier replay used another deadline for the call.
    if difference.action < way.actions.count, way.actions.last?.isDeadline != true {
      verdict = .isNondeterministic(found)
    } else if isHidden {
      hidden = found
    } else {
      verdict = .differs(found)
    }
  }
}
