import HandoverCore
import HandoverLinux

extension DeviceLab {
  /// Moves the device to its new networks, and ends the connections whose loss the platform
  /// reports.
  ///
  /// - Returns: the number of ended connections, or `nil` if the platform reports none.
  func apply(
    _ device: Device, after move: Device.Move, _ platform: ProgramRun.Platform
  ) throws(LinuxError) -> Int? {
    try apply(device)
    guard let pathLoss = platform.transport?.pathLoss else { return nil }
    let left = networks.indices.map { PathIndex(UInt8(clamping: $0)) }.filter { path in
      (path == move.from && path != move.to || move.endingPaths.contains(path))
        && pathLoss.outcome(of: path, when: move, on: device) == .breaks
    }
    guard !left.isEmpty else { return nil }
    let addresses = left.flatMap(deviceAddresses(on:))
    return try abort { addresses.contains($0.localAddress) }
  }
}
