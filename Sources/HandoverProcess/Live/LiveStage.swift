import HandoverBackend
import HandoverCore
import HandoverLinux

/// What everybody in a run in real time goes by: what is played, where, and since when.
final class LiveStage {
  let script: Script
  let profile: Profile
  let network: any LiveNetwork
  let hosts: HostAddresses
  let keys: CallKeys
  /// Where the device is, once all entries of the instant are played.
  var device: Device
  private var begunAt = monotonicMicroseconds()

  init(_ script: Script, _ profile: Profile, _ network: any LiveNetwork) {
    self.script = script
    self.profile = profile
    self.network = network
    hosts = HostAddresses(script, in: network)
    keys = CallKeys(script)
    device = Device(script.initial)
  }

  /// Lets time begin.
  func begin() { begunAt = monotonicMicroseconds() }

  /// How long the run has gone on.
  var now: Instant { Instant(microseconds: monotonicMicroseconds() - begunAt) }

  /// When an instant of the run is, by the monotonic clock.
  func deadline(_ instant: Instant) -> Int64 {
    instant == .never ? .max : begunAt + instant.microseconds
  }
}
