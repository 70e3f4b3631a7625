public import HandoverLinux

/// A file format that can be imported as a recording.
public enum ImportFormat: String, Hashable, Sendable, CaseIterable {
  /// The output of `ip -ts monitor`, optionally preceded by the output of `ip addr` and `ip route`.
  case ipMonitor = "ip-monitor"
  /// A file written by `rtmon file FILE`.
  case rtmon
  /// Lines of a device log that contain flags as nine characters, such as `WR -------`.
  case log
}

extension Recording {
  /// Creates a recording from a file that another tool has written.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - file: The file name, for errors.
  ///   - format: The file format.
  ///   - target: The address whose reachability is recorded; logs contain flags and ignore it.
  ///   - cellular: The rule that decides which interfaces are cellular.
  /// - Throws: ``ImportError`` at the first invalid position.
  public init(
    importing bytes: [UInt8], named file: String, from format: ImportFormat,
    target: IPAddress = ReachabilityProbe.anywhere, cellular: CellularRule = CellularRule()
  ) throws(ImportError) {
    let observer = NetworkObserver(target: target, cellular: cellular)
    switch format {
    case .ipMonitor:
      let file = try ImportFile(
        name: file, bytes: bytes, hint: "use the output of `ip -ts monitor` with --from ip-monitor")
      var text = MonitorText(file, observer)
      self = try text.read()
    case .rtmon:
      let file = try ImportFile(
        name: file, bytes: bytes, hint: "use a file of `rtmon file FILE` with --from rtmon")
      var messages = RouteMonitorFile(file, observer)
      self = try messages.read()
    case .log:
      let file = try ImportFile(
        name: file, bytes: bytes,
        hint: "use lines with nine characters of flags with --from log, such as \"WR -------\"")
      self = try DeviceLog.read(file)
    }
    // A recording needs an initial state, but even a complete file may contain none.
    guard !moments.isEmpty else {
      throw ImportError(
        file: file, position: format == .rtmon ? .byte(bytes.count) : .line(1),
        message: "the file ends before the state of any network",
        hint: "stop the program that writes the file before you copy it")
    }
  }
}
