public import HandoverLinux

/// What a recording can be made of, beside the live network.
public enum ImportFormat: String, Hashable, Sendable, CaseIterable {
  /// What `ip -ts monitor` prints, perhaps after `ip addr` and `ip route` of the beginning.
  case ipMonitor = "ip-monitor"
  /// A file that `rtmon file FILE` writes.
  case rtmon
  /// Lines of a device's log that hold flags as nine places, such as `WR -------`.
  case log
}

extension Recording {
  /// Makes a recording of what somebody else has written down.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - file: its name, for errors.
  ///   - format: what it is.
  ///   - target: the address whose reachability is meant; logs hold flags and need none.
  ///   - cellular: which interfaces are cellular.
  /// - Throws: ``ImportError`` at the first place that is not what it should be.
  public init(
    importing bytes: [UInt8], named file: String, from format: ImportFormat,
    target: IPAddress = ReachabilityProbe.anywhere, cellular: CellularRule = CellularRule()
  ) throws(ImportError) {
    let observer = NetworkObserver(target: target, cellular: cellular)
    switch format {
    case .ipMonitor:
      let file = try ImportFile(
        name: file, bytes: bytes, hint: "--from ip-monitor takes what `ip -ts monitor` prints")
      var text = MonitorText(file, observer)
      self = try text.read()
    case .rtmon:
      let file = try ImportFile(
        name: file, bytes: bytes, hint: "--from rtmon takes what `rtmon file FILE` writes")
      var messages = RouteMonitorFile(file, observer)
      self = try messages.read()
    case .log:
      let file = try ImportFile(
        name: file, bytes: bytes,
        hint: "--from log takes lines with flags as nine places, such as \"WR -------\"")
      self = try DeviceLog.read(file)
    }
    // A recording begins with how things stood; a file may be whole and say nothing of that.
    guard !moments.isEmpty else {
      throw ImportError(
        file: file, place: format == .rtmon ? .byte(bytes.count) : .line(1),
        message: "the file ends before it tells how any network stood",
        hint: "it may have been cut off: stop what writes it before it is copied")
    }
  }
}
