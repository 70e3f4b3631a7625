import HandoverCore

/// How often in a row a backend was told that time has passed, did nothing, and wanted to be told
/// of the same instant again.
///
/// Told for ever, it would use up a run with nothing but that.
struct IdleAdvances {
  /// How often that may be; whoever explores a client gives up earlier, and says so in its words.
  static let maximum = 1_000

  private var count = 0

  /// Takes in what came of one time.
  ///
  /// - Parameters:
  ///   - now: the instant of which it was told.
  ///   - deadline: when it wants to be told next.
  ///   - isIdle: whether it did nothing.
  /// - Throws: ``AnswerError`` where it was once too often.
  mutating func note(
    at now: Instant, wants deadline: Instant?, isIdle: Bool
  ) throws(AnswerError) {
    guard isIdle, let deadline, deadline <= now else {
      count = 0
      return
    }
    count += 1
    guard count <= Self.maximum else {
      throw AnswerError(
        "\(Self.maximum) times in a row it did nothing at \(now.text) and wanted to be told of the "
          + "time again; a \"deadline\" that is over must become a later one, or null")
    }
  }
}
