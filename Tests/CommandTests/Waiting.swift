import Glibc

/// Checks a condition every two milliseconds until it is true, or until a limit.
///
/// Without the pause, a test would take the processor from the processes that it waits for.
///
/// - Returns: Whether the condition came true.
func comesTrue(within limit: Duration, _ isSo: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while try !isSo() {
    if ContinuousClock.now >= end { return false }
    poll(nil, 0, 2)
  }
  return true
}
