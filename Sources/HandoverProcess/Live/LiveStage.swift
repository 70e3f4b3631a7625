import HandoverBackend
import HandoverCore
import HandoverLinux

/// The shared state of a run in real time: its script, its network and its clock.
final class LiveStage {
  let script: Script
  let profile: Profile
  let network: any LiveNetwork
  let hosts: HostAddresses
  let keys: CallKeys
  /// The device and its networks, which decide what entries about them mean.
  var timeline: DeviceTimeline
  private var startedAt = monotonicMicroseconds()

  init(_ script: Script, _ profile: Profile, _ network: any LiveNetwork) {
    self.script = script
    self.profile = profile
    self.network = network
    hosts = HostAddresses(script, in: network)
    keys = CallKeys(script)
    timeline = DeviceTimeline(script)
  }

  /// The state of the device, once all entries of the instant have run.
  var device: Device {
    get { timeline.device }
    set { timeline.device = newValue }
  }

  /// Starts the clock.
  func begin() { startedAt = monotonicMicroseconds() }

  /// The time since the run began.
  var now: Instant { Instant(microseconds: monotonicMicroseconds() - startedAt) }

  /// Converts an instant of the run to the monotonic clock.
  func deadline(_ instant: Instant) -> Int64 {
    instant == .never ? .max : startedAt + instant.microseconds
  }
}
