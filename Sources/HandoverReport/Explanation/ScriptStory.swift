import HandoverCore
import HandoverEngine
import HandoverScenario

/// Describes the script of a scenario, which is the same on all profiles.
struct ScriptStory {
  let script: Script
  let names: ScriptNames

  init(_ script: Script) {
    self.script = script
    names = ScriptNames(script: script)
  }

  /// The beginning of the run: the device, the hosts and the settings.
  var beginning: [Sentence] {
    [device] + networks + (script.initial.monitorIsReadable ? [] : [unreadable]) + hosts + settings
      + chain
  }

  private var unreadable: Sentence {
    Sentence(text: "the monitor cannot read the flags at first", items: ["M8"])
  }

  private var device: Sentence {
    let category = NetworkCategory(script.initial.flags)
    var text = "the device is \(ScriptNames.position(category)) at first"
    if let path = script.initial.path, category != .noNetwork, path != Self.defaultPath(category) {
      text += ", which is called \(names.path(path))"
    }
    switch script.initial.app {
    case .foreground: break
    case .background: text += ", and the app is in the background"
    case .backgroundRunning: text += ", and the app runs in the background"
    }
    return Sentence(text: text)
  }

  /// The networks, and which of them are up.
  private var networks: [Sentence] {
    guard !script.networks.isEmpty else { return [] }
    let list = script.networks.map { network in
      var text = "\(names.path(network.path)) (\(network.kind.rawValue)), "
      let isUp = script.initial.networksUp?.contains(network.path) == true
      text += network.path == script.initial.path ? "the default one" : isUp ? "up" : "down"
      if network.takesAllTraffic { text += ", which takes all traffic while it is the default one" }
      return text
    }
    return [Sentence(text: "its networks at first: " + list.joined(separator: "; "))]
      + script.networks.compactMap(lookup)
  }

  /// Describes the time of lookups on a network, if they take time.
  private func lookup(on network: ScriptNetwork) -> Sentence? {
    guard network.lookup.both > .zero else { return nil }
    return Sentence(
      text: "the name server of \(names.path(network.path)) answers with IPv4 addresses after "
        + "\(network.lookup.ipv4.exactText), and with IPv6 addresses after "
        + network.lookup.ipv6.exactText
    )
  }

  static func defaultPath(_ category: NetworkCategory) -> PathIndex? {
    switch category {
    case .wifi: Script.wifiPath
    case .cellular: Script.cellularPath
    case .noNetwork, .unknown: nil
    }
  }

  // MARK: Hosts

  private var hosts: [Sentence] {
    guard !script.hosts.isEmpty else { return [Sentence(text: "there is no host")] }
    let many = script.hosts.count
    let count = many == 1 ? "there is one host, " : "there are \(many) hosts: "
    let list = ScriptNames.listed(script.hosts.indices.map(names.host))
    return [Sentence(text: count + list)] + script.hosts.indices.flatMap(describe)
  }

  private func describe(host index: Int) -> [Sentence] {
    let host = script.hosts[index]
    let name = names.host(index)
    var sentences: [Sentence] = []
    if host.name == nil {
      sentences.append(Sentence(text: "no channel can be made for \(name)", items: ["C13"]))
    } else {
      let time = host.connect > .zero ? "takes \(host.connect.exactText)" : "takes no time"
      sentences.append(Sentence(text: "connecting to \(name) \(time)"))
    }
    switch host.server {
    case .refuse:
      sentences.append(Sentence(text: "the server of \(name) refuses connections at first"))
    case .silent:
      sentences.append(
        Sentence(text: "the server of \(name) is silent at first: it reads and answers nothing"))
    case .accept, .close, .reset, .goaway: break
    }
    if !host.addresses.isEmpty { sentences.append(Sentence(text: addresses(of: index))) }
    switch host.names {
    case .fail: sentences.append(Sentence(text: "its name cannot be resolved at first"))
    case .hang: sentences.append(Sentence(text: "lookups of its name get no answer at first"))
    case .resolve: break
    }
    return sentences
  }

