import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux
import HandoverNetlink
import Synchronization

/// A factory that creates a lab for each run, and reads its device's flags from the kernel.
///
/// This is the only place that combines the lab with the monitor.
struct LabNetworks: LiveNetworkFactory {
  func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork {
    do throws(BackendError) {
      return try LabNetwork(plan, home: .ownNamespace) { device throws(BackendError) in
        try KernelFlags(device)
      }
    } catch {
      // If no lab is possible at all, runs without a lab continue. If only this lab failed, that
      // is an error.
      if case .failed = NamespaceEntry.current {
        throw BackendError(.unsupported, "cannot create a device lab on this machine: \(error)")
      }
      throw BackendError(error.code, "cannot create its device lab: \(error)")
    }
  }
}

/// The flags of a lab's device, derived from the kernel's routes and links.
final class KernelFlags: LabFlags {
  private let probe: ReachabilityProbe
  private let watcher = Mutex<ReachabilityWatcher?>(nil)

  init(_ device: NetworkNamespace) throws(BackendError) {
    probe = try Self.reported { () throws(LinuxError) in
      try ReachabilityProbe(target: DeviceLab.watchedAddress, in: device)
    }
  }

  func readFlags() throws(BackendError) -> ReachabilityFlags {
    try Self.reported { () throws(LinuxError) in try probe.read().flags }
  }

  func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, Int64) -> Void
  ) throws(BackendError) {
    let last = Mutex(try readFlags())
    let started = try Self.reported { () throws(LinuxError) in
      try ReachabilityWatcher(probe) { change in
        // The route may change without the flags, but a monitor receives flags only.
        guard case .success(let change) = change else { return }
        let flags = change.reading.flags
        let isNews = last.withLock { last in
          defer { last = flags }
          return last != flags
        }
        if isNews { handler(flags, change.seenAt) }
      }
    }
    watcher.withLock { $0 = started }
  }

  func stop() {
    let watcher = watcher.withLock { watcher in
      defer { watcher = nil }
      return watcher
    }
    watcher?.stop()
  }

  private static func reported<Value>(
    _ body: () throws(LinuxError) -> Value
  ) throws(BackendError) -> Value {
    do throws(LinuxError) {
      return try body()
    } catch {
      throw BackendError(.backendFailed, "the monitor failed: \(error)")
    }
  }
}
