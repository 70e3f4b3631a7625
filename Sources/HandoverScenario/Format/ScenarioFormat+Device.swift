import HandoverCore

// The scenario, and the device, hosts and networks at the beginning of the run.

enum ScenarioKey: String, FieldKey {
  case schema = "$schema"
  case format, id, title, source, profiles, initial, networks, hosts, config, timeline, expect

  static let vocabulary = Vocabulary(of: Self.self)
  static let object = ObjectFormat(
    Self.self, "scenario", owner: "a scenario",
    "A device, the changes of its network, its calls or requests, and the expected results. The "
      + "schema checks keys, types, keywords, notations and ranges. Only `handover check FILE` "
      + "checks references within the file, such as those to calls, hosts and paths.",
    rules: [
      .schema(
        """
        {
          "if": { "required": ["networks"] },
          "then": {
            "properties": {
              "initial": {
                "not": { "anyOf": [{ "required": ["flags"] }, { "required": ["path"] }] },
                "errorMessage": "The networks specify this: remove \\"flags\\" and \\"path\\"."
              },
              "timeline": {
                "items": {
                  "not": { "anyOf": [{ "required": ["path"] }, { "required": ["links"] }] },
                  "errorMessage": "With \\"networks\\", write an entry with \\"network\\" instead."
                }
              }
            }
          },
          "else": { "properties": { "initial": { "required": ["flags"] } } }
        }
        """)
    ])

  /// The names of all profiles, those of scenarios without the key first.
  private static var profileNames: String {
    (Profile.all + Profile.known.filter { !Profile.all.contains($0) })
      .map { "`\($0.name)`" }.joined(separator: ", ")
  }

