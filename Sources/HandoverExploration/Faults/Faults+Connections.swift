import HandoverCore

// Bugs in connections: how they are made, kept, pinged, drained and given up.
extension Mutant {
  static let ofConnections: [Mutant] = [
    .client(
      "deaf-to-connected", "The client ignores that a connection is established.",
      ["D5a", "S8", "F10"],
      .deaf(.connected),
      by: [
        "backoff/waits-and-runs", "cfstream/lost-and-restored", "bugs/f10-waits-for-connectivity",
      ]),
    .client(
      "deaf-to-failures", "The client ignores that an attempt failed.", ["D5b", "N40"],
      .deaf(.connectFailed),
      by: ["backoff/waits-and-fails", "bugs/n40-wakes-without-a-network"],
      .actions(2, Walk("sockets-monitor"))),
    .client(
      "deaf-to-breaks", "The client ignores that a connection broke.",
      ["D2", "D3a", "D10", "T12", "N7", "N39"], .deaf(.broken),
      by: [
        "cfstream/wifi-appears", "transitions/wifi-to-none",
        "bugs/n02-dead-connection-is-used-again", "bugs/n39-first-call-after-a-sleep",
      ]),
    .client(
      "deaf-to-draining", "The client ignores that a connection drains.", ["B8"],
      .deaf(.draining), by: ["server/goes-away", "server/ignores-calls-after-goaway"]),
    .client(
      "unclosed", "Connections are not closed.", ["O4", "D9"], .silent(.closeConnection),
      by: ["transitions/every-host-is-hit"], .actions(2, Walk("sockets-monitor"))),
    .client(
      "no-pings", "No pings are sent.", ["B7", "N34"], .silent(.sendPing),
      by: ["keepalive/ping-starts-the-clock", "bugs/n34-new-address-with-keepalive"]),
    .client(
      "reset-as-name-failure", "A reset is treated as a name that does not resolve.", ["O7"],
      .mistakes(.reset, for: .nameResolutionFailed), by: ["server/resets"]),
    .client(
      "refused-as-name-failure", "A refusal is treated as a name that does not resolve.",
      ["D5b"], .mistakes(.refused, for: .nameResolutionFailed), by: ["backoff/waits-and-fails"]),
    .client(
      "name-failure-as-refused", "A name that does not resolve is treated as a refusal.",
      ["B11"], .mistakes(.nameResolutionFailed, for: .refused), by: ["names/resolution-fails"]),
    .client(
      "closed-as-reset", "The end of a stream is treated as a reset.", ["S3"],
      .mistakes(.closed, for: .reset), by: ["cfstream/end-of-stream"]),
    .client(
      "aborted-as-reset", "A lost network is treated as a reset.", ["D3a"],
      .mistakes(.aborted, for: .reset), by: ["transitions/wifi-to-none"]),
    .contract(
      "no-keepalive", "Connections are not pinged, whatever the settings are.",
      ["B7", "N1", "N3", "N4", "N14", "N31", "N33", "N35"],
      by: [
        "keepalive/ping-unanswered", "bugs/n01-network-was-down-once-with-keepalive",
        "bugs/n03-interface-fails-with-keepalive", "bugs/n04-cancelled-calls-with-keepalive",
        "bugs/n14-router-loses-its-uplink-with-keepalive",
        "bugs/n31-calls-after-a-long-sleep-with-keepalive",
        "bugs/n33-hotspot-without-internet-with-keepalive",
        "bugs/n35-each-pooled-connection-with-keepalive",
      ]
    ) { $0.keepalive = nil },
    .machine(
      .drainedByKeepalive, "A ping goes unanswered, and the connection only drains.", ["N5"],
      by: ["bugs/n05-keepalive-ends-the-calls-on-the-dead-peer"]),
    .machine(
      .keptByKeepalive, "A ping goes unanswered, and its channel keeps the closed connection.",
      ["N29"], by: ["bugs/n29-channel-lives-on-after-keepalive"]),
    .machine(
      .unpingedDraining, "A connection that drains is not pinged.", ["N23"],
      by: ["bugs/n23-pings-go-on-after-goaway"]),
    .machine(
      .pingsPutOff, "Outgoing data delays pings, and extends the wait for an answer.", ["N24"],
      by: ["bugs/n24-sends-do-not-put-the-ping-off"]),
    .client(
      "opened-twice", "Each connection is opened twice.", ["N16"], .repeats(.openConnection),
      by: ["bugs/n16-two-errors-for-each-connection"], .actions(1, Walk("sockets-monitor"))),
    .contract(
      "keepalive-x2", "Pings are sent half as often.", ["B6", "B7"],
      by: ["keepalive/ping-unanswered", "keepalive/ping-without-calls"]
    ) { settings in
      if let keepalive = settings.keepalive {
        settings.keepalive?.time = keepalive.time + keepalive.time
      }
    },
    .contract(
      "keepalive-timeout-1s-more", "A ping may be unanswered for one second more.", ["B7", "N32"],
      by: ["keepalive/ping-unanswered", "bugs/n32-answers-are-lost-with-keepalive"]
    ) { settings in
      if let keepalive = settings.keepalive {
        settings.keepalive?.timeout = keepalive.timeout + .seconds(1)
      }
    },
    .contract(
      "pings-without-calls", "Connections without a call are also pinged.", ["B7"],
      by: ["keepalive/no-call-no-ping"]
    ) { $0.keepalive?.withoutCalls = true },
    .request(
      "keepalive-option-left-out", "The options of a call cannot have its connection pinged.",
      ["B6"], by: ["keepalive/with-and-without"]
    ) { $0.changeCalls { $0.options.keepaliveInterval = nil } },
    .request(
      "connect-timeout-left-out", "The options of a call cannot set how long attempts last.",
      ["B5"], by: ["backoff/options-of-a-call"]
    ) { $0.changeCalls { $0.options.connectMinTimeout = nil } },
    .request(
      "first-backoff-left-out", "The options of a call cannot set the first delay.", ["B5"],
      by: ["backoff/options-of-a-call"]
    ) { $0.changeCalls { $0.options.connectInitialBackoff = nil } },
    .request(
      "longest-backoff-left-out", "The options of a call cannot set the longest delay.", ["B5"],
      by: ["backoff/longest-delay-of-a-call"]
    ) { $0.changeCalls { $0.options.connectMaxBackoff = nil } },
    .rule(
      "breaks-destroy", "A broken connection destroys its channel.", ["D2", "D4"],
      by: ["background/server-closes", "backoff/broken-connection-keeps-the-instant"]
    ) { $0.brokenConnectionDestroysChannel = true },
    .rule(
      "breaks-keep", "A broken connection leaves its channel in TRANSIENT_FAILURE.",
      ["O6", "D9"], by: ["server/resets"]
    ) { $0.brokenConnectionDestroysChannel = false },
    .rule(
      "names-end-calls", "A failed name resolution ends the calls that wait for it.",
      ["B11"], by: ["names/resolution-fails"]
    ) { $0.nameFailureEndsCalls = true },
    .rule(
      "names-keep-calls", "A failed name resolution ends no call.", [],
      by: ["names/resolution-fails"]
    ) { $0.nameFailureEndsCalls = false },
  ]

