import HandoverBackend
import HandoverCore

@testable import HandoverProcess

// The lines of each direction that contain the messages, with the members of the lines.
extension ProtocolSchemas {
  static let files = ["answers-1", "commands-1", "transport-answers-1", "transport-commands-1"]

  /// Returns the text of one of the schemas.
  static func text(of file: String) throws -> String {
    switch file {
    case "answers-1": try answers().file
    case "commands-1": try commands().file
    case "transport-answers-1": try transportAnswers().file
    default: try transportCommands().file
    }
  }

  /// Builds a complete schema.
  ///
  /// - Parameters:
  ///   - title: The title after the name and version of the protocol.
  ///   - description: The description of a line.
  ///   - lines: The kinds of lines.
  ///   - own: The definitions of this file.
  ///   - messages: The definitions that are built from messages.
  ///   - shared: The names of definitions that several files have.
  /// - Throws: An error if a literal is not valid JSON.
  /// - Returns: The schema.
  private static func schema(
    _ title: String, _ description: String, lines: [String], own: Schema,
    messages: [Schema.Member], shared: [String]
  ) throws -> Schema {
    let all = try Schema(sharedText).members
    let chosen = shared.compactMap { name in all.first { $0.name == name } }
    let comment =
      "Members that are not named here are allowed, because readers of a line ignore unknown "
      + "members."
    return .object([
      "$schema": .text("http://json-schema.org/draft-07/schema#"),
      "title": .text("Handover backend protocol, version \(BackendHello.version): \(title)"),
      "description": .text(description), "$comment": .text(comment), "type": .text("object"),
      "anyOf": .list(lines.map { .ref($0) }),
      "definitions": .object(members: own.members + messages + chosen),
    ])
  }

  // MARK: Clients

  private static func answers() throws -> Schema {
    let capabilities =
      "The capabilities; unknown ones are ignored. Of clients: "
      + BackendHello.Role.client.capabilities.map(\.rawValue).joined(separator: ", ")
      + ". Of servers: the keywords of the faults that they support."
    let own = try Schema(
      """
      {
        "hello": \(hello("{ \"enum\": [\"client\", \"server\"] }", capabilities)),
        \(clientDone),
        "told": \(reported(
          "What a client in real time reports by itself: a call ends, or a message arrives.",
          [.ref("order-ended"), .ref("order-deliver")])),
        "channelNumber": {
          "description": "The backend's own number of a channel.",
          "type": "integer",
          "minimum": 0
        },
        "category": {
          "description": "A network category; Unknown only before the first change.",
          "type": "string",
          "enum": \(list(NetworkCategory.allCases.map(\.description)))
        },
        "connection": \(connection)
      }
      """)
    let order = any(
      of: orders.refs, "An effect of the client: an object with one member.", minimum: "1")
    // A program that acts as servers does so in real time.
    let server = try Schema(
      """
      {
        "if": { "properties": { "role": { "const": "server" } } },
        "then": { "properties": { "time": { "const": "real" } } }
      }
      """)
    let extended = own.members.map { member in
      member.name == "hello"
        ? Schema.Member(
          name: "hello", value: .object(members: member.value.members + server.members)) : member
    }
    return try schema(
      "answers", "One line that a backend writes to its standard output.",
      lines: ["hello", "batch", "step", "digest", "told", "refusal"],
      own: .object(members: extended),
      messages: [Schema.Member(name: "order", value: order)] + orders.definitions,
      shared: [
        "step", "skipped", "error", "refusal", "seq", "instant", "callID", "host", "options",
        "status",
      ])
  }

