/// A change of a client from outside its state machines, such as an injected bug.
///
/// The state machines do not know their decorator. A driver that supports decorators passes events
/// with ``ClientCore/stepDecorated(_:at:into:)``.
package protocol ClientDecorator: Hashable, Sendable {
  /// Handles an event in place of a client, which the decorator may step and change.
  mutating func step(
    _ event: ClientCore.Event, of client: inout ClientCore, at now: Instant,
    into effects: inout EffectLog<ClientEffect>)

  /// Whether calls that started at the present instant are different from others.
  var distinguishesNewCalls: Bool { get }

  /// Ends the present instant, so that no call counts as new anymore.
  mutating func endInstant()

  /// Adds the state of the decorator to the survey of its client.
  func annotate(_ survey: inout ClientSurvey, at now: Instant)

  /// Restores the decorator from the survey from which its client was restored.
  mutating func restore(_ survey: borrowing ClientSurvey, at now: Instant)

  /// Combines everything that affects the future behavior of the decorator.
  func combine(into digest: inout StateDigest, of client: ClientCore)
}

extension ClientDecorator {
  fileprivate func isEqual(to other: any ClientDecorator) -> Bool { other as? Self == self }
}

/// A decorator of any type.
///
/// The decorator is behind a reference because most clients have none: a missing reference costs
/// one comparison in each step of an exploration, and a missing value of any type costs a call.
package final class ClientDecoration: Hashable, Sendable, CustomStringConvertible {
  package let decorator: any ClientDecorator

  package init(_ decorator: any ClientDecorator) { self.decorator = decorator }

  package static func == (left: ClientDecoration, right: ClientDecoration) -> Bool {
    left.decorator.isEqual(to: right.decorator)
  }

  package func hash(into hasher: inout Hasher) { decorator.hash(into: &hasher) }

  /// The decorator with all its properties, because checkpoints compare descriptions.
  package var description: String { "\(decorator)" }
}

extension ClientCore {
  /// Handles one event with the decorator of the client, if any, and appends the resulting effects.
  package mutating func stepDecorated(
    _ event: Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard var decorator = decoration?.decorator else {
      return step(event, at: now, into: &effects)
    }
    decoration = nil
    decorator.step(event, of: &self, at: now, into: &effects)
    decoration = ClientDecoration(decorator)
  }

  /// Ends the present instant for the decorator of the client.
  package mutating func endInstant() {
    guard var decorator = decoration?.decorator else { return }
    decorator.endInstant()
    decoration = ClientDecoration(decorator)
  }
}

// The operations of decorators: reading and changing single parts of a client.
extension ClientCore {
  /// Whether a call has started and not ended.
  package func isLive(_ call: CallID) -> Bool { channels.calls.isLive(call) }

  /// Returns the category change that an event would cause, or `nil` if there is none.
  package func categoryChange(by fact: ConnectivityMonitor.Event) -> CategoryChange? {
    guard monitorsReachability else { return nil }
    var monitor = monitor
    return monitor.observe(fact)
  }

  /// Updates the category without any consequence.
  package mutating func observeSilently(_ fact: ConnectivityMonitor.Event) {
    _ = monitor.observe(fact)
  }

  /// Runs a closure in which some hosts have no channel; afterward, their channels are back.
  package mutating func hidingChannels(of hosts: [Int], _ body: (inout ClientCore) -> Void) {
    channels.ownTables()
    let hidden = hosts.map { channels.endpoints[$0] }
    for host in hosts { channels.endpoints[host].forgetChannel() }
    body(&self)
    for (host, endpoint) in zip(hosts, hidden) { channels.endpoints[host] = endpoint }
  }

  /// The backoff of a host.
  package func backoff(of host: Int) -> Backoff { channels.endpoints[host].backoff }

  /// Replaces the backoff of a host.
  package mutating func setBackoff(of host: Int, to backoff: Backoff) {
    channels.ownTables()
    channels.endpoints[host].backoff = backoff
  }

  /// Resets the backoff of a host, as after a success.
  package mutating func resetBackoff(of host: Int) {
    channels.ownTables()
    channels.endpoints[host].backoff.recordSuccess(using: backoffRules(of: host))
  }

  /// The settings of the backoff of a host.
  package func backoffRules(of host: Int) -> BackoffConfiguration {
    channels.backoffSettings(UInt32(truncatingIfNeeded: host))
  }

  /// Drains a connection, as after a GOAWAY, without data from the server.
  package mutating func drain(
    _ connection: ConnectionID, into effects: inout EffectLog<ClientEffect>
  ) {
    channels.ownTables()
    channels.drain(connection, into: &effects)
  }

  /// Forgets a draining connection of a host without closing it.
  package mutating func forgetDraining(_ connection: ConnectionID, of host: Int) {
    channels.ownTables()
    channels.removeDraining(connection.index, from: UInt32(truncatingIfNeeded: host))
  }

  /// Disarms the next ping of a connection, or the timeout of its answer.
  package mutating func disarmKeepalive(of connection: ConnectionID) {
    channels.ownTables()
    channels.keepaliveDeadlines.disarm(connection.index)
  }

  /// Arms the destroy delay of a channel, unless it is armed.
  package mutating func armUnused(_ host: Int, due: Instant) {
    let row = UInt32(truncatingIfNeeded: host)
    guard !channels.unusedDeadlines.isArmed(row) else { return }
    channels.ownTables()
    channels.unusedDeadlines.arm(row, due: due, order: channels.nextOrder())
  }

  /// Restarts the destroy delay, if it is armed, of the channel that an ended call had.
  package mutating func rearmUnused(after call: CallID, at now: Instant) {
    guard call.index < channels.calls.rows.count else { return }
    let row = channels.calls[call.index].endpoint
    guard channels.unusedDeadlines.isArmed(row) else { return }
    channels.ownTables()
    channels.markUnusedIfEmpty(row, at: now)
  }
}
