import HandoverCore

/// One sentence of an explanation, before it is written down.
struct Sentence: Hashable, Sendable {
  /// When it happens; nil where the time is no matter.
  var at: Instant?
  /// When the last of several such things happens; nil where there is one instant.
  var until: Instant?
  /// The sentence without its time, without a capital and without its full stop.
  var text: String
  /// The items of the documents that it is an example of.
  var items: [String] = []

  /// The end of the sentence: the items and the full stop.
  private var ending: String {
    guard items.isEmpty else { return " (\(items.joined(separator: ", ")))." }
    // A quotation that ends with a full stop ends the sentence too.
    return text.hasSuffix(".\"") ? "" : "."
  }

  /// The sentence with its time at the front.
  var withTime: String {
    guard let at else { return withoutTime }
    let time = until.map { "From \(at.told) to \($0.told)" } ?? "At \(at.told)"
    return "\(time) \(text)\(ending)"
  }

  /// The sentence as one that follows another of the same time.
  var withoutTime: String {
    (text.first?.uppercased() ?? "") + text.dropFirst() + ending
  }
}

/// Something that may come many times in a row and is told in one sentence then.
struct Repeatable: Hashable, Sendable {
  /// The sentence where it came once.
  var one: String
  /// The sentence before the number where it came more often.
  var before: String
  /// The sentence after the number.
  var after: String
  /// The items of the documents that it is an example of.
  var items: [String] = []
}

/// Collects sentences into paragraphs, one for each instant.
struct Paragraphs: Hashable, Sendable {
  /// The sentences of each paragraph.
  private(set) var groups: [[Sentence]] = []
  private var folded: [Fold] = []

  private struct Fold: Hashable, Sendable {
    var what: Repeatable
    var count: Int
    var at: Instant
    var until: Instant
  }

  /// Adds a sentence; those of one instant are one paragraph.
  mutating func add(_ sentence: Sentence) {
    unfold()
    put(sentence)
  }

  /// Adds something that may come again before anything else happens.
  mutating func fold(_ what: Repeatable, count: Int = 1, at now: Instant) {
    if let index = folded.firstIndex(where: { $0.what == what }) {
      folded[index].count += count
      folded[index].until = now
      return
    }
    folded.append(Fold(what: what, count: count, at: now, until: now))
  }

  /// Writes down what has been folded so far.
  mutating func unfold() {
    let waiting = folded
    folded = []
    for fold in waiting {
      let what = fold.what
      put(
        Sentence(
          at: fold.at, until: fold.until > fold.at ? fold.until : nil,
          text: fold.count == 1 ? what.one : "\(what.before)\(fold.count)\(what.after)",
          items: what.items))
    }
  }

  private mutating func put(_ sentence: Sentence) {
    if let last = groups.last?.last, let at = sentence.at, last.at == at, last.until == nil,
      sentence.until == nil
    {
      groups[groups.count - 1].append(sentence)
    } else {
      groups.append([sentence])
    }
  }

  /// The paragraphs as text.
  var texts: [String] {
    groups.map { sentences in
      sentences.enumerated().map { $0.offset == 0 ? $0.element.withTime : $0.element.withoutTime }
        .joined(separator: " ")
    }
  }
}