  /// The answers of a client.
  private static var clientDone: String {
    """
    "batch": {
      "description": "The answers to the events of a batch, in order.",
      "type": "object",
      "required": ["answers"],
      "properties": {
        "answers": { "type": "array", "minItems": 1, "items": \(ref("step")) }
      }
    },
    "digest": {
      "description": "The digest of the client's state.",
      "type": "object",
      "required": ["seq", "digest"],
      "properties": {
        "seq": \(ref("seq")),
        "digest": {
          "description": "Equal in all states from which the client behaves identically.",
          "type": "string",
          "maxLength": 256
        }
      }
    },
    "done": {
      "description": "The answer of the client.",
      "type": "object",
      "required": ["out"],
      "properties": {
        "out": {
          "description": "The effects of the client, in order.",
          "type": "array",
          "items": \(ref("order"))
        },
        "deadline": {
          "description": "The time of the next deadline.",
          "anyOf": [\(ref("instant")), { "type": "null" }]
        },
        "pressing": {
          "description": "The earliest deadline that ends or changes a call or an attempt. \
    Default: the value of deadline.",
          "anyOf": [\(ref("instant")), { "type": "null" }]
        },
        "keepalive": {
          "description": "The earliest deadline of pings.",
          "anyOf": [\(ref("instant")), { "type": "null" }]
        }
      }
    }
    """
  }

  private static func commands() throws -> Schema {
    let own = try Schema(
      """
      {
        \(clientOpening),
        "event": \(event("The client is notified of an event.")),
        \(batch),
        "digest": \(plain(
          "digest", "Requests the digest of the state; requires the capability digest.")),
        "close": \(plain("close", "The client is closed: everything ends.")),
        "config": \(clientConfig),
        \(clientMembers),
        "connection": \(connection)
      }
      """)
    let fact = any(
      of: [.ref("fact-flags")] + facts.refs + [.ref("fact-server")],
      "An event of which the client is notified.")
    return try schema(
      "commands", "One line that the harness writes to a backend's standard input.",
      lines: [
        "start", "open", "openServers", "event", "advance", "batch", "digest", "close", "stop",
      ],
      own: own, messages: [Schema.Member(name: "fact", value: fact)] + facts.definitions,
      shared: [
        "start", "advance", "stop", "flags", "reason", "seq", "instant", "length", "callID",
        "host", "options", "status",
      ])
  }

  /// The start of a run, for a client and for servers.
  private static var clientOpening: String {
    """
    "open": {
      "description": "A run begins; the state of the previous run is discarded.",
      "type": "object",
      "required": ["cmd", "seq", "now", "scenario", "profile", "config", "initial"],
      "properties": {
        \(opening),
        "config": \(ref("config")),
        "initial": \(ref("initial")),
        "hosts": \(ref("hosts"))
      }
    },
    "openServers": {
      "description": "A run begins, for the program that runs the servers in real time.",
      "type": "object",
      "required": ["cmd", "seq", "now", "hosts"],
      "properties": {
        "cmd": { "const": "open" },
        "seq": \(ref("seq")),
        "now": { "const": 0 },
        "hosts": \(ref("hosts"))
      },
      "not": { "required": ["scenario"] }
    },
    "hosts": {
      "description": "The addresses of hosts in real time, by the names that calls use.",
      "type": "object",
      "additionalProperties": {
        "type": "object",
        "required": ["address", "port"],
        "properties": {
          "address": { "type": "string", "minLength": 1 },
          "port": { "type": "integer", "minimum": 1, "maximum": 65535 }
        }
      }
    }
    """
  }

  /// Several events in one line.
  private static var batch: String {
    """
    "batch": {
      "description": "Several consecutive events; requires the capability batch.",
      "type": "object",
      "required": ["cmd", "events"],
      "properties": {
        "cmd": { "const": "batch" },
        "events": {
          "type": "array",
          "minItems": 1,
          "items": {
            "description": "One event.",
            "type": "object",
            "required": ["seq", "now", "event"],
            "properties": {
              "seq": \(ref("seq")),
              "now": \(ref("instant")),
              "event": \(ref("fact"))
            }
          }
        }
      }
    }
    """
  }

