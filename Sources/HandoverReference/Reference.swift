/// Judges histories by the documents' sentences alone.
package struct Reference: Sendable {
  /// What it judges by; all sentences, unless somebody turns one about to see it disagree.
  package var sentences: [Sentence]
  private let terms: Terms
  /// What can be said so far.
  package private(set) var past = Past()

  /// Makes a judge of one history.
  package init(_ terms: Terms, sentences: [Sentence] = Sentence.all) {
    self.terms = terms
    self.sentences = sentences
  }

  /// Takes the next step of the history.
  ///
  /// - Returns: the first sentence that does not hold of it; nil where all do.
  package mutating func judge(_ step: Step) -> Sentence? {
    let before = past
    past.hear(step)
    for order in step.orders { past.see(order, at: step.at) }
    return sentences.first { !$0.holds(before, step, past, terms) }
  }
}
