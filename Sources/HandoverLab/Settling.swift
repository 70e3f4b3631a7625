import Glibc
import HandoverLinux

extension NetworkController {
  /// The maximum time in microseconds until the kernel shows the new state of an interface.
  ///
  /// The limit is a safeguard, because a busy kernel can need seconds.
  private static let settlingMicroseconds: Int64 = 60_000_000
  /// The polling interval in microseconds if the kernel sends no event.
  private static let periodMicroseconds: Int64 = 20_000

  /// Waits until the kernel shows a state of an interface.
  ///
  /// The state changes a little after the kernel has acknowledged the request. An interface that is
  /// not up yet drops its packets.
  func waitUntil(
    _ interface: String, is state: NetworkInterface.OperationalState
  ) throws(LinuxError) {
    try wait("\(interface) of \(namespace.name) to be \(state)") { () throws(LinuxError) in
      try link(interface)?.operationalState == state
    }
  }

  /// Waits until an address is on-link at an interface.
  ///
  /// When the interface goes up, its IPv6 prefixes return a little later. Until then, the kernel
  /// rejects a route by a gateway in one of these prefixes.
  func waitUntil(_ address: IPAddress, isOnLinkOf interface: String) throws(LinuxError) {
    try wait("\(address) to be at \(interface) of \(namespace.name)") { () throws(LinuxError) in
      guard let way = try route(to: address) else { return false }
      return way.interface.name == interface && way.gateway == nil
    }
  }

  /// Waits until the kernel accepts packets to its IPv6 addresses.
  ///
  /// This happens some time after the addresses were assigned. Until then, the kernel drops packets
  /// to them, such as a neighbor's response, and the sender retries only after a second.
  func waitUntilOwn(_ addresses: [IPAddress]) throws(LinuxError) {
    try waitForTables { Self.areOwn(addresses, $0) }
  }

  /// Waits until neighbors can be found from IPv6 addresses, and can find them.
  ///
  /// For forwarded packets the kernel sends neighbor requests from the link-local address, which it
  /// assigns some time after the interface is up.
  func waitForNeighbours(
    _ addresses: [(interface: String, address: IPAddress)]
  ) throws(LinuxError) {
    try waitForTables { tables in
      Self.areOwn(addresses.map(\.address), tables)
        && addresses.allSatisfy { one in
          tables.addresses.contains { $0.last == one.interface && Self.isReadyLinkLocalAddress($0) }
        }
    }
  }

  /// The kernel's IPv6 tables of a namespace, as lines of words.
  private struct Tables {
    var routes: [[String]]
    var addresses: [[String]]
  }

  private func waitForTables(_ isSo: (Tables) -> Bool) throws(LinuxError) {
    let namespace = namespace
    try wait("addresses of IPv6 in \(namespace.name)") { () throws(LinuxError) in
      isSo(
        try namespace.run { () throws(LinuxError) in
          Tables(routes: try Self.table("ipv6_route"), addresses: try Self.table("if_inet6"))
        })
    }
  }

  /// Returns whether there is a local route to each address.
  private static func areOwn(_ addresses: [IPAddress], _ tables: Tables) -> Bool {
    addresses.allSatisfy { address in
      let text = hexadecimal(address.bytes[...])
      return tables.routes.contains { line in
        guard line.count > 9, line[0] == text, line[1] == "80",
          let flags = UInt32(line[8], radix: 16)
        else { return false }
        return flags & 0x8000_0000 != 0
      }
    }
  }

  /// Returns the lines of a table of the calling thread's namespace, as words.
  private static func table(_ name: String) throws(LinuxError) -> [[String]] {
    try readText("/proc/thread-self/net/\(name)").split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns whether a line shows a link-local address that is not tentative.
  private static func isReadyLinkLocalAddress(_ line: [String]) -> Bool {
    guard line.count > 5, line[0].hasPrefix("fe80"), let flags = UInt8(line[4], radix: 16) else {
      return false
    }
    return flags & 0x40 == 0
  }

  private func wait(
    _ what: String, until isSo: () throws(LinuxError) -> Bool
  ) throws(LinuxError) {
    if try isSo() { return }
    // Listening for events before checking the state ensures that no change is missed.
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
