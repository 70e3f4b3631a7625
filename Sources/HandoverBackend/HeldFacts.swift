package import HandoverCore
package import HandoverTrace

/// What an application has not heard because it does not run, and in which order it hears it when
/// it runs again.
///
/// The same in every world: simulated, on an event loop, or beside a process.
package struct HeldFacts: Hashable, Sendable {
  /// What the transports had to tell, in order.
  package private(set) var events: ContiguousArray<ChannelPool.Event> = []
  /// Whether there were callbacks; however many, it hears one, with the flags of then.
  package private(set) var hasCallback = false

  package init() {}

  /// Whether it has heard everything.
  package var isEmpty: Bool { !hasCallback && events.isEmpty }

  /// Whether an application hears of a fact at once.
  ///
  /// The first read belongs to the client's making, wherever the application is.
  @inlinable
  @inline(__always)
  package static func isHeard(_ event: ClientCore.Event, in app: AppState) -> Bool {
    switch event {
    case .reachability(.initialRead): true
    case .reachability(.callback), .reachability(.resynchronised), .pool: app.runs
    }
  }

  /// Keeps a fact that is not heard.
  ///
  /// - Returns: what the trace says of it.
  package mutating func hold(_ event: ClientCore.Event) -> WorldFact {
    switch event {
    case .reachability:
      hasCallback = true
      return .deferred(.callback)
    case .pool(let event):
      events.append(event)
      return .deferred(.transportEvent)
    }
  }

  /// Gives everything back, and keeps nothing: the callback comes first, then the events.
  package mutating func release() -> HeldFacts {
    defer { self = HeldFacts() }
    return self
  }
}
