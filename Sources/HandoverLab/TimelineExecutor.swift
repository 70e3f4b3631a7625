import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux

/// Executes the effects of a device's timeline on a lab and on the programs in it.
struct TimelineExecutor {
  let script: Script
  let lab: DeviceLab
  let platform: ProgramRun.Platform

  /// Executes effects in order.
  ///
  /// - Returns: the number of connections that the platform ended, or `nil` if the platform reports
  ///   none.
  func execute(
    _ effects: [DeviceTimeline.Effect], on programs: [ProcessTree] = []
  ) throws(LinuxError) -> Int? {
    var ended: Int?
    for effect in effects {
      guard let count = try execute(effect, on: programs) else { continue }
      ended = (ended ?? 0) + count
    }
    return ended
  }

  private func execute(
    _ effect: DeviceTimeline.Effect, on programs: [ProcessTree]
  ) throws(LinuxError) -> Int? {
    switch effect.body {
    case .move(let move, isReported: true):
      return try lab.apply(effect.device, after: move, platform)
    case .move: try lab.apply(effect.device)
    case .network(.renewAddresses(let paths), _): return try renew(paths, effect.device)
    case .network(let command, _): try lab.perform(command)
    case .quality(let path, let source):
      if let quality = script.quality(at: source) { lab.setQuality(quality, of: path) }
    case .app:
      for program in programs {
        program.signal(effect.device.app.runs ? SIGCONT : SIGSTOP, to: .all)
      }
    // An unmodified program has no monitor, and the kernel itself reports changes to it.
    case .fact, .routeReported, .callback, .scheduled, .cancelled: break
    }
    return nil
  }

  /// Gives the device new addresses, and ends the connections whose loss the platform reports.
  private func renew(_ paths: PathSet, _ device: Device) throws(LinuxError) -> Int? {
    var ended: Int?
    for path in script.paths.indices.map({ PathIndex(UInt8(clamping: $0)) })
    where paths.contains(path) {
      let addresses = lab.deviceAddresses(on: path)
      try lab.perform(.renewAddresses(PathSet(path)))
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
