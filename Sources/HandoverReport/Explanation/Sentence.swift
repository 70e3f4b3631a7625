import HandoverCore

/// A sentence of an explanation, before it is formatted.
struct Sentence: Hashable, Sendable {
  /// The instant of the event, or `nil` if the time does not matter.
  var at: Instant?
  /// The instant of the last event of a series, or `nil` if there is only one instant.
  var until: Instant?
  /// The sentence without its time, capital letter and period.
  var text: String
  /// The requirements of which the event is an example.
  var items: [String] = []

  /// The end of the sentence: the requirements and the period.
  private var ending: String {
    guard items.isEmpty else { return " (\(items.joined(separator: ", ")))." }
    // A quotation that ends with a period also ends the sentence.
    return text.hasSuffix(".\"") ? "" : "."
  }

  /// The sentence with its time at the beginning.
  var withTime: String {
    guard let at else { return withoutTime }
    let time = until.map { "From \(at.exactText) to \($0.exactText)" } ?? "At \(at.exactText)"
    return "\(time) \(text)\(ending)"
  }

  /// The sentence after another one with the same time.
  var withoutTime: String {
    (text.first?.uppercased() ?? "") + text.dropFirst() + ending
  }
}

/// An event that can repeat, in which case one sentence describes all repetitions.
struct Repeatable: Hashable, Sendable {
  /// The sentence for a single event.
  var one: String
  /// The part of the sentence before the number of repetitions.
  var before: String
  /// The part of the sentence after the number.
  var after: String
  /// The requirements of which the event is an example.
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
  /// The paragraph that further sentences can join.
  private var current: [Sentence] = []
  /// The repetition that follows the complete paragraphs, or `nil` if there is none.
  private var repetition: Repetition?
  private var byteCount = 0

  /// The total size of the sentences in bytes at which no more should be added.
  static let maximumByteCount = 1 << 20
  /// The maximum number of paragraphs in a repeated pattern.
  private static let longestPeriod = 4
  /// The number of repetitions that are written before the rest is summarized.
  private static let writtenRepetitions = 3

  private struct Fold: Hashable, Sendable {
    var what: Repeatable
    var count: Int
    var at: Instant
    var until: Instant
  }

  private struct Repetition: Hashable, Sendable {
    /// The repeated paragraphs.
    var pattern: [[Sentence]]
    /// The number of repetitions, with the first and the last instant.
    var count = 0
    var at = Instant.zero
    var until = Instant.zero
    /// The paragraphs of an incomplete repetition.
    var begun: [[Sentence]] = []

    /// Adds a paragraph if it continues the pattern.
    ///
    /// - Returns: whether the paragraph is the next one of the pattern.
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

    /// A sentence about the number of repetitions.
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

  /// Adds a sentence; sentences of one instant form a paragraph.
  mutating func add(_ sentence: Sentence) {
    unfold()
    put(sentence)
  }

  /// Adds an event that can repeat before any other event occurs.
  mutating func fold(_ what: Repeatable, count: Int = 1, at now: Instant) {
    if let index = folded.firstIndex(where: { $0.what == what }) {
      folded[index].count += count
      folded[index].until = now
      return
    }
    folded.append(Fold(what: what, count: count, at: now, until: now))
  }

  /// Writes the folded events.
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

  /// Ends the text, and adds a sentence about omitted items.
  ///
  /// - Parameters:
  ///   - rest: the number of omitted items.
  ///   - one: the noun in the singular.
  ///   - many: the noun in the plural, or `nil` to append an s.
  mutating func finish(leavingOut rest: Int = 0, _ one: String = "", _ many: String? = nil) {
    unfold()
    endParagraph()
    endRepetition()
    guard rest > 0 else { return }
    let count = counted(rest, "further \(one)", many.map { "further \($0)" })
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

  /// Checks whether the last paragraphs repeated several times in a row.
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
