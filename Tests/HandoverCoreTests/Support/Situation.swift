import Testing

@testable import HandoverCore

/// The state of a client before an event of a table test.
///
/// Endpoint 0 has one call, number 0.
enum Situation: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case noChannel = "no channel"
  case awaitingToken = "a call waits for its token"
  case connecting = "CONNECTING, a call waits"
  case connectingOpenRequest = "CONNECTING, a call with an open request waits"
  case ready = "READY, a call runs"
  case readyOpenRequest = "READY, a call with an open request runs"
  case unused = "READY, the call has ended"
  case backoff = "TRANSIENT_FAILURE, in backoff"
  case waitingInBackoff = "TRANSIENT_FAILURE, a call waits for the end of the backoff"
  case backoffOver = "TRANSIENT_FAILURE, the backoff is over"
  case broken = "TRANSIENT_FAILURE, after a connection that had lasted"
  case draining = "IDLE, a call finishes on a connection that drains"
  case idle = "IDLE, without connections"
  case destroyed = "SHUTDOWN, after a transition to None"

  var testDescription: String { rawValue }

  /// Returns a rig in the situation.
  ///
  /// Attempts start at 0 s, and connections are established at 1 s.
  func rig(_ profile: Profile = .socketsMonitor) -> Rig {
    var rig = Rig(profile)
    rig.send(.reachability(.initialRead(.wifi)))
    prepare(&rig)
    return rig
  }

  private func prepare(_ rig: inout Rig) {
    switch self {
    case .noChannel:
      break
    case .awaitingToken:
      rig.start(CallSettings(awaitsToken: true))
    case .connecting:
      rig.start()
    case .connectingOpenRequest:
      rig.start(CallSettings(requestIsComplete: false))
    case .ready, .unused, .broken, .draining, .idle, .destroyed:
      rig.start()
      rig.send(.connected(connection(0)), at: .seconds(1))
      leaveReady(&rig)
    case .readyOpenRequest:
      rig.start(CallSettings(requestIsComplete: false))
      rig.send(.connected(connection(0)), at: .seconds(1))
    case .backoff, .waitingInBackoff, .backoffOver:
      rig.start()
      rig.send(.connectFailed(connection(0), .refused), at: .milliseconds(500))
      if self == .waitingInBackoff { rig.start() }
      if self == .backoffOver { rig.wait(until: .seconds(2)) }
    }
  }

  private func leaveReady(_ rig: inout Rig) {
    switch self {
    case .unused:
      rig.send(.streamEnded(call(0), .ok))
    case .broken:
      rig.send(.connectionBroken(connection(0), .reset))
    case .draining:
      rig.send(.connectionDraining(connection(0)))
    case .idle:
      rig.send(.connectionDraining(connection(0)))
      rig.send(.streamEnded(call(0), .ok))
    case .destroyed:
      rig.callback(.none)
    case .noChannel, .awaitingToken, .connecting, .connectingOpenRequest, .ready,
      .readyOpenRequest, .backoff, .waitingInBackoff, .backoffOver:
      break
    }
  }
}

/// A row of a table: in a situation an event has exactly these effects.
struct Row: Sendable, CustomTestStringConvertible {
  var situation: Situation
  var event: ChannelPool.Event
  var effects: [ClientEffect]

  init(_ situation: Situation, _ event: ChannelPool.Event, _ effects: [ClientEffect]) {
    self.situation = situation
    self.event = event
    self.effects = effects
  }

  var testDescription: String { "\(situation.rawValue): \(String(describingForTest: event))" }
}
