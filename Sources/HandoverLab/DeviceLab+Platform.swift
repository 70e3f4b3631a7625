import HandoverCore
import HandoverLinux

extension DeviceLab {
  /// Puts the device where it has moved to, and ends the connections that the platform reports.
  ///
  /// - Returns: how many were ended; nil where the platform reports nothing.
  func place(
    _ device: Device, after move: Device.Move, _ platform: ForeignRun.Platform
  ) throws(LinuxError) -> Int? {
    try place(device)
    guard let left = move.from, left != move.to, let pathLoss = platform.transport?.pathLoss,
      pathLoss.outcome(of: left, when: move, on: device) == .breaks
    else { return nil }
    let addresses = deviceAddresses(on: left)
    return try abort { addresses.contains($0.localAddress) }
  }
}