  var format: KeyFormat {
    switch self {
    case .schema: KeyFormat(.anything, "The location of the JSON Schema, for editors.")
    case .format:
      KeyFormat(
        .version(ScenarioReader.format),
        "The version of the format. A file of another version gets only the error "
          + "`unsupported-format`.", .required, example: "1")
    case .id:
      KeyFormat(
        .notation(.id),
        "The stable name of the scenario: segments of ASCII letters, digits, `-`, `.` "
          + "and `_`, separated by `/`. No segment is empty or consists of dots.", .required,
        example: #""example/wifi-to-none""#)
    case .title:
      KeyFormat(
        .notation(.title), "One line that describes the events.", example: #""WiFi is lost""#)
    case .source:
      KeyFormat(
        .list(.object { ScenarioFormat.source.object }, count: 0...ScenarioLimits.sources),
        "The requirements that the scenario is about.",
        example: #"[{ "document": "L50", "item": "L17" }]"#)
    case .profiles:
      KeyFormat(
        .profiles,
        "The profiles on which the scenario runs, at least one: \(Self.profileNames) "
          + "([Profiles](Profiles.md)).",
        .described("the first four"), example: #"["sockets"]"#)
    case .initial:
      KeyFormat(
        .object { ScenarioFormat.initial.object },
        "The state of the device at the start: [initial](#initial).", .required,
        example: #"{ "flags": ["Reachable"] }"#)
    case .networks:
      KeyFormat(
        .names(.object { ScenarioFormat.network.object }, atLeast: 1),
        "The networks that the device can have: [networks](#networks).",
        example: #"{ "home": { "kind": "wifi" } }"#)
    case .hosts:
      KeyFormat(
        .names(.object { ScenarioFormat.host.object }),
        "The targets of calls and requests: [hosts](#hosts). A scheme and a path are dropped, and "
          + "`:443` is added if there is no port.",
        example: #"{ "api.example:443": {} }"#)
    case .config:
      KeyFormat(
        .object { ScenarioFormat.config.object }, "The settings of the run: [config](#config).",
        example: #"{ "until": "10s" }"#)
    case .timeline:
      KeyFormat(
        .list(.object { EntryKey.object }, count: 0...ScenarioLimits.entries),
        "The events, sorted by time: [The timeline](#the-timeline). The array may be "
          + "empty.",
        .required, example: #"[{ "at": "1s", "flags": [] }]"#)
    case .expect:
      KeyFormat(
        .list(.object { ExpectationKey.object }, count: 0...ScenarioLimits.expectations),
        "The required observations: [Expectations](#expectations).",
        example: #"[{ "call": "a", "status": "OK" }]"#)
    }
  }
}

extension ScenarioFormat {
  static let source = ObjectTable<ItemReference>(
    "itemReference", owner: "a source", "A requirement of a specification.",
    ItemReference(document: "", item: "", position: TextPosition(line: 1, column: 1))
  ) {
    Field(
      "document", \.document, .name(from: .specification),
      "The specification, such as `network-transitions`.", .required, as: "the document")
    Field(
      "item", \.item, .name(from: .requirement), "The ID of the requirement, such as `D8a`.",
      .required, as: "the requirement")
  }

  static let initial = ObjectTable<InitialState>(
    "initial", owner: "\"initial\"", "The state of the device at the beginning.", InitialState()
  ) {
    Field(
      "flags", \.flags, .flags,
      "The flags that the monitor reads first.",
      .described("required without `networks`, an error with them"), example: #"["Reachable"]"#
    ).kept { $0.networksUp == nil }.withoutNetworks
    Field(
      "app", \.app, .keyword,
      "The state of the application: visible, suspended, or running in the "
        + "background.")
    Field(
      "path", \.path, .newPath,
      "The network of the device. The key has no effect if the category is None.",
      .described("the path of the category"), example: #""wifi-2""#
    ).withoutNetworks
    Field(
      "monitor",
      KeyFormat(.keyword(FirstReading.self), "A first read of the monitor that fails (M8).")
    ) { builder, member, state in
      state.monitorIsReadable =
        (builder.keyword(member.value, "\"monitor\"") as FirstReading?) == nil
    } write: { encoder, state, _ in
      state.monitorIsReadable ? nil : encoder.keyword(FirstReading.unreadable)
    }
  } check: { builder, fields, _ in
    guard builder.script.networks.isEmpty, !fields.has("flags") else { return }
    builder.reportMissing("flags", fields, "\"initial\"")
  }

  static let host = ObjectTable<ScriptHost>(
    "host", owner: "a host", "A host with its server and its name.", ScriptHost(written: "")
  ) {
    Field(
      "connect", \.connect, .time, "The time from the name lookup to the answer of the server.",
      example: #""50ms""#)
    Field(
      "server", \.server,
      .keyword(KeywordSet("firstServerKeyword", ServerFault.first), ServerFault.first),
      "The behavior of the server at the start: [Faults of "
        + "servers](#faults-of-servers).", as: "the server at the start")
    Field(
      "names", \.names, .keyword,
      "The result of name lookups at the start: [Faults of name "
        + "lookups](#faults-of-name-lookups).",
      as: "name lookup at the start")
    Field(
      "streams", \.streams, .integer(1...UInt32(ScenarioLimits.streams)),
      "The number of requests that one HTTP/2 connection carries at a time. Without "
        + "the key a connection carries one request. The key has no effect on calls.",
      .described("none: HTTP/1.1"), example: "100")
    Field(
      "addresses",
      KeyFormat(
        .list(
          .either([.address, .object { address.object }]), count: 1...ScenarioLimits.addresses),
        "The addresses of the name, in the order in which DNS returns them. Not "
          + "allowed if the host is written as an address, such as `[2001:db8::7]:443`.",
        .described("one working address"), example: #"["2001:db8::7", "192.0.2.7"]"#)
    ) { builder, member, host in
      host.addresses = builder.addresses(member.value, of: host, at: member.key)
    } write: { encoder, host, _ in
      // A literal has no other address than itself.
      host.isLiteral ? nil : encoder.nonempty(host.addresses.map(encoder.address))
    }
  }

  static let address = ObjectTable<
    (text: AddressText?, connect: Interval?, answer: AddressAnswer)
  >("hostAddress", owner: "an address", "An address of a host.", (nil, nil, .accept)) {
    Field(
      "ip", \.text, .address, "An IPv4 or IPv6 address without port, brackets and zone.", .required,
      example: #""192.0.2.7""#)
    Field(
      "connect", \.connect, .time, "The time until the address accepts or refuses.",
      .described("the host's"), example: #""80ms""#)
    Field(
      "answer", \.answer, .keyword,
      "The result of an attempt at this address. While the server of the host "
        + "refuses, every address refuses.")
  }

  static let network = ObjectTable<ScriptNetwork>(
    "network", owner: "a network",
    "A network with its kind, its initial state and its reachable hosts.",
    ScriptNetwork(Script.wifiPath, .wifi)
  ) {
    Field(
      "kind", \.kind, .keyword, "The kind of the network.", .required, as: "the kind of a network"
    ).then { $0.flags = $0.kind.flags }
    Field(
      "state",
      KeyFormat(
        .keyword(InitialNetworkState.self),
        "The state at the start. At most one network is `default`.",
        .keyword(InitialNetworkState.down)),
      write: { encoder, network, _ in
        let initial = encoder.script.initial
        if initial.path == network.path { return encoder.keyword(InitialNetworkState.default) }
        let isUp = initial.networksUp?.contains(network.path) == true
        return isUp ? encoder.keyword(InitialNetworkState.up) : nil
      })
    Field(
      "flags",
      KeyFormat(
        .flags, "The reachability flags while this is the default network.",
        .described(
          "`Reachable`, with `IsWWAN` for `cellular` and `TransientConnection` for `vpn`"),
        example: #"["Reachable"]"#)
    ) { builder, member, network in
      network.flags = builder.flags(member.value) ?? network.flags
    } write: { encoder, network, _ in
      network.flags == network.kind.flags ? nil : encoder.flags(network.flags)
    }
    Field(
      "reaches",
      KeyFormat(
        .list(.host, count: 0...Int.max), "The hosts that can be reached over this network.",
        .described("all hosts"), example: #"["api.example:443"]"#)
    ) { builder, member, network in
      network.reachable = builder.reachable(member.value)
    } write: { encoder, network, _ in
      guard !network.reachable.isEmpty else { return nil }
      let hosts = encoder.script.hosts.indices.filter { network.reachable[$0] }
      return .array(hosts.map(encoder.host(named:)))
    }
    Field(
      "allTraffic", \.takesAllTraffic, .boolean,
      "Whether the VPN takes all traffic while it is the default network, as a full "
        + "tunnel with a kill switch does.",
      with: .keywords("kind", NetworkKind.vpn).explained(
        "only a VPN carries the traffic of other networks",
        hint: "remove the key, or write \"kind\": \"vpn\""))
    Field(
      "addresses", \.families, .keyword, "The address families of the network.",
      as: "the addresses of a network")
    Field(
      "nat64", \.translates, .boolean,
      "Whether the network translates between IPv6 and IPv4 ([RFC "
        + "6147](https://www.rfc-editor.org/rfc/rfc6147)).",
      with: .any([.off("nat64"), .keywords("addresses", NetworkFamilies.ipv6)]).explained(
        "the network carries IPv4 itself",
        hint: "remove it, or write \"addresses\": \"ipv6\""))
    Field(
      "names",
      KeyFormat(
        .names(
          .either([
            .list(.address, count: 1...ScenarioLimits.addresses),
            .keyword(KeywordSet("networkNamesKeyword", [DNSFault.fail, .hang])),
          ])),
        "What this network's name server returns for a host: a list of addresses in "
          + "order, `fail` or `hang`.", .described("the addresses of the host"),
        example: #"{ "api.example:443": ["192.0.2.7"] }"#)
    ) { builder, member, network in
      network.names = builder.readNames(member.value)
    } write: { encoder, network, _ in
      encoder.nonempty(network.names.map(encoder.names))
    }
    Field(
      "lookup", \.lookup, .object(lookup),
      "The time until this network's name server answers. A client that tries one address after "
        + "the other needs both answers.", example: #"{ "ipv6": "2s" }"#)
  } check: { builder, fields, network in
    if let state = fields["state"] { builder.readState(state, of: network.path) }
  }
}

extension ScenarioFormat {
  static let lookup = ObjectTable<LookupTime>(
    "lookup", owner: "\"lookup\"", "The time until a name server answers.", LookupTime()
  ) {
    Field(
      "ipv4", \.ipv4, .time, "The time until the answer with IPv4 addresses (A records).",
      example: #""20ms""#)
    Field(
      "ipv6", \.ipv6, .time, "The time until the answer with IPv6 addresses (AAAA records).",
      example: #""2s""#)
  }
}

extension Field {
  /// The key, which scenarios with networks do not have.
  fileprivate var withoutNetworks: Self {
    checked { builder, member, _ in
      guard !builder.script.networks.isEmpty else { return }
      builder.report(
        .keyOutOfPlace, at: member.key,
        "\"\(key)\" has no effect here: the scenario declares networks",
        hint: "remove the key, and write \"state\": \"default\" in the device's network")
    }
  }
}

extension Codec where Value == ReachabilityFlags {
  fileprivate static var flags: Self {
    Self(.flags, { b, v, _ in b.flags(v) }, write: { $0.flags($1) })
  }
}

extension Codec where Value == PathIndex {
  /// A path that is created if its name is new.
  fileprivate static var newPath: Self {
    Self(.path, { b, v, _ in b.path(v) }, write: { .text($0.path($1)) })
  }
}

extension Codec where Value == AddressText {
  fileprivate static var address: Self {
    Self(.address, { b, v, _ in b.addressText(v) }, write: { .text($1.written) })
  }
}

extension ValueFormat {
  /// A list of profiles.
  static var profiles: Self { .list(.keyword(.profiles), count: 1...Int.max, isSet: true) }
}

extension KeywordSet {
  /// The names of all profiles.
  static let profiles = KeywordSet("profile", Profile.known.map { ($0.name, $0.summary) })
  /// The names of all status codes.
  static let statuses = KeywordSet("status", StatusCode.allCases.map { ($0.name, nil) })
  /// The names of all channel states.
  static let channelStates = KeywordSet(
    "channelState", ChannelState.allCases.map { ($0.name, meaning(of: $0)) })

  private static func meaning(of state: ChannelState) -> String {
    switch state {
    case .idle: "Created, or drained by its server; the next call connects"
    case .connecting: "A connection attempt is in progress"
    case .ready: "A connection is established"
    case .transientFailure: "The last attempt failed, or the connection broke"
    case .shutdown: "Destroyed"
    }
  }
}
