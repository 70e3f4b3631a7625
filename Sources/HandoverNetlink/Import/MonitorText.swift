import HandoverLinux

/// Parses the output of `ip -ts monitor` in all its layouts (`-t`, `-o`, `monitor all`).
///
/// Lines before the first timestamp, such as the output of `ip addr` and `ip route`, describe the
/// initial state. Lines that do not concern links, addresses or routes are ignored.
struct MonitorText {
  private let file: ImportFile
  private var observer: NetworkObserver
  private var observed = ObservedRecording()
  private var time: Int64?
  private var hasPreamble = false
  /// The link or route that the following indented lines belong to.
  private var unfinished: ObservedEvent?

  init(_ file: ImportFile, _ observer: NetworkObserver) {
    self.file = file
    self.observer = observer
  }

  mutating func read() throws(ImportError) -> Recording {
    var last = 1
    try file.forEachLine { (number, line) throws(ImportError) in
      last = number
      try read(Substring(line), number)
    }
    try finishEvent(last)
    guard time != nil else {
      throw file.error(
        .line(last), "no line has a time",
        hint: "record it with times: ip -ts monitor, not ip monitor")
    }
    if !hasPreamble {
      observed.remark(
        "The file does not contain the state of the host at the start, so it begins as unknown. "
          + "To include the state: (ip addr; ip route; ip -ts monitor) >FILE")
    }
    return observed.recording
  }

  // MARK: Lines

