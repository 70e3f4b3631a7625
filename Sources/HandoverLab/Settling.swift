import Glibc
import HandoverLinux

extension NetworkController {
  /// How long the kernel may take to show what an interface has become: a guard, because a kernel
  /// with much to do takes seconds.
  private static let settlingMicroseconds: Int64 = 60_000_000
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

  /// Waits until the kernel takes packets to addresses of IPv6 for its own.
  ///
  /// It does so some time after it has taken them, and throws away what comes before, such as a
  /// neighbour's answer; whoever asked asks again after a second.
  func waitUntilOwn(_ addresses: [IPAddress]) throws(LinuxError) {
    try waitForTables { Self.areOwn(addresses, $0) }
  }

  /// Waits until neighbours find addresses of IPv6, and are found from there: for what the kernel
  /// forwards it asks from an address of the link, which it makes some time after that is up.
  func waitForNeighbours(
    _ addresses: [(interface: String, address: IPAddress)]
  ) throws(LinuxError) {
    try waitForTables { tables in
      Self.areOwn(addresses.map(\.address), tables)
        && addresses.allSatisfy { one in
          tables.addresses.contains { $0.last == one.interface && Self.isOfLinkAndReady($0) }
        }
    }
  }

  /// What the kernel shows of IPv6 in a namespace: lines, in words.
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

  /// Whether there is a local route to each of some addresses.
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

  /// The lines of a table of the calling thread's namespace, in words.
  private static func table(_ name: String) throws(LinuxError) -> [[String]] {
    try readText("/proc/thread-self/net/\(name)").split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Whether a line is of an address that does not leave its link, and that is not tentative.
  private static func isOfLinkAndReady(_ line: [String]) -> Bool {
    guard line.count > 5, line[0].hasPrefix("fe80"), let flags = UInt8(line[4], radix: 16) else {
      return false
    }
    return flags & 0x40 == 0
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
