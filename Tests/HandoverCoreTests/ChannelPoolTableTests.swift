import Testing

@testable import HandoverCore

/// Tests state by event.
///
/// Each row lists all effects.
@Suite("Effects of an event, state by state")
struct ChannelPoolTableTests {
  static func started(_ call: CallID, _ settings: CallSettings = CallSettings())
    -> ChannelPool.Event
  {
    .callStarted(call, endpoint(0), settings)
  }

  static func moved(_ from: ChannelState, _ to: ChannelState) -> ClientEffect {
    .channelMoved(channel(), from: from, to: to)
  }

  static let startRows = [
    // The first call makes the channel and connects (D1, P4).
    Row(
      .noChannel, started(call(0)),
      [
        .channelCreated(channel()), .callBound(call(0), channel(), isNew: true),
        moved(.idle, .connecting), .openConnection(connection(0), channel()),
      ]),
    Row(.noChannel, started(call(0), CallSettings(awaitsToken: true)), [.fetchToken(call(0))]),
    Row(.connecting, started(call(1)), [.callBound(call(1), channel(), isNew: false)]),
    Row(
      .ready, started(call(1)),
      [
        .callBound(call(1), channel(), isNew: false), .startStream(call(1), connection(0)),
        .finishStream(call(1), connection(0)),
      ]),
    Row(
      .ready, started(call(1), CallSettings(requestIsComplete: false)),
      [.callBound(call(1), channel(), isNew: false), .startStream(call(1), connection(0))]),
    Row(
      .unused, started(call(0, 1)),
      [
        .callBound(call(0, 1), channel(), isNew: false), .startStream(call(0, 1), connection(0)),
        .finishStream(call(0, 1), connection(0)),
      ]),
    // A plain call waits for the end of the backoff (D5), one that fails fast does not (D7).
    Row(.backoff, started(call(0, 1)), [.callBound(call(0, 1), channel(), isNew: false)]),
    Row(
      .backoff, started(call(0, 1), CallSettings(failsFast: true)),
      [
        .callBound(call(0, 1), channel(), isNew: false),
        .endCall(call(0, 1), .failedFast),
      ]),
    // After the backoff the next call connects, even one that fails fast (D4, D7).
    Row(
      .backoffOver, started(call(0, 1), CallSettings(failsFast: true)),
      [
        .callBound(call(0, 1), channel(), isNew: false), moved(.transientFailure, .connecting),
        .openConnection(connection(0, 1), channel()),
      ]),
    Row(
      .broken, started(call(0, 1)),
      [
        .callBound(call(0, 1), channel(), isNew: false), moved(.transientFailure, .connecting),
        .openConnection(connection(0, 1), channel()),
      ]),
    Row(
      .draining, started(call(1)),
      [
        .callBound(call(1), channel(), isNew: false), moved(.idle, .connecting),
        .openConnection(connection(1), channel()),
      ]),
    Row(
      .idle, started(call(0, 1)),
      [
        .callBound(call(0, 1), channel(), isNew: false), moved(.idle, .connecting),
        .openConnection(connection(0, 1), channel()),
      ]),
    // After the channel is destroyed, the next call makes a new one (P12).
    Row(
      .destroyed, started(call(0, 1)),
      [
        .channelCreated(channel(0, 2)), .callBound(call(0, 1), channel(0, 2), isNew: true),
        .channelMoved(channel(0, 2), from: .idle, to: .connecting),
        .openConnection(connection(0, 1), channel(0, 2)),
      ]),
  ]

  static let callRows = [
    Row(
      .awaitingToken, .tokenArrived(call(0)),
      [
        .channelCreated(channel()), .callBound(call(0), channel(), isNew: true),
        moved(.idle, .connecting), .openConnection(connection(0), channel()),
      ]),
    Row(.connecting, .tokenArrived(call(0)), []),
    Row(.awaitingToken, .callCancelled(call(0)), [.endCall(call(0), .cancelled)]),
    Row(.connecting, .callCancelled(call(0)), [.endCall(call(0), .cancelled)]),
    Row(.waitingInBackoff, .callCancelled(call(0, 1)), [.endCall(call(0, 1), .cancelled)]),
    Row(
      .ready, .callCancelled(call(0)),
      [.resetStream(call(0), connection(0)), .endCall(call(0), .cancelled)]),
    // A draining connection is closed with its last call (B8).
    Row(
      .draining, .callCancelled(call(0)),
      [
        .resetStream(call(0), connection(0)), .endCall(call(0), .cancelled),
        .closeConnection(connection(0)),
      ]),
    Row(
      .draining, .streamEnded(call(0), .ok),
      [.endCall(call(0), CallEnd(.ok, .empty)), .closeConnection(connection(0))]),
    Row(.ready, .messageReceived(call(0)), [.deliverMessage(call(0))]),
    Row(.draining, .messageReceived(call(0)), [.deliverMessage(call(0))]),
    Row(.connecting, .messageReceived(call(0)), []),
    Row(.connecting, .streamEnded(call(0), .ok), []),
    Row(.awaitingToken, .streamEnded(call(0), .ok), []),
    // The call ends with the status code of the server, whatever it is.
    Row(
      .ready, .streamEnded(call(0), .resourceExhausted),
      [.endCall(call(0), CallEnd(.resourceExhausted, .empty))]),
    Row(
      .readyOpenRequest, .messageQueued(call(0), bytes: 7),
      [.sendMessages(call(0), connection(0), count: 1, bytes: 7)]),
    Row(.readyOpenRequest, .requestFinished(call(0)), [.finishStream(call(0), connection(0))]),
    Row(.connectingOpenRequest, .messageQueued(call(0), bytes: 7), []),
    Row(.connectingOpenRequest, .requestFinished(call(0)), []),
    // A complete request accepts no more data.
    Row(.ready, .messageQueued(call(0), bytes: 7), []),
    Row(.ready, .requestFinished(call(0)), []),
  ]

