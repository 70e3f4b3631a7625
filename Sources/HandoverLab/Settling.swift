import Glibc
import HandoverLinux

extension NetworkController {
  /// How long the kernel may take to show what an interface has become.
  private static let settlingMicroseconds: Int64 = 2_000_000
  /// How long nobody looks where nothing is told.
  private static let periodMicroseconds: Int64 = 20_000

  /// Waits until the kernel shows a state of an interface, which it does a little after it has
  /// acknowledged; an interface that is not up yet drops what it is given.
  func waitUntil(
    _ interface: String, is state: NetworkInterface.OperationalState
  ) throws(LinuxError) {
    try wait("\(interface) of \(namespace.name) to be \(state)") { () throws(LinuxError) in
      try link(interface)?.operationalState == state
    }
  }

  /// Waits until the kernel has an address on the link of an interface.
  ///
  /// Where the interface goes up, the networks of its IPv6 addresses come back a little later, and
  /// a route by a gateway that is in none of them is refused.
  func waitUntil(_ address: IPAddress, isOnLinkOf interface: String) throws(LinuxError) {
    try wait("\(address) to be at \(interface) of \(namespace.name)") { () throws(LinuxError) in
      guard let way = try route(to: address) else { return false }
      return way.interface.name == interface && way.gateway == nil
    }
  }

  /// Waits until neighbours find addresses of IPv6: the kernel joins the groups in which it hears
  /// questions for them some time after it has taken them, and who asked before asks again after a
  /// second.
  func waitUntil(
    _ addresses: [IPAddress], areFoundIn interfaces: String
  ) throws(LinuxError) {
    let groups = addresses.map { address in
      "ff0200000000000000000001ff"
        + address.bytes.suffix(3).map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
    let namespace = namespace
    try wait("\(interfaces) of \(namespace.name) to be found") { () throws(LinuxError) in
      let text = try namespace.run { () throws(LinuxError) in
        try readText("/proc/thread-self/net/igmp6")
      }
      return groups.allSatisfy { text.contains($0) }
    }
  }

  private func wait(
    _ what: String, until isSo: () throws(LinuxError) -> Bool
  ) throws(LinuxError) {
    if try isSo() { return }
    // Whoever listens first and then looks misses nothing.
    let events = try NetworkEvents(in: namespace)
    let deadline = monotonicMicroseconds() + Self.settlingMicroseconds
    while true {
      _ = try events.drain()
      if try isSo() { return }
      let rest = deadline - monotonicMicroseconds()
      guard rest > 0 else { throw LinuxError(call: "wait for \(what)", errno: ETIMEDOUT) }
      _ = try waitReadable([events.descriptor], atMost: min(rest, Self.periodMicroseconds))
    }
  }
}
