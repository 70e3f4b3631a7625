import HandoverBackend
import HandoverCore
import HandoverLinux
import Synchronization

/// The queue of reachability callbacks from the kernel to a monitor in this process.
///
/// A separate thread watches the kernel. The thread that drives the monitor is woken, and takes the
/// callbacks when it is ready.
final class FlagCallbacks {
  private let pending: CallbackBatch
  /// The flags that were taken last, or the initial ones before that.
  private(set) var latest: ReachabilityFlags

  /// The state that both threads share.
  private final class CallbackBatch: Sendable {
    let flags = Mutex<[ReachabilityFlags]>([])
    let wakeup: WakeupPipe

    init() throws(LinuxError) { wakeup = try WakeupPipe() }

    func add(_ next: ReachabilityFlags) {
      flags.withLock { $0.append(next) }
      wakeup.signal()
    }
  }

  /// Reads the flags, and starts to receive every change from the kernel until the network is
  /// closed.
  init(_ network: any LiveNetwork) throws(BackendError) {
    let pending: CallbackBatch
    do throws(LinuxError) {
      pending = try CallbackBatch()
    } catch {
      throw BackendError(.cannotStart, "cannot create a wakeup descriptor: \(error)")
    }
    self.pending = pending
    latest = try network.readFlags()
    try network.watchFlags { flags, _ in pending.add(flags) }
  }

  /// A descriptor that is readable while callbacks are pending.
  var descriptor: Int32 { pending.wakeup.descriptor }

  /// Adds a callback although the kernel reports no change.
  func add(_ flags: ReachabilityFlags) { pending.add(flags) }

  /// Removes and returns the pending callbacks in their order.
  func take() -> [ReachabilityFlags] {
    pending.wakeup.clear()
    let taken = pending.flags.withLock { flags in
      let taken = flags
      flags = []
      return taken
    }
    latest = taken.last ?? latest
    return taken
  }
}