  /// The state of the device, and the events for a client that do not concern its channels.
  private static var clientMembers: String {
    """
    "initial": {
      "description": "The state of the device.",
      "type": "object",
      "required": ["flags", "app"],
      "properties": {
        "flags": \(ref("flags")),
        "app": { "type": "string", "enum": ["foreground", "background"] },
        "monitor": {
          "description": "Present if the first read of the flags fails.",
          "const": "unreadable"
        }
      }
    },
    "fact-flags": {
      "description": "A reachability callback, with exactly these flags.",
      "type": "object",
      "required": ["flags"],
      "properties": {
        "flags": \(ref("flags")),
        "resynchronized": {
          "description": "True if callbacks were lost and the flags were read again.",
          "type": "boolean",
          "const": true
        }
      }
    },
    "fact-server": {
      "description": "The behavior of a server, in real time.",
      "type": "object",
      "required": ["server"],
      "properties": {
        "server": {
          "description": "The host, and the keyword of the scenario.",
          "type": "object",
          "required": ["host", "do"],
          "properties": {
            "host": \(ref("host")),
            "do": { "type": "string", "enum": \(list(faultsOfServers)) }
          }
        }
      }
    }
    """
  }

  /// The commands for external servers.
  private static var faultsOfServers: [String] {
    ServerFault.allCases.map(\.rawValue)
      + ConnectionFault.allCases.filter { $0.isPerformedByServer || $0 == .resume }.map(\.rawValue)
      .filter { ServerFault(rawValue: $0) == nil }
  }

  /// The numeric settings of a run that a client receives.
  private static var clientConfig: String {
    """
    {
      "description": "The numeric settings of the run.",
      "type": "object",
      "required": ["backoff", "idle", "seed"],
      "properties": {
        "backoff": {
          "description": "The connection backoff.",
          "type": "object",
          "required": ["initial", "multiplier", "jitter", "max", "minConnectTimeout"],
          "properties": {
            "initial": \(ref("length")),
            "multiplier": {
              "description": "The growth factor of the delays, with at most three decimals.",
              "type": "number",
              "minimum": 1,
              "maximum": 100
            },
            "jitter": {
              "description": "The maximum deviation of a delay from its mean, as a fraction of \
    the mean.",
              "type": "number",
              "minimum": 0,
              "maximum": 1
            },
            "max": \(ref("length")),
            "minConnectTimeout": \(ref("length"))
          }
        },
        "idle": {
          "description": "The time after which a channel without calls is destroyed; null keeps \
    it forever.",
          "anyOf": [\(ref("length")), { "type": "null" }]
        },
        "keepalive": {
          "description": "The keepalive pings; omitted if none are sent.",
          "type": "object",
          "required": ["time", "timeout", "withoutCalls"],
          "properties": {
            "time": \(ref("length")),
            "timeout": \(ref("length")),
            "withoutCalls": { "type": "boolean" },
            "overduePing": {
              "description": "The reaction if the answer to a ping was due while the client did \
    not run. Default: close.",
              "enum": \(list(OverduePing.allCases.filter { $0 != .close }.map(\.rawValue)))
            }
          }
        },
        "observers": {
          "description": "The first receiver of a category change. Default: the pool.",
          "enum": \(list(ObserverOrder.allCases.filter { $0 != .pool }.map(\.rawValue)))
        },
        "seed": {
          "description": "The seed of all random values.",
          "type": "integer",
          "minimum": 0,
          "maximum": \(UInt64.max)
        }
      }
    }
    """
  }

  // MARK: Transports

  private static func transportAnswers() throws -> Schema {
    let capabilities =
      "The capabilities; unknown ones are ignored. Known: "
      + BackendHello.Role.transport.capabilities.map(\.rawValue).joined(separator: ", ") + "."
    let own = try Schema(
      """
      {
        "hello": \(hello("{ \"const\": \"transport\" }", capabilities)),
        "done": {
          "description": "The result.",
          "type": "object",
          "required": ["out"],
          "properties": {
            "out": {
              "description": "The reports of the transport, in order.",
              "type": "array",
              "items": \(ref("report"))
            },
            "deadline": {
              "description": "The time of the next deadline.",
              "anyOf": [\(ref("instant")), { "type": "null" }]
            },
            "pressing": {
              "description": "The earliest deadline that is not periodic. Default: the value of \
      deadline.",
              "anyOf": [\(ref("instant")), { "type": "null" }]
            },
            "answersPings": {
              "description": "Whether every ping on a connection will be answered. Default: \
      true.",
              "type": "boolean"
            }
          }
        },
        "told": \(reported(
          "What a transport in real time reports by itself, as soon as it happens.", liveReports)),
        "connection": \(harnessConnection)
      }
      """)
    let report = any(
      of: reports.refs, "A report of the transport: an object with one member.",
      minimum: "1")
    return try schema(
      "answers of a transport",
      "One line that a backend of the role transport writes to its standard output.",
      lines: ["hello", "step", "told", "refusal"], own: own,
      messages: [Schema.Member(name: "report", value: report)] + reports.definitions,
      shared: [
        "step", "skipped", "error", "refusal", "seq", "instant", "reason", "status", "callID",
      ])
  }

