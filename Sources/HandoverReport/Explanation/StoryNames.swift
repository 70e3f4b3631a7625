import HandoverCore
import HandoverTrace

/// What the things of a script are called in sentences.
struct StoryNames: Sendable {
  let script: Script

  /// A call, in quotes.
  func call(_ place: Int) -> String {
    "\"" + (place < script.calls.count ? VisibleText.of(script.calls[place].id) : "?") + "\""
  }

  /// A request, in quotes.
  func request(_ place: Int) -> String {
    "\"" + (place < script.requests.count ? VisibleText.of(script.requests[place].id) : "?") + "\""
  }

  /// A question, in quotes.
  func question(_ place: Int) -> String {
    "\"" + (place < script.questions.count ? VisibleText.of(script.questions[place].id) : "?")
      + "\""
  }

  /// The dispatcher of a pool, by the pool's name where there are several.
  func dispatcher(_ pool: Int) -> String {
    script.pools.count > 1 && pool < script.pools.count
      ? "the dispatcher of the pool \"\(VisibleText.of(script.pools[pool]))\"" : "the dispatcher"
  }

  /// An interceptor, in quotes; the user where it is none.
  func link(_ place: Int) -> String {
    let links = script.configuration.chain.links
    return place < links.count
      ? "the interceptor \"\(VisibleText.of(links[place].name))\"" : "the user"
  }

  /// A host as the file writes it.
  func host(_ place: Int) -> String {
    place < script.hosts.count ? VisibleText.of(script.hosts[place].written) : "an unknown host"
  }

  /// One host or all of them.
  func hosts(_ selector: HostSelector) -> String {
    switch selector {
    case .one(let host): self.host(host)
    case .all: "all hosts"
    }
  }

  /// The host after a preposition; nothing where there is only one.
  func suffix(_ preposition: String, host: Int) -> String {
    script.hosts.count > 1 ? " \(preposition) \(self.host(host))" : ""
  }

  /// The same for a selector.
  func suffix(_ preposition: String, _ selector: HostSelector) -> String {
    script.hosts.count > 1 ? " \(preposition) \(hosts(selector))" : ""
  }

  /// A network by its path.
  func path(_ path: PathIndex) -> String {
    switch path {
    case Script.wifiPath: return "WiFi"
    case Script.cellularPath: return "cellular"
    default:
      let place = Int(path.index)
      return place < script.paths.count
        ? "\"\(VisibleText.of(script.paths[place]))\"" : "an unknown network"
    }
  }

  /// The way of a connection.
  func way(_ path: PathIndex?) -> String {
    path.map { "over \(self.path($0))" } ?? "without a network"
  }

  /// A category in a sentence about where the device is.
  static func place(_ category: NetworkCategory) -> String {
    switch category {
    case .unknown: "on a network that nobody knows yet"
    case .noNetwork: "without a network"
    case .cellular: "on the cellular network"
    case .wifi: "on WiFi"
    }
  }

  /// Flags in words.
  static func flags(_ flags: ReachabilityFlags) -> String {
    let unnamed = flags.subtracting(.all)
    let names = ReachabilityFlags.names.filter { flags.contains($0.flag) }.map(\.name)
    return listed(names + (unnamed.isEmpty ? [] : ["bits \(unnamed.rawValue) without a name"]))
  }

  /// Options of a call that are part of its channel's key; empty where there are none.
  static func options(_ options: ChannelOptions) -> String {
    listed(
      ChannelOptions.times.compactMap { name, path in
        options[keyPath: path].map { "\(name)=\($0.text)" }
      }
        + options.others.map(VisibleText.of))
  }

  /// Words in a row: `a, b and c`.
  static func listed(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// A count with its noun: `no call`, `1 call`, `2 calls`.
  static func counted(_ count: Int, _ noun: String) -> String {
    count == 0 ? "no \(noun)" : VisibleText.counted(count, noun)
  }

  /// A place in a row, in words as far as they are short.
  static func ordinal(_ number: Int) -> String {
    let words = [
      "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ]
    if number <= words.count { return words[number - 1] }
    switch (number % 100, number % 10) {
    case (11...13, _): return "\(number)th"
    case (_, 1): return "\(number)st"
    case (_, 2): return "\(number)nd"
    case (_, 3): return "\(number)rd"
    default: return "\(number)th"
    }
  }
}
