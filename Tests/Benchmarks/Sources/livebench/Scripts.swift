import HandoverBackend
import HandoverCore

extension ReachabilityFlags {
  static let wifi: ReachabilityFlags = [.reachable]
  static let cellular: ReachabilityFlags = [.reachable, .isWWAN]
}

extension Script {
  /// Creates a script whose device starts on a network, with the given number of hosts and an
  /// additional access point.
  init(beginning flags: ReachabilityFlags, hostCount: Int) {
    self.init()
    initial.flags = flags
    paths.append("other wifi")
    hosts = (0..<hostCount).map { ScriptHost(written: "host\($0).example:443") }
  }

  /// The access point that is not the default one.
  static let otherWifiPath = PathIndex(2)

  mutating func move(_ flags: ReachabilityFlags, path: PathIndex? = nil) {
    entries.append(
      ScriptEntry(at: .zero, action: .flags(flags, path: path, linksUp: [], linksDown: [])))
  }

  /// Adds a call that ends only when the network fails.
  mutating func startCall(to host: Int) {
    entries.append(ScriptEntry(at: .zero, action: .startCall(calls.count)))
    calls.append(ScriptCall(id: "call\(calls.count)", host: host, kind: .bidi, takes: nil))
  }
}
