extension Mutant {
  /// The reason why the bug violates no requirement, or `nil` if it violates one or no reason is
  /// listed.
  package var reasonWithoutItem: String? { Self.withoutItem[name]?.rawValue }

  private enum Missing: String {
    case open = "the documents leave it open; only a scenario requires it"
    case reporting =
      "it concerns the reports of the harness, which the specifications do not cover"
    case rule = "an invariant of every run requires it, and no single requirement does"
  }

  private static let withoutItem: [String: Missing] = [  // lookup only
    "unresolved-as-not-found": .open, "never-complete": .open, "deaf-to-answers": .open,
    "answers-twice": .open, "deaf-to-ends": .open, "sent-twice": .open, "no-resets": .open,
    "path-in-key": .open, "token-in-key": .open, "double-end": .rule, "kept-unused-delay": .open,
    "global-first": .open, "turns-in-order": .open, "no-link-tokens": .open, "no-retries": .open,
    "no-second-start": .open, "unheard-messages": .open, "names-keep-calls": .open,
    "long-limit-doubled": .open, "refused-as-failed": .open, "uncarried": .reporting,
    "slow-answers": .open,
    "no-duplicates": .open, "unread-requests": .reporting, "read-twice": .reporting,
  ]
}
