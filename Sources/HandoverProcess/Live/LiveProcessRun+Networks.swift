import HandoverBackend
import HandoverCore
import HandoverTrace

// Network changes from timeline entries, and scheduled network changes. The kernel is changed
// immediately. The platform's reports about connections follow once all entries of the instant have
// run.
extension LiveProcessRun {
  /// A loss that the platform has to report.
  enum Loss {
    /// The device's network changed; the device is its state after that change.
    case moved(Device.Move, Device)
    /// The device lost the address that the connections with these local ports use.
    case renewed([UInt16])
  }

  /// A fault of a network, and the index of its timeline entry.
  struct NetworkFault {
    var path: PathIndex
    var isOfRouter: Bool
    var cause: UInt32
  }

  /// Applies the changes of a network action, immediately or later.
  func change(
    _ path: PathIndex, _ action: NetworkAction, cause: UInt32, into trace: inout Trace
  ) throws(BackendError) {
    // The client must have processed user actions that precede the entry in the file.
    try awaitAnswers(into: &trace)
    if case .losing = action { note(.networkChanged(path, .losing), into: &trace) }
    switch action {
    case .nat:
      networkFaults.removeAll { $0.path == path && $0.isOfRouter }
      networkFaults.append(NetworkFault(path: path, isOfRouter: true, cause: cause))
    case .uplink, .loss:
      networkFaults.removeAll { $0.path == path && !$0.isOfRouter }
      guard action.isFault else { break }
      networkFaults.append(NetworkFault(path: path, isOfRouter: false, cause: cause))
    case .up, .makeDefault, .losing, .down, .captive, .validated, .roam, .quality: break
    }
    let deeds = agenda.deeds(of: action, on: path, at: script.entries[Int(cause)].at)
    for deed in deeds { try perform(deed, into: &trace) }
  }

  /// Waits until an instant, and applies the scheduled network changes that are due before it.
  func playAgenda(
    before instant: Instant, into trace: inout Trace, unless isOver: () -> Bool = { false }
  ) throws(BackendError) {
    while let due = agenda.nextDue, due < instant, !isOver() {
      try wait(until: due, into: &trace, unless: isOver)
      guard !isOver() else { return }
      while let next = agenda.takeDue(at: due) { try perform(next.deed, into: &trace) }
      try takeMoves(into: &trace)
    }
  }

  private func perform(_ deed: NetworkDeed, into trace: inout Trace) throws(BackendError) {
    note(.networkChanged(deed.path, deed.event), into: &trace)
    switch deed {
    case .up(let path): try move(into: &trace) { $0.bringUp(path) }
    case .makeDefault(let path):
      let flags = script.network(of: path)?.flags ?? []
      try move(into: &trace) { $0.makeDefault(path, flags) }
    case .down(let path, let ending):
      // The connections to be reset are reset over the network, so it must still be up.
      try network.perform(deed)
      try move(isTold: ending == nil, into: &trace) { $0.takeDown(path) }
    case .roam(let path, .newAddress, _): try renew([path])
    case .translate(let path, _, _):
      try meet(path, isOfRouter: true, into: &trace)
      try network.perform(deed)
    case .uplink(let path, false), .loss(let path, .requests), .loss(let path, .answers):
      try meet(path, isOfRouter: false, into: &trace)
      try network.perform(deed)
    case .portal, .roam, .uplink, .loss, .quality: try network.perform(deed)
    }
  }

  /// Records the effect of a network fault if there is a connection on the network.
  ///
  /// If there is none, a fault that persists takes effect on a later connection attempt.
  private func meet(
    _ path: PathIndex, isOfRouter: Bool, into trace: inout Trace
  ) throws(BackendError) {
    guard
      let place = networkFaults.firstIndex(where: { $0.path == path && $0.isOfRouter == isOfRouter }
      )
    else { return }
    let isMet = try network.flows().contains { $0.path == path }
    guard isMet || !isOfRouter else { return }
    let fault = networkFaults.remove(at: place)
    if isMet {
      note(.faultTookEffect(fault.cause), into: &trace)
    } else {
      try waitForEffect(of: fault.cause)
    }
  }

  /// Changes the network of the device; its connections receive what the platform reports.
  private func move(
    isTold: Bool = true, into trace: inout Trace, _ change: (inout Device) -> Device.Move
  ) throws(BackendError) {
    let (move, device) = changeDevice(change)
    if move.from != move.to { note(.deviceMoved(move.to), into: &trace) }
    try network.place(device)
    if isTold { losses.append(.moved(move, device)) }
  }

  /// Assigns new addresses to the device on some networks; open connections use the old ones.
  private func renew(_ paths: [PathIndex]) throws(BackendError) {
    let open = try network.flows().filter { paths.contains($0.path) }
    for path in paths { try network.perform(.roam(path, .newAddress, .drop)) }
    guard device.category != .noNetwork else { return }
    let outcome = profile.transport.pathLoss.outcome(
      device.app, from: device.category, to: device.category)
    if outcome == .breaks { losses.append(.renewed(open.map(\.localPort))) }
  }

  /// Reports the losses, as the platform does.
  func reportLosses() throws(BackendError) {
    let reported = losses
    losses = []
    for loss in reported {
      switch loss {
      case .moved(let move, let device):
        let lost = try network.flows().filter { flow in
          profile.transport.pathLoss.outcome(of: flow.path, when: move, on: device) == .breaks
        }
        if !lost.isEmpty { try network.abort(localPorts: lost.map(\.localPort)) }
      case .renewed(let ports):
        if !ports.isEmpty { try network.abort(localPorts: ports) }
      }
    }
  }

  /// Puts the device to sleep or wakes it, together with the process.
  func setPower(_ power: DevicePower, into trace: inout Trace) throws(BackendError) {
    try takeMoves(into: &trace)
    switch power {
    case .sleep:
      guard device.wakesTo == nil else { return }
      note(.deviceSlept, into: &trace)
      let app = device.app
      try moveApp(to: .background, into: &trace)
      _ = changeDevice { $0.wakesTo = app }
      try network.setRadio(isOn: false)
    case .wake(let newAddress):
      guard let app = device.wakesTo else { return }
      note(.deviceWoke, into: &trace)
      _ = changeDevice { $0.wakesTo = nil }
      if newAddress {
        try renew(device.pathsUp.paths)
        try reportLosses()
      }
      try network.setRadio(isOn: true)
      try moveApp(to: app, into: &trace)
    }
  }
}
