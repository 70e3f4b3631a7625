/// Checks histories against the sentences of the specifications only.
package struct Reference: Sendable {
  /// The sentences to check: all of them, unless a test inverts one to provoke a violation.
  package var sentences: [RequirementSentence]
  private let terms: Terms
  /// The state after the steps so far.
  package private(set) var past = Past()

  /// Creates a checker for one history.
  package init(_ terms: Terms, sentences: [RequirementSentence] = RequirementSentence.all) {
    self.terms = terms
    self.sentences = sentences
  }

  /// Checks the next step of the history.
  ///
  /// - Returns: The first violated sentence, or `nil` if there is none.
  package mutating func judge(_ step: Step) -> RequirementSentence? {
    let before = past
    past.receive(step)
    for order in step.orders { past.record(order, at: step.at) }
    return sentences.first { !$0.holds(before, step, past, terms) }
  }
}
