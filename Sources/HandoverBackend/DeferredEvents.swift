package import HandoverCore

/// The facts that an application has not received because it does not run.
///
/// They are delivered in a fixed order when the application runs again. The order is the same in
/// every world: in the simulation, on an event loop, and with a process.
package struct DeferredEvents: Hashable, Sendable {
  /// The events of the transports, in order.
  package private(set) var events: ContiguousArray<ChannelPool.Event> = []
  /// Whether at least one callback was deferred.
  ///
  /// However many there were, the application receives one, with the flags at the time of delivery.
  package private(set) var hasCallback = false

  package init() {}

  /// Whether no fact is deferred.
  package var isEmpty: Bool { !hasCallback && events.isEmpty }

  /// Returns whether an application receives a fact immediately.
  ///
  /// The initial read of the flags is part of creating the client, so it is never deferred.
  @inlinable
  package static func isDelivered(_ event: ClientCore.Event, in app: AppState) -> Bool {
    switch event {
    case .reachability(.initialRead): true
    case .reachability(.callback), .reachability(.resynchronized), .pool: app.runs
    }
  }

  /// Defers a fact.
  ///
  /// - Returns: The record of the deferral for the trace.
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

  /// Removes and returns all deferred facts: the callback is delivered first, then the events.
  package mutating func release() -> DeferredEvents {
    defer { self = DeferredEvents() }
    return self
  }
}