  private static func transportCommands() throws -> Schema {
    let own = try Schema(
      """
      {
        "open": {
          "description": "A run begins; the state of the previous run is discarded.",
          "type": "object",
          "required": ["cmd", "seq", "now", "scenario", "profile", "config", "hosts", "initial"],
          "properties": {
            \(opening),
            "config": \(ref("config")),
            "hosts": {
              "description": "The hosts of the run; in real time, with their addresses.",
              "anyOf": [
                { "type": "array", "items": \(ref("hostSettings")) },
                { "type": "object", "additionalProperties": \(ref("place")) }
              ]
            },
            "initial": \(ref("device"))
          }
        },
        "event": \(event("The transport is notified of an event.")),
        "close": \(plain(
          "close", "The run ends: all calls and connections end, and nothing more is reported.")),
        \(settingsOfTransports),
        "connection": \(harnessConnection),
        "entry": {
          "description": "The place of the entry in the timeline, from 0; an effect is reported \
      by it.",
          "type": "integer",
          "minimum": 0
        }
      }
      """)
    let fact = any(of: transportFacts.refs, "An event of which the transport is notified.")
    return try schema(
      "commands to a transport",
      "One line that the harness writes to the standard input of a backend of the role transport.",
      lines: ["start", "open", "event", "advance", "close", "stop"], own: own,
      messages: [Schema.Member(name: "fact", value: fact)] + transportFacts.definitions,
      shared: ["start", "advance", "stop", "flags", "seq", "instant", "length", "host", "callID"])
  }

  /// The settings, hosts and device that a transport receives at the start of a run.
  private static var settingsOfTransports: String {
    """
    "config": {
      "description": "The numeric settings of the run.",
      "type": "object",
      "required": ["tcpTimeout", "sendBuffer", "cfstream"],
      "properties": {
        "tcpTimeout": \(ref("length")),
        "sendBuffer": {
          "description": "The number of bytes that a stalled connection buffers.",
          "type": "integer",
          "minimum": 0
        },
        "cfstream": {
          "description": "The generation of the CFStream code.",
          "enum": \(list(CFStreamGeneration.allCases.map(\.rawValue)))
        }
      }
    },
    "hostSettings": {
      "description": "A host with its server and its name, at the start of the run.",
      "type": "object",
      "required": ["host", "connect", "server", "names"],
      "properties": {
        "host": \(ref("host")),
        "connect": \(ref("length")),
        "server": {
          "description": "The initial behavior of the server.",
          "enum": \(list(ServerFault.first.map(\.rawValue)))
        },
        "names": {
          "description": "The initial result of lookups of the name.",
          "enum": \(list(DNSFault.allCases.map(\.rawValue)))
        }
      }
    },
    "place": {
      "description": "The address of a host in real time.",
      "type": "object",
      "required": ["address", "port"],
      "properties": { "address": \(ref("address")), "port": \(ref("port")) }
    },
    "device": {
      "description": "The network state of the device.",
      "type": "object",
      "required": ["flags", "path", "alive", "app"],
      "properties": {
        "flags": \(ref("flags")),
        "path": {
          "description": "The network of the device; null if there is none.",
          "anyOf": [{ "type": "string" }, { "type": "null" }]
        },
        "alive": {
          "description": "Networks that the device has left and whose connections still work.",
          "type": "array",
          "items": { "type": "string" },
          "uniqueItems": true
        },
        "app": { "enum": ["foreground", "background"] }
      }
    },
    "address": {
      "description": "An IP address, in real time only.",
      "type": "string",
      "minLength": 1
    },
    "port": {
      "description": "A port, in real time only.",
      "type": "integer",
      "minimum": 1,
      "maximum": 65535
    }
    """
  }
}
