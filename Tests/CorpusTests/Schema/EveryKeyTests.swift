import Foundation
import HandoverCore
import HandoverScenario
import Testing

@testable import HandoverExploration

@Suite("A scenario with every key of the format")
struct EveryKeyTests {
  static let text = """
    {
      "$schema": "s", "comment": 1, "format": 1, "id": "every/key", "title": "t", "x-1": null,
      "source": [{ "document": "d", "item": "i" }],
      "profiles": ["sockets-monitor", "sockets-2017"],
      "initial": { "flags": ["Reachable"], "app": "foreground", "path": "p", "monitor": "unreadable" },
      "hosts": { "a:1": { "connect": "1ms", "server": "accept", "names": "resolve" } },
      "config": {
        "backoff": {
          "initial": "1s", "multiplier": 1.6, "jitter": 0.2, "max": "2min", "minConnectTimeout": "3s"
        },
        "idle": "1s", "keepalive": { "time": "1s", "timeout": "2s", "withoutCalls": true, "overduePing": "wait-again" },
        "clock": "monotonic",
        "tcpTimeout": "1min", "sendBuffer": 9, "cfstream": "iomgr", "monitor": { "latency": "0s" },
        "order": ["deadlines", "entries", "callbacks", "transport", "calls", "pool"], "seed": 7,
        "until": "1h",
        "interceptors": [
          { "kind": "gate", "name": "g", "queues": "shared", "global": true },
          { "kind": "forward", "queues": "concurrent" },
          {
            "kind": "rewrite", "host": "a:1", "path": "/p", "safety": "idempotent",
            "metadata": { "k": "v" }, "prefix": "<", "answerPrefix": ">", "trailers": { "t": "" },
            "deadline": "1s", "failFast": true, "options": { REWRITTEN },
            "interceptors": ["g"]
          },
          { "kind": "token", "token": null, "takes": "1s", "expires": "1s" },
          { "kind": "cache", "keep": "1s" },
          { "kind": "mock", "path": "/p", "takes": "1s", "messages": ["m"], "status": "OK" },
          { "kind": "retry", "calls": "any", "attempts": 2, "backoff": { "initial": "1s" } }
        ],
        "chain": { "creation": "eager", "cancel": "close", "turns": "drawn" }
      },
      "timeline": [
        {
          "at": "0s",
          "call": {
            "id": "c", "host": "a:1", "kind": "bidi", "takes": "1s", "every": "1s",
            "deadline": "20s", "failFast": false, "starts": true, "path": "/p", "safety": "cacheable",
            "metadata": { "k": "v" }, "marshaller": "reversed", "legacy": false,
            "options": { OPTIONS }
          }
        },
        { "at": "0s", "call": { "id": "d", "host": "a:1" } },
        { "at": "0s", "call": { "id": "e", "host": "a:1", "starts": false } },
        { "at": "0s", "start": "e" },
        {
          "at": "+1s", "path": "q", "links": { "wifi": "up", "cellular": "down" },
          "flags": { FLAGS }
        },
        { "at": "1s", "flags": "-R -------" }, { "at": "1s", "flags": 2 }, { "at": "1s", "path": "q" },
        { "at": "2s", "send": { "call": "c", "bytes": 1 } }, { "at": "2s", "finish": "c" },
        { "at": "2s", "cancel": "c" }, { "at": "2s", "disconnect": "*" },
        { "at": "3s", "server": { "host": "a:1", "do": "silent" } },
        { "at": "3s", "names": { "host": "a:1", "do": "fail" } },
        { "at": "3s", "transport": { "host": "*", "become": "stall" } },
        { "at": "3s", "monitor": { "do": "delay", "by": "1s" } },
        { "at": "3s", "monitor": { "do": "miss" } },
        { "at": "3s", "receive": { "call": "c", "messages": 1 } },
        { "at": "3s", "interceptor": { "name": "g", "call": "c", "do": "close", "status": "OK" } },
        { "at": "3s", "interceptor": { "name": "g", "call": "c", "do": "hold" } },
        { "at": "4s", "app": "background-running" }, { "at": "4s", "disconnect": "*" },
        { "at": "4s", "app": "background" }
      ],
      "expect": [
        {
          "call": "c", "status": "OK", "message": "m", "channel": "new", "at": "1s",
          "profiles": ["sockets-monitor"], "level": "should", "shows": ["i"]
        },
        { "call": "c", "within": ["1s", "2s"] }, { "call": "c", "before": "2s" },
        { "call": "c", "after": "2s" }, { "call": "c", "message": "" },
        {
          "call": "c", "anyOf": [
            { "status": "OK", "message": "m", "channel": "new", "at": "1s", "comment": 1 },
            { "within": ["1s", "2s"] }, { "before": "2s" }, { "after": "2s", "x-1": 1 }
          ]
        },
        { "channels": { "host": "*", "alive": 1, "destroyed": 2, "state": "IDLE" }, "at": "1s" },
        { "connections": { "host": "*", "attempts": 1, "open": 2, "path": "q" } },
        { "server": { "host": "*", "received": 1, "twice": 0, "path": "q", "since": "1s" } },
        { "kernel": { "retransmitted": 1, "resets": 2, "sockets": 3, "comment": 1 } },
        { "monitor": { "notifications": 1 } },
        {
          "interceptor": {
            "name": "g", "call": "c", "made": true, "sees": ["start"], "breaks": ["closed-twice"]
          }
        },
        {
          "chain": {
            "call": "c", "attempts": 1, "links": ["g"], "host": "a:1", "path": "/p",
            "metadata": { "k": "v" }, "sent": ["m"], "heard": ["m"], "trailers": { "t": "v" },
            "breaks": ["finished-twice"]
          },
          "at": "1s"
        },
        { "never": { "interceptor": { "name": "g", "made": true } } },
        { "never": { "chain": { "call": "c", "attempts": 2 } } },
        { "never": { "call": "c", "status": "OK", "message": "m", "channel": "same" } },
        { "never": { "channels": { "host": "*", "alive": 1 } } },
        { "never": { "connections": { "host": "*", "open": 1 } }, "level": "must" },
        { "never": { "server": { "host": "*", "received": 1 } } },
        { "never": { "monitor": { "notifications": 1 } } }
      ]
    }
    """
    .replacing("OPTIONS", with: (rewritten + ["\"token\": \"1s\""]).joined(separator: ", "))
    .replacing("REWRITTEN", with: rewritten.joined(separator: ", "))
    .replacing(
      "FLAGS",
      with: ReachabilityFlags.names.map { "\"\($0.name)\": 1" }.joined(separator: ", "))