  static let connectionRows =
    ConnectionFailure.allCases.flatMap { failure in
      [
        // A failed attempt ends the calls that wait for it (D5b).
        Row(
          .connecting, .connectFailed(connection(0), failure),
          [moved(.connecting, .transientFailure), .endCall(call(0), failure.callEnd)]),
        Row(
          .connecting, .connectionBroken(connection(0), failure),
          [moved(.connecting, .transientFailure), .endCall(call(0), failure.callEnd)]),
        // A broken connection ends the calls on it (D2).
        Row(
          .ready, .connectionBroken(connection(0), failure),
          [moved(.ready, .transientFailure), .endCall(call(0), failure.callEnd)]),
        Row(
          .draining, .connectionBroken(connection(0), failure),
          [.endCall(call(0), failure.callEnd)]),
        Row(.ready, .connectFailed(connection(0), failure), []),
      ]
    } + [
      Row(
        .connecting, .connected(connection(0)),
        [
          moved(.connecting, .ready), .startStream(call(0), connection(0)),
          .finishStream(call(0), connection(0)),
        ]),
      Row(.ready, .connected(connection(0)), []),
      Row(.draining, .connected(connection(0)), []),
      Row(.unused, .connectionBroken(connection(0), .reset), [moved(.ready, .transientFailure)]),
      // GOAWAY: the channel becomes idle immediately, and its calls continue (B8).
      Row(.ready, .connectionDraining(connection(0)), [moved(.ready, .idle)]),
      Row(
        .unused, .connectionDraining(connection(0)),
        [moved(.ready, .idle), .closeConnection(connection(0))]),
      Row(.connecting, .connectionDraining(connection(0)), []),
      Row(.draining, .connectionDraining(connection(0)), []),
      Row(.ready, .pongReceived(connection(0)), []),
      Row(.ready, .dataReceived(connection(0)), []),
    ]

  static let endRows = [
    // Without a real channel there is nothing to disconnect (P10).
    Row(.noChannel, .disconnectRequested(endpoint(0)), []),
    Row(.awaitingToken, .disconnectRequested(endpoint(0)), []),
    Row(.destroyed, .disconnectRequested(endpoint(0)), []),
    Row(.noChannel, .disconnectAllRequested, []),
    Row(.ready, .disconnectRequested(endpoint(1)), []),
    Row(
      .ready, .disconnectRequested(endpoint(0)),
      [
        .closeConnection(connection(0)), .channelDestroyed(channel(), .disconnected),
        .endCall(call(0), .disconnected),
      ]),
    Row(
      .connecting, .disconnectAllRequested,
      [
        .closeConnection(connection(0)), .channelDestroyed(channel(), .disconnected),
        .endCall(call(0), .disconnected),
      ]),
    Row(.backoff, .disconnectAllRequested, [.channelDestroyed(channel(), .disconnected)]),
    Row(
      .waitingInBackoff, .disconnectRequested(endpoint(0)),
      [.channelDestroyed(channel(), .disconnected), .endCall(call(0, 1), .disconnected)]),
    Row(
      .draining, .disconnectRequested(endpoint(0)),
      [
        .closeConnection(connection(0)), .channelDestroyed(channel(), .disconnected),
        .endCall(call(0), .disconnected),
      ]),
    Row(
      .ready, .closed,
      [
        .closeConnection(connection(0)), .channelDestroyed(channel(), .clientClosed),
        .endCall(call(0), .clientClosed),
      ]),
    Row(.awaitingToken, .closed, [.endCall(call(0), .clientClosed)]),
    Row(.idle, .closed, [.channelDestroyed(channel(), .clientClosed)]),
    Row(.noChannel, .closed, []),
  ]

  @Test("A call that starts has the documented effects in every state", arguments: startRows)
  func starts(_ row: Row) { check(row) }

  @Test("An event about a call has the documented effects in every state", arguments: callRows)
  func calls(_ row: Row) { check(row) }

  @Test(
    "An event about a connection has the documented effects in every state",
    arguments: connectionRows)
  func connections(_ row: Row) { check(row) }

  @Test(
    "A disconnect or close by the user has the documented effects in every state",
    arguments: endRows)
  func ends(_ row: Row) { check(row) }

  private func check(_ row: Row) {
    var rig = row.situation.rig()
    #expect(rig.send(row.event) == row.effects)
  }

  /// Late events about a call or a connection that is gone (C5).
  static let stale: [ChannelPool.Event] = [
    .tokenArrived(call(0)), .messageQueued(call(0), bytes: 1), .requestFinished(call(0)),
    .callCancelled(call(0)), .messageReceived(call(0)), .streamEnded(call(0), .ok),
    .connected(connection(0)), .connectFailed(connection(0), .refused),
    .connectionBroken(connection(0), .reset), .connectionDraining(connection(0)),
    .pongReceived(connection(0)), .dataReceived(connection(0)),
  ]

  @Test("An event about something that is gone is dropped without a trace (C5)", arguments: stale)
  func dropsWhatIsLate(_ event: ChannelPool.Event) {
    var rig = Situation.destroyed.rig()
    // The slots are in use again; only the generation distinguishes the old identifiers from the
    // new.
    rig.start(CallSettings(requestIsComplete: false))
    rig.send(.connected(connection(0, 1)))
    let before = rig
    #expect(rig.send(event) == [])
    #expect(rig == before)
  }
}
