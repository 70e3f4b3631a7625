/// The explanation of one term of a report or message.
package struct TermExplanation: Hashable, Sendable {
  /// The meaning of the term, in one or two sentences.
  package var meaning: String
  /// A short example: an input, an output line or a situation.
  package var example: String
  /// The remedy, as an imperative.
  package var fix: String

  /// Creates an explanation.
  package init(_ meaning: String, example: String, fix: String) {
    self.meaning = meaning
    self.example = example
    self.fix = fix
  }
}