  private func addresses(of host: Int) -> String {
    let list = script.hosts[host].addresses.map { address in
      switch address.answer {
      case .accept: address.text.written
      case .refuse: "\(address.text.written), which refuses,"
      case .nothing: "\(address.text.written), which does not answer,"
      }
    }
    return "the name \(names.host(host)) has the address\(list.count == 1 ? "" : "es") "
      + ScriptNames.listed(list)
  }

  // MARK: Settings

  private var settings: [Sentence] {
    let defaults = RunConfiguration()
    let wanted = script.configuration
    var texts: [String] = backoff
    if let idle = wanted.idle {
      texts.append("a channel without calls is kept for \(idle.exactText)")
    }
    if let keepalive = wanted.keepalive {
      let pinged = keepalive.withoutCalls ? "every connection" : "a connection with calls"
      texts.append(
        "\(pinged) is pinged after \(keepalive.time.exactText) of silence, and closed when a ping "
          + "has had no answer for \(keepalive.timeout.exactText)")
      if keepalive.overduePing == .waitAgain {
        texts.append(
          "a client that did not run when the answer to a ping was due waits once more for "
            + keepalive.timeout.exactText)
      }
    }
    switch wanted.clock {
    case .boot: break
    case .monotonic: texts.append("the clock of the client's timers stops while the device sleeps")
    }
    if wanted.tcpTimeout != defaults.tcpTimeout {
      texts.append(
        "TCP gives up \(wanted.tcpTimeout.exactText) after the first unacknowledged byte")
    }
    if wanted.sendBuffer != defaults.sendBuffer {
      let bytes = counted(wanted.sendBuffer, "byte")
      texts.append("a connection that stalls takes \(bytes) before writes have to wait")
    }
    if let delay = wanted.happyEyeballs {
      texts.append("after each \(delay.exactText), the next address is tried in parallel")
    }
    texts += quic(wanted.quic)
    switch wanted.cfstream {
    case .iomgr: break
    case .eventEngine:
      texts.append("the code for CFStream is of the later generation, the event engine")
    }
    if wanted.monitorLatency > .zero {
      texts.append("a callback takes \(wanted.monitorLatency.exactText) to reach the monitor")
    }
    if let threads = wanted.requests.threads {
      texts.append(
        "requests run on threads, which a collector ends every \(threads.collect.exactText) when "
          + "they have been idle for \(threads.idle.exactText)")
    }
    texts += order(wanted.order)
    if wanted.seed != defaults.seed { texts.append("the seed is \(wanted.seed)") }
    if let until = wanted.until { texts.append("the run ends at \(until.exactText) at the latest") }
    return texts.map { Sentence(text: $0) }
  }

  private func quic(_ wanted: QUICConfiguration) -> [String] {
    let defaults = QUICConfiguration()
    var texts: [String] = []
    if wanted.migration == .refused { texts.append("servers let no connection of QUIC migrate") }
    if wanted.idleTimeout != defaults.idleTimeout {
      texts.append(
        "a connection of QUIC ends when nothing is received on it for "
          + wanted.idleTimeout.exactText
      )
    }
    if wanted.connectionIDs != defaults.connectionIDs {
      let count = counted(wanted.connectionIDs, "further connection identifier")
      texts.append("a server gives a connection \(count)")
    }
    if wanted.maximumMigrations != defaults.maximumMigrations {
      let count = counted(wanted.maximumMigrations, "time")
      texts.append("a connection migrates \(count) to one network at the most")
    }
    return texts
  }

  private func order(_ order: InstantOrder) -> [String] {
    guard !order.isRandom else {
      return [
        "what is due at one instant comes in random order, and so does the order in which "
          + "clients are notified of a network change"
      ]
    }
    var texts: [String] = []
    if !order.isDefault {
      let kinds = ScriptNames.listed(order.kinds.map(\.phrase))
      texts.append("at one instant \(kinds) follow each other in this order")
    }
    if order.observers == .calls {
      texts.append("calls are notified of a network change before their channels")
    }
    return texts
  }

