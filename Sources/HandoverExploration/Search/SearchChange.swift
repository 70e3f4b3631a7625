import HandoverCore

/// A change of a random timeline; its effect depends on the device at that time.
package enum SearchChange: String, Hashable, Sendable, CaseIterable {
  // The programs and the device.
  case suspended, resumed, asleep, awake
  case awakeElsewhere = "awake-elsewhere"
  // The connections, the servers and the names.
  case stalled, killed, reset, ended, unanswered, answered
  case refusing, silent, serving
  case namesFail = "names-fail"
  case namesHang = "names-hang"
  case namesResolve = "names-resolve"
  // The default network.
  case noNetwork = "no-network"
  case wifi, cellular, hotspot
  // One of several networks, which stay up when another one becomes the default.
  case down, up
  case natForgets = "nat-forgets"
  case newAddress = "new-address"
  case shortOutage = "short-outage"
  case uplinkDown = "uplink-down"
  case uplinkUp = "uplink-up"
  case captive, validated
  case slow, lossy
  case losesAnswers = "loses-answers"
  case losesNothing = "loses-nothing"

  /// The changes that end connections.
  static let losses: [SearchChange] = [.stalled, .killed, .reset, .ended]

  /// The changes that prevent new connections, and that an existing connection survives.
  static let obstacles: [SearchChange] = [.unanswered, .refusing, .silent, .namesFail, .namesHang]

  /// All changes by what they change, so that each kind can be drawn equally often.
  static let kinds: [[SearchChange]] = [
    [.suspended, .resumed, .asleep, .awake, .awakeElsewhere],
    losses,
    obstacles + [.answered, .serving, .namesResolve],
    [.noNetwork, .wifi, .cellular, .hotspot, .down, .up],
    [
      .natForgets, .newAddress, .shortOutage, .uplinkDown, .uplinkUp, .captive, .validated, .slow,
      .lossy, .losesAnswers, .losesNothing,
    ],
  ]

  /// A description for people.
  package var phrase: String {
    switch self {
    case .suspended: "the program is stopped"
    case .resumed: "the program continues"
    case .asleep: "the device sleeps"
    case .awake: "the device wakes"
    case .awakeElsewhere: "the device wakes with another address"
    case .stalled: "the connections stall"
    case .killed: "the kernel destroys the connections"
    case .reset: "the servers reset the connections"
    case .ended: "the servers end the connections"
    case .unanswered: "new connections get no answer"
    case .answered: "new connections get answers"
    case .refusing: "the servers refuse connections"
    case .silent: "the servers are silent"
    case .serving: "the servers answer"
    case .namesFail: "name lookups fail"
    case .namesHang: "name lookups get no answer"
    case .namesResolve: "name lookups work"
    case .noNetwork: "no network"
    case .wifi: "WiFi"
    case .cellular: "cellular"
    case .hotspot: "another hotspot"
    case .down: "the default network goes down"
    case .up: "a network comes up"
    case .natForgets: "the NAT forgets its connections"
    case .newAddress: "the device gets another address"
    case .shortOutage: "the uplink is dead for 1 s"
    case .uplinkDown: "the uplink is dead"
    case .uplinkUp: "the uplink is back"
    case .captive: "a captive portal blocks the network"
    case .validated: "the portal lets data pass"
    case .slow: "the network becomes slow"
    case .lossy: "the network loses packets"
    case .losesAnswers: "the network loses all answers"
    case .losesNothing: "the network loses no answers"
    }
  }
}

/// The device of a random timeline: what has changed so far, and what is possible next.
struct SearchDevice {
  /// The networks, by the indices of their paths.
  static let networks: [(name: String, kind: NetworkKind)] = [
    ("wifi", .wifi), ("cellular", .cellular), ("hotspot", .wifi),
  ]

  private enum Life {
    case running, suspended, asleep
  }

  /// Whether networks stay up when another one becomes the default.
  let hasSeveralNetworks: Bool
  private var network: Int? = 0
  private var isUp = [true, true, true]
  private var life = Life.running
  private var isUnanswered = false
  private var servers = ServerFault.accept
  private var names = DNSFault.resolve
  /// The networks whose uplink is dead, that are behind a portal, or that lose all answers.
  private var withoutUplink: Int?
  private var captive: Int?
  private var deaf: Int?

  /// Creates the device after the possible ones among some changes.
  init(hasSeveralNetworks: Bool, after entries: [SearchTimeline.Entry] = []) {
    self.hasSeveralNetworks = hasSeveralNetworks
    for entry in entries where isPossible(entry.change) { _ = apply(entry.change) }
  }

  private static func number(of change: SearchChange) -> Int? {
    switch change {
    case .wifi: 0
    case .cellular: 1
    case .hotspot: 2
    default: nil
    }
  }

  /// Whether programs run.
  var isRunning: Bool { life == .running }

  // MARK: Changes

