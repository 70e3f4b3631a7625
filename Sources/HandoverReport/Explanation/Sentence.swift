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
///
/// If up to four paragraphs repeat several times in a row, the first repetitions are kept and the
/// others are summarized.
struct Paragraphs: Hashable, Sendable {
  /// The sentences of each paragraph; complete after ``finish()``.
  private(set) var groups: [[Sentence]] = []
  /// Whether the sentences have reached the limit, so that no more should be added.
  var isFull: Bool { byteCount >= Self.maximumByteCount }
  private var folded: [Fold] = []
  /// The paragraph that further sentences may belong to.
  private var current: [Sentence] = []
  /// The repetition that follows the complete paragraphs; nil if there is none.
  private var repetition: Repetition?
  private var byteCount = 0

  /// How many bytes the sentences have together before no more should be added.
  static let maximumByteCount = 1 << 20
  /// How many paragraphs may be repeated together.
  private static let longestPeriod = 4
  /// How often paragraphs are written before the rest of their repetitions is summarized.
  private static let writtenRepetitions = 3

  private struct Fold: Hashable, Sendable {
    var what: Repeatable
    var count: Int
    var at: Instant
    var until: Instant
  }

  private struct Repetition: Hashable, Sendable {
    /// The paragraphs that are repeated.
    var pattern: [[Sentence]]
    /// How often they came again, and when.
    var count = 0
    var at = Instant.zero
    var until = Instant.zero
    /// The paragraphs of a repetition that is not complete.
    var begun: [[Sentence]] = []

    /// Takes a paragraph in.
    ///
    /// - Returns: whether it is the next one of the pattern.
    mutating func take(_ paragraph: [Sentence]) -> Bool {
      guard Self.areAlike(paragraph, pattern[begun.count]), let at = paragraph.first?.at else {
        return false
      }
      if count == 0, begun.isEmpty { self.at = at }
      begun.append(paragraph)
      guard begun.count == pattern.count else { return true }
      count += 1
      until = paragraph.last?.until ?? at
      begun = []
      return true
    }

    /// How often the pattern came again, in words.
    var sentence: Sentence {
      let what =
        pattern.count == 1 ? "the same happens" : "the last \(pattern.count) steps are repeated"
      return Sentence(
        at: at, until: until > at ? until : nil,
        text: count == 1 ? "\(what) once more" : "\(what) \(count) more times")
    }

    static func areAlike(_ one: [Sentence], _ other: [Sentence]) -> Bool {
      one.elementsEqual(other) {
        $0.text == $1.text && $0.items == $1.items && ($0.until == nil) == ($1.until == nil)
      }
    }
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

  /// Adds what is not complete, and says how much is missing.
  ///
  /// - Parameters:
  ///   - rest: how many things of a kind were left out.
  ///   - one: the kind in the singular.
  ///   - many: the kind in the plural; nil adds an s.
  mutating func finish(leavingOut rest: Int = 0, _ one: String = "", _ many: String? = nil) {
    unfold()
    endParagraph()
    endRepetition()
    guard rest > 0 else { return }
    let count = VisibleText.counted(rest, "further \(one)", many.map { "further \($0)" })
    groups.append([Sentence(text: "\(count) \(rest == 1 ? "is" : "are") left out")])
  }

  private mutating func put(_ sentence: Sentence) {
    let belongs =
      current.last.map {
        $0.at != nil && $0.at == sentence.at && $0.until == nil && sentence.until == nil
      } ?? true
    if !belongs { endParagraph() }
    current.append(sentence)
    byteCount += sentence.text.utf8.count
  }

  // MARK: Repetitions

  private mutating func endParagraph() {
    let paragraph = current
    current = []
    guard !paragraph.isEmpty else { return }
    if repetition?.take(paragraph) == true {
      byteCount -= paragraph.reduce(0) { $0 + $1.text.utf8.count }
      return
    }
    endRepetition()
    groups.append(paragraph)
    beginRepetition()
  }

  /// Checks whether the last paragraphs came several times in a row.
  private mutating func beginRepetition() {
    let period = (1...Self.longestPeriod).first { period in
      let first = groups.count - period * Self.writtenRepetitions
      guard first >= 0 else { return false }
      return (first + period..<groups.count).allSatisfy {
        groups[$0].first?.at != nil && Repetition.areAlike(groups[$0], groups[$0 - period])
      }
    }
    if let period { repetition = Repetition(pattern: groups.suffix(period)) }
  }

  private mutating func endRepetition() {
    guard let ended = repetition else { return }
    repetition = nil
    if ended.count > 0 { groups.append([ended.sentence]) }
    groups += ended.begun
  }

  /// The paragraphs as text.
  var texts: [String] {
    groups.map { sentences in
      sentences.enumerated().map { $0.offset == 0 ? $0.element.withTime : $0.element.withoutTime }
        .joined(separator: " ")
    }
  }
}
