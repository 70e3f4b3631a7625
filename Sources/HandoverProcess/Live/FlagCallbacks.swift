import HandoverBackend
import HandoverCore
import HandoverLinux
import Synchronization

/// The way of reachability callbacks from the kernel to a monitor in this process.
///
/// A thread of its own watches the kernel. Whoever drives the monitor is woken, and takes them when
/// it has the time.
final class FlagCallbacks {
  private let underWay: Box
  /// The flags that were taken last; those of the beginning before the first.
  private(set) var latest: ReachabilityFlags

  /// What both threads hold.
  private final class Box: Sendable {
    let flags = Mutex<[ReachabilityFlags]>([])
    let wakening: Wakening

    init() throws(LinuxError) { wakening = try Wakening() }

    func add(_ next: ReachabilityFlags) {
      flags.withLock { $0.append(next) }
      wakening.signal()
    }
  }

  /// Reads the flags, and lets the kernel tell of every change until the network is closed.
  init(_ network: any LiveNetwork) throws(BackendError) {
    let box: Box
    do throws(LinuxError) {
      box = try Box()
    } catch {
      throw BackendError(.cannotStart, "nobody can be woken by the kernel: \(error)")
    }
    underWay = box
    latest = try network.readFlags()
    try network.watchFlags { flags, _ in box.add(flags) }
  }

  /// Can be read while some wait to be taken.
  var descriptor: Int32 { underWay.wakening.descriptor }

  /// Has one come although the kernel has nothing to tell.
  func add(_ flags: ReachabilityFlags) { underWay.add(flags) }

  /// Takes those that have come, in their order.
  func take() -> [ReachabilityFlags] {
    underWay.wakening.clear()
    let taken = underWay.flags.withLock { flags in
      let taken = flags
      flags = []
      return taken
    }
    latest = taken.last ?? latest
    return taken
  }
}
