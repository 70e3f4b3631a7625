public import HandoverCore

/// A sentence about a run in which times are values: whoever tells it writes them for its reader.
///
/// It is made by interpolation; instants and intervals in it stay what they are.
public struct TimedText: Hashable, Sendable, ExpressibleByStringInterpolation {
  private enum Piece: Hashable {
    case words(String)
    case time(Interval)
  }

  /// No two pieces of words follow each other, so that equal sentences are equal values.
  private var pieces: [Piece] = []

  /// A sentence without times.
  public init(_ words: String) { append(words) }

  /// A sentence without times.
  public init(stringLiteral words: String) { append(words) }

  /// A sentence of words and times.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }

  /// The sentence with times as scenarios write them.
  public var text: String { text { $0.text } }

  /// The sentence with times as its reader reads them.
  ///
  /// - Parameter time: writes a time; an instant is the time since the run began.
  /// - Returns: the sentence.
  public func text(_ time: (Interval) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .words(let words): words
      case .time(let interval): time(interval)
      }
    }.joined()
  }

  /// One sentence, and what follows it.
  public static func + (left: TimedText, right: TimedText) -> TimedText {
    var both = left
    both += right
    return both
  }

  /// Adds what follows.
  public static func += (left: inout TimedText, right: TimedText) {
    for piece in right.pieces {
      switch piece {
      case .words(let words): left.append(words)
      case .time: left.pieces.append(piece)
      }
    }
  }

  /// Parts in a row; those that there are.
  static func listed(_ parts: [TimedText?]) -> TimedText {
    var list = TimedText("")
    for part in parts.lazy.compactMap(\.self) {
      if !list.pieces.isEmpty { list += ", " }
      list += part
    }
    return list
  }

  private mutating func append(_ words: String) {
    guard !words.isEmpty else { return }
    if case .words(let before)? = pieces.last {
      pieces[pieces.count - 1] = .words(before + words)
    } else {
      pieces.append(.words(words))
    }
  }

  /// Collects the words and the times of a sentence.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = TimedText("")

    /// Collects nothing yet.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Words of the sentence.
    public mutating func appendLiteral(_ words: String) { text.append(words) }

    /// A value that is no time.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text.append("\(value)")
    }

    /// A length of time.
    public mutating func appendInterpolation(_ interval: Interval) {
      text.pieces.append(.time(interval))
    }

    /// The time since the run began.
    public mutating func appendInterpolation(_ instant: Instant) {
      text.pieces.append(.time(Interval(microseconds: instant.microseconds)))
    }

    /// A part of the sentence.
    public mutating func appendInterpolation(_ part: TimedText) { text += part }
  }
}
