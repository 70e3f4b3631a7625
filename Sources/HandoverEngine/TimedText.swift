public import HandoverCore

/// A sentence about a run that keeps its times as values, so that a report can format them.
///
/// A sentence is created by string interpolation; interpolated instants and intervals stay values.
public struct TimedText: Hashable, Sendable, ExpressibleByStringInterpolation {
  private enum Piece: Hashable {
    case text(String)
    case time(Interval)
  }

  /// The pieces; adjacent words are merged, so that equal sentences are equal values.
  private var pieces: [Piece] = []

  /// Creates a sentence without times.
  public init(_ text: String) { append(text) }

  /// Creates a sentence without times.
  public init(stringLiteral text: String) { append(text) }

  /// Creates a sentence of words and times.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }

  /// The sentence with times in the format of scenarios.
  public var text: String { text { $0.text } }

  /// Returns the sentence with times in a custom format.
  ///
  /// - Parameter time: formats a time; an instant is passed as the time since the run began.
  /// - Returns: the sentence.
  public func text(_ time: (Interval) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .time(let interval): time(interval)
      }
    }.joined()
  }

  /// Returns the concatenation of two sentences.
  public static func + (left: TimedText, right: TimedText) -> TimedText {
    var both = left
    both += right
    return both
  }

  /// Appends a sentence.
  public static func += (left: inout TimedText, right: TimedText) {
    for piece in right.pieces {
      switch piece {
      case .text(let text): left.append(text)
      case .time: left.pieces.append(piece)
      }
    }
  }

  /// Returns the non-nil parts, separated by commas.
  static func listed(_ parts: [TimedText?]) -> TimedText {
    var list = TimedText("")
    for part in parts.lazy.compactMap(\.self) {
      if !list.pieces.isEmpty { list += ", " }
      list += part
    }
    return list
  }

  /// Returns the parts as a list in a sentence: `a, b and c`.
  static func sentence(listing parts: [TimedText]) -> TimedText {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return listed(parts.dropLast()) + " and " + last
  }

  private mutating func append(_ text: String) {
    guard !text.isEmpty else { return }
    if case .text(let before)? = pieces.last {
      pieces[pieces.count - 1] = .text(before + text)
    } else {
      pieces.append(.text(text))
    }
  }

  /// The words and times of an interpolated sentence.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = TimedText("")

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends literal words.
    public mutating func appendLiteral(_ text: String) { self.text.append(text) }

    /// Appends a value that is not a time.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text.append("\(value)")
    }

    /// Appends an interval.
    public mutating func appendInterpolation(_ interval: Interval) {
      text.pieces.append(.time(interval))
    }

    /// Appends an instant as the time since the run began.
    public mutating func appendInterpolation(_ instant: Instant) {
      text.pieces.append(.time(Interval(microseconds: instant.microseconds)))
    }

    /// Appends another sentence.
    public mutating func appendInterpolation(_ part: TimedText) { text += part }
  }
}
