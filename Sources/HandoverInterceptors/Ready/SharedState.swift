import Synchronization

/// State that the calls of a factory share (L50: "state sharing when initiated by the author").
///
/// The factory makes it and gives it to each of its links. It is the one thing of a chain that is
/// no value: copies of a chain share it, so whoever runs one call in many ways makes the factories
/// anew for each. Two are equal only where they are one and the same.
public final class SharedState<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  /// Makes state that starts with a value.
  public init(_ value: Value) {
    self.value = Mutex(value)
  }

  /// Reads or changes the value while nobody else does.
  ///
  /// - Parameter body: what to do; it must not ask the same state again.
  /// - Returns: what the body returns.
  public func withValue<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}

extension SharedState: Hashable {
  /// Whether both are one and the same.
  public static func == (left: SharedState, right: SharedState) -> Bool { left === right }

  /// Takes in which one it is.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
