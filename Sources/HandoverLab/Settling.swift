import Glibc
import HandoverLinux

extension NetworkController {
  /// How long the kernel may take to show what an interface has become.
  private static let settlingMicroseconds: Int64 = 2_000_000

  /// Waits until the kernel shows a state of an interface, which it does a little after it has
  /// acknowledged; an interface that is not up yet drops what it is given.
  func waitUntil(
    _ interface: String, is state: NetworkInterface.OperationalState
  ) throws(LinuxError) {
    if try link(interface)?.operationalState == state { return }
    // Whoever listens first and then looks misses nothing.
    let events = try NetworkEvents(in: namespace)
    let deadline = monotonicMicroseconds() + Self.settlingMicroseconds
    while true {
      _ = try events.drain()
      if try link(interface)?.operationalState == state { return }
      let rest = deadline - monotonicMicroseconds()
      guard rest > 0 else {
        throw LinuxError(
          call: "wait for \(interface) of \(namespace.name) to be \(state)", errno: ETIMEDOUT)
      }
      _ = try waitReadable([events.descriptor], atMost: rest)
    }
  }
}
