import HandoverBackend
import HandoverCore

/// The errors for runs that reach their limits, with the cause and a remedy.
enum RunTooLong {
  /// The error for too many steps.
  static var steps: BackendError {
    said(
      "did more than \(RunLimits.maximumSteps) steps",
      "increase `every`, `poll` and `keepalive.time`, use fewer faults, network changes or "
        + "connections, send fewer bytes over networks with `loss` or `reorder`, end the run with "
        + "`config.until`, or split the scenario into several")
  }

  /// Returns the error for too many records.
  static func records(of trace: Trace, at now: Instant) -> BackendError {
    var counts = Array(repeating: 0, count: Subject.allCases.count)
    for record in trace.records { counts[Subject(record.body).rawValue] += 1 }
    let most = Subject.allCases.max { counts[$0.rawValue] < counts[$1.rawValue] } ?? .calls
    let share = counts[most.rawValue] * 100 / max(1, trace.count)
    return said(
      "left more than \(RunLimits.maximumRecords) records by \(now.text), "
        + "\(share) of 100 about \(most.name)", most.advice)
  }

  private static func said(_ what: String, _ advice: String) -> BackendError {
    BackendError(.backendFailed, "the run \(what); \(advice)")
  }

  /// The subjects of records.
  private enum Subject: Int, CaseIterable {
    case calls, messages, pings, channels, chains, requests, polls, deadlines

    var name: String {
      switch self {
      case .calls: "starts and ends of calls"
      case .messages: "messages"
      case .pings: "pings"
      case .channels: "channels and their connections"
      case .chains: "interceptors"
      case .requests: "requests"
      case .polls: "polls"
      case .deadlines: "deadlines of the client"
      }
    }

    var advice: String {
      let several = "split the scenario into several"
      let until = "end the run with `config.until`"
      return switch self {
      case .calls, .requests: "\(several) with fewer of them"
      case .messages: "make `every` longer, or \(until)"
      case .pings: "make `keepalive.time` longer, or \(until)"
      case .channels:
        "use the same host and options for several calls, use fewer network changes, or \(several)"
      case .chains: "\(several) with fewer calls, interceptors or messages"
      case .polls: "make `poll` longer or `takes` shorter, or \(until)"
      case .deadlines: "request the time less often in the backend, or \(until)"
      }
    }

    init(_ body: TraceRecord.Body) {
      self =
        switch body {
        case .event(.reachability): .channels
        case .event(.pool(let event)): Self.of(event)
        case .effect(let effect): Self.of(effect)
        case .world(let fact): Self.of(fact)
        case .chain: .chains
        case .request(let fact): Self.of(fact)
        }
    }

    private static func of(_ event: ChannelPool.Event) -> Subject {
      switch event {
      case .messageReceived, .messageQueued, .dataReceived: .messages
      case .pongReceived: .pings
      case .connected, .connectFailed, .connectionBroken, .connectionDraining,
        .disconnectRequested, .disconnectAllRequested:
        .channels
      case .timeElapsed: .deadlines
      case .callStarted, .tokenArrived, .requestFinished, .callCancelled, .streamEnded, .closed:
        .calls
      }
    }

    private static func of(_ effect: ClientEffect) -> Subject {
      switch effect {
      case .deliverMessage, .sendMessages: .messages
      case .sendPing: .pings
      case .notify, .channelCreated, .channelMoved, .channelDestroyed, .openConnection,
        .closeConnection:
        .channels
      case .callBound, .fetchToken, .startStream, .finishStream, .resetStream, .endCall: .calls
      }
    }

    private static func of(_ fact: WorldFact) -> Subject {
      switch fact {
      case .serverReadMessages: .messages
      case .entryPlayed, .appMoved, .callIntroduced, .serverReadRequest, .deferred,
        .faultTookEffect, .runEnded, .callUnfinished:
        .calls
      case .deviceMoved, .attemptBegan, .attemptMoved, .addressAnswered, .connectionStalled,
        .connectionResumed, .sendBufferFull, .writesDiscarded, .cameOver, .callbackLost,
        .networkChanged, .deviceSlept, .deviceWoke, .kernelCounted, .connectionPath:
        .channels
      }
    }

    private static func of(_ fact: RequestFact) -> Subject {
      switch fact {
      case .received: .messages
      // Each poll is handed over, carried and answered.
      case .pollAnswered, .handedOver, .carried, .responded, .slotReleased: .polls
      case .arrived, .ended, .waits, .froze, .thawed, .limitReached, .answered, .heldSlot,
        .longLimitChanged, .dispatcherClosed, .connectionOpened, .connectionClosed,
        .connectionLost, .thread, .runsOn, .retried:
        .requests
      }
    }
  }
}