  /// The keys for profiles with requests.
  static let requests = """
    {
      "format": 1, "id": "every/key-of-requests", "profiles": ["url-dispatcher", "url-loading"],
      "initial": { "flags": ["Reachable"] },
      "hosts": { "a:1": { "streams": 2 } },
      "config": {
        "requests": {
          "preset": "ios-6", "total": 6, "long": 3, "platform": 4, "policy": "poll", "poll": "1s",
          "chargesWaiting": true, "keepAlive": "2s", "threads": { "idle": "0s", "collect": "1s" }
        }
      },
      "timeline": [
        {
          "at": "0s",
          "request": {
            "id": "r", "host": "a:1", "kind": "long", "responds": "1s", "takes": "2s",
            "every": "1s", "timeout": "3s", "deadline": "4s", "policy": "poll", "poll": "1s",
            "body": "one-shot",
            "pool": "p"
          }
        },
        { "at": "0s", "request": { "id": "s", "host": "a:1", "kind": "short" } },
        { "at": "0s", "request": { "id": "t", "host": "a:1", "kind": "websocket" } },
        { "at": "0s", "request": { "id": "u", "host": "a:1", "kind": "synchronous" } },
        { "at": "0s", "request": { "id": "v", "host": "a:1", "kind": "long", "policy": "fail" } },
        {
          "at": "0s",
          "ask": {
            "id": "q", "host": "a:1", "kind": "long", "policy": "poll", "poll": "1s", "pool": "p"
          }
        },
        { "at": "0s", "ask": { "id": "r", "host": "a:1", "policy": "ignore" } },
        { "at": "1s", "cancel": "r" },
        { "at": "1s", "dispatcher": { "do": "limit", "long": 1, "pool": "p" } },
        { "at": "1s", "dispatcher": { "do": "close" } },
        { "at": "2s", "server": { "host": "a:1", "do": "silent" } }
      ],
      "expect": [
        {
          "request": "r", "outcome": "finished", "code": -1001, "admission": "waits",
          "position": 1, "begins": "1s", "polls": 0, "at": "1s", "profiles": ["url-dispatcher"]
        },
        { "request": "r", "within": ["1s", "2s"] }, { "request": "r", "before": "2s" },
        { "request": "r", "after": "2s" }, { "request": "s", "begins": "0s" },
        {
          "ask": "q", "answer": "polls", "position": 1, "holders": ["r", "s"],
          "profiles": ["url-dispatcher"]
        },
        {
          "requests": {
            "host": "*", "running": 1, "waiting": 2, "frozen": 3, "ended": 4, "open": 5,
            "opened": 6, "most": 7, "limitReached": 8
          },
          "at": "1s", "level": "should"
        },
        { "requests": { "host": "a:1", "open": 0 } },
        { "request": "s", "thread": 1, "profiles": ["url-dispatcher"] },
        {
          "requests": {
            "host": "a:1", "threads": 1, "idleThreads": 2, "threadsMade": 3, "mostThreads": 4
          },
          "profiles": ["url-dispatcher"]
        },
        { "never": { "request": "s" } },
        { "never": { "request": "s", "outcome": "lost", "code": -1005, "polls": 1 } },
        {
          "never": { "request": "s", "admission": "waits", "begins": "1s", "thread": 2 },
          "profiles": ["url-dispatcher"]
        },
        {
          "never": { "ask": "r", "answer": "waits", "position": 1, "holders": ["s"] },
          "profiles": ["url-dispatcher"]
        },
        { "never": { "requests": { "host": "*", "frozen": 1 } } }
      ]
    }
    """

