/// The words of a closed set, found by their UTF-8.
///
/// A file has great numbers of keys; to make a `String` of each only for comparing it would take
/// longer than everything else.
///
/// It is a class, because to hand over its tables one by one costs more than to look into them.
final class Vocabulary<Word: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
  private let words = Array(Word.allCases)
  /// The spellings of all words, one after the other.
  private let bytes: [UInt8]
  /// Where the spelling of each word begins in `bytes`, and at last where they end.
  private let starts: [Int]
  /// The first word of each bucket, and the one after each word in its bucket; -1 where none is.
  private let heads: [Int]
  private let successors: [Int]

  /// The first of the words.
  var first: Word { words[0] }

  init() {
    var bytes: [UInt8] = []
    var starts = [0]
    var heads = Array(repeating: -1, count: Self.bucketCount)
    var successors: [Int] = []
    for (index, word) in words.enumerated() {
      let spelling = Array(word.rawValue.utf8)
      let bucket = Self.bucket(spelling.span)
      successors.append(heads[bucket])
      heads[bucket] = index
      bytes += spelling
      starts.append(bytes.count)
    }
    self.bytes = bytes
    self.starts = starts
    self.heads = heads
    self.successors = successors
  }

  /// The word that is spelt so; nil where there is none.
  func word(_ spelling: Span<UInt8>) -> Word? {
    var index = heads[Self.bucket(spelling)]
    while index >= 0 {
      let start = starts[index]
      if starts[index + 1] - start == spelling.count, isSpelt(spelling, at: start) {
        return words[index]
      }
      index = successors[index]
    }
    return nil
  }

  private static var bucketCount: Int { 64 }

  /// Words that share their length, their first and their last letter are in one bucket, and mostly
  /// a bucket has one word.
  private static func bucket(_ spelling: Span<UInt8>) -> Int {
    guard !spelling.isEmpty else { return 0 }
    let (first, last) = (spelling[0], spelling[spelling.count - 1])
    return (Int(first) * 5 + Int(last) * 3 + spelling.count) % bucketCount
  }

  private func isSpelt(_ spelling: Span<UInt8>, at start: Int) -> Bool {
    for index in spelling.indices where spelling[index] != bytes[start + index] { return false }
    return true
  }
}
