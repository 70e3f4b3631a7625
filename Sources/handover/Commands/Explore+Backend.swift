import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverProcess
import HandoverReport
import HandoverScenario
import HandoverSimulation

extension ExploreCommand {
  /// Rejects options that are not supported for a client in another process.
  func validateBackend() throws {
    guard !backend.isBuiltIn else { return }
    guard case .process = backend else {
      throw ValidationError(
        "--backend \(backend) runs in real time, and explorations need virtual time. Use "
          + "exec:COMMAND."
      )
    }
    let given: [(name: String, isGiven: Bool)] = [
      ("--scope", scope != .client), ("--swarm", swarm != nil), ("--time zones", time != .untimed),
      ("--shard", shard != nil), ("--exchange", exchange != nil), ("--propose", propose != nil),
      ("--resume", resume != nil), ("--report", report != nil), ("--jobs", jobs != nil),
      ("--defect", !defect.isEmpty),
    ]
    if let one = given.first(where: \.isGiven) {
      throw ValidationError("\(one.name) requires the built-in client. Remove --backend.")
    }
    guard timeout?.interval != .zero else {
      throw ValidationError("With --backend, --timeout must be longer than 0s, such as 30s.")
    }
  }

  /// Explores a client in another process and compares it with the built-in one.
  func runOutsidePool(_ client: ExplorationSetup, _ interruption: Interruption) throws {
    guard case .process(let command) = backend else { return }
    let clients: ProcessClientFactory
    let setup: RemoteSetup
    let explored: any RemoteClient
    do throws(BackendError) {
      clients = try ProcessClientFactory(command, timeout: timeout?.interval ?? .answerTimeout)
      setup = try RemoteSetup(client, of: clients)
      explored = try clients.makeClient()
    } catch {
      printError("\(error.message)\nTry `handover backend check \(ShellWord.quoted(command))`.")
      throw ExitError(error.code == .unsupported ? .badInput : .breakdown)
    }
    var explorer = RemoteExplorer(setup, explored)
    var progress = ExplorationProgress(budget)
    let limits = ExplorationLimits(
      depth: depth ?? (setup.hasDigests && !setup.isEndless ? nil : Self.defaultRemoteDepth),
      states: budget.states)
    let verdict = explorer.run(limits) { figures in
      progress.show(figures)
      return interruption.received == nil && !progress.isTimeOver
    }
    progress.clear()
    let text = RemoteText(
      setup: setup, asked: client, name: clients.description.name, figures: explorer.figures,
      samples: explorer.samples)
    try leaveIfInterrupted(interruption, text.seen)
    try report(verdict, text, log: explored.log, of: clients, interruption)
  }

  /// The default length of sequences if the client has no fingerprints or sends messages.
  ///
  /// The number of messages is unbounded, so the state space is infinite.
  private static let defaultRemoteDepth = 6

  /// Prints the verdict and throws its exit status.
  private func report(
    _ verdict: RemoteVerdict, _ text: RemoteText, log: String, of clients: some RemoteClientFactory,
    _ interruption: Interruption
  ) throws {
    say(text.sentence(for: verdict))
    switch verdict {
    case .closed: return
    case .exhausted, .stopped, .lies: break
    case .differs(let found), .isNondeterministic(let found):
      try show(scenario(of: found, text.setup, of: clients, interruption))
    case .backendFailed(_, let error):
      if !log.isEmpty { printError("Its last output:\n\(log.suffix(2_000))") }
      throw ExitError(error.code == .unsupported ? .failure : .breakdown)
    }
    throw ExitError(.failure)
  }

  /// Returns a sequence as a scenario that the built-in client passes and the other client fails.
  ///
  /// The result is `nil` if there is no such scenario.
  private func scenario(
    of found: RemoteCounterexample, _ setup: RemoteSetup, of clients: some RemoteClientFactory,
    _ interruption: Interruption
  ) -> ShownScenario? {
    let scenario = RemoteScenario(found, setup)
    let candidates = scenario.candidates
    var right = Worker(SimulatedBackend(), retaining: .decisions)
    guard let result = right.run(scenario.scenario(expecting: candidates)).cases.first else {
      return nil
    }
    let expectations =
      result.calls.enumerated().map { index, call in
        RemoteScenario.expectation(index, call.end, at: call.endedAt)
      }
      + result.satisfiedExpectations.filter(candidates.indices.contains).sorted().map {
        candidates[$0]
      }
    let text = scenario.scenario(expecting: expectations).text
    let player = ScenarioPlayer(SimulatedBackend(of: clients))
    guard player.isRight(text) else { return nil }
    let shown = ShownScenario(text, player, on: setup.client.profile, interruption)
    return shown.finding == nil ? nil : shown
  }
}

/// The text about the exploration of a client in another process.
struct RemoteText {
  var setup: RemoteSetup
  /// The exploration that was requested.
  var asked: ExplorationSetup
  /// The client's name from its handshake.
  var name: String
  var figures: ExplorationFigures
  var samples: Int

  var seen: String { figures.seen }

  private var bounds: String {
    let leftOut = setup.leftOut(of: asked)
    let rest = leftOut.isEmpty ? "" : "; without \(leftOut.joined(separator: " and "))"
    return """
      (\(name) as \(setup.client.profile.name), \(counted(setup.client.hosts, "host")), up to \
      \(counted(setup.client.calls, "simultaneous call"))\(rest);
      timers fire in the order of the shortest paths; no jitter)
      """
  }

  // long: a flat switch with a paragraph for each verdict
  func sentence(for verdict: RemoteVerdict) -> String {
    switch verdict {
    case .closed:
      return """
        complete: \(seen): in every state that its fingerprints distinguish, it behaves as
        the built-in client.
        \(counted(samples, "path")) to a known state continued, with the same behavior.
        \(bounds)
        """
    case .exhausted:
      return """
        tried: \(seen): every action once in each state that can be distinguished from outside.
        It behaved as the built-in client. Without fingerprints, this proves nothing.
        \(bounds)
        """
    case .stopped(let why):
      return """
        stopped \(why.reason): \(seen).
        In every sequence of up to \(counted(figures.depth, "action")) it behaved as the \
        built-in client.
        This proves nothing.
        \(bounds)
        """
    case .differs(let found):
      let hidden =
        found.isHidden
        ? "\nThe difference appears after a state whose fingerprint was already known." : ""
      return broken("it behaves differently from the built-in client", found) + hidden
    case .isNondeterministic(let found):
      return broken("it behaves differently when the same events happen again", found)
    case .backendFailed(let found, let error):
      return broken("it fails: \(error.message)", found)
    case .lies(let lie):
      return """
        two different states have the same fingerprint (\(seen)).
        \(bounds)

        These two sequences lead to the same fingerprint. Then the behavior differs when
        \(lie.action.sentence(in: setup.client)):

        \(actions(of: lie.first))

        \(actions(of: lie.second))
        """
    }
  }

  private func broken(_ what: String, _ found: RemoteCounterexample) -> String {
    let count = counted(found.actions.count, "action")
    let closing = found.appearsWhenClosed ? " and the close" : ""
    let difference = found.difference.map { ":\n\($0.sentence)" } ?? ""
    return """
      after \(count)\(closing) \(what)\(difference).
      (\(seen))
      \(bounds)

      \(actions(of: found))
      """
  }

  private func actions(of found: RemoteCounterexample) -> String {
    ExplorationText.actions(
      found.sentences(in: setup), of: setup.client.profile, after: found.initialRead)
  }
}
