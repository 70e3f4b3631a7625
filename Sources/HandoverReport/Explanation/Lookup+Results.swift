package import HandoverEngine
package import HandoverScenario
package import HandoverTry

extension Lookup {
  static let verdicts = Verdict.allCases.map {
    LookupEntry([$0.name], "verdict of a case", $0.explanation)
  }

  static let findings = Finding.Kind.all.map {
    LookupEntry([$0.name], "kind of a finding", $0.explanation)
  }

  static let moveVerdicts = TryOutcome.allCases.map {
    LookupEntry([$0.rawValue], "verdict of handover try", $0.explanation)
  }

  static let coverageStates = Coverage.State.allCases.map {
    LookupEntry([$0.phrase], "state of a requirement", $0.explanation)
  }

  static let cellStates = [
    Matrix.CellState.notObservable, .notSupported, .notRun,
  ].map { LookupEntry([$0.phrase], "cell of the matrix", $0.explanation) }

  static let explorationResults = ExplorationReport.resultNames.map {
    LookupEntry([$0], "result of an exploration", ExplorationReport.explanation(of: $0))
  }

  static let selftestResults = [
    LookupEntry(
      ["SURVIVES"], "result of handover selftest",
      TermExplanation(
        "No scenario that the bug names detects the injected bug.",
        example: "handover selftest --canary",
        fix: "Add an expectation that fails with this bug to one of its scenarios.")),
    LookupEntry(
      ["CRASHED"], "result of handover selftest",
      TermExplanation(
        "The injected bug crashed its thread. The bug counts as detected.",
        example: "handover selftest trap", fix: "Nothing: the other bugs still run.")),
  ]

  static let spaceTerms = [
    LookupEntry(
      ["GAP"], "cell of handover spec --space",
      TermExplanation(
        "A client can reach this combination of a category change, a call and a channel, and no "
          + "scenario covers it.",
        example:
          "GAP in the table \"call waits, in the foreground\", row None → WiFi, column IDLE",
        fix: "Write a scenario with `handover explore sockets-monitor --propose FOLDER`.")),
    LookupEntry(
      ["FAILURE"], "column of handover spec --space",
      TermExplanation(
        "The channel state TRANSIENT_FAILURE, shortened because of the width of the column.",
        example: "the last column of the table \"call waits, in the foreground\"",
        fix: "Read `handover explain TRANSIENT_FAILURE`.")),
    LookupEntry(
      ["NO REASON"], "line of handover spec",
      TermExplanation(
        "The requirement is uncovered, and no reason is listed.",
        example: "NO REASON: add an expectation that shows it, or a reason",
        fix: "Add the requirement to \"shows\" of an expectation, or add a reason.")),
    LookupEntry(
      ["NO BUG"], "line of handover spec",
      TermExplanation(
        "The requirement is covered, and no injected bug violates it. Its expectation is therefore "
          + "not tested.",
        example: "NO BUG: no injected bug violates it",
        fix: "Add a bug that violates the requirement to the self-test.")),
  ]

  static let terms = [
    LookupEntry(
      ["GOAWAY", "goaway"], "frame of HTTP/2",
      TermExplanation(
        "The server accepts no new calls on the connection, and finishes the running ones.",
        example: #"{ "at": "1s", "server": { "host": "a.example", "do": "goaway" } }"#,
        fix: "Let the client open a new connection for the next call.")),
    LookupEntry(
      ["TCP_USER_TIMEOUT"], "socket option",
      TermExplanation(
        "The time after which TCP gives up a connection whose data is not acknowledged.",
        example: "handover run Scenarios --variants=user-timeout=30s",
        fix: "Set the option in your client, so that a dead connection ends early.")),
    LookupEntry(
      ["OVER THE LIMIT"], "result of handover lab exec",
      TermExplanation(
        "The program exceeded --max-outage or --max-attempts.",
        example: "OVER THE LIMIT: an outage of 12 s, over 5 s",
        fix: "Reconnect earlier, or try less often.")),
    LookupEntry(
      ["WITHIN THE LIMIT"], "result of handover lab exec",
      TermExplanation(
        "The program exceeded neither --max-outage nor --max-attempts.",
        example: "WITHIN THE LIMIT: an outage of at most 1 s",
        fix: "Nothing: the program recovered in time.")),
    LookupEntry(
      ["NOT OBSERVABLE"], "line of a TAP report",
      TermExplanation(
        "The backend cannot show this expectation, so it was not evaluated.",
        example: "# NOT OBSERVABLE: expected channels of all hosts: 0 alive",
        fix: "Report more from your adapter, for example with the capability \"channels\".")),
  ]
}

