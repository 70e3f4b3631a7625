import HandoverBackend
import HandoverCore
import HandoverTrace

/// A change that the client is notified of after all entries of an instant have run.
enum NetworkNews: Hashable, Sendable {
  /// A callback of the platform; `about` is the network that caused it, if there is one.
  case callback(ReachabilityFlags, about: PathIndex?)
  /// The device has moved, and is now in this state.
  case moved(Device.Move, Device)
  /// The device has another default route, and a separate change notifies the connections.
  case leads
  /// Connections over a network resume, or stall if `isStill` is true.
  case stands(PathIndex, isStill: Bool)
  /// The routers have lost the state of all open flows of a network.
  case forgotten(PathIndex)
  /// A network has reset its connections.
  case wasReset(PathIndex)
  /// The device has new addresses on some networks, and is now in this state.
  case renewed(PathSet, Device)
}

// Changes of networks by timeline entries and scheduled changes. The kernel is changed immediately,
// and the client is notified after all entries of the instant have run.
extension LiveSession {
  /// Applies an action to a network, including its later consequences.
  func change(
    _ path: PathIndex, _ action: NetworkAction, signal: ReachabilityFlags?, cause: UInt32
  ) throws(BackendError) {
    let at = try current().script.entries[Int(cause)].at
    let deeds = run?.agenda.deeds(of: action, on: path, at: at) ?? []
    if case .losing = action { try onDevice { $0.note(.networkChanged(path, .losing)) } }
    if let kind = PathFault.Kind(action) {
      let fault = action.isFault ? PathFault(kind: kind, path: path, cause: cause) : nil
      try onDevice { $0.plan(fault, kind, on: path) }
    }
    for deed in deeds { try perform(deed, tells: signal == nil) }
    if let signal { run?.news.append(.callback(signal, about: path)) }
  }

  /// Executes the scheduled network changes that are due before an instant.
  func playAgenda(before instant: Instant) throws(BackendError) {
    while let due = run?.agenda.nextDue, due < instant {
      try wait(until: due)
      try holdServers()
      while let next = run?.agenda.takeDue(at: due) { try perform(next.deed, tells: true) }
      try takeMoves()
    }
  }

  private func perform(_ deed: NetworkDeed, tells: Bool) throws(BackendError) {
    let network = try current().network
    let before = try onDevice { client in
      client.note(.networkChanged(deed.path, deed.event))
      return client.device
    }
    switch deed {
    case .up(let path):
      try move { $0.bringUp(path) }
      run?.news.append(.stands(path, isStill: false))
    case .makeDefault(let path):
      let flags = try current().script.network(of: path)?.flags ?? []
      try move { $0.makeDefault(path, flags) }
    case .down(let path, let ending):
      // Connections that must be reset still need the network for the reset.
      try network.perform(deed)
      try move(isTold: ending == nil) { $0.takeDown(path) }
      switch ending {
      case .silent: run?.news.append(.stands(path, isStill: true))
      case .reset: run?.news.append(.wasReset(path))
      case nil: break
      }
    case .roam(let path, .newAddress, _):
      try network.perform(deed)
      let device = try onDevice(\.device)
      run?.news.append(.renewed(PathSet(path), device))
    case .portal(let path, let isThere):
      try obstruct(deed, path, isThere)
    case .uplink(let path, let isUp):
      try obstruct(deed, path, !isUp)
      try onDevice { $0.stand(.uplink, on: path, !isUp) }
    case .loss(let path, let word):
      try obstruct(deed, path, word != .none)
      try onDevice { $0.stand(.loss, on: path, word != .none) }
    case .translate(let path, _, let unknown), .roam(let path, .newRouter, let unknown):
      try onDevice { $0.stand(.translation, on: path, true) }
      try network.perform(deed)
      if unknown == .drop { run?.news.append(.forgotten(path)) }
    case .roam, .quality:
      try network.perform(deed)
    }
    if tells { try reportChange(of: deed.path, since: before) }
  }

  private func obstruct(
    _ deed: NetworkDeed, _ path: PathIndex, _ isThere: Bool
  ) throws(BackendError) {
    try current().network.perform(deed)
    run?.news.append(.stands(path, isStill: isThere))
  }

  /// Moves the device, and notifies the connections of what the platform reports.
  private func move(
    isTold: Bool = true, _ change: @escaping @Sendable (inout Device) -> Device.Move
  ) throws(BackendError) {
    let (old, move, device) = try onDevice { client in
      let old = client.device
      let move = change(&client.device)
      if move.from != move.to { client.note(.deviceMoved(move.to)) }
      return (old, move, client.device)
    }
    try current().network.place(device)
    run?.news.append(isTold ? .moved(move, device) : .leads)
    let script = try current().script
    let (before, after) = (script.takenOver(on: old), script.takenOver(on: device))
    for path in before.subtracting(after).paths {
      run?.news.append(.stands(path, isStill: false))
    }
    for path in after.subtracting(before).paths {
      run?.news.append(.stands(path, isStill: true))
    }
  }

  /// Sends the callback that results from the change of a network, if there is one.
  private func reportChange(of path: PathIndex, since before: Device) throws(BackendError) {
    let script = try current().script
    let device = try onDevice(\.device)
    switch script.configuration.monitorWatch {
    case .defaultNetwork:
      guard device.flags != before.flags else { return }
      let flags = try reportedFlags()
      run?.news.append(.callback(flags, about: path))
    case .anyNetwork:
      let flags = script.callback(of: path, before: before, after: device)
      if let flags { run?.news.append(.callback(flags, about: path)) }
    }
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
  func tellNews() throws(BackendError) {
    guard let news = run?.news, !news.isEmpty else { return }
    run?.news = []
    for case .callback(let flags, let path) in news {
      try onDevice { $0.flagsChanged(flags, about: path) }
    }
    for one in news {
      let ports = try onDevice { $0.follow(one) }
      if !ports.isEmpty { try current().network.abort(localPorts: ports) }
    }
  }

  /// Puts the device to sleep or wakes it.
  ///
  /// When the device wakes, the application is notified last, after all network changes.
  func setPower(_ power: DevicePower) throws(BackendError) {
    try takeMoves()
    let network = try current().network
    let flags = try reportedFlags()
    let device = try onDevice(\.device)
    switch power {
    case .sleep:
      guard device.wakesTo == nil else { return }
      try onDevice { client in
        client.note(.deviceSlept)
        client.moveApp(to: .background, flags: flags)
        client.device.wakesTo = device.app
      }
      try network.setRadio(isOn: false)
    case .wake(let newAddress):
      guard let app = device.wakesTo else { return }
      try onDevice { client in
        client.note(.deviceWoke)
        client.device.wakesTo = nil
      }
      if newAddress {
        for path in device.pathsUp.paths {
          try network.perform(.roam(path, .newAddress, .drop))
        }
        run?.news.append(.renewed(PathSet(rawValue: .max), device))
        try tellNews()
      }
      try network.setRadio(isOn: true)
      try onDevice { $0.moveApp(to: app, flags: flags) }
    }
  }
}
