/// The words of a closed set, found by their UTF-8.
///
/// A file has great numbers of keys; to make a `String` of each only for comparing it would take
/// longer than everything else.
struct Vocabulary<Word: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
  private let words = Array(Word.allCases)
  /// The spellings of all words, one after the other.
  private let bytes: [UInt8]
  /// Where the spelling of each word ends in `bytes`.
  private let ends: [Int]

  init() {
    var bytes: [UInt8] = []
    ends = words.map { word in
      bytes += word.rawValue.utf8
      return bytes.count
    }
    self.bytes = bytes
  }

  /// The word that is spelt so; nil where there is none.
  func word(_ spelling: Span<UInt8>) -> Word? {
    var start = 0
    for (index, end) in ends.enumerated() {
      if end - start == spelling.count, isSpelt(spelling, at: start) { return words[index] }
      start = end
    }
    return nil
  }

  private func isSpelt(_ spelling: Span<UInt8>, at start: Int) -> Bool {
    for index in spelling.indices where spelling[index] != bytes[start + index] { return false }
    return true
  }
}