  /// Returns whether a change has an effect now.
  func isPossible(_ change: SearchChange) -> Bool {
    switch change {
    case .suspended, .asleep: life == .running
    case .resumed: life == .suspended
    case .awake, .awakeElsewhere: life == .asleep
    // What happens to connections while nothing runs is seen only afterwards.
    case .stalled, .killed, .reset, .ended: life == .running && network != nil
    case .unanswered: life == .running && !isUnanswered
    case .answered: isUnanswered
    case .refusing, .silent: life == .running && servers == .accept
    case .serving: servers != .accept
    case .namesFail, .namesHang: life == .running && names == .resolve
    case .namesResolve: names != .resolve
    case .noNetwork: !hasSeveralNetworks && network != nil
    case .wifi, .cellular, .hotspot: canMove(to: change)
    case .down: hasSeveralNetworks && network != nil && network != impaired
    case .up: firstDown != nil
    // The verdict takes all earlier connections for dead, and those are on the first network.
    case .natForgets, .newAddress: hasSeveralNetworks && network == 0
    case .slow, .lossy: hasSeveralNetworks && network != nil
    case .shortOutage, .uplinkDown, .captive, .losesAnswers:
      hasSeveralNetworks && network != nil && impaired == nil
    case .uplinkUp: withoutUplink != nil
    case .validated: captive != nil
    case .losesNothing: deaf != nil
    }
  }

  private func canMove(to change: SearchChange) -> Bool {
    guard let number = Self.number(of: change) else { return false }
    return number != network && (!hasSeveralNetworks || isUp[number])
  }

  private var firstDown: Int? { hasSeveralNetworks ? isUp.firstIndex(of: false) : nil }
  private var impaired: Int? { withoutUplink ?? captive ?? deaf }

  /// Applies a possible change, and returns the action of the timeline.
  mutating func apply(_ change: SearchChange) -> ScriptAction {
    switch change {
    case .suspended, .resumed:
      life = change == .resumed ? .running : .suspended
      return .app(change == .resumed ? .foreground : .background)
    case .asleep:
      life = .asleep
      return .power(.sleep)
    case .awake, .awakeElsewhere:
      life = .running
      return .power(.wake(newAddress: change == .awakeElsewhere))
    case .stalled: return .transport(.all, .stall)
    case .killed: return .transport(.all, .kill)
    case .reset: return .transport(.all, .reset)
    case .ended: return .transport(.all, .fin)
    case .unanswered, .answered:
      isUnanswered = change == .unanswered
      return .transport(.all, isUnanswered ? .blackholeConnect : .resume)
    case .refusing, .silent, .serving:
      servers = change == .refusing ? .refuse : change == .silent ? .silent : .accept
      return .server(0, servers)
    case .namesFail, .namesHang, .namesResolve:
      names = change == .namesFail ? .fail : change == .namesHang ? .hang : .resolve
      return .names(0, names)
    case .noNetwork, .wifi, .cellular, .hotspot, .down, .up, .natForgets, .newAddress,
      .shortOutage, .uplinkDown, .uplinkUp, .captive, .validated, .slow, .lossy, .losesAnswers,
      .losesNothing:
      return applyToNetwork(change)
    }
  }

  private mutating func applyToNetwork(_ change: SearchChange) -> ScriptAction {
    let standard = network ?? 0
    func action(_ number: Int, _ action: NetworkAction) -> ScriptAction {
      .network(PathIndex(UInt8(number)), action, signal: nil)
    }
    switch change {
    case .down:
      isUp[standard] = false
      network = nil
      return action(standard, .down(nil))
    case .up:
      let number = firstDown ?? standard
      isUp[number] = true
      return action(number, .up)
    case .natForgets: return action(standard, .nat(.forget, .drop, every: nil))
    case .newAddress: return action(standard, .roam(.newAddress, .drop))
    case .shortOutage:
      return action(standard, .uplink(isUp: false, lasts: .seconds(1), every: nil))
    case .uplinkDown:
      withoutUplink = standard
      return action(standard, .uplink(isUp: false, lasts: nil, every: nil))
    case .uplinkUp:
      defer { withoutUplink = nil }
      return action(withoutUplink ?? standard, .uplink(isUp: true, lasts: nil, every: nil))
    case .captive:
      captive = standard
      return action(standard, .captive)
    case .validated:
      defer { captive = nil }
      return action(captive ?? standard, .validated)
    case .losesAnswers:
      deaf = standard
      return action(standard, .loss(.answers))
    case .losesNothing:
      defer { deaf = nil }
      return action(deaf ?? standard, .loss(.none))
    case .slow, .lossy:
      var quality = LinkQuality()
      if change == .slow { quality.delay = .milliseconds(200) }
      if change == .lossy { quality.lossPerMillion = 50_000 }
      return action(standard, .quality(quality))
    default: return move(to: change)
    }
  }

  private mutating func move(to change: SearchChange) -> ScriptAction {
    network = Self.number(of: change)
    guard let network else { return .flags([], path: nil, linksUp: [], linksDown: []) }
    let path = PathIndex(UInt8(network))
    guard !hasSeveralNetworks else { return .network(path, .makeDefault, signal: nil) }
    return .flags(Self.networks[network].kind.flags, path: path, linksUp: [], linksDown: [])
  }

  // MARK: The end

  /// The change that restores what a program needs next, or `nil` if it needs nothing.
  ///
  /// A verdict requires that a new connection works at the end.
  var restoration: SearchChange? {
    switch life {
    case .suspended: return .resumed
    case .asleep: return .awake
    case .running: break
    }
    if withoutUplink != nil { return .uplinkUp }
    if captive != nil { return .validated }
    if deaf != nil { return .losesNothing }
    if network == nil {
      let names: [SearchChange] = [.wifi, .cellular, .hotspot]
      return names.first(where: canMove) ?? .up
    }
    if isUnanswered { return .answered }
    if servers != .accept { return .serving }
    return names == .resolve ? nil : .namesResolve
  }

  /// The number of changes that restore everything.
  var restorationCount: Int {
    var device = self
    var count = 0
    while let change = device.restoration {
      _ = device.apply(change)
      count += 1
    }
    return count
  }
}
