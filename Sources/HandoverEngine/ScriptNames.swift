package import HandoverCore

/// The names of a script's elements in sentences.
package struct ScriptNames: Sendable {
  package let script: Script

  /// Creates the names of a script.
  package init(script: Script) { self.script = script }

  /// Returns the name of a call, in quotes.
  package func call(_ position: Int) -> String {
    "\"" + (position < script.calls.count ? SafeText.line(script.calls[position].id) : "?") + "\""
  }

  /// Returns the name of a request, in quotes.
  package func request(_ position: Int) -> String {
    "\"" + (position < script.requests.count ? SafeText.line(script.requests[position].id) : "?")
      + "\""
  }

  /// Returns the name of a question, in quotes.
  package func question(_ position: Int) -> String {
    "\"" + (position < script.questions.count ? SafeText.line(script.questions[position].id) : "?")
      + "\""
  }

  /// Returns the dispatcher of a pool, with the pool's name if there are several.
  package func dispatcher(_ pool: Int) -> String {
    script.pools.count > 1 && pool < script.pools.count
      ? "the dispatcher of the pool \"\(SafeText.line(script.pools[pool]))\"" : "the dispatcher"
  }

  /// Returns the name of an interceptor in quotes, or the user if the index is out of range.
  package func link(_ position: Int) -> String {
    let links = script.configuration.chain.links
    return position < links.count
      ? "the interceptor \"\(SafeText.line(links[position].name))\"" : "the user"
  }

  /// Returns a host as written in the file.
  package func host(_ position: Int) -> String {
    position < script.hosts.count
      ? SafeText.line(script.hosts[position].written) : "an unknown host"
  }

  /// Returns the name of one host, or a phrase for all hosts.
  package func hosts(_ selector: HostSelector) -> String {
    switch selector {
    case .one(let host): self.host(host)
    case .all: "all hosts"
    }
  }

  /// Returns the host after a preposition, or an empty string if there is only one host.
  package func suffix(_ preposition: String, host: Int) -> String {
    script.hosts.count > 1 ? " \(preposition) \(self.host(host))" : ""
  }

  /// Returns the name of a network, by its path.
  package func path(_ path: PathIndex) -> String {
    switch path {
    case Script.wifiPath: return "WiFi"
    case Script.cellularPath: return "cellular"
    default:
      let position = Int(path.index)
      return position < script.paths.count
        ? "\"\(SafeText.line(script.paths[position]))\"" : "an unknown network"
    }
  }

  /// Returns a phrase for the network of a connection.
  package func way(_ path: PathIndex?) -> String {
    path.map { "over \(self.path($0))" } ?? "without a network"
  }

  /// Returns the category as part of a sentence about the device's network.
  package static func position(_ category: NetworkCategory) -> String {
    switch category {
    case .unknown: "on an unknown network"
    case .noNetwork: "without a network"
    case .cellular: "on the cellular network"
    case .wifi: "on WiFi"
    }
  }

  /// Returns flags as text.
  package static func flags(_ flags: ReachabilityFlags) -> String {
    let unnamed = flags.subtracting(.all)
    let names = ReachabilityFlags.names.filter { flags.contains($0.flag) }.map(\.name)
    return listed(names + (unnamed.isEmpty ? [] : ["bits \(unnamed.rawValue) without a name"]))
  }

  /// Returns the options of a call that belong to its channel's key, or an empty string.
  package static func options(_ options: ChannelOptions) -> String {
    listed(
      ChannelOptions.times.compactMap { name, path in
        options[keyPath: path].map { "\(name)=\($0.text)" }
      }
        + options.others.map(SafeText.line))
  }

  /// Joins words into a list: `a, b and c`.
  package static func listed(_ phrase: [String]) -> String {
    guard let last = phrase.last, phrase.count > 1 else { return phrase.first ?? "" }
    return phrase.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Returns a count with its noun: `no call`, `1 call`, `2 calls`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    count == 0 ? "no \(noun)" : HandoverCore.counted(count, noun)
  }

  /// Returns an ordinal number, as a word up to ten.
  package static func ordinal(_ number: Int) -> String {
    let phrase = [
      "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ]
    if number <= phrase.count { return phrase[number - 1] }
    switch (number % 100, number % 10) {
    case (11...13, _): return "\(number)th"
    case (_, 1): return "\(number)st"
    case (_, 2): return "\(number)nd"
    case (_, 3): return "\(number)rd"
    default: return "\(number)th"
    }
  }
}
