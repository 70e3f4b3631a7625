/// The state of a channel (B8).
///
///                    ┌────────────── attempt given up ─────────────┐
///                    v                                             │
///     ┌──────┐  call starts  ┌────────────┐  established  ┌───────┐│
///     │ IDLE │ ────────────> │ CONNECTING │ ────────────> │ READY ││
///     └──────┘               └────────────┘               └───────┘│
///        ^                     │        ^                  │   │   │
///        │              failed │        │ backoff over,    │   │   │
///        │                     v        │ a call waits     │   │   │
///        │               ┌───────────────────┐   broken    │   │   │
///        │               │ TRANSIENT_FAILURE │ <───────────┘   │   │
///        │               └───────────────────┘                 │   │
///        └───────────────────── drained (GOAWAY) ──────────────┘───┘
///
/// B8 allows an attempt to be given up, but this client never does so: every attempt fails or
/// succeeds. Every state may change to SHUTDOWN, and SHUTDOWN is final. A channel that was
/// destroyed never returns; the next call creates a new one.
@frozen
public enum ChannelState: UInt8, Hashable, Sendable, CaseIterable {
  /// New, or drained by its server; the next call connects after the delay of the last attempt.
  case idle
  /// A connection attempt is in progress.
  case connecting
  /// A connection is established.
  case ready
  /// The last attempt failed, or the connection broke; the next call tries again (D4).
  case transientFailure
  /// The channel was destroyed.
  case shutdown

  /// Returns whether B8 allows a change from this state to another.
  public func canMove(to next: ChannelState) -> Bool {
    switch (self, next) {
    case (.shutdown, _): false
    case (_, .shutdown): true
    case (.idle, .connecting): true
    case (.connecting, .ready), (.connecting, .transientFailure), (.connecting, .idle): true
    case (.ready, .transientFailure), (.ready, .idle): true
    case (.transientFailure, .connecting): true
    case (.idle, _), (.connecting, _), (.ready, _), (.transientFailure, _): false
    }
  }

  /// The name of the state in scenarios and reports, such as `TRANSIENT_FAILURE`.
  public var name: String {
    switch self {
    case .idle: "IDLE"
    case .connecting: "CONNECTING"
    case .ready: "READY"
    case .transientFailure: "TRANSIENT_FAILURE"
    case .shutdown: "SHUTDOWN"
    }
  }

  /// Creates the state with a name from a scenario, or `nil` if there is none.
  public init?(name: String) {
    guard let state = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = state
  }
}

extension ChannelState: CustomStringConvertible {
  /// The name of the state in scenarios and reports.
  public var description: String { name }
}
