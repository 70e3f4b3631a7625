import Foundation

/// Patterns of English that is hard to read, each with a remedy.
///
/// The list is the machine-checked part of the writing rules in CONTRIBUTING.md.
private let hardPatterns: [(pattern: String, remedy: String)] = [
  (#"\b[Ww]ho(m)?ever\b|\b([Nn]o|[Ss]ome|[Aa]ny|[Ee]very)body\b"#, "name the actor"),
  (#"\bwhat (becomes|became|has become)\b|\bbec[oa]mes? of\b|\bcame of\b"#, "write: happens to"),
  (#"\b(is|are|was|were|be|been) told\b|\btells? (of|it|what|how)\b"#, "write: reports, receives"),
  (#"\bso (many|long|often) (as )?\b|\bas far as (it|that|what|seen|they)\b"#, "name the quantity"),
  (#"\botherwise than\b|\b(is|are|was) otherwise\b"#, "write: differs"),
  (#"\b(anew|afresh|beforehand|likewise|for ever|thereby)\b"#, "write: again, in advance, forever"),
  (#"\bwhere (it|that|there|nothing|one|they|this) "#, "write: if, when"),
  (#"\b(stands?|stood) (in|at|above|below|under|there|behind)\b"#, "write: is, appears"),
  (#"(^|[^"])\bbeside\b(?!")"#, "write: next to, in addition to"),
  (#"\b[Mm]end(s|ed|ing)?\b|\b[Rr]eckon\w*\b|\b[Dd]eeds?\b|\bby lot\b"#, "write: fix, compute"),
  (#"\b(hears?|heard) (of|that|from)\b|\bis played\b"#, "write: is notified, runs"),
  (#"\bbr(oke|eaks?) down\b|\bbreakdown\b"#, "write: fails, exited"),
]

/// The maximum number of words in a sentence.
private let maximumSentenceLength = 30

/// Checks a page for patterns that are hard to read, and for sentences of more than 30 words.
///
/// Fenced blocks and code spans are not prose. A code span counts as one word. The patterns do not
/// apply within names with hyphens, or to the tables of Profiles.md, which are derived from code.
func checkProse(path: String, text: String) throws -> [Complaint] {
  let patterns = try hardPatterns.map { (expression: try Regex($0.pattern), remedy: $0.remedy) }
  let lines = markdownLines(text)
  var complaints: [Complaint] = []
  for line in lines where !(path.hasSuffix("/Profiles.md") && line.text.hasPrefix("|")) {
    for (expression, remedy) in patterns {
      let range = line.text.matches(of: expression).map(\.range).first {
        !isHyphenated($0, in: line.text)
      }
      guard let range else { continue }
      complaints.append(
        Complaint(
          path: path, line: line.number, what: "\"\(line.text[range])\" is hard to read",
          why: "pages use plain technical English", remedy: remedy))
    }
  }
  for sentence in sentences(of: lines) where sentence.count > maximumSentenceLength {
    complaints.append(
      Complaint(
        path: path, line: sentence.line,
        what: "a sentence of \(sentence.count) words begins \"\(sentence.beginning)\"",
        why: "a sentence has at most \(maximumSentenceLength) words", remedy: "split it"))
  }
  return complaints
}

/// Whether a match is a part of a name with hyphens.
///
/// A match can begin with the character before its first word.
private func isHyphenated(_ range: Range<String.Index>, in text: String) -> Bool {
  text[range].first == "-" || text[..<range.lowerBound].last == "-"
    || text[range.upperBound...].first == "-"
}

/// The sentences of a page's paragraphs and list items; tables and headings have none.
///
/// - Returns: the line of the paragraph, the number of words, and the first words of each sentence.
private func sentences(
  of lines: [(number: Int, text: String)]
) -> [(line: Int, count: Int, beginning: String)] {
  var found: [(line: Int, count: Int, beginning: String)] = []
  var paragraph: (line: Int, text: String) = (0, "")
  func finish() {
    let prose = paragraph.text.replacing(/\]\([^)]*\)/, with: "]")
    var sentence: [Substring] = []
    func end() {
      let words = sentence.filter { $0.contains { $0.isLetter || $0.isNumber || $0 == "`" } }
      found.append((paragraph.line, words.count, words.prefix(5).joined(separator: " ")))
      sentence = []
    }
    for word in prose.split(separator: " ") {
      sentence.append(word)
      if let last = word.last(where: { !")*_\"]".contains($0) }), ".!?:".contains(last) { end() }
    }
    end()
    paragraph = (0, "")
  }
  var last = 0
  for line in lines {
    let text = line.text.drop { $0 == " " }
    let isItem = text.prefixMatch(of: /(- |\d+\. )/) != nil
    let isOther =
      text.isEmpty || text.hasPrefix("#") || text.hasPrefix("|") || text.hasPrefix("<!--")
    if isItem || isOther || line.number != last + 1 { finish() }
    last = line.number
    if isOther { continue }
    if paragraph.text.isEmpty { paragraph.line = line.number }
    paragraph.text += " " + text
  }
  finish()
  return found
}
