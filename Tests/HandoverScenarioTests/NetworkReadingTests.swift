import HandoverCore
import HandoverScenario
import Testing

@Suite("Networks in a scenario")
struct NetworkReadingTests {
  static let networks = """
    "networks": {
      "home": {"kind": "wifi", "state": "default"},
      "lte": {"kind": "cellular", "state": "up", "reaches": []},
      "office": {"kind": "vpn", "flags": ["Reachable", "IsDirect"], "reaches": ["a:1"]}
    }
    """

  static func text(_ timeline: String, more: String = networks) -> String {
    Sample.text(timeline: timeline, more: more, initial: "{}")
  }

  static func entry(_ at: String, _ id: String, _ become: String, _ more: String = "") -> String {
    "{\"at\": \"\(at)\", \"network\": {\"id\": \"\(id)\", \"become\": \"\(become)\"\(more)}}"
  }

  @Test("Networks have kinds, flags, states and reachable hosts")
  func networks() throws {
    let script = try Sample.scenario(Self.text("")).script
    #expect(script.paths == ["wifi", "cellular", "home", "lte", "office"])
    let home = ScriptNetwork(PathIndex(2), .wifi)
    var lte = ScriptNetwork(PathIndex(3), .cellular)
    lte.reachable = [false]
    var office = ScriptNetwork(PathIndex(4), .vpn)
    office.flags = [.reachable, .isDirect]
    office.reachable = [true]
    #expect(script.networks == [home, lte, office])
    #expect(script.initial.path == PathIndex(2))
    #expect(script.initial.flags == [.reachable])
    #expect(script.initial.networksUp == [PathSet(PathIndex(2)), PathSet(PathIndex(3))])
    #expect(!lte.reaches(0) && office.reaches(0) && home.reaches(0))
  }