  /// The keys for networks.
  static let networks = """
    {
      "format": 1, "id": "every/key-of-networks",
      "profiles": ["sockets-monitor", "cfstream", "quic"],
      "initial": { "app": "foreground", "monitor": "unreadable" },
      "networks": {
        "home": {
          "kind": "wifi", "state": "default", "flags": ["Reachable"], "addresses": "ipv6",
          "nat64": true, "names": { "a:1": ["192.0.2.7"], "b:1": "hang" },
          "lookup": { "ipv4": "20ms", "ipv6": "2s" }
        },
        "lte": { "kind": "cellular", "state": "up" }, "wire": { "kind": "ethernet" },
        "office": { "kind": "vpn", "state": "down", "reaches": ["a:1"], "allTraffic": true }
      },
      "hosts": {
        "a:1": {
          "addresses": ["192.0.2.7", { "ip": "2001:db8::7", "connect": "2ms", "answer": "refuse" }]
        },
        "b:1": {}
      },
      "config": {
        "monitor": { "latency": "1s", "watch": "any" }, "happyEyeballs": "250ms",
        "quic": {
          "migration": "refused", "idleTimeout": "30s", "connectionIds": 1, "maxMigrations": 5
        }
      },
      "timeline": [
        { "at": "1s", "network": { "id": "office", "become": "up" }, "flags": ["Reachable"] },
        { "at": "1s", "network": { "id": "lte", "become": "default" }, "flags": 2 },
        {
          "at": "1s",
          "network": { "id": "home", "become": "losing", "linger": "30s", "then": "silent" }
        },
        { "at": "1s", "network": { "id": "lte", "become": "captive" } },
        { "at": "2s", "network": { "id": "lte", "become": "validated" } },
        { "at": "3s", "names": { "host": "a:1", "addresses": ["2001:db8::7", "192.0.2.7"] } },
        { "at": "3s", "server": { "host": "a:1", "unreachable": "192.0.2.7" } },
        { "at": "3s", "server": { "host": "a:1", "reachable": "192.0.2.7" } },
        { "at": "3s", "monitor": { "do": "delay", "by": "1s", "network": "lte" } },
        { "at": "3s", "monitor": { "do": "miss", "network": "lte" } },
        { "at": "4s", "network": { "id": "lte", "become": "down", "then": "reset" } },
        { "at": "5s", "flags": [] },
        { "at": "5s", "network": { "id": "home", "nat": "forget", "unknown": "reset", "every": "9s" } },
        { "at": "5s", "network": { "id": "home", "roam": "new-router", "unknown": "drop" } },
        { "at": "5s", "network": { "id": "home", "roam": "new-address" } },
        { "at": "5s", "network": { "id": "home", "uplink": "down", "for": "1s", "every": "2s" } },
        { "at": "5s", "network": { "id": "home", "uplink": "up" } },
        { "at": "5s", "network": { "id": "home", "loss": "answers" } },
        {
          "at": "5s",
          "network": {
            "id": "home",
            "quality": {
              "delay": "40ms", "rate": "2.5Mbit", "loss": "1.5%", "burst": 3, "reorder": "1%",
              "reorderBy": "5ms", "mtu": 1400, "mtuSignal": "none", "trace": "train.trace",
              "direction": "down"
            }
          }
        },
        { "at": "6s", "device": "sleep" }, { "at": "7s", "device": "wake", "address": "new" },
        { "at": "8s", "device": "airplane" }, { "at": "9s", "device": "airplane-off" }
      ],
      "expect": [
        { "connections": { "host": "a:1", "attempts": 0 } },
        { "server": { "host": "a:1", "accepted": 1, "address": "192.0.2.7" } }
      ]
    }
    """

