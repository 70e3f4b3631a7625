import HandoverCore

// Bugs in a monitor: how it reads flags, and how it reports them.
extension Mutant {
  static let ofCategories: [Mutant] = [
    // The table of categories, row by row.
    .client(
      "row-000-wifi", "Flags without Reachable are WiFi.", ["M1"],
      .reads(row: 0b000, as: .wifi), by: ["pairs/background/000-to-001"],
      .actions(1, Walk("sockets-monitor"))),
    .client(
      "row-001-cellular", "Flags without Reachable are Cellular if IsWWAN is set.", ["M1"],
      .reads(row: 0b001, as: .cellular), by: ["pairs/background/000-to-001"]),
    .client(
      "row-010-wifi", "ConnectionRequired without Reachable is WiFi.", ["M1"],
      .reads(row: 0b010, as: .wifi), by: ["pairs/background/000-to-010"]),
    .client(
      "row-011-cellular", "ConnectionRequired without Reachable is Cellular if IsWWAN is set.",
      ["M1"], .reads(row: 0b011, as: .cellular), by: ["pairs/background/000-to-011"]),
    .client(
      "row-100-cellular", "Reachable alone is Cellular.", ["M1"],
      .reads(row: 0b100, as: .cellular), by: ["monitor/table-101-cellular"]),
    .client(
      "row-100-none", "Reachable alone is None.", ["M1"], .reads(row: 0b100, as: .noNetwork),
      by: ["monitor/table-100-wifi"]),
    .client(
      "row-101-wifi", "Reachable with IsWWAN is WiFi.", ["M1", "T1"],
      .reads(row: 0b101, as: .wifi),
      by: ["monitor/table-101-cellular", "transitions/every-change-between-three"],
      .actions(1, Walk("sockets-monitor"))),
    .client(
      "row-101-none", "Reachable with IsWWAN is None.", ["M1"],
      .reads(row: 0b101, as: .noNetwork), by: ["monitor/table-101-cellular"]),
    .client(
      "row-110-wifi", "ConnectionRequired does not keep Reachable from being WiFi.", ["M1"],
      .reads(row: 0b110, as: .wifi), by: ["pairs/background/000-to-110"]),
    .client(
      "row-111-cellular", "ConnectionRequired does not keep IsWWAN from being Cellular.", ["M1"],
      .reads(row: 0b111, as: .cellular), by: ["pairs/background/000-to-111"]),
    // Flags that must not affect the category.
    .client(
      "heeds-transient", "A transient connection does not count as a network.",
      ["M4", "F4", "N27"],
      .heeds(.transientConnection),
      by: [
        "monitor/other-flags-are-ignored", "bugs/f04-vpn-comes-and-goes", "bugs/n27-vpn-off-and-on",
      ]),
    .client(
      "heeds-on-traffic", "A connection that is made on traffic does not count as a network.",
      ["M4"],
      .heeds(.connectionOnTraffic), by: ["monitor/other-flags-are-ignored"]),
    .client(
      "heeds-on-demand", "A connection that is made on demand does not count as a network.", ["M4"],
      .heeds(.connectionOnDemand), by: ["monitor/other-flags-are-ignored"]),
    .client(
      "heeds-intervention",
      "A connection that needs the user's intervention does not count as a network.", ["M4"],
      .heeds(.interventionRequired), by: ["monitor/other-flags-are-ignored"]),
    .client(
      "heeds-local", "A local address does not count as a network.", ["M4"],
      .heeds(.isLocalAddress),
      by: ["monitor/other-flags-are-ignored"]),
    .client(
      "heeds-direct", "A destination on the local network does not count as a network.", ["M4"],
      .heeds(.isDirect), by: ["monitor/other-flags-are-ignored"]),
    // The first read.
    .client(
      "told-first-read", "The first read is reported as a change.", ["M7"], .reportsFirstRead,
      by: ["monitor/initial-read-is-silent"]),
    .client(
      "forgotten-first-read", "The first read is forgotten, and the category stays Unknown.",
      ["M9"], .forgetsFirstRead,
      by: ["pairs/background/000-to-000", "background/round-trip-is-not-seen"]),
    .client(
      "guessed-wifi", "A first read that fails is treated as WiFi.", ["M8", "M3"], .guesses(.wifi),
      by: ["monitor/unknown-start-to-wifi"]),
    .client(
      "guessed-none", "A first read that fails is treated as None.", ["M8"],
      .guesses(.noNetwork), by: ["monitor/unknown-start-to-none"]),
    .client(
      "guessed-cellular", "A first read that fails is treated as Cellular.", ["M8"],
      .guesses(.cellular), by: ["monitor/unknown-start-to-cellular"]),
    // The notifications.
    .client(
      "deaf", "The client receives no callbacks.", ["T6", "O2", "N2", "N10"],
      .deaf(.callback),
      by: [
        "transitions/every-host-is-hit", "bugs/n02-dead-connection-is-used-again",
        "bugs/n10-unblocked-in-front-and-told",
      ],
      .actions(1, Walk("sockets-monitor"))),
    .client(
      "deaf-to-losses", "The client is not notified that the network is gone.",
      ["M12", "F13", "F5", "N8"],
      .deaf(.lossCallback),
      by: [
        "transitions/wifi-none-wifi", "bugs/f13-listener-and-flags-disagree",
        "bugs/n08-loss-is-told-after-the-successor",
      ],
      .actions(1, Walk("sockets-monitor"))),
    .client(
      "deaf-to-rereads", "After an overrun the flags are not read again.", ["F18"],
      .deaf(.reread), by: ["bugs/f18-monitor-overrun"], .actions(1, Walk("sockets-monitor"))),
    .client(
      "passes-through-none", "Each callback of a network is treated as a network that came back.",
      ["M9", "F1", "F3", "F4", "N15", "N38"], .passesThroughNone,
      by: [
        "bugs/f03-same-network-again", "bugs/f01-callbacks-without-a-change",
        "monitor/callback-twice", "bugs/f04-vpn-comes-and-goes",
        "bugs/n38-callbacks-of-every-network",
      ]),
    .client(
      "untold-change", "Channels are destroyed at a change, and observers are not notified.",
      ["M8"], .silent(.notify),
      by: ["order/callback-before-the-next-call", "monitor/unknown-start-to-cellular"],
      .actions(1, Walk("sockets-monitor"))),
    .client(
      "told-twice", "Observers are notified of each change twice.", ["M9"], .repeats(.notify),
      by: ["monitor/callback-twice"]),
    .machine(
      .ignoredRecovery, "None to WiFi does not count as a change.", ["M11", "C8", "F5"],
      by: ["transitions/wifi-none-wifi", "calls/waiting-call-and-recovery"],
      .actions(1, Walk("sockets-monitor"))),
    .request(
      "restarted-monitor", "Callbacks are delivered immediately in the background.", ["M6"],
      by: ["background/answer-before-overdue-deadline"]
    ) { $0.runInBackground() },
    .request(
      "deaf-in-background", "An application that runs in the background receives no callbacks.",
      ["M23"], by: ["background/transition-while-it-runs"]
    ) { $0.missInBackground() },
    .request(
      "late-callbacks", "Callbacks arrive one second late.", ["T8", "O9"],
      by: ["transitions/cellular-to-wifi-unfinished-stream"]
    ) { $0.configuration.monitorLatency = $0.configuration.monitorLatency + .seconds(1) },
    .request(
      "hears-every-network", "The callbacks of every network are delivered.", ["N22"],
      by: ["bugs/n22-address-of-another-interface-is-not-heard"]
    ) { $0.configuration.monitorWatch = .anyNetwork },
    .request(
      "heard-all-callbacks", "No callback is lost.", ["M13"], by: ["monitor/deaf"]
    ) { $0.keepEntries { if case .monitor(.miss, _, _) = $0 { false } else { true } } },
    .rule(
      "no-monitor", "The client has no monitor.",
      ["G1", "T5", "D9", "O9", "T8", "G5", "F11", "N28"],
      by: [
        "transitions/cellular-to-wifi-unfinished-stream", "names/look-up-ends-without-a-network",
        "bugs/f11-pooled-connection-is-dead", "cfstream/with-a-monitor-both-hear",
        "bugs/n28-unary-call-outlives-its-network",
      ]
    ) { $0.monitorsReachability = false },
    .rule(
      "always-monitor", "The client has a monitor although its profile has none.",
      ["G2", "G6", "S10", "O10", "F6", "N9"],
      by: [
        "bugs/n09-fails-at-the-instant-of-recovery",
        "cfstream/no-monitor", "bugs/f06-flapping-cuts-the-backoff-short", "cfstream/wifi-appears",
        "monitor/none-to-cellular",
      ]
    ) { $0.monitorsReachability = true },
  ]
}