extension Verdict {
  /// The explanation of the verdict.
  package var explanation: TermExplanation {
    switch self {
    case .passed:
      TermExplanation(
        meaning, example: "✓ stalls/killed  sockets, cfstream",
        fix: "Nothing: the client behaves as expected.")
    case .passedPartially:
      TermExplanation(
        meaning + " Some reports print the numbers: PASSED (5 of 6 observable).",
        example: "an expectation about channels, with an adapter that reports no channels",
        fix: "Report more from your adapter, for example with the capability \"channels\".")
    case .nonStrict:
      TermExplanation(
        meaning, example: #"an expectation with "level": "should" that failed"#,
        fix: "Improve the client, or require recommendations with --strict.")
    case .unsupported:
      TermExplanation(
        meaning, example: "a scenario with keepalive, and an adapter without keepalive",
        fix: "Add the capability to your adapter, or leave out the scenario with --only.")
    case .failedAsExpected:
      TermExplanation(
        meaning, example: "stalls/* [sockets] in the file of --known-failing",
        fix: "Fix the client. When the case passes, remove the line from the file.")
    case .failed:
      TermExplanation(
        meaning, example: "expected call \"a\" ends UNAVAILABLE at 1 s; seen: it ended OK at 2 s",
        fix: "Run the command after \"repeat\", and read `handover explain FILE`.")
    case .error:
      TermExplanation(
        meaning, example: "the backend failed: it exited with status 1",
        fix: "Check your adapter with `handover backend check COMMAND`, and read its log.")
    }
  }
}

extension Finding.Kind {
  /// All kinds, with an example of those that have a number.
  package static let all: [Finding.Kind] = [
    .expectation, .neverEvaluated, .faultWithoutEffect, .invariant(1), .hang, .unexpectedPass,
    .flaky, .partlySeen, .unsupported, .breakdown,
  ]

