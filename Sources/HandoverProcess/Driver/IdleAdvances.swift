import HandoverCore

/// A counter of consecutive time notifications without any effect.
///
/// Such a backend does nothing at its deadline and requests an instant again that has passed.
/// Without a limit, the run would never end.
struct IdleAdvances {
  /// The maximum count; an exploration has a lower limit with its own message.
  static let maximum = 1_000

  private var count = 0

  /// Records the effect of one notification.
  ///
  /// - Parameters:
  ///   - now: The instant of the notification.
  ///   - deadlines: All deadlines of the backend, because the run waits for each of them.
  ///   - isIdle: Whether the backend did nothing.
  /// - Throws: ``AnswerError`` if the limit is exceeded.
  mutating func note(
    at now: Instant, wants deadlines: Instant?..., isIdle: Bool
  ) throws(AnswerError) {
    guard isIdle, deadlines.contains(where: { $0.map { $0 <= now } ?? false }) else {
      count = 0
      return
    }
    count += 1
    guard count <= Self.maximum else {
      throw AnswerError(
        "\(Self.maximum) times in a row it did nothing at \(now.text) and requested a "
          + "deadline that was not later; after an \"advance\", each deadline must be later or null"
      )
    }
  }
}
