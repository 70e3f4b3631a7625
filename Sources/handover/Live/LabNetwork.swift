#if os(Linux)
  import HandoverBackend
  import HandoverCore
  import HandoverLab
  import HandoverLinux
  import HandoverNetlink
  import Synchronization

  /// The device lab as a backend sees it: the lab moves the device, the monitor reads its flags.
  ///
  /// The one place where the two meet.
  final class LabNetwork: LiveNetwork {
    private let lab: DeviceLab
    private let probe: ReachabilityProbe
    private let watcher = Mutex<ReachabilityWatcher?>(nil)

    init(_ plan: LivePlan) throws(LinuxError) {
      lab = try DeviceLab(plan)
      probe = try ReachabilityProbe(target: DeviceLab.watchedAddress, in: lab.device)
    }

    func onDevice<Value: Sendable>(
      _ body: @escaping @Sendable () -> Value
    ) throws(BackendError) -> Value {
      try told { () throws(LinuxError) in try lab.device.run(body) }
    }

    func onServers<Value: Sendable>(
      _ body: @escaping @Sendable () -> Value
    ) throws(BackendError) -> Value {
      try told { () throws(LinuxError) in try lab.servers.run(body) }
    }

    func address(of host: Int) -> LiveAddress { lab.address(of: host) }

    func place(_ device: Device) throws(BackendError) {
      try told { () throws(LinuxError) in try lab.place(device) }
    }

    func abort(localPorts ports: [UInt16]) throws(BackendError) {
      _ = try told { () throws(LinuxError) in
        try lab.abort { ports.contains($0.localPort) }
      }
    }

    func drop(_ areDropped: Bool, localPort: UInt16, host: Int) throws(BackendError) {
      try told { () throws(LinuxError) in
        try lab.drop(areDropped, localPort: localPort, host: host)
      }
    }

    func dropNew(
      _ areDropped: Bool, host: Int, established: [UInt16]
    ) throws(BackendError) {
      try told { () throws(LinuxError) in
        try lab.dropNew(areDropped, host: host, established: established)
      }
    }

    func readFlags() throws(BackendError) -> ReachabilityFlags {
      try told { () throws(LinuxError) in try probe.read().flags }
    }

    func watchFlags(
      _ handler: @escaping @Sendable (ReachabilityFlags, Int64) -> Void
    ) throws(BackendError) {
      let last = Mutex(try readFlags())
      let started = try told { () throws(LinuxError) in
        try ReachabilityWatcher(probe) { change in
          // The way may change without the flags; the monitor hears of flags only.
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

    func stopWatching() {
      let watcher = watcher.withLock { watcher in
        defer { watcher = nil }
        return watcher
      }
      watcher?.stop()
    }

    func close() -> [String] {
      stopWatching()
      return lab.close()
    }

    private func told<Value>(
      _ body: () throws(LinuxError) -> Value
    ) throws(BackendError) -> Value {
      do throws(LinuxError) {
        return try body()
      } catch {
        throw BackendError(.brokeDown, "the device lab: \(error)")
      }
    }
  }

  /// Makes a lab for each run.
  struct LabNetworks: LiveNetworkMaker {
    /// Whether it is an error, and not only a pity, where there can be none.
    var isRequired: Bool

    func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork {
      do throws(LinuxError) {
        return try LabNetwork(plan)
      } catch {
        throw BackendError(
          isRequired ? .cannotStart : .unsupported, "there is no device lab here: \(error)")
      }
    }
  }
#endif
