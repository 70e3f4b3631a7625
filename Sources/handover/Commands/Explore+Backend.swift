import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverSimulation

#if os(Linux)
  import HandoverProcess
#endif

extension ExploreCommand {
  /// Rejects options that are not supported for a client in another process.
  func validateBackend() throws {
    try backend.validate()
    guard !backend.isBuiltIn else { return }
    guard case .process = backend else {
      throw ValidationError(
        "--backend \(backend) lives in real time; exec:COMMAND is explored, in virtual time.")
    }
    let given: [(name: String, isGiven: Bool)] = [
      ("--scope", scope != .client), ("--swarm", swarm != nil), ("--time zones", time != .untimed),
      ("--shard", shard != nil), ("--exchange", exchange != nil), ("--propose", propose != nil),
      ("--resume", resume != nil), ("--report", report != nil), ("--jobs", jobs != nil),
      ("--defect", !defect.isEmpty),
    ]
    guard let one = given.first(where: \.isGiven) else { return }
    throw ValidationError("\(one.name) is for the built-in client; --backend goes without it.")
  }

  /// Explores a client in another process and compares it with the built-in one.
  func runElsewhere(_ client: ExplorationSetup, _ interruption: Interruption) throws {
    #if os(Linux)
      guard case .process(let command) = backend else { return }
      let clients: ProcessClients
      let setup: RemoteSetup
      let explored: any RemoteClient
      do throws(BackendError) {
        clients = try ProcessClients(command, timeout: timeout?.interval ?? .seconds(30))
        setup = try RemoteSetup(client, of: clients)
        explored = try clients.makeClient()
      } catch {
        printError("\(error.message)\nTry `handover backend check \(ShellWord.quoted(command))`.")
        throw Leave(error.code == .unsupported ? .badInput : .breakdown)
      }
      var explorer = RemoteExplorer(setup, explored)
      var progress = ExplorationProgress(budget)
      let limits = ExplorationLimits(
        depth: depth ?? (setup.hasDigests && !setup.isEndless ? nil : Self.usualRemoteDepth),
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
      try tell(verdict, text, log: explored.log, of: clients, interruption)
    #endif
  }

  /// The default length of sequences if the client has no fingerprints or sends messages.
  ///
  /// The number of messages is unbounded, so the state space is infinite.
  private static let usualRemoteDepth = 6

  /// Prints the verdict and throws its exit status.
  private func tell(
    _ verdict: RemoteVerdict, _ text: RemoteText, log: String, of clients: some RemoteClients,
    _ interruption: Interruption
  ) throws {
    say(text.told(verdict))
    switch verdict {
    case .closed: return
    case .exhausted, .stopped, .lies: break
    case .differs(let found), .drawsLots(let found):
      try show(scenario(of: found, text.setup, of: clients, interruption))
    case .brokeDown(_, let error):
      if !log.isEmpty { printError("What it wrote last:\n\(log.suffix(2_000))") }
      throw Leave(error.code == .unsupported ? .failure : .breakdown)
    }
    throw Leave(.failure)
  }

  /// Returns a sequence as a scenario that the built-in client passes and the other client fails.
  ///
  /// The result is `nil` if there is no such scenario.
  private func scenario(
    of found: RemoteCounterexample, _ setup: RemoteSetup, of clients: some RemoteClients,
    _ interruption: Interruption
  ) -> ShownScenario? {
    let scenario = RemoteScenario(found, setup)
    let candidates = scenario.candidates
    var right = Worker(SimulatedBackend(), keeps: .decisions)
    let bytes = [UInt8](scenario.text(expecting: candidates).utf8)
    guard let read = ScenarioReader.read(file: "counterexample", bytes: bytes).scenario,
      let result = right.run(read).cases.first
    else { return nil }
    let expectations =
      result.calls.map { RemoteScenario.expectation($0.id, $0.end, at: $0.endedAt) }
      + result.held.filter(candidates.indices.contains).sorted().map { candidates[$0] }
    let text = scenario.text(expecting: expectations)
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

  var seen: String {
    "\(counted(figures.states, "state")), \(counted(figures.transitions, "transition")), "
      + "depth \(figures.depth)"
  }

  private var bounds: String {
    let leftOut = setup.leftOut(of: asked)
    let rest = leftOut.isEmpty ? "" : "; without \(leftOut.joined(separator: " and "))"
    return """
      (\(name) as \(setup.client.profile.name), \(counted(setup.client.hosts, "host")), up to \
      \(counted(setup.client.calls, "call")) at once\(rest);
      timers fall due in the order that the shortest ways have; no jitter)
      """
  }

  // long: a flat switch with a paragraph for each verdict
  func told(_ verdict: RemoteVerdict) -> String {
    switch verdict {
    case .closed:
      return """
        closed: \(seen): in every state that its digests tell apart it does as the built-in client.
        \(counted(samples, "way")) to a known state went on, and did likewise.
        \(bounds)
        """
    case .exhausted:
      return """
        tried: \(seen): everything once wherever it can be told apart from outside.
        It did as the built-in client; without digests that proves nothing.
        \(bounds)
        """
    case .stopped(let why):
      let reason =
        switch why {
        case .depth: "at the length that --depth allows"
        case .states: "at the number of states that --budget allows"
        case .growth, .fromOutside, .frontier: "at the time that --budget allows"
        }
      return """
        stopped \(reason): \(seen).
        In every sequence of up to \(counted(figures.depth, "act")) it did as the built-in client; \
        that proves nothing.
        \(bounds)
        """
    case .differs(let found):
      let hidden = found.isHidden ? "\nIt shows behind a state that was taken for a known one." : ""
      return broken("it does not do as the built-in client", found) + hidden
    case .drawsLots(let found):
      return broken("it does not do the same where the same happens again", found)
    case .brokeDown(let found, let error):
      return broken("it breaks down: \(error.message)", found)
    case .lies(let lie):
      return """
        its digests do not tell its states apart (\(seen)).
        \(bounds)

        After these two sequences it says one digest, and then it matters that \
        \(lie.act.sentence(in: setup.client)):

        \(acts(of: lie.first))

        \(acts(of: lie.second))
        """
    }
  }

  private func broken(_ what: String, _ found: RemoteCounterexample) -> String {
    let count = counted(found.acts.count, "act")
    let closing = found.isOfClosing ? " and the closing" : ""
    let difference = found.difference.map { ":\n\($0.sentence)" } ?? ""
    return """
      after \(count)\(closing) \(what)\(difference).
      (\(seen))
      \(bounds)

      \(acts(of: found))
      """
  }

  private func acts(of found: RemoteCounterexample) -> String {
    guard setup.client.profile.policy.monitorsReachability else {
      return ExplorationText.numbered(found.sentences(in: setup)).joined(separator: "\n")
    }
    let read =
      found.initialRead == .unknown
      ? "the monitor's first read fails" : "the monitor reads \(found.initialRead)"
    return ExplorationText.numbered([read] + found.sentences(in: setup), from: 0)
      .joined(separator: "\n")
  }
}
