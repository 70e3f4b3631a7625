import Synchronization

/// State that the calls of a factory share (L50: "state sharing when initiated by the author").
///
/// The factory creates the state and passes it to each of its interceptors. It is the only part of
/// a chain that is not a value, so copies of a chain share it. A test that runs one call in many
/// orders must therefore create new factories for each order. Two states are equal only if they are
/// identical.
public final class SharedState<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  /// Creates state with an initial value.
  public init(_ value: Value) {
    self.value = Mutex(value)
  }

  /// Reads or changes the value with exclusive access.
  ///
  /// - Parameter body: the access; it must not use the same state again.
  /// - Returns: the result of `body`.
  public func withValue<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}

extension SharedState: Hashable {
  /// Returns whether two states are identical.
  public static func == (left: SharedState, right: SharedState) -> Bool { left === right }

  /// Hashes the identity of the state.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
