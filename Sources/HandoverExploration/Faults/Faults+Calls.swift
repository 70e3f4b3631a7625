import HandoverCore

// Bugs in calls and channels: how calls begin, what they share, and how they end.
extension Mutant {
  static let ofCalls: [Mutant] = [
    // The ends of calls.
    .client(
      "lost-as-cancelled", "Calls that lose their network end CANCELLED.", ["T7", "O3"],
      .ends(.connectivityLost, as: .cancelled), by: ["transitions/every-host-is-hit"],
      .actions(2, Walk("sockets-monitor"))),
    .client(
      "lost-as-internal", "Calls that lose their network end INTERNAL.", ["T7", "O3"],
      .ends(.connectivityLost, as: CallEnd(.internalError, .connectivityLost)),
      by: ["transitions/every-host-is-hit"], .actions(2, Walk("sockets-monitor"))),
    .client(
      "lost-without-words", "Calls that lose their network end UNAVAILABLE without a text.",
      ["C2"], .ends(.connectivityLost, as: CallEnd(.unavailable, .empty)),
      by: ["monitor/overrun-reads-afresh"], .actions(2, Walk("sockets-monitor"))),
    .client(
      "lost-as-disconnected", "Calls that lose their network end as those of a disconnect.",
      ["C2"], .ends(.connectivityLost, as: .disconnected), by: ["monitor/overrun-reads-afresh"],
      .actions(2, Walk("sockets-monitor"))),
    .client(
      "lost-untold", "Calls that lose their network are not notified.", ["T7", "O3"],
      .silent(.endOfLoss), by: ["transitions/every-host-is-hit"],
      .actions(2, Walk("sockets-monitor"))),
    .client(
      "untold-end", "No call is notified of its end.", ["L13"], .silent(.endCall),
      by: ["interceptors/chain/order"], .actions(2, Walk("sockets-monitor"))),
    .client(
      "told-end-twice", "Each call is notified of its end twice.", ["C5"], .repeats(.endCall),
      by: ["pool/cancel-of-an-ended-call"], .actions(2, Walk("sockets-monitor"))),
    .client(
      "uncreated-as-internal", "A call for which no channel can be created ends INTERNAL.", ["C13"],
      .ends(.notCreated, as: CallEnd(.internalError, .notCreated)),
      by: ["calls/no-channel-can-be-made"]),
    .client(
      "cancel-as-unavailable", "A cancelled call ends UNAVAILABLE.", ["B10"],
      .ends(.cancelledByApplication, as: CallEnd(.unavailable, .cancelledByApplication)),
      by: ["backoff/waits-until-cancelled"]),
    .client(
      "deadline-as-unavailable", "A call whose deadline passes ends UNAVAILABLE.",
      ["B10", "D5c"], .ends(.deadlineExceeded, as: CallEnd(.unavailable, .deadlineExceeded)),
      by: ["backoff/waits-until-its-deadline"]),
    .client(
      "deadline-as-cancelled", "A call whose deadline passes ends CANCELLED.", ["D5c"],
      .ends(.deadlineExceeded, as: .cancelled), by: ["backoff/waits-until-its-deadline"]),
    .client(
      "reset-as-internal", "A call whose connection is reset ends INTERNAL.",
      ["O7", "C14"], .ends(.connectionReset, as: CallEnd(.internalError, .connectionReset)),
      by: ["calls/failed-write", "server/resets"]),
    .client(
      "reset-as-unknown", "A call whose connection is reset ends UNKNOWN.", ["O7"],
      .ends(.connectionReset, as: CallEnd(.unknown, .connectionReset)), by: ["server/resets"]),
    .client(
      "abort-as-cancelled", "A call whose network is gone ends CANCELLED.", ["D3a"],
      .ends(.connectionAborted, as: .cancelled),
      by: ["clients/other-hotspot", "transitions/wifi-to-none"]),
    .client(
      "abort-as-unknown", "A call whose network is gone ends UNKNOWN.", ["D10"],
      .ends(.connectionAborted, as: CallEnd(.unknown, .connectionAborted)),
      by: ["cfstream/wifi-appears"]),
    .client(
      "refused-as-internal", "A call whose attempt is refused ends INTERNAL.", ["D5b"],
      .ends(.connectionRefused, as: CallEnd(.internalError, .connectionRefused)),
      by: ["backoff/waits-and-fails"]),
    .client(
      "timeout-as-deadline", "A call whose connection times out ends DEADLINE_EXCEEDED.",
      ["F9"], .ends(.connectionTimedOut, as: .deadlineExceeded),
      by: ["bugs/f09-half-open-for-a-quarter-of-an-hour"]),
    .client(
      "attempt-timeout-as-deadline", "A call whose attempt times out ends DEADLINE_EXCEEDED.",
      ["S5"], .ends(.connectTimedOut, as: .deadlineExceeded),
      by: ["cfstream/connect-times-out-once"], .actions(2, Walk("sockets-monitor"))),
    .client(
      "closed-as-ok", "A call whose stream ends before its answer ends OK.", ["S3"],
      .ends(.socketClosed, as: CallEnd(.ok, .empty)), by: ["stalls/half-closed"]),
    .client(
      "closed-as-internal", "A call whose stream ends before its answer ends INTERNAL.", ["S3"],
      .ends(.socketClosed, as: CallEnd(.internalError, .socketClosed)), by: ["stalls/half-closed"]),
    .client(
      "unreachable-as-ok", "A call without a network ends OK.", ["D5b"],
      .ends(.networkUnreachable, as: CallEnd(.ok, .empty)),
      by: ["pool/state-gone-before-anybody-looks", "names/look-up-ends-without-a-network"]),
    .client(
      "unresolved-as-not-found", "A call whose name does not resolve ends NOT_FOUND.", [],
      .ends(.nameResolutionFailed, as: CallEnd(.notFound, .nameResolutionFailed)),
      by: ["names/resolution-fails"]),
    .client(
      "disconnected-as-ok", "Calls of a channel that is disconnected end OK.", ["P10"],
      .ends(.channelDisconnected, as: CallEnd(.ok, .empty)), by: ["pool/disconnect-one-host"],
      .actions(2, Walk("sockets-monitor"))),
    .client(
      "fail-fast-as-aborted", "A call that does not wait ends ABORTED.", ["D7"],
      .ends(.transientFailure, as: CallEnd(.aborted, .transientFailure)),
      by: ["interceptors/chain/rewrite-fail-fast"]),
    .client(
      "keepalive-as-aborted", "A call whose ping goes unanswered ends ABORTED.", ["B7"],
      .ends(.keepaliveTimeout, as: CallEnd(.aborted, .keepaliveTimeout)),
      by: ["keepalive/ping-unanswered"]),
    .client(
      "stream-error-as-unavailable",
      "The newer generation of CFStream ends calls UNAVAILABLE too.", ["S7"],
      .ends(.streamAborted, as: CallEnd(.unavailable, .streamAborted)),
      by: ["cfstream/event-engine-loss-in-the-background"]),
    .client(
      "stream-error-without-text", "The error of a stream has no text.", ["S6"],
      .ends(.streamAborted, as: CallEnd(.unknown, .empty)),
      by: ["cfstream/event-engine-loss-is-unknown"]),
    .client(
      "stream-reset-without-text", "The reset of a stream has no text.", ["S6"],
      .ends(.streamReset, as: CallEnd(.unknown, .empty)), by: ["cfstream/event-engine-reset"]),
    .client(
      "ok-as-unavailable", "A call that the server ended OK ends UNAVAILABLE.", ["D1"],
      .answers(.ok, as: .unavailable), by: ["pool/connects-lazily"]),
    // The starts of calls.
    .client(
      "all-fail-fast", "No call waits for its channel.", ["D5a", "D7"], .starts(.failingFast),
      by: ["backoff/waits-and-runs", "backoff/fail-fast"]),
    .client(
      "none-fail-fast", "Calls that should fail immediately wait.", ["D7", "F17"],
      .starts(.waiting),
      by: ["interceptors/chain/rewrite-fail-fast", "bugs/f17-fails-right-after-recovery"]),
    .client(
      "no-deadlines", "Deadlines are forgotten.", ["D5c", "B10"], .starts(.withoutDeadline),
      by: ["backoff/waits-until-its-deadline"]),
    .client(
      "half-deadlines", "Deadlines pass at half of their time.", ["D5c"],
      .starts(.withHalfDeadline), by: ["backoff/waits-until-its-deadline"]),
    .client(
      "usual-deadlines", "Every call has a deadline of at most one minute.", ["P16"],
      .starts(.withDefaultDeadline), by: ["stalls/nothing-written-nothing-noticed"]),
    .client(
      "no-tokens", "Calls do not wait for their auth token.", ["C6"], .starts(.withoutToken),
      by: ["calls/waits-for-its-token"]),
    .client(
      "complete-at-start", "The requests of each call are complete at its start.", ["L12", "L3"],
      .starts(.complete),
      by: ["interceptors/chain/requests-out-of-order", "interceptors/chain/bidi"]),
    .client(
      "deaf-to-tokens", "Tokens do not arrive.", ["C6"], .deaf(.tokenArrived),
      by: ["calls/waits-for-its-token"]),
    .client(
      "deaf-to-cancels", "A call cannot be cancelled.", ["B10"], .deaf(.callCancelled),
      by: ["backoff/waits-until-cancelled"]),
    .client(
      "deaf-to-messages", "Messages of the user are not sent.", ["L12", "I40"],
      .deaf(.messageQueued),
      by: ["interceptors/chain/requests-out-of-order", "interceptors/chain/several-writes"]),
    .client(
      "messages-sent-twice", "Messages are sent twice.", ["I40"], .receivesTwice(.messageQueued),
      by: ["interceptors/chain/several-writes"]),
    .client(
      "never-complete", "The end of the requests is not sent.", [],
      .deaf(.requestFinished), by: ["clients/nothing-changes"]),
    .client(
      "deaf-to-answers", "Messages of the server are not delivered to the user.", [],
      .deaf(.messageReceived), by: ["interceptors/chain/flow-control-off"]),
    .client(
      "answers-twice", "Messages of the server are delivered to the user twice.", [],
      .receivesTwice(.messageReceived), by: ["interceptors/chain/flow-control-off"]),
    .client(
      "deaf-to-ends", "The client ignores that the server ends a call.", [],
      .deaf(.streamEnded), by: ["background/answer-before-overdue-deadline"]),
    .client(
      "unsent", "Calls are not sent.", ["D1"], .silent(.startStream), by: ["pool/connects-lazily"]),
    .client(
      "sent-twice", "Calls are sent twice.", [], .repeats(.startStream),
      by: ["server/reads-again"]),
    .client(
      "unsent-messages", "Messages are not sent.", ["I40"], .silent(.sendMessages),
      by: ["interceptors/chain/several-writes"]),
    .client(
      "no-resets", "Servers are not notified of calls that are over.", [], .silent(.resetStream),
      by: ["stalls/deadline-starts-the-clock"]),
    .client(
      "unbound", "The channel of a call is not reported.", ["P4"], .silent(.callBound),
      by: ["pool/connects-lazily"]),
    // Channels, and state that calls share.
    .client(
      "unmade-channel", "New channels are not reported.", ["P4"],
      .silent(.channelCreated), by: ["pool/call-within-30s-starts-the-delay-anew"],
      .actions(1, Walk("sockets-monitor"))),
    .client(
      "kept-channel", "The destruction of channels is not reported.", ["H2", "O4"],
      .silent(.channelDestroyed), by: ["transitions/every-host-is-hit"],
      .actions(2, Walk("sockets-monitor"))),
    .client(
      "twice-destroyed", "The destruction of channels is reported twice.", ["O4"],
      .repeats(.channelDestroyed), by: ["transitions/drains-and-connects"],
      .actions(2, Walk("sockets-monitor"))),
    .client(
      "unmoved", "State changes of channels are not reported.", ["B8"],
      .silent(.channelMoved), by: ["backoff/settings-come-late"]),
    .client(
      "moves-twice", "State changes of channels are reported twice.", ["B9"],
      .repeats(.channelMoved), by: ["pool/state-gone-before-anybody-looks"]),
    .client(
      "ends-before-closing", "Calls are notified of their end before their connection is closed.",
      ["C4"], .first(.endCall), by: ["calls/unavailable-not-cancelled"],
      .actions(3, Walk("cfstream"))),
    .request(
      "own-channels", "Each call has its own channel.", ["D1", "P1", "H1"],
      by: ["pool/one-host-three-spellings", "pool/connects-lazily"]
    ) { script in
      for index in script.calls.indices {
        script.calls[index].options.others.append("channelID=fault-\(index)")
      }
    },
    .request(
      "options-left-out", "The options of calls are not part of the key.", ["P2"],
      by: ["pool/options-in-the-key"]
    ) { $0.changeCalls { $0.options.others = [] } },
    .request(
      "deadline-in-key", "The timeout of a call is part of the key.", ["P2"],
      by: ["pool/options-outside-the-key"]
    ) {
      $0.changeCalls { call in
        call.options.others.append("channelID=\(call.deadline?.microseconds ?? 0)")
      }
    },
    .request(
      "path-in-key", "The method of a call is part of the key.", [],
      by: ["interceptors/cache/none-to-cellular"]
    ) { $0.changeCalls { $0.options.others.append("channelID=\($0.path)\($0.metadata.count)") } },
    .request(
      "token-in-key", "The token of a call is part of the key.", [],
      by: ["calls/waits-for-its-token"]
    ) { $0.changeCalls { $0.options.others.append("channelID=\($0.tokenDelay != nil)") } },
    .request(
      "port-80", "A host without a port has port 80.", ["U2", "H5"],
      by: ["connection-limits/admission/port-by-scheme", "pool/no-port-is-443"]
    ) { $0.changeHosts { $0 = $0.named(HostName($0.written, defaultPort: 80)) } },
    .request(
      "hosts-as-written", "Hosts with different spellings are different hosts.", ["U4"],
      by: ["connection-limits/admission/trailing-dot"]
    ) { script in
      for index in script.hosts.indices {
        script.hosts[index] = script.hosts[index].named(
          script.hosts[index].name.flatMap { _ in HostName("written-\(index):1") })
      }
    },
    .request(
      "one-host", "All hosts are the same host.", ["P1"], by: ["pool/resolver-prefix-is-kept"]
    ) { script in
      let first = script.hosts.first?.name
      script.changeHosts { if $0.name != nil { $0.name = first } }
    },
    .request(
      "made-is-started", "A call that is created starts immediately.", ["C7"],
      by: ["calls/made-and-never-started"]
    ) { script in
      var started: Set<Int> = []  // lookup only
      script.changeEntries { action in
        switch action {
        case .makeCall(let call):
          started.insert(call)
          return .startCall(call)
        case .startCall(let call) where started.contains(call): return Script.nothing
        default: return action
        }
      }
    },
    .client(
      "disconnects-all", "A disconnect of one host disconnects all hosts.", ["P10"],
      .disconnectsAll,
      by: ["pool/disconnect-one-host"]),
    .request(
      "disconnects-first", "A disconnect of all hosts disconnects only the first host.",
      ["P11", "H3"], by: ["pool/disconnect-all"]
    ) { script in
      script.changeEntries { if case .disconnect(.all) = $0 { .disconnect(.one(0)) } else { $0 } }
    },
    .client(
      "deaf-to-disconnects", "A host cannot be disconnected.", ["P10", "P12"], .deaf(.disconnect),
      by: ["pool/disconnect-one-host", "pool/call-after-disconnect"]),
    .client(
      "deaf-to-disconnect-all", "All hosts cannot be disconnected together.",
      ["P11", "H3", "P18"], .deaf(.disconnectAll), by: ["pool/disconnect-all"]),
    .machine(
      .rearmedDestroyDelay, "The end of a stale call restarts the destroy delay.",
      ["P8"], by: ["pool/cancel-of-an-ended-call"]),
    .machine(
      .truncatedDestroyDelay, "The destroy delay is cut to whole seconds.", ["P9"],
      by: ["pool/half-a-second"]),
    .machine(
      .lostCall, "A call that starts at the instant of a change is never notified.", ["C10", "C1"],
      by: ["transitions/call-started-at-the-same-instant"], .actions(2, Walk("sockets-monitor"))),
    .machine(
      .cancelledByDisconnect,
      "A disconnect ends running calls CANCELLED, and does not end waiting calls.", ["C11", "P10"],
      by: ["pool/disconnect-with-waiting-calls", "pool/disconnect-one-host"],
      .actions(2, Walk("sockets-monitor"))),
    .machine(
      .lateSend, "A call that failed with its network is sent when the network returns.",
      ["M21"], by: ["calls/connecting-call-is-never-sent"], .actions(4, Walk("sockets-monitor"))),
    .machine(
      .overtakenByCancel, "The pool's cancellation overtakes the end of the network.",
      ["C4", "C9"], by: ["calls/unavailable-not-cancelled"], .actions(3, Walk("sockets-monitor"))),
    .report(
      "calls-first-cancelled", "Calls that are notified of a change before the pool end CANCELLED.",
      ["M15"], by: ["order/calls-hear-first"], .cancelledWhereCallsAreNotifiedFirst),
    .report(
      "stale-cancel", "The cancel of a call whose channel was destroyed is answered.", ["P13"],
      by: ["pool/call-after-its-channel-is-gone"], .answeringStaleCancels),
    .machine(
      .doubleEnd, "The last call on a connection that drains ends twice.", [],
      by: ["server/goes-away"], .actions(4, Walk("sockets-monitor"))),
    .machine(
      .keptUnusedDelay, "The destroy delay continues although a call started.", [],
      by: ["server/silent-is-no-stall"], .actions(4, Walk("sockets-monitor"))),
    .machine(
      .keptWhileConnecting,
      "A channel outlives a change while it connects and another connection of it drains.",
      ["O4"], by: ["transitions/drains-and-connects"],
      .actions(6, Walk("sockets-monitor", calls: 2))),
    .rule(
      "kept-20s", "Unused channels are kept 20 s.", ["P6"],
      by: ["pool/long-call-keeps-its-channel"], .actions(2, Walk("sockets-monitor"))
    ) { if $0.unusedChannelLifetime != nil { $0.unusedChannelLifetime = .seconds(20) } },
    .rule(
      "kept-31s", "Unused channels are kept 31 s.", ["P6"],
      by: ["pool/long-call-keeps-its-channel"], .actions(2, Walk("sockets-monitor"))
    ) { if $0.unusedChannelLifetime != nil { $0.unusedChannelLifetime = .seconds(31) } },
    .rule(
      "never-kept", "Unused channels are destroyed immediately.", ["P6", "P7"],
      by: ["pool/call-within-30s-starts-the-delay-anew", "pool/long-call-keeps-its-channel"],
      .actions(2, Walk("sockets-monitor"))
    ) { if $0.unusedChannelLifetime != nil { $0.unusedChannelLifetime = .zero } },
    .rule(
      "kept-for-ever", "Unused channels are never destroyed.", ["P6"],
      by: ["pool/long-call-keeps-its-channel"], .actions(2, Walk("sockets-monitor"))
    ) { $0.unusedChannelLifetime = nil },
  ]
}

extension ScriptHost {
  /// Returns the same host with another name.
  func named(_ name: HostName?) -> ScriptHost {
    var host = self
    host.name = name
    return host
  }
}
