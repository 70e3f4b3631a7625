import HandoverBackend
import HandoverCore
import HandoverLinux

/// Performs network changes on a lab and its device.
struct NetworkPlayer {
  let script: Script
  let lab: DeviceLab
  let platform: ForeignRun.Platform

  /// Performs a network change.
  ///
  /// - Returns: the number of connections that the platform ended, or `nil` if the platform reports
  ///   none.
  func perform(_ deed: NetworkDeed, _ device: inout Device) throws(LinuxError) -> Int? {
    switch deed {
    case .up(let path):
      return try follow(device.bringUp(path), device)
    case .makeDefault(let path):
      let flags = script.network(of: path)?.flags ?? []
      return try follow(device.makeDefault(path, flags), device)
    case .down(let path, let ending):
      try lab.perform(deed)
      let move = device.takeDown(path)
      if ending == nil { return try follow(move, device) }
      try lab.place(device)
    case .roam(let path, .newAddress, _): return try renew([path], device)
    case .portal, .translate, .roam, .uplink, .loss, .quality: try lab.perform(deed)
    }
    return nil
  }

  /// Puts the device to sleep or wakes it.
  ///
  /// The caller handles the processes.
  func perform(_ power: DevicePower, _ device: inout Device) throws(LinuxError) -> Int? {
    switch power {
    case .sleep:
      guard device.wakesTo == nil else { return nil }
      device.wakesTo = device.app
      device.app = .background
      lab.setRadio(isOn: false)
      return nil
    case .wake(let newAddress):
      guard let app = device.wakesTo else { return nil }
      device.wakesTo = nil
      var ended: Int?
      if newAddress {
        ended = try renew(device.pathsUp.paths, device)
      }
      device.app = app
      lab.setRadio(isOn: true)
      return ended
    }
  }

  private func follow(_ move: Device.Move, _ device: Device) throws(LinuxError) -> Int? {
    try lab.place(device, after: move, platform)
  }

  /// Gives the device new addresses, and ends the connections whose loss the platform reports.
  private func renew(_ paths: [PathIndex], _ device: Device) throws(LinuxError) -> Int? {
    var ended: Int?
    for path in paths {
      let addresses = lab.deviceAddresses(on: path)
      try lab.perform(.roam(path, .newAddress, .drop))
      // The effect is the same as if the device had left the path without joining another one.
      var left = device
      let move = left.takeDown(path)
      guard let pathLoss = platform.transport?.pathLoss,
        pathLoss.outcome(of: path, when: move, on: left) == .breaks
      else { continue }
      ended = try (ended ?? 0) + lab.abort { addresses.contains($0.localAddress) }
    }
    return ended
  }
}
