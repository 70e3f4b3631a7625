import HandoverBackend
import HandoverCore

/// A change that the client is notified of after all entries of an instant have run.
enum NetworkNews: Hashable, Sendable {
  /// A callback of the platform; `about` is the network that caused it, if there is one.
  case callback(ReachabilityFlags, about: PathIndex?)
  /// The device has moved, and is now in this state.
  case moved(Device.Move, Device)
  /// The device has another default route, and a separate change notifies the connections.
  case leads
  /// Connections over a network resume, or stall if `isStalled` is true.
  case stalls(PathIndex, isStalled: Bool)
  /// The routers have lost the state of all open flows of a network.
  case forgotten(PathIndex)
  /// A network has reset its connections.
  case wasReset(PathIndex)
  /// The device has new addresses on some networks, and is now in this state.
  case renewed(PathSet, Device)
}

// Changes of the device and its networks, which its timeline decides. The kernel is changed
// immediately, and the client is notified after all entries of the instant have run.
extension LiveSession {
  /// Passes an event to the timeline of the device, and executes the effects in order.
  func runTimeline(_ event: DeviceTimeline.Event, at instant: Instant) throws(BackendError) {
    let effects = run?.timeline.effects(of: event, at: instant) ?? []
    for effect in effects { try execute(effect) }
  }

  /// Executes the scheduled network changes that are due before an instant.
  func runScheduledChanges(before instant: Instant) throws(BackendError) {
    while let due = run?.timeline.nextDeadline, due < instant {
      try wait(until: due)
      try holdServers()
      while let next = run?.timeline.nextChange(by: due) {
        run?.changeDue = next.at
        try runTimeline(.due(next.change), at: next.at)
      }
      try takeMoves()
    }
  }

  private func execute(_ effect: DeviceTimeline.Effect) throws(BackendError) {
    let (run, device) = (try current(), effect.device)
    switch effect.body {
    case .fact(let fact):
      try onDevice { client in
        client.device = device
        client.note(fact)
      }
    case .move(let move, let isReported):
      try onDevice { $0.device = device }
      // Without declared networks, the kernel follows after all entries of the instant, because
      // the user's actions of an instant come before the consequences of a move in it.
      guard !run.script.networks.isEmpty else {
        self.run?.moves.append(move)
        return
      }
      try run.network.apply(device)
      try checkChange()
      self.run?.news.append(isReported ? .moved(move, device) : .leads)
    case .network(let command, let cause): try execute(command, cause, device)
    case .quality(let path, let source):
      guard let quality = run.script.quality(at: source) else { return }
      try run.network.setQuality(quality, of: path)
    case .routeReported(let flags, let path):
      if run.script.networks.isEmpty {
        self.run?.reported = flags
      } else {
        let flags = try reportedFlags()
        self.run?.news.append(.callback(flags, about: path))
      }
    case .callback(let flags, let path): self.run?.news.append(.callback(flags, about: path))
    case .app(let former):
      let flags = try reportedFlags()
      try onDevice { client in
        client.device = device
        client.appMoved(from: former, flags: flags)
      }
    case .scheduled, .cancelled: break
    }
  }

  private func execute(
    _ command: NetworkCommand, _ cause: UInt32?, _ device: Device
  ) throws(BackendError) {
    // The fault affects the flows that exist before the router forgets them.
    if case .translate(let path, _, _) = command, let cause {
      try onDevice { $0.applyTranslation(on: path, cause) }
    }
    // The client is notified of a lost address before the radio is on.
    if case .setRadio(isOn: true) = command { try reportNews() }
    try current().network.perform(command)
    try checkChange()
    switch command {
    case .restore(let path): addNews(of: path)
    case .end(let path, .silent): run?.news.append(.stalls(path, isStalled: true))
    case .end(let path, .reset): run?.news.append(.wasReset(path))
    case .obstruct(let path, let obstacle):
      addNews(of: path)
      try onDevice { $0.obstruct(path, obstacle, cause) }
    case .clear(let path, let obstacle):
      addNews(of: path)
      try onDevice { $0.clear(path, obstacle) }
    case .translate(let path, _, .drop): run?.news.append(.forgotten(path))
    case .translate: break
    case .renewAddresses(let paths): run?.news.append(.renewed(paths, device))
    case .setRadio(let isOn):
      try onDevice { client in
        client.device = device
        if isOn { client.askAgain() } else { client.loseAnswers() }
      }
    }
  }

  /// Adds the news that connections on a network stall or resume.
  private func addNews(of path: PathIndex) {
    guard let isStalled = run?.timeline.isObstructed(path) else { return }
    run?.news.append(.stalls(path, isStalled: isStalled))
  }

  /// Returns the flags that the platform reports now.
  func reportedFlags() throws(BackendError) -> ReachabilityFlags {
    let run = try current()
    return Self.reported(
      try run.network.readFlags(), try onDevice(\.device), run.script)
  }

  /// Returns the flags that the kernel shows, or the script's flags if there are several networks.
  ///
  /// The script's flags can contain details beyond the category, which no kernel shows.
  static func reported(
    _ shown: ReachabilityFlags, _ device: Device, _ script: Script
  ) -> ReachabilityFlags {
    guard !script.networks.isEmpty, NetworkCategory(shown) == device.category else { return shown }
    return device.flags
  }

  /// Notifies the client: first of the platform's callbacks, then of changes to connections.
  func reportNews() throws(BackendError) {
    guard let news = run?.news, !news.isEmpty else { return }
    run?.news = []
    for case .callback(let flags, let path) in news {
      try onDevice { $0.flagsChanged(flags, about: path) }
    }
    for one in news {
      let flows = try onDevice { $0.follow(one) }
      if !flows.isEmpty { try current().network.abort(flows) }
    }
  }
}