  private mutating func read(_ line: Substring, _ number: Int) throws(ImportError) {
    if line.hasPrefix("Timestamp: ") {
      guard let stamp = Timestamp(spelt: line.dropFirst(11)) else {
        throw file.error(.line(number), "not a valid time: \(line.dropFirst(11).prefix(60))")
      }
      return try begin(at: stamp, number)
    }
    guard let first = line.first, first != " ", first != "\t" else {
      return try continueEvent(line.words, number)
    }
    try finishEvent(number)
    var rest = line
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]"),
      let stamp = Timestamp(iso: rest[rest.index(after: rest.startIndex)..<end])
    {
      try begin(at: stamp, number)
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    if rest.hasPrefix("[nsid current]") { rest = rest.dropFirst(14) }
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      let label = rest[rest.index(after: rest.startIndex)..<end]
      guard ["LINK", "ADDR", "ROUTE"].contains(label) else { return }
      rest = rest[rest.index(after: end)...]
    }
    // With `-o` each event is one line, and backslashes replace its line breaks.
    let parts = rest.split(separator: "\\")
    guard let head = parts.first else { return }
    try beginEvent(head.words, number)
    for part in parts.dropFirst() { try continueEvent(part.words, number) }
  }

  /// Finishes the pending event, and sets the time of the following events.
  private mutating func begin(at stamp: Timestamp, _ number: Int) throws(ImportError) {
    try finishEvent(number)
    if time == nil {
      try note(at: stamp.microseconds, number)
    }
    time = stamp.microseconds
  }

  private mutating func note(at time: Int64, _ number: Int) throws(ImportError) {
    do throws(ObservedRecording.Problem) {
      try observed.note(at: time, observer.reading)
    } catch {
      throw file.error(.line(number), error.message, hint: error.hint)
    }
  }

  // MARK: Events

  private mutating func beginEvent(_ words: [Substring], _ number: Int) throws(ImportError) {
    let isGone = words.first == "Deleted"
    let words = words.dropFirst(isGone ? 1 : 0)
    guard let first = words.first, !Self.isNeighborEntry(words) else { return }
    if first.hasSuffix(":"), let index = Int32(first.dropLast()) {
      try beginInterface(index, Array(words.dropFirst()), isGone, number)
    } else if !Self.otherSubjects.contains(first) {
      guard let route = try route(Array(words), number) else { return }
      unfinished = isGone ? .routeGone(route) : .route(route)
    }
  }

  /// Parses `2: wlan0@if2: <BROADCAST,UP> ... state UP` or `2: wlan0    inet 192.168.1.2/24 ...`.
  private mutating func beginInterface(
    _ index: Int32, _ words: [Substring], _ isGone: Bool, _ number: Int
  ) throws(ImportError) {
    guard let name = words.first, words.count >= 2 else {
      throw file.error(.line(number), "the line ends after the number of an interface")
    }
    if name.hasSuffix(":"), words[1].hasPrefix("<"), words[1].hasSuffix(">") {
      let name = String(name.dropLast().prefix { $0 != "@" })
      guard !isGone else {
        unfinished = .linkGone(name: name)
        return
      }
      let flags = words[1].dropFirst().dropLast().split(separator: ",")
      let state = words.value(after: "state") ?? "UNKNOWN"
      unfinished = .link(
        NetworkInterface(
          index: index, name: name, isUp: flags.contains("UP"),
          hasCarrier: flags.contains("LOWER_UP"),
          operationalState: Self.states[String(state)] ?? .unknown))
    } else if words[1].hasPrefix("inet") {
      try handleAddress(words.dropFirst(), of: String(name), isGone, number)
    } else if name != "from", name != "not" {
      // Policy rules are numbered like interfaces, but begin with `from` or `not`.
      throw file.error(
        .line(number), "the line has neither the state nor an address of an interface")
    }
  }

  private mutating func continueEvent(_ words: [Substring], _ number: Int) throws(ImportError) {
    guard let first = words.first else { return }
    switch unfinished {
    case .link(var link):
      if first.hasPrefix("link/") {
        link.hardwareType = Self.hardwareTypes[String(first.dropFirst(5))] ?? 1
        unfinished = .link(link)
      } else if first == "inet" || first == "inet6" {
        // `ip addr` prints addresses below their interface, which must be added before them.
        observer.handle(.link(link))
        try handleAddress(words[...], of: link.name, false, number)
      }
    case .route(var route) where first == "nexthop" && route.interface == nil:
      route.gateway = words.value(after: "via").flatMap { IPAddress(String($0)) }
      route.interface = words.value(after: "dev").map(String.init)
      unfinished = .route(route)
    case .route, .routeGone, .linkGone, .address, .addressGone, nil:
      return
    }
  }

  /// Handles the pending event, because no more lines belong to it.
  private mutating func finishEvent(_ number: Int) throws(ImportError) {
    guard let event = unfinished else { return }
    unfinished = nil
    try handle(event, number)
  }

  private mutating func handle(_ event: ObservedEvent, _ number: Int) throws(ImportError) {
    observer.handle(event)
    guard !observer.isOverfull else {
      throw file.error(
        .line(number),
        "there are more than \(NetworkObserver.limit) interfaces, addresses or routes",
        hint: "import the output of a device, not of a router")
    }
    guard let time else {
      hasPreamble = true
      return
    }
    try note(at: time, number)
  }

  // MARK: Parts

  private mutating func handleAddress(
    _ words: ArraySlice<Substring>, of name: String, _ isGone: Bool, _ number: Int
  ) throws(ImportError) {
    guard let text = words.dropFirst().first,
      let address = IPAddress(String(text.prefix { $0 != "/" }))
    else {
      throw file.error(.line(number), "the address after \"\(words.first ?? "")\" is missing")
    }
    try handle(
      isGone ? .addressGone(address, name: name) : .address(address, name: name), number)
  }

  /// Parses a route of the main table, or returns `nil` for any other table.
  private func route(_ words: [Substring], _ number: Int) throws(ImportError) -> ObservedRoute? {
    var words = words
    var isPassable = true
    if let type = Self.routeTypes[String(words[0])] {
      isPassable = type
      words.removeFirst()
    }
    if let table = words.value(after: "table"), table != "main" { return nil }
    guard let text = words.first, let destination = destination(text, words) else {
      throw file.error(
        .line(number), "not an event of a link, an address or a route: \(words.joinedStart)")
    }
    var route = ObservedRoute(destination: destination, isPassable: isPassable)
    route.interface = words.value(after: "dev").map(String.init)
    // `via inet6 fe80::1` is a next hop of the other address family.
    route.gateway =
      words.value(after: "via").flatMap { IPAddress(String($0)) }
      ?? words.value(after: "inet6").flatMap { IPAddress(String($0)) }
    if let metric = words.value(after: "metric") {
      guard let metric = UInt32(metric) else {
        throw file.error(.line(number), "the metric of a route must be a number, found \(metric)")
      }
      route.metric = metric
    }
    return route
  }

  private func destination(_ text: Substring, _ words: [Substring]) -> IPNetwork? {
    guard text != "default" else {
      // Every IPv6 route has a preference, and no IPv4 route has one.
      let isVersion6 = words.contains("pref") || words.value(after: "via")?.contains(":") ?? false
      return .allAddresses(of: isVersion6 ? .v6 : .v4)
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
    guard parts.count == 2 else { return IPNetwork(address) }
    guard let length = Int(parts[1]), (0...address.family.bitCount).contains(length) else {
      return nil
    }
    return IPNetwork(address, prefixLength: length)
  }

  /// Detects neighbor entries, which look like routes: `192.168.1.9 dev wlan0 lladdr
  /// 02:00:00:00:00:09 PERMANENT`.
  private static func isNeighborEntry(_ words: ArraySlice<Substring>) -> Bool {
    words.contains("lladdr") || words.last.map { neighbourStates.contains(String($0)) } ?? false
  }

  private static let neighbourStates = [
    "REACHABLE", "STALE", "DELAY", "PROBE", "FAILED", "INCOMPLETE", "NOARP", "PERMANENT", "router",
    "proxy",
  ]
  /// The first words of lines about settings, prefixes, namespaces and next hops.
  private static let otherSubjects: [Substring] = [
    "inet", "inet6", "mpls", "all", "prefix", "nsid", "id", "dev", "(",
  ]
  /// The types of routes, and whether packets pass.
  private static let routeTypes = [
    "unicast": true, "local": true, "broadcast": true, "multicast": true, "anycast": true,
    "nat": true, "unreachable": false, "blackhole": false, "prohibit": false, "throw": false,
  ]
  private static let states: [String: NetworkInterface.OperationalState] = [
    "UNKNOWN": .unknown, "NOTPRESENT": .notPresent, "DOWN": .down,
    "LOWERLAYERDOWN": .lowerLayerDown, "TESTING": .testing, "DORMANT": .dormant, "UP": .up,
  ]
  /// The link layers that affect the result; all others count as wired.
  private static let hardwareTypes: [String: UInt32] = ["ppp": 512, "rawip": 519, "[519]": 519]
}

extension Substring {
  /// The words, which are separated by spaces and tabs.
  fileprivate var words: [Substring] { split { $0 == " " || $0 == "\t" } }
}

extension [Substring] {
  /// Returns the word that follows another word, or `nil` if there is none.
  fileprivate func value(after word: Substring) -> Substring? {
    guard let position = firstIndex(of: word), position + 1 < count else { return nil }
    return self[position + 1]
  }

  /// The words, truncated for a message.
  fileprivate var joinedStart: String { String(joined(separator: " ").prefix(60)) }
}
