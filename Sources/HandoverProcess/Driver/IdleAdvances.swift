import HandoverCore

/// A counter of consecutive time notifications without any effect.
///
/// Such a backend does nothing at its deadline and requests the same instant again. Without a
/// limit, the run would never end.
struct IdleAdvances {
  /// The maximum count; an exploration has a lower limit with its own message.
  static let maximum = 1_000

  private var count = 0

  /// Records the effect of one notification.
  ///
  /// - Parameters:
  ///   - now: The instant of the notification.
  ///   - deadline: The next deadline of the backend.
  ///   - isIdle: Whether the backend did nothing.
  /// - Throws: ``AnswerError`` if the limit is exceeded.
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
        "\(Self.maximum) times in a row it did nothing at \(now.text) and requested the same "
          + "deadline; after a \"deadline\" it must return a later one, or null")
    }
  }
}
