/// The states of a channel (B8).
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
/// An attempt that is given up is legal, and nothing here gives one up: it ends, or it succeeds.
/// Every state may go to SHUTDOWN, and SHUTDOWN goes nowhere: a channel that was destroyed never
/// comes back; the next call makes a new one.
@frozen
public enum ChannelState: UInt8, Hashable, Sendable, CaseIterable {
  /// Made, or drained by its server; the next call connects, once the last attempt's delay is over.
  case idle
  /// A connection is being established.
  case connecting
  /// A connection is established.
  case ready
  /// The last attempt failed, or the connection broke; the next call tries again (D4).
  case transientFailure
  /// Destroyed.
  case shutdown

  /// Whether B8 lets a channel go from this state to another.
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

  /// The state as scenarios and reports write it, such as `TRANSIENT_FAILURE`.
  public var name: String {
    switch self {
    case .idle: "IDLE"
    case .connecting: "CONNECTING"
    case .ready: "READY"
    case .transientFailure: "TRANSIENT_FAILURE"
    case .shutdown: "SHUTDOWN"
    }
  }

  /// The state with a name as scenarios write it; nil where there is none.
  public init?(name: String) {
    guard let state = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = state
  }
}

extension ChannelState: CustomStringConvertible {
  /// The state as scenarios and reports write it.
  public var description: String { name }
}