  private static let timeOptions = [
    "connectMinTimeout", "connectInitialBackoff", "connectMaxBackoff", "keepaliveInterval",
    "keepaliveTimeout",
  ]

  private static let rewritten = timeOptions.map { "\"\($0)\": \"1s\"" } + otherOptions

  private static let otherOptions =
    (ChannelOptions.otherNames
    + ["serverAuthority", "initialMetadata", "userAgentSuffix"])
    .map { "\"\($0)\": 1" } + ["\"flowControl\": true"]

  @Test("Contains every key that the format declares")
  func everyKey() {
    let missing = ScenarioFormat.keysMissing(from: [Self.text, Self.requests, Self.networks])
    #expect(missing == [])
  }

  @Test(
    "The scenario is valid, and the schema and the reader agree on every mistake in it",
    arguments: ["calls", "requests", "networks"])
  func everySlip(about subject: String) throws {
    let text = [
      "calls": Self.text, "requests": Self.requests, "networks": Self.networks,
    ][subject]  // lookup only
    let original = JSONTree(literal: try #require(text))
    let texts = [original.line] + Self.slips(of: original).map(\.line)
    let judge = try Judge(
      texts.enumerated().map { .init(name: "\($0.offset)", text: $0.element) })
    #expect(judge.answers.first?.verdict == .accepted)
    #expect(texts.count > 800)
    for (text, answer) in zip(texts, judge.answers) {
      let reading = ScenarioReader.read(file: "f.json", bytes: Array(text.utf8))
      let codes = reading.diagnostics.map(\.code).filter { $0.severity == .error }
      if answer.name == "0" { #expect(codes == []) }
      guard let disagreement = EditedScenarioTests.disagreement(answer, codes) else { continue }
      Issue.record("slip \(answer.name): \(disagreement)\n\(text)")
    }
  }

  /// Returns copies with every value removed, misspelled, replaced by others, and given an unknown
  /// member.
  private static func slips(of root: JSONTree) -> [JSONTree] {
    ([[]] + root.paths).flatMap { path -> [JSONTree] in
      others(than: root[path[...]]).map { other in
        var copy = root
        copy[path[...]] = other
        return copy
      }
    }
  }

  /// Members that are valid in few places only.
  private static let strays: [JSONTree.Member] = [
    .init("q", .null), .init("status", .text("OK")),
    .init("message", .text("m")), .init("channel", .text("new")),
    .init("every", .text("1s")), .init("by", .text("1s")),
    .init("position", .number("1")), .init("outcome", .text("lost")),
    .init("poll", .text("1s")), .init("long", .number("1")),
  ]

  private static func others(than node: JSONTree) -> [JSONTree] {
    switch node {
    case .object(let members):
      let added = strays.filter { stray in !members.contains { $0.key == stray.key } }
      return [.array([])] + added.map { .object(members + [$0]) }
        + members.indices.map { position in
          var rest = members
          rest.remove(at: position)
          return .object(rest)
        }
    case .array(let elements):
      return [.null, .array([]), .array(elements + elements), .array(elements + [.null])]
    case .text:
      return [
        .number("1"), .text(""), .text("1 s"), .text("0s"), .text("+1s"), .text("unary"),
        .text("miss"), .text("delay"),
      ]
    case .number:
      return [.text("1"), .number("-1"), .number("99999999999999999999"), .null]
    case .boolean:
      return [.text("true"), .number("1")]
    case .null:
      return [.number("0")]
    }
  }
}