  @Test("Without a default network the device has no path")
  func noDefault() throws {
    let text = Self.text("", more: #""networks": {"home": {"kind": "wifi", "state": "up"}}"#)
    let script = try Sample.scenario(text).script
    #expect(script.initial.path == nil)
    #expect(script.initial.flags == [])
    #expect(Device(script.initial).keptAlive == PathSet(PathIndex(2)))
  }

  @Test("Entries change networks, with a separate callback if they have flags")
  func entries() throws {
    let entries = [
      Self.entry("1s", "office", "up"), Self.entry("2s", "office", "default"),
      Self.entry("3s", "home", "losing", #", "linger": "30s", "then": "silent""#),
      Self.entry("4s", "home", "up"), Self.entry("5s", "lte", "captive"),
      Self.entry("6s", "lte", "validated"), Self.entry("7s", "lte", "down", #", "then": "reset""#),
      #"{"at": "8s", "flags": []}"#,
      #"{"at": "9s", "network": {"id": "home", "become": "down"}, "flags": ["Reachable"]}"#,
      #"{"at": "9s", "monitor": {"do": "miss", "network": "office"}}"#,
    ]
    let script = try Sample.scenario(Self.text(entries.joined(separator: ","))).script
    let (home, lte, office) = (PathIndex(2), PathIndex(3), PathIndex(4))
    #expect(
      script.entries.map(\.action) == [
        .network(office, .up, signal: nil), .network(office, .makeDefault, signal: nil),
        .network(home, .losing(linger: .seconds(30), .silent), signal: nil),
        .network(home, .up, signal: nil), .network(lte, .captive, signal: nil),
        .network(lte, .validated, signal: nil), .network(lte, .down(.reset), signal: nil),
        .signal([]), .network(home, .down(nil), signal: [.reachable]),
        .monitor(.miss, by: .zero, of: office),
      ])
  }

  @Test(
    "Contradictory networks are reported",
    arguments: [
      (entry("1s", "lta", "down"), DiagnosticCode.unknownNetwork),
      (entry("1s", "wifi", "down"), .unknownNetwork),
      (entry("1s", "office", "default"), .networkNotUp),
      (entry("1s", "office", "captive"), .networkNotUp),
      (entry("1s", "office", "losing", #", "linger": "1s""#), .networkNotUp),
      (entry("1s", "office", "down"), .networkNotUp),
      (entry("1s", "home", "default"), .networkUnchanged),
      (entry("1s", "lte", "up"), .networkUnchanged),
      (entry("1s", "lte", "validated"), .networkUnchanged),
      (entry("1s", "home", "losing", #", "linger": "1s""#), .noSuccessor),
      (entry("1s", "lte", "losing"), .missingKey),
      (entry("1s", "lte", "losing", #", "linger": "0s""#), .timeNotPositive),
      (entry("1s", "lte", "down", #", "linger": "1s""#), .keyOutOfPlace),
      (entry("1s", "lte", "captive", #", "then": "reset""#), .keyOutOfPlace),
      (#"{"at": "1s", "path": "lte"}"#, .keyOutOfPlace),
      (#"{"at": "1s", "flags": [], "links": {"lte": "up"}}"#, .keyOutOfPlace),
      (#"{"at": "1s", "flags": [], "path": "lte"}"#, .keyOutOfPlace),
      (
        #"{"at": "1s", "network": {"id": "lte", "become": "default"}, "flags": [], "path": "x"}"#,
        .keyOutOfPlace
      ),
      (
        #"{"at": "1s", "network": {"id": "lte", "become": "default"}, "flags": [], "links": {}}"#,
        .keyOutOfPlace
      ),
      (
        entry("1s", "lte", "losing", #", "linger": "1s""#) + "," + entry("2s", "lte", "default"),
        .networkNotUp
      ),
      (#"{"at": "1s", "monitor": {"do": "overrun", "network": "lte"}}"#, .keyOutOfPlace),
    ])
  func contradictions(timeline: String, code: DiagnosticCode) {
    #expect(Sample.codes(Self.text(timeline)) == [code])
  }

  static func said(_ id: String, _ what: String) -> String {
    "{\"at\": \"1s\", \"network\": {\"id\": \"\(id)\", \(what)}}"
  }

  static func device(_ keyword: String) -> String {
    "{\"at\": \"1s\", \"device\": \"\(keyword)\"}"
  }

  static let allOfQuality: LinkQuality = {
    var quality = LinkQuality()
    quality.delay = .milliseconds(40)
    quality.bitsPerSecond = 2_500_000
    (quality.lossPerMillion, quality.burst) = (15_000, 3)
    (quality.reorderPerMillion, quality.reorderBy) = (2_500, .milliseconds(5))
    (quality.mtu, quality.mtuSignal) = (1_400, .none)
    // The file is not read here, so the trace is only a name.
    quality.trace = LinkTrace(name: "a.trace")
    quality.direction = .down
    return quality
  }()

  @Test(
    "Networks have routers, uplinks and directions",
    arguments: [
      (#""nat": "forget""#, NetworkAction.nat(.forget, .drop, every: nil)),
      (#""nat": "rebind-port""#, .nat(.rebindPort, .reset, every: nil)),
      (
        #""nat": "rebind-addr", "unknown": "drop", "every": "30s""#,
        .nat(.rebindAddress, .drop, every: .seconds(30))
      ),
      (#""roam": "same-address""#, .roam(.sameAddress, .drop)),
      (#""roam": "new-router", "unknown": "reset""#, .roam(.newRouter, .reset)),
      (#""roam": "new-address""#, .roam(.newAddress, .drop)),
      (#""uplink": "down""#, .uplink(isUp: false, lasts: nil, every: nil)),
      (#""uplink": "up""#, .uplink(isUp: true, lasts: nil, every: nil)),
      (
        #""uplink": "down", "for": "2s", "every": "5s""#,
        .uplink(isUp: false, lasts: .seconds(2), every: .seconds(5))
      ),
      (#""loss": "answers""#, .loss(.answers)),
      (#""quality": {}"#, .quality(LinkQuality())),
      (
        """
        "quality": {"delay": "40ms", "rate": "2.5Mbit", "loss": "1.5%", "burst": 3, \
        "reorder": "0.25%", "reorderBy": "5ms", "mtu": 1400, "mtuSignal": "none", \
        "trace": "a.trace", "direction": "down"}
        """, .quality(allOfQuality)
      ),
    ])
  func behind(what: String, action: NetworkAction) throws {
    let script = try Sample.scenario(Self.text(Self.said("home", what))).script
    #expect(script.entries.map(\.action) == [.network(PathIndex(2), action, signal: nil)])
  }

  @Test(
    "An entry changes one thing, with its settings",
    arguments: [
      (said("office", #""nat": "forget""#), [DiagnosticCode.networkNotUp]),
      (said("office", #""loss": "none""#), [.networkNotUp]),
      (said("home", #""nat": "forget", "loss": "none""#), [.severalActions]),
      (said("home", #""x-a": 1"#), [.missingKey]),
      (said("home", #""uplink": "down", "for": "5s", "every": "5s""#), [.periodTooShort]),
      (said("home", #""uplink": "down", "every": "5s""#), [.missingKey]),
      (said("home", #""uplink": "up", "for": "5s""#), [.keyOutOfPlace]),
      (said("home", #""uplink": "up", "every": "5s""#), [.keyOutOfPlace]),
      (said("home", #""loss": "requests", "every": "5s""#), [.keyOutOfPlace]),
      (said("home", #""roam": "new-address", "unknown": "drop""#), [.keyOutOfPlace]),
      (said("home", #""nat": "forget", "every": "0s""#), [.timeNotPositive]),
      (said("home", #""nat": "forgets""#), [.unknownKeyword]),
      (said("office", #""quality": {}"#), [.networkNotUp]),
      (said("home", #""quality": {"loss": "101%"}"#), [.invalidQuality]),
      (said("home", #""quality": {"loss": "1"}"#), [.invalidQuality]),
      (said("home", #""quality": {"loss": 1}"#), [.wrongType]),
      (said("home", #""quality": {"rate": "0Mbit"}"#), [.invalidQuality]),
      (said("home", #""quality": {"loss": "90%", "burst": 3}"#), [.burstTooShort]),
      (said("home", #""quality": {"burst": 3}"#), [.keyOutOfPlace]),
      (said("home", #""quality": {"loss": "1%", "burst": 1001}"#), [.numberOutOfRange]),
      (said("home", #""quality": {"reorderBy": "3ms"}"#), [.keyOutOfPlace]),
      (said("home", #""quality": {"mtuSignal": "icmp"}"#), [.keyOutOfPlace]),
      (said("home", #""quality": {"mtu": 575}"#), [.numberOutOfRange]),
      (#"{"at": "1s", "device": "wake"}"#, [.deviceAsleep]),
      (#"{"at": "1s", "device": "sleep"}, {"at": "2s", "device": "sleep"}"#, [.deviceAsleep]),
      (#"{"at": "1s", "device": "sleep"}, {"at": "2s", "app": "background"}"#, [.deviceAsleep]),
      (#"{"at": "1s", "device": "sleep", "address": "new"}"#, [.keyOutOfPlace]),
      (#"{"at": "1s", "flags": [], "address": "new"}"#, [.keyOutOfPlace]),
      (#"{"at": "1s", "device": "airplane", "address": "new"}"#, [.keyOutOfPlace]),
      (device("airplane-off"), [.networkUnchanged]),
      (device("airplane") + "," + device("airplane"), [.networkUnchanged]),
      (device("sleep") + "," + device("airplane"), [.deviceAsleep]),
      (device("airplane") + "," + said("home", #""nat": "forget""#), [.networkNotUp]),
      (device("airplane") + "," + said("lte", #""become": "default""#), [.networkNotUp]),
      (
        device("airplane") + "," + device("airplane-off") + "," + entry("1s", "lte", "up"),
        [.networkUnchanged]
      ),
      (
        device("airplane") + "," + device("airplane-off") + "," + entry("1s", "home", "default"),
        [.networkUnchanged]
      ),
      (
        entry("1s", "lte", "losing", #", "linger": "9s""#) + "," + device("airplane") + ","
          + device("airplane-off") + "," + said("lte", #""nat": "forget""#), [.networkNotUp]
      ),
      (#"{"at": "1s", "device": "sleep"}, {"at": "2s", "disconnect": "*"}"#, [.inBackground]),
    ])
  func contradictionsBehind(timeline: String, codes: [DiagnosticCode]) {
    #expect(Sample.codes(Self.text(timeline)) == codes)
  }

  @Test("Entries change networks in airplane mode, and after it, as they are then")
  func airplaneMode() throws {
    let entries = [
      Self.device("airplane"), Self.entry("1s", "lte", "up"), Self.entry("1s", "lte", "default"),
      Self.device("airplane-off"), Self.said("home", #""nat": "forget""#),
      Self.device("airplane"), Self.device("airplane-off"), Self.said("lte", #""loss": "none""#),
    ]
    let script = try Sample.scenario(Self.text(entries.joined(separator: ","))).script
    #expect(
      script.entries.map(\.action).filter { if case .power = $0 { true } else { false } }
        == [true, false, true, false].map { .power(.airplane(isOn: $0)) })
  }

  @Test("The default network that a change takes over stays the default after airplane mode")
  func airplaneModeWithEthernet() {
    let networks = """
      "networks": {
        "home": {"kind": "wifi", "state": "default"}, "dock": {"kind": "ethernet", "state": "up"}
      }
      """
    let taken = Self.device("airplane") + "," + Self.entry("1s", "dock", "default")
    let codes = Sample.codes(
      Self.text(
        taken + "," + Self.device("airplane-off") + "," + Self.entry("1s", "dock", "default"),
        more: networks))
    #expect(codes == [.networkUnchanged])
  }

  @Test(
    "Airplane mode needs declared networks", arguments: ["airplane", "airplane-off"])
  func airplaneModeWithoutNetworks(keyword: String) throws {
    let text = Sample.text(timeline: Self.device(keyword))
    #expect(Sample.codes(text) == [.keyOutOfPlace])
  }

  @Test(
    "An IPv6-only network has no MTU below that of IPv6",
    arguments: [
      ("ipv6", 1_279, [.numberOutOfRange]), ("ipv6", 1_280, []), ("ipv4", 576, []),
      ("both", 1_279, []),
    ] as [(String, Int, [DiagnosticCode])])
  func minimumMTU(families: String, mtu: Int, codes: [DiagnosticCode]) {
    let networks = """
      "networks": {"home": {"kind": "wifi", "state": "default", "addresses": "\(families)"}}
      """
    let entry = Self.said("home", "\"quality\": {\"mtu\": \(mtu)}")
    #expect(Sample.codes(Self.text(entry, more: networks)) == codes)
  }

  @Test("A network may be used again before its linger time is over")
  func lingering() {
    let text = Self.text(
      Self.entry("1s", "lte", "losing", #", "linger": "2s""#) + ","
        + Self.entry("2s", "lte", "default") + "," + Self.entry("4s", "home", "default"))
    #expect(Sample.codes(text) == [])
  }

  @Test("Networks replace the initial flags, which are otherwise required")
  func beginning() {
    let both = Sample.text(more: Self.networks)
    #expect(Sample.codes(both) == [.keyOutOfPlace])
    #expect(Sample.codes(Sample.text(initial: "{}")) == [.missingKey])
    #expect(Sample.codes(Self.text("", more: #""networks": {}"#)).contains(.emptyList))
    #expect(
      Sample.codes(Self.text("", more: #""networks": {"a": {}}"#)).contains(.missingKey))
    #expect(
      Sample.codes(
        Self.text(
          "",
          more: """
            "networks": {"a": {"kind": "wifi", "state": "default"}, \
            "b": {"kind": "wifi", "state": "default"}}
            """)) == [.severalDefaults])
  }
}

@Suite("Addresses in a scenario")
struct AddressReadingTests {
  private static func text(_ host: String, _ networks: String = "", name: String = "h") -> String {
    """
    {"format": 1, "id": "a/b", "initial": \(networks.isEmpty ? #"{"flags": ["Reachable"]}"# : "{}"),
      \(networks.isEmpty ? "" : "\"networks\": {\(networks)},")
      "hosts": {"\(name)": {\(host)}}, "timeline": []}
    """
  }

  private static func codes(_ text: String) -> [DiagnosticCode] {
    ScenarioReader.read(file: "f.json", bytes: Array(text.utf8)).diagnostics.map(\.code)
  }

  @Test("Addresses have times and answers")
  func read() throws {
    let text = Self.text(
      #""addresses": ["2001:db8::7", {"ip": "192.0.2.7", "connect": "5ms", "answer": "refuse"}]"#)
    let addresses = try Sample.scenario(text).script.hosts[0].addresses
    let (six, four) = (AddressText("2001:db8::7"), AddressText("192.0.2.7"))
    #expect(
      try addresses == [
        ScriptAddress(#require(six)),
        ScriptAddress(#require(four), connect: .milliseconds(5), answer: .refuse),
      ])
  }

  @Test(
    "Addresses are required on networks with one family, with translation or with separate names")
  func networks() throws {
    let text = Self.text(
      #""addresses": ["2001:db8::7", "192.0.2.7"]"#,
      """
      "lte": {"kind": "cellular", "addresses": "ipv6", "nat64": true, "names": {"h": ["192.0.2.7"]}},
      "home": {"kind": "wifi"}
      """)
    let networks = try Sample.scenario(text).script.networks
    #expect(networks[0].families == .ipv6 && networks[0].translates)
    #expect(networks[0].names == [NetworkNames(host: 0, addresses: [1])])
    #expect(networks[1].families == .both && !networks[1].translates && networks[1].names.isEmpty)
  }

  @Test("Lookups of a name may fail or hang on a network")
  func faults() throws {
    let text = Self.text("", #""l": {"kind": "wifi", "names": {"h": "hang"}}"#)
    #expect(
      try Sample.scenario(text).script.networks[0].names == [NetworkNames(host: 0, fault: .hang)])
    let wrong = Self.text("", #""l": {"kind": "wifi", "names": {"h": "resolve"}}"#)
    #expect(Self.codes(wrong) == [.unknownKeyword])
    let spellings = #""l": {"kind": "wifi", "names": {"h:443": "hang", "https://h/x": "fail"}}"#
    let twice = Self.text("", spellings, name: "h:443")
    #expect(Self.codes(twice) == [.duplicateHost])
  }

  /// Returns a scenario of three hosts, the second of which is an address, with one entry.
  private static func entry(_ value: String, for key: String = "names") -> String {
    """
    {"format": 1, "id": "a/b", "initial": {"flags": ["Reachable"]},
      "hosts": {"h": {"addresses": ["2001:db8::7", "192.0.2.7"]}, "192.0.2.9:443": {}, "p": {}},
      "timeline": [{"at": "1s", "\(key)": {\(value)}}]}
    """
  }

  @Test("An entry sets the addresses that lookups return, in any spelling and order")
  func changed() throws {
    let text = Self.entry(#""host": "h", "addresses": ["192.0.2.7", "2001:DB8:0::7"]"#)
    let actions = try Sample.scenario(text).script.entries.map(\.action)
    #expect(actions == [.answer(0, addresses: [1, 0])])
  }

  @Test("An answer contains as many addresses as a host can have, and no more")
  func mostAddresses() throws {
    func text(_ count: Int) -> String {
      let list = (0..<count).map { #""192.0.2.\#($0)""# }.joined(separator: ", ")
      return Self.entry(#""host": "h", "addresses": [\#(list)]"#)
        .replacing(#""2001:db8::7", "192.0.2.7""#, with: list)
    }
    let most = ScenarioLimits.addresses
    let actions = try Sample.scenario(text(most)).script.entries.map(\.action)
    #expect(actions == [.answer(0, addresses: Array(0..<most))])
    #expect(!Self.codes(text(most + 1)).isEmpty)
  }

  @Test(
    "Mistakes in the addresses of an entry are reported",
    arguments: [
      (#""host": "h""#, DiagnosticCode.missingKey),
      (#""addresses": ["192.0.2.7"]"#, .missingKey),
      (#""host": "h", "addresses": []"#, .emptyList),
      (#""host": "h", "addresses": "192.0.2.7""#, .wrongType),
      (#""host": "h", "addresses": [{"ip": "192.0.2.7"}]"#, .wrongType),
      (#""host": "h", "do": "fail", "addresses": ["192.0.2.7"]"#, .severalActions),
      (#""host": "i", "addresses": ["192.0.2.7"]"#, .unknownHost),
      (#""host": "h", "addresses": ["192.0.2.8"]"#, .unknownAddress),
      (#""host": "p", "addresses": ["192.0.2.7"]"#, .unknownAddress),
      (#""host": "h", "addresses": ["192.0.2.7:443"]"#, .invalidAddress),
      (#""host": "h", "addresses": ["192.0.2.7", "192.0.2.7"]"#, .duplicateAddress),
      (#""host": "192.0.2.9:443", "addresses": ["192.0.2.9"]"#, .keyOutOfPlace),
    ])
  func mistakes(names: String, code: DiagnosticCode) {
    #expect(Self.codes(Self.entry(names)) == [code])
  }

  @Test(
    "An entry makes an address unreachable, or reachable again",
    arguments: [("unreachable", false), ("reachable", true)])
  func reachability(key: String, isReachable: Bool) throws {
    let text = Self.entry(#""host": "h", "\#(key)": "192.0.2.7""#, for: "server")
    let actions = try Sample.scenario(text).script.entries.map(\.action)
    #expect(actions == [.address(0, position: 1, isReachable: isReachable)])
  }

  @Test(
    "Mistakes in the address of a server are reported",
    arguments: [
      (#""host": "h""#, DiagnosticCode.missingKey),
      (#""unreachable": "192.0.2.7""#, .missingKey),
      (#""host": "h", "unreachable": ["192.0.2.7"]"#, .wrongType),
      (#""host": "h", "do": "refuse", "unreachable": "192.0.2.7""#, .severalActions),
      (#""host": "h", "reachable": "192.0.2.7", "unreachable": "192.0.2.7""#, .severalActions),
      (#""host": "h", "reachable": "192.0.2.8""#, .unknownAddress),
      (#""host": "p", "unreachable": "192.0.2.7""#, .unknownAddress),
      (#""host": "192.0.2.9:443", "unreachable": "192.0.2.9""#, .unknownAddress),
      (#""host": "h", "unreachable": "192.0.2""#, .invalidAddress),
    ])
  func mistakesOfServers(server: String, code: DiagnosticCode) {
    #expect(Self.codes(Self.entry(server, for: "server")) == [code])
  }

  @Test("A host written as a literal has that address if a network lacks a family")
  func literals() throws {
    let name = "[2001:db8::7]:443"
    let text = Self.text("", #""lte": {"kind": "cellular", "addresses": "ipv4"}"#, name: name)
    #expect(
      try Sample.scenario(text).script.hosts[0].addresses
        == [ScriptAddress(#require(AddressText("2001:db8::7")))])
    let plain = Self.text("", #""lte": {"kind": "cellular"}"#, name: name)
    #expect(try Sample.scenario(plain).script.hosts[0].addresses.isEmpty)
  }

  @Test(
    "Contradictory addresses are reported",
    arguments: [
      (text(#""addresses": []"#), DiagnosticCode.emptyList),
      (text(#""addresses": [7]"#), .wrongType),
      (text(#""addresses": [{"answer": "refuse"}]"#), .missingKey),
      (text(#""addresses": [{"ip": "::1", "answer": "silent"}]"#), .unknownKeyword),
      (text(#""addresses": ["::1"]"#, name: "192.0.2.7:443"), .keyOutOfPlace),
      (text("", #""lte": {"kind": "cellular", "nat64": true}"#), .keyOutOfPlace),
      (text("", #""lte": {"kind": "cellular", "names": {"h": []}}"#), .emptyList),
      (text("", #""lte": {"kind": "cellular", "names": {"h": ["::1"]}}"#), .unknownAddress),
      (
        text(#""addresses": ["::1"]"#, #""l": {"kind": "wifi", "names": {"h": ["::1", "::1"]}}"#),
        .duplicateAddress
      ),
    ])
  func contradictions(text: String, code: DiagnosticCode) {
    #expect(Self.codes(text) == [code])
  }

  @Test("An address can be given with the accepted connections of one host")
  func accepted() throws {
    func text(_ server: String) -> String {
      """
      {"format": 1, "id": "a/b", "initial": {"flags": ["Reachable"]},
        "hosts": {"h": {"addresses": ["::1"]}}, "timeline": [], "expect": [{"server": {\(server)}}]}
      """
    }
    let read = try Sample.scenario(text(#""host": "h", "accepted": 2, "address": "::1""#))
    #expect(
      read.expectations.map(\.subject) == [
        .server(.one(0), ServerExpectation(accepted: 2, address: 0))
      ])
    #expect(Self.codes(text(#""host": "h""#)) == [.nothingExpected])
    #expect(Self.codes(text(#""host": "h", "received": 1, "address": "::1""#)) == [.keyOutOfPlace])
    #expect(Self.codes(text(#""host": "*", "accepted": 1, "address": "::1""#)) == [.keyOutOfPlace])
  }
}