  /// The explanation of the kind.
  package var explanation: TermExplanation {
    switch self {
    case .expectation:
      TermExplanation(
        "An expectation of the scenario failed.",
        example: "expected call \"a\" ends OK; seen: it ended UNAVAILABLE at 1 s",
        fix: "Fix the client, or correct the expectation.")
    case .neverEvaluated:
      TermExplanation(
        "An expectation was never evaluated, because the run ended before its time.",
        example: #"an expectation "at": "40min" in a run that ends after 30min"#,
        fix: #"Increase "until" in "config", or write an earlier time."#)
    case .faultWithoutEffect:
      TermExplanation(
        "An injected fault had no effect on any profile, so it tested nothing.",
        example: #"{ "transport": { "host": "*", "become": "stall" } } without a connection"#,
        fix: "Move the fault to a time at which a connection is open, or remove it.")
    case .invariant:
      TermExplanation(
        "The client violated an invariant, which must hold in every run.",
        example: "invariant 1: a call ends once",
        fix: "Read `handover explain invariant-1`, and fix the client.")
    case .hang:
      TermExplanation(
        "A call hung for longer than --max-hang after a network change, or never ended.",
        example: "handover run Scenarios/clients --max-hang 5s",
        fix: "Detect the network change or the dead connection, for example with keepalive.")
    case .unexpectedPass:
      TermExplanation(
        "A case passed that a file of known failures lists.",
        example: "known.txt contains stalls/* [sockets], and the case passes",
        fix: "Remove the line, or make it match fewer cases.")
    case .flaky:
      TermExplanation(
        "Repetitions of a case gave different verdicts.",
        example: "handover run --repeat 10 prints 9 PASSED, 1 FAILED",
        fix: "Look for a race in the client, or for a tolerance that is too small.")
    case .partlySeen:
      TermExplanation(
        "The observable part of an expectation passed. The backend cannot show the rest.",
        example: "the status of a call is visible, but not its channel",
        fix: "Report more from your adapter, for example with the capability \"channels\".")
    case .unsupported:
      TermExplanation(
        "The backend does not support the scenario, or cannot show the expectation.",
        example: "an expectation about channels, with an adapter that reports no channels",
        fix: "Add the capability to your adapter, or leave out the scenario with --only.")
    case .breakdown:
      TermExplanation(
        "The harness or the backend failed, so there is no result.",
        example: "the backend failed: it did not answer within 5000 ms",
        fix: "Check your adapter with `handover backend check COMMAND`, and read its log.")
    }
  }
}

extension TryOutcome {
  /// The explanation of the verdict.
  package var explanation: TermExplanation {
    switch self {
    case .unharmed:
      TermExplanation(
        "No connection of the program was lost.",
        example: "the uplink dies for 10 s   UNHARMED", fix: "Nothing: the program survived.")
    case .recovers:
      TermExplanation(
        "Data arrives again at most 5 s later than the network change explains.",
        example: "cellular to WiFi   RECOVERS", fix: "Nothing: the program recovered.")
    case .late:
      TermExplanation(
        "Data arrives again later, or not while the program is watched, but it still tries.",
        example: "WiFi to none and back   LATE",
        fix: "Reset the backoff when a network appears, or shorten it.")
    case .hangs:
      TermExplanation(
        "The program waits on a dead connection and gets neither data nor an error. In a run, the "
          + "line HANGS counts calls that hang for longer than --max-hang.",
        example: "cellular to WiFi   HANGS: waits on the dead connection",
        fix: "Add a keepalive or a read timeout, or watch the network and reconnect.")
    case .givesUp:
      TermExplanation(
        "The program ended, or stopped trying to connect.",
        example: "curl ends with status 56 after the change",
        fix: "Retry after a connection error.")
    case .cuts:
      TermExplanation(
        "The program ended a connection that could have continued.",
        example: "wifi-to-cellular with QUIC   CUTS",
        fix: "Close a connection only if its network is gone.")
    case .inconclusive:
      TermExplanation(
        "The observations allow no verdict, for example because data arrives too rarely.",
        example: "the program ended before the change",
        fix: "Use a program that receives data at least every few seconds, or a longer --watch.")
    }
  }
}

extension Coverage.State {
  /// The explanation of the state.
  package var explanation: TermExplanation {
    switch self {
    case .kept:
      TermExplanation(
        "An expectation that shows the requirement was evaluated, and passed.",
        example: #"{ "call": "a", "status": "OK", "shows": ["D8a"] }"#,
        fix: "Nothing: the requirement is tested.")
    case .deviates:
      TermExplanation(
        "Handover deliberately does something else, with a reason and an expectation that shows "
          + "it.",
        example: "handover spec prints \"Instead: ...\"",
        fix: "Read the reason with `handover explain ID`.")
    case .cited:
      TermExplanation(
        "A scenario or a test of a library cites the requirement, but no expectation shows it.",
        example: #""source": [{ "document": "network-transitions", "item": "D8a" }]"#,
        fix: "Add the requirement to \"shows\" of an expectation.")
    case .inexpressible:
      TermExplanation(
        "No scenario can express the requirement, for the reason that is listed.",
        example: "a requirement about the source code of a client",
        fix: "Check the requirement with a test of the library.")
    case .open:
      TermExplanation(
        "Nothing is known about the requirement: no scenario, no test and no reason.",
        example: "handover spec --uncovered",
        fix: "Add an expectation that shows the requirement, or a reason.")
    }
  }
}

extension Matrix.CellState {
  /// The explanation of the state.
  var explanation: TermExplanation {
    switch self {
    case .notObservable, .passedPartially:
      TermExplanation(
        meaning, example: "◌ in a cell of the matrix",
        fix: "Report more from your adapter, for example with the capability \"channels\".")
    case .notSupported:
      TermExplanation(
        meaning, example: "⊘ in a cell of the matrix",
        fix: "Add the capability to your adapter, or leave out the scenario with --only.")
    case .notRun:
      TermExplanation(
        meaning, example: "· in a cell of the matrix", fix: "Run the matrix again without Ctrl-C.")
    case .failed, .error, .nonStrict, .failedAsExpected, .passed:
      TermExplanation(
        meaning, example: "\(glyph) in a cell of the matrix", fix: "Select the cell for details.")
    }
  }
}

extension ExplorationReport {
  /// The names of the results.
  package static let resultNames = ["complete", "stopped", "violated"]

  /// The explanation of a result.
  package static func explanation(of result: String) -> TermExplanation {
    switch result {
    case "complete":
      TermExplanation(
        "No action leads to a new state: the invariants hold for sequences of any length.",
        example: "complete: 23124 states, 411732 transitions, depth 44",
        fix: "Nothing: the exploration is a proof for these hosts and calls.")
    case "stopped":
      TermExplanation(
        "The exploration stopped at a limit without a violation. This proves nothing.",
        example: "stopped at the time of --budget",
        fix: "Increase --budget or --depth, or reduce --calls or --acts.")
    default:
      TermExplanation(
        "A sequence of actions violates an invariant. The shortest such sequence is printed.",
        example: "invariant 1 is violated after 4 actions: a call ends that has already ended",
        fix: "Run the printed scenario, and fix the client.")
    }
  }
}