  private var backoff: [String] {
    let defaults = BackoffConfiguration()
    let wanted = script.configuration.backoff
    var texts: [String] = []
    if wanted.initial != defaults.initial {
      texts.append("begins with \(wanted.initial.exactText)")
    }
    if wanted.multiplier != defaults.multiplier {
      texts.append("grows by a factor of \(Self.decimal(wanted.multiplier))")
    }
    if wanted.jitter != defaults.jitter {
      texts.append(
        wanted.jitter.numerator == 0
          ? "does not vary" : "varies by \(Self.decimal(wanted.jitter)) of its length")
    }
    if wanted.maximum != defaults.maximum {
      texts.append("is \(wanted.maximum.exactText) at the longest")
    }
    if wanted.minimumConnectTimeout != defaults.minimumConnectTimeout {
      texts.append("gives an attempt at least \(wanted.minimumConnectTimeout.exactText)")
    }
    return texts.isEmpty ? [] : ["the wait between attempts \(ScriptNames.listed(texts))"]
  }

  /// Returns a ratio in decimal notation; ratios have at most three decimals.
  private static func decimal(_ ratio: Ratio) -> String {
    let thousandths = ratio.numerator * 1_000 / max(1, ratio.denominator)
    let (whole, rest) = (thousandths / 1_000, thousandths % 1_000)
    guard rest != 0 else { return String(whole) }
    var digits = String(rest)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  // MARK: Entries

  /// The entries, with all their details.
  var entries: [Sentence] {
    var flags = script.initial.flags
    var made: Set<Int> = []  // lookup only
    return script.entries.map { entry in
      var text = EntryPhrases(script).text(of: entry.action, after: flags)
      switch entry.action {
      case .flags(let next, _, _, _):
        if next != flags {
          text +=
            next.isEmpty
            ? "; no flag is set now" : "; the flags are now \(ScriptNames.flags(next))"
        }
        flags = next
      case .makeCall(let call):
        made.insert(call)
        text = start(of: call, "is made, and does not start yet")
      case .startCall(let call) where !made.contains(call): text = start(of: call, "starts")
      default: break
      }
      return Sentence(at: entry.at, text: text)
    }
  }

  /// Returns the first description of a call, with all its details.
  private func start(of index: Int, _ what: String) -> String {
    let call = script.calls[index]
    let kind: String
    switch call.kind {
    case .unary: kind = "unary"
    case .streaming: kind = "streaming"
    case .clientStreaming: kind = "client-streaming"
    case .bidi: kind = "bidirectional"
    }
    var details: [String] = [duration(call)]
    if let every = call.every {
      details.append("the server sends a message every \(every.exactText)")
    }
    if let deadline = call.deadline { details.append("it has a deadline of \(deadline.exactText)") }
    if call.failFast { details.append("it does not wait if its channel has failed") }
    if let token = call.tokenDelay { details.append("its token takes \(token.exactText) to come") }
    let options = ScriptNames.options(call.options)
    if !options.isEmpty { details.append("it asks for \(options)") }
    details += chainDetails(of: call)
    return "the \(kind) call \(names.call(index)) to \(names.host(call.host)) \(what); "
      + ScriptNames.listed(details)
  }

  private func duration(_ call: ScriptCall) -> String {
    guard let takes = call.takes else { return "its answer does not end by itself" }
    let time = takes > .zero ? "\(takes.exactText) after" : "as soon as"
    return call.kind.requestIsCompleteAtStart
      ? "its answer is complete \(time) the server has read the request"
      : "its answer is complete \(time) the server receives the end of its requests"
  }
}

extension InstantOrder.Kind {
  /// The kind as part of a sentence.
  fileprivate var phrase: String {
    switch self {
    case .entries: "the entries"
    case .callbacks: "callbacks"
    case .transport: "what the transports report"
    case .deadlines: "deadlines"
    }
  }
}
