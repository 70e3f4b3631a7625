/// A closed set of keywords with a lookup by UTF-8.
///
/// A file has many keys. Creating a `String` for each comparison would dominate the time to read
/// it. The type is a class because passing its tables separately costs more than a lookup.
final class Vocabulary<Keyword: RawRepresentable<String> & Sendable>: Sendable {
  /// The keywords.
  let keywords: [Keyword]
  /// The concatenated spellings of all keywords.
  private let bytes: [UInt8]
  /// The start of each keyword's spelling in `bytes`, followed by the end of the last one.
  private let starts: [Int]
  /// The first keyword of each bucket, or -1 if the bucket is empty.
  ///
  /// `successors` contains the next keyword in the same bucket, or -1 if there is none.
  private let heads: [Int]
  private let successors: [Int]

  /// The first keyword.
  var first: Keyword { keywords[0] }
  /// The keys that every object must have, if the keywords are keys.
  let required: [Keyword]

  init(_ keywords: [Keyword], required: [Keyword] = []) {
    self.keywords = keywords
    self.required = required
    var bytes: [UInt8] = []
    var starts = [0]
    var heads = Array(repeating: -1, count: Self.bucketCount)
    var successors: [Int] = []
    for (index, keyword) in keywords.enumerated() {
      let spelling = Array(keyword.rawValue.utf8)
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

  /// Returns the keyword with this spelling, or `nil` if there is none.
  func keyword(_ spelling: Span<UInt8>) -> Keyword? {
    var index = heads[Self.bucket(spelling)]
    while index >= 0 {
      let start = starts[index]
      if starts[index + 1] - start == spelling.count, isSpelt(spelling, at: start) {
        return keywords[index]
      }
      index = successors[index]
    }
    return nil
  }

  private static var bucketCount: Int { 64 }

  /// Returns the bucket of a spelling, which depends on its length and its first and last letters.
  ///
  /// Most buckets have one keyword.
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

extension Vocabulary where Keyword: CaseIterable {
  /// Creates the lookup table of all keywords.
  convenience init() { self.init(Array(Keyword.allCases)) }
}
