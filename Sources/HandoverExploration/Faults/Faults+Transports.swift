import HandoverCore

// Bugs in transports and in the network below them.
extension Mutant {
  static let ofTransports: [Mutant] = [
    .transport(
      "wifi-breaks-cellular", "A socket breaks when WiFi replaces cellular.",
      ["D8a", "T4", "F8", "N25"],
      by: ["transitions/cellular-to-wifi-unfinished-stream", "bugs/f08-writes-go-nowhere"]
    ) { $0.losing(cellularToWiFi: .breaks) },
    .transport(
      "wifi-stalls-cellular", "A stream stalls when WiFi replaces cellular.",
      ["D3c", "D10", "O10", "T12", "N11"],
      by: ["cfstream/wifi-appears", "bugs/n11-old-network-lingers"]
    ) { $0.losing(cellularToWiFi: .stalls) },
    .transport(
      "losses-stall", "A connection stalls when its network is lost.",
      ["D3a", "D3b", "D2", "D10", "T14"],
      by: [
        "cfstream/lost-and-restored", "transitions/hotspot-change",
        "transitions/wifi-to-cellular-while-connecting",
      ]
    ) { $0.losing(otherChanges: .stalls) },
    .transport(
      "losses-break", "A connection breaks when its network is lost.", ["N13", "N37"],
      by: [
        "monitor/on-linux-another-hotspot", "bugs/n13-walk-between-hotspots",
        "bugs/n37-call-outlives-a-gap",
      ]
    ) { $0.losing(otherChanges: .breaks) },
    .transport(
      "endless-validation", "The validation of a path without an answer never ends.", ["N19"],
      by: ["bugs/n19-there-and-back-while-nobody-answers"]
    ) { $0.migrating(abandonsValidation: false) },
    .transport(
      "never-rebinds", "A connection of QUIC keeps the socket that it was made with.", ["N20"],
      by: ["quic/wifi-to-cellular", "bugs/n20-socket-keeps-the-old-address"]
    ) { $0.migrating(followsDevice: false) },
    .transport(
      "undeclared-migration", "The socket migrates without a challenge of the path.", ["N21"],
      by: ["bugs/n21-swapped-socket-without-a-migration", "quic/network-lingers"]
    ) { $0.migrating(validatesPaths: false) },
    .transport(
      "background-breaks", "A connection that is lost in the background breaks.",
      ["D8b", "T9", "F12", "F14"],
      by: [
        "background/hotspot-change", "bugs/f12-listener-hears-nothing",
        "bugs/f14-airplane-mode-in-the-background",
      ]
    ) { $0.losing(inBackground: .breaks) },
    .transport(
      "background-stalls", "A connection that is lost in the background stalls.",
      ["T10", "O11", "D10"],
      by: ["background/hotspot-change"]
    ) { $0.losing(inBackground: .stalls) },
    .transport(
      "outlives", "A connection continues while its interface stays up.",
      ["D3c"], by: ["cfstream/better-interface-and-the-old-stays-up"]
    ) { $0.losing(outlivesItsPath: true) },
    .transport(
      "does-not-outlive", "A connection ends although its interface stays up.",
      ["N12", "N26"],
      by: [
        "monitor/callback-takes-time", "bugs/n12-stream-stays-on-the-network-that-dies",
        "bugs/n26-other-hotspot-with-the-same-flags",
      ]
    ) { $0.losing(outlivesItsPath: false) },
    .request(
      "always-foreground", "The application is always in the foreground.",
      ["D8b", "F7", "M6", "N6"],
      by: [
        "background/held-callback", "bugs/f07-wifi-to-cellular-in-the-background",
        "bugs/n06-wifi-comes-in-the-background",
      ]
    ) { $0.removeBackground() },
    .request(
      "tcp-timeout-1min", "TCP gives up after a minute.", ["F9", "D8a"],
      by: ["bugs/f09-half-open-for-a-quarter-of-an-hour", "stalls/quarter-of-an-hour"]
    ) { $0.configuration.tcpTimeout = .minutes(1) },
    .request(
      "tcp-timeout-20min", "TCP gives up after 20 min.", ["F9"],
      by: ["bugs/f09-half-open-for-a-quarter-of-an-hour"]
    ) { $0.configuration.tcpTimeout = .minutes(20) },
    .request(
      "event-engine", "The newer generation of CFStream is used.", ["S2", "S3"],
      by: ["cfstream/an-error-ends-every-call", "stalls/half-closed"]
    ) { $0.configuration.cfstream = .eventEngine },
    .request(
      "iomgr", "The older generation of CFStream is used.", ["S7", "S6"],
      by: ["cfstream/event-engine-tcp-times-out"]
    ) { $0.configuration.cfstream = .iomgr },
    .request(
      "no-stalls", "No connection stalls without a network change.", ["F9"],
      by: [
        "connection-limits/faults/reset-behind-a-stall",
        "bugs/f09-half-open-for-a-quarter-of-an-hour",
      ]
    ) { script in
      script.keepEntries { action in
        switch action {
        case .transport(_, .stall), .transport(_, .stallAcked): false
        default: true
        }
      }
    },
    .request(
      "stalls-break", "A connection that stalls breaks.", ["S9"],
      by: ["cfstream/read-stream-stalls"]
    ) { script in
      script.changeEntries { action in
        if case .transport(let host, .stall) = action { .transport(host, .reset) } else { action }
      }
    },
    .request(
      "no-half-close", "The end of a stream is not reported.", ["S1", "S3"],
      by: ["stalls/half-closed", "cfstream/every-event-is-heard"]
    ) { script in
      script.keepEntries { action in
        switch action {
        case .transport(_, .halfClose), .transport(_, .fin), .server(_, .close): false
        default: true
        }
      }
    },
    .request(
      "no-resets-heard", "Resets do not arrive.", ["O6", "O7", "D2"], by: ["server/resets"]
    ) { script in
      script.keepEntries { action in
        switch action {
        case .transport(_, .reset), .server(_, .reset): false
        default: true
        }
      }
    },
    .request(
      "settings-not-awaited",
      "A connection counts as established before the server's settings arrive.",
      ["B4"], by: ["backoff/settings-come-late"]
    ) { script in
      script.changeHosts { if $0.server == .silent { $0.server = .accept } }
      script.keepEntries { if case .server(_, .silent) = $0 { false } else { true } }
    },
    .request(
      "names-always", "Names always resolve.", ["B11", "F16", "B12"],
      by: [
        "names/resolution-fails", "names/look-up-outlives-a-hotspot",
        "bugs/f16-unresolved-name-ends-no-call",
      ]
    ) { script in
      script.changeHosts { $0.names = .resolve }
      script.keepEntries { action in
        switch action {
        case .names(_, .fail), .names(_, .hang): false
        default: true
        }
      }
    },
    .request(
      "names-hang", "A name that does not resolve gets no answer.", ["F16", "B11"],
      by: ["names/resolution-fails-at-first", "bugs/f16-unresolved-name-ends-no-call"]
    ) { script in
      script.changeHosts { if $0.names == .fail { $0.names = .hang } }
      script.changeEntries { action in
        if case .names(let host, .fail) = action { .names(host, .hang) } else { action }
      }
    },
    .request(
      "path-loss-ends-look-ups", "A lookup is lost with the path.", ["B12"],
      by: ["names/look-up-outlives-a-hotspot"]
    ) { script in
      // A pending lookup fails, as it would if the network were lost.
      script.changeEntries { action in
        if case .names(let host, .resolve) = action { .names(host, .fail) } else { action }
      }
    },
    .request(
      "same-path", "Another network of the same kind is the same network.",
      ["D3b", "F2"], by: ["transitions/radio-change", "bugs/f02-other-hotspot-same-category"]
    ) { script in
      script.changeEntries { action in
        switch action {
        case .path(let path) where path.index > 1: Script.nothing
        case .flags(let flags, let path?, let up, let down) where path.index > 1:
          .flags(flags, path: nil, linksUp: up, linksDown: down)
        default: action
        }
      }
    },
    .request(
      "no-linger", "No interface stays up after the device has left it.", ["O1"],
      by: ["transitions/link-left-goes-down-later"]
    ) { script in
      script.changeEntries { action in
        guard case .flags(let flags, let path, _, let down) = action else { return action }
        return .flags(flags, path: path, linksUp: [], linksDown: down)
      }
    },
    .request(
      "stays-cellular", "The device stays on cellular when WiFi appears.", ["D3c"],
      by: ["cfstream/wifi-appears"]
    ) { script in
      script.changeEntries { action in
        guard case .flags(let flags, nil, let up, let down) = action, flags == [.reachable]
        else { return action }
        return .flags(flags, path: Script.cellularPath, linksUp: up, linksDown: down)
      }
    },
    .request(
      "slow-connections", "Connections take a second longer to be made.", ["D1", "O5"],
      by: ["pool/connects-lazily", "transitions/wifi-to-cellular"]
    ) { $0.changeHosts { $0.connect = $0.connect + .seconds(1) } },
    .request(
      "slow-answers", "Answers take a second longer.", [], by: ["pool/disconnect-without-channel"]
    ) { $0.changeCalls { call in if let takes = call.takes { call.takes = takes + .seconds(1) } } },
    .request(
      "always-refused", "Servers refuse connections.", ["P18", "F15", "N30"],
      by: ["pool/disconnect-all", "bugs/f15-fails-until-the-restart"]
    ) { $0.changeHosts { $0.server = .refuse } },
    .request(
      "never-refused", "Servers never refuse connections.", ["D5b"], by: ["backoff/waits-and-fails"]
    ) { script in
      script.changeHosts { if $0.server == .refuse { $0.server = .accept } }
      script.keepEntries { if case .server(_, .refuse) = $0 { false } else { true } }
    },
    .request(
      "no-goaway", "Servers never drain a connection.", ["B8"], by: ["server/goes-away"]
    ) { $0.keepEntries { if case .server(_, .goaway) = $0 { false } else { true } } },
    .request(
      "no-duplicates", "No callback is repeated.", [], by: ["bugs/f01-callbacks-without-a-change"]
    ) { $0.keepEntries { if case .monitor(.duplicate, _, _) = $0 { false } else { true } } },
    .report(
      "unread-requests", "Requests that servers read are not reported.", [],
      by: ["server/reads-again"],
      .world { fact in if case .serverReadRequest = fact { [] } else { [fact] } }),
    .report(
      "unread-messages", "Messages that servers read are not reported.", ["S4"],
      by: ["cfstream/partial-write"],
      .world { fact in if case .serverReadMessages = fact { [] } else { [fact] } }),
    .report(
      "read-twice", "Requests that servers read are reported twice.", [],
      by: ["server/reads-again"],
      .world { fact in if case .serverReadRequest = fact { [fact, fact] } else { [fact] } }),
  ]
}