  static let ofBackoff: [Mutant] = [
    .machine(
      .keptBackoff, "A success does not reset the delays.", ["D6"],
      by: ["backoff/reset-by-success"], .actions(8, Walk("sockets-monitor"))),
    .machine(
      .endlessBackoff, "The delays grow beyond the longest one.", ["B1"],
      by: ["backoff/delays-stop-growing"], .actions(34, Walk("sockets-monitor"))),
    .machine(
      .earlyTimers, "A timer fires up to 1 ms early if the client is woken for another timer.",
      ["D5c"], by: ["calls/deadlines-half-a-millisecond-apart"]),
    .machine(
      .wrappedBackoff, "A delay beyond half a minute is followed by the first one again.",
      ["B1"], by: ["backoff/two-minutes-at-most"], .actions(25, Walk("sockets-monitor"))),
    .machine(
      .keptLongBackoff, "A success does not reset delays of more than 5 s.",
      ["D6"], by: ["backoff/reset-after-a-long-delay"], .actions(17, Walk("sockets-monitor"))),
    .machine(
      .keptAtLongest, "A channel continues after a change if its delay is the longest one.", ["O4"],
      by: ["transitions/in-the-longest-backoff"], .actions(33, Walk("sockets-monitor"))),
    .machine(
      .thirdDraining, "If three connections drain, one is not closed with their channel.",
      ["O4"], by: ["transitions/drains-and-connects"],
      .actions(12, Walk("sockets-2017", calls: 3, isPlain: true))),
    .contract(
      "first-delay-2s", "The first delay is 2 s.", ["B1", "B3"], by: ["backoff/delays-grow"],
      .actions(1, Walk("sockets-monitor"))
    ) { $0.backoff.initial = .seconds(2) },
    .contract(
      "no-delay", "The next attempt starts immediately.", ["D4", "D5a"],
      by: ["backoff/waits-and-runs"], .actions(1, Walk("sockets-monitor"))
    ) { $0.backoff.initial = .zero },
    .contract(
      "delays-x2", "Each delay is twice the one before.", ["B1", "B3"], by: ["backoff/delays-grow"],
      .actions(4, Walk("sockets-monitor"))
    ) { $0.backoff.multiplier = Ratio(2, outOf: 1) },
    .contract(
      "delays-x1.5", "Each delay is 1.5 times the one before.", ["B3"],
      by: ["backoff/delays-grow"], .actions(4, Walk("sockets-monitor"))
    ) { $0.backoff.multiplier = Ratio(3, outOf: 2) },
    .contract(
      "delays-alike", "The delays do not grow.", ["B3"], by: ["backoff/delays-grow"],
      .actions(4, Walk("sockets-monitor"))
    ) { $0.backoff.multiplier = Ratio(1, outOf: 1) },
    .contract(
      "jitter-x2", "The delays vary by two fifths.", ["B1"], by: ["backoff/jitter"],
      .actions(4, Walk("sockets-monitor"))
    ) { $0.backoff.jitter = Ratio(2, outOf: 5) },
    .contract(
      "attempts-10s", "An attempt lasts at least 10 s.", ["B1", "S5"],
      by: ["cfstream/connect-times-out-once"]
    ) { $0.backoff.minimumConnectTimeout = .seconds(10) },
    .contract(
      "attempts-30s", "An attempt lasts at least 30 s.", ["B1", "S5"],
      by: ["cfstream/connect-times-out-once"]
    ) { $0.backoff.minimumConnectTimeout = .seconds(30) },
    // The maximum delay. Larger values need more failures before a bug shows, so the last bugs need
    // long sequences of actions.
    .contract(
      "longest-2s", "The delays grow to 2 s.", ["B3"], by: ["backoff/delays-grow"],
      .actions(7, Walk("sockets-monitor"))
    ) { $0.backoff.maximum = .seconds(2) },
    .contract(
      "longest-4s", "The delays grow to 4 s.", ["B3"], by: ["backoff/delays-grow"],
      .actions(10, Walk("sockets-monitor"))
    ) { $0.backoff.maximum = .seconds(4) },
    .contract(
      "longest-8s", "The delays grow to 8 s.", ["B3"], by: ["backoff/delays-grow"],
      .actions(16, Walk("sockets-monitor"))
    ) { $0.backoff.maximum = .seconds(8) },
    .contract(
      "longest-20s", "The delays grow to 20 s.", ["B1"],
      by: ["backoff/attempt-as-long-as-the-delay"],
      .actions(22, Walk("sockets-monitor"))
    ) { $0.backoff.maximum = .seconds(20) },
    .contract(
      "longest-60s", "The delays grow to 60 s.", ["B1"], by: ["backoff/delays-stop-growing"],
      .actions(28, Walk("sockets-monitor"))
    ) { $0.backoff.maximum = .seconds(60) },
    .contract(
      "longest-100s", "The delays grow to 100 s.", ["B1"], by: ["backoff/delays-stop-growing"],
      .actions(31, Walk("sockets-monitor"))
    ) { $0.backoff.maximum = .seconds(100) },
    .contract(
      "longest-119s", "The delays grow to 119 s.", ["B1"], by: ["backoff/delays-stop-growing"],
      .actions(34, Walk("sockets-monitor"))
    ) { $0.backoff.maximum = .seconds(119) },
    .contract(
      "longest-180s", "The delays grow to 180 s.", ["B1"], by: ["backoff/delays-stop-growing"],
      .actions(34, Walk("sockets-monitor"))
    ) { $0.backoff.maximum = .seconds(180) },
  ]
}
