import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import Testing

@testable import HandoverLab

/// The reason why this machine cannot create namespaces, or `nil` if it can.
let namespacesAreMissing: LinuxError? = {
  do throws(LinuxError) {
    try NetworkNamespace.probe()
    return nil
  } catch {
    return error
  }
}()

/// A lab with two access points and a carrier, and a device that changes networks.
final class LabFixture {
  static let wifi = Script.wifiPath
  static let cellular = Script.cellularPath
  static let otherWifi = PathIndex(2)

  let lab: DeviceLab
  private var device: Device
  private let family: IPAddress.Family

  init(
    beginning flags: ReachabilityFlags = [.reachable], hostCount: Int = 2,
    home: DeviceLab.Home = .ownNamespace, family: IPAddress.Family = .v4
  ) throws {
    var plan = try Self.plan(beginning: flags, hostCount: hostCount)
    plan.hasIPv6 = family == .v6
    device = plan.device
    lab = try DeviceLab(plan, home: home)
    self.family = family
    if plan.hasIPv6 { try lab.answerEverywhere() }
  }

  /// Returns the address of a host in the family of the fixture.
  private func address(of host: Int) -> LiveAddress {
    let address = lab.address(of: host)
    return family == .v4 ? address : LiveAddress("2001:db8:113::\(host + 1)", port: address.port)
  }

  /// Returns a plan whose device has been on every network.
  static func plan(beginning flags: ReachabilityFlags, hostCount: Int) throws -> LivePlan {
    var script = Script()
    script.initial.flags = flags
    script.paths.append("other wifi")
    script.hosts = (0..<hostCount).map { ScriptHost(written: "host\($0).example:443") }
    let stays: [(ReachabilityFlags, PathIndex)] = [
      ([.reachable], wifi), ([.reachable, .isWWAN], cellular), ([.reachable], otherWifi),
    ]
    for (flags, path) in stays {
      let action = ScriptAction.flags(flags, path: path, linksUp: [], linksDown: [])
      script.entries.append(ScriptEntry(at: .zero, action: action))
    }
    return try LivePlan(script)
  }

  /// Changes the device's network as a timeline entry does.
  func flags(
    _ flags: ReachabilityFlags, path: PathIndex? = nil, up: PathSet = [], down: PathSet = []
  ) throws {
    _ = device.apply(flags, path: path, up: up, down: down)
    try lab.apply(device)
  }

  /// Moves the device to another path without a change of flags.
  func path(_ path: PathIndex) throws {
    _ = device.move(to: path)
    try lab.apply(device)
  }

  /// Places the device on its current network again.
  func applyAgain() throws { try lab.apply(device) }

  /// Returns both ends of a new connection from the device to a host.
  ///
  /// The kernel chooses the local port if `port` is 0.
  func connect(
    to host: Int = 0, fromPort port: UInt16 = 0
  ) throws -> (device: LiveSocket, server: LiveSocket) {
    let listener = try listen(as: host)
    let address = address(of: host)
    let near = try lab.device.run { () throws(LinuxError) in
      try LiveSocket.connected(to: address, fromPort: port)
    }
    return (near, try listener.accept())
  }

  /// Returns the flow of a connection on the device's current path.
  func flow(_ socket: LiveSocket, to host: Int = 0) throws -> LiveFlow {
    LiveFlow(localPort: socket.localPort, host: host, path: try #require(device.path))
  }

  /// Returns a socket that listens for connections to a host.
  func listen(as host: Int = 0) throws -> LiveSocket {
    let address = address(of: host)
    return try lab.servers.run { () throws(LinuxError) in try LiveSocket.listening(at: address) }
  }

  /// Returns the error of a connection attempt, or `nil` if it succeeds.
  ///
  /// If no answer comes within the given number of seconds, the error is EINPROGRESS.
  func connectError(
    to host: Int = 0, fromPort port: UInt16 = 0, after seconds: Int = LiveSocket.patience
  ) throws -> Int32? {
    let address = address(of: host)
    return try lab.device.run { () throws(LinuxError) -> Int32? in
      do throws(LinuxError) {
        _ = try LiveSocket.connected(to: address, fromPort: port, after: seconds)
        return nil
      } catch {
        return error.number
      }
    }
  }
}

/// Repeats a check until it succeeds, for up to a minute.
func expectSometime(
  _ what: String, _ position: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool
) throws {
  let never = try WakeupPipe()
  let guardTime = monotonicMicroseconds() + Int64(LiveSocket.patience) * 1_000_000
  while try !holds() {
    guard monotonicMicroseconds() < guardTime else {
      Issue.record("in vain: \(what)", sourceLocation: position)
      return
    }
    _ = try waitReadable([never.descriptor], atMost: 1_000)
  }
}

/// A TCP socket whose waits have a limit.
final class LiveSocket: Sendable {
  /// The number of seconds that a test waits for an event that must happen.
  ///
  /// No machine needs that long.
  static let patience = 60
  /// The number of seconds that a test waits for an event that must not happen.
  static let silence = 2

  private let descriptor: Descriptor

  private init(_ number: Int32) {
    descriptor = Descriptor(owning: number)
  }

  private static func make(
    for address: LiveAddress, after seconds: Int = patience
  ) throws(LinuxError) -> LiveSocket {
    let family = address.address.contains(":") ? AF_INET6 : AF_INET
    let number = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard number >= 0 else { throw LinuxError(call: "socket", errno: errno) }
    let made = LiveSocket(number)
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    return made
  }

  private static func withAddress(
    _ address: LiveAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    guard !address.address.contains(":") else {
      var position = sockaddr_in6()
      position.sin6_family = sa_family_t(AF_INET6)
      position.sin6_port = address.port.bigEndian
      _ = unsafe inet_pton(AF_INET6, address.address, &position.sin6_addr)
      return unsafe rebound(position, body)
    }
    var position = sockaddr_in()
    position.sin_family = sa_family_t(AF_INET)
    position.sin_port = address.port.bigEndian
    _ = unsafe inet_pton(AF_INET, address.address, &position.sin_addr)
    return unsafe rebound(position, body)
  }

  private static func rebound<Address>(
    _ position: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe withUnsafePointer(to: position) { position in
      unsafe position.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Returns a socket that is connected to an address.
  ///
  /// - Throws: The kernel's error, or EINPROGRESS if no answer comes within the given number of
  ///   seconds.
  static func connected(
    to address: LiveAddress, fromPort port: UInt16 = 0, after seconds: Int = patience
  ) throws(LinuxError) -> LiveSocket {
    let made = try make(for: address, after: seconds)
    let number = made.descriptor.number
    if port > 0 {
      let any = LiveAddress(address.address.contains(":") ? "::" : "0.0.0.0", port: port)
      try made.bind(to: any)
    }
    guard unsafe withAddress(address, { unsafe Glibc.connect(number, $0, $1) }) == 0 else {
      throw LinuxError(call: "connect", errno: errno)
    }
    return made
  }

  static func listening(at address: LiveAddress) throws(LinuxError) -> LiveSocket {
    let made = try make(for: address)
    try made.bind(to: address)
    guard Glibc.listen(made.descriptor.number, 8) == 0 else {
      throw LinuxError(call: "listen", errno: errno)
    }
    return made
  }

  private func bind(to address: LiveAddress) throws(LinuxError) {
    let number = descriptor.number
    var one: Int32 = 1
    _ = unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    guard unsafe Self.withAddress(address, { unsafe Glibc.bind(number, $0, $1) }) == 0 else {
      throw LinuxError(call: "bind", errno: errno)
    }
  }

  func accept() throws(LinuxError) -> LiveSocket {
    guard try waitReadable([descriptor.number], atMost: Int64(Self.patience) * 1_000_000) == [true]
    else {
      throw LinuxError(call: "accept", errno: ETIMEDOUT)
    }
    let number = Glibc.accept(descriptor.number, nil, nil)
    guard number >= 0 else { throw LinuxError(call: "accept", errno: errno) }
    return LiveSocket(number)
  }

  var localPort: UInt16 {
    var position = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &position) { position in
      unsafe position.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor.number, $0, &size)
      }
    }
    return UInt16(bigEndian: position.sin_port)
  }

  /// Writes a text.
  ///
  /// Returns the errno if the socket does not accept all of it immediately, or EAGAIN if it accepts
  /// a part.
  func write(_ text: String) -> Int32? {
    let sent = unsafe send(
      descriptor.number, text, text.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    if sent >= 0 { return sent == text.utf8.count ? nil : EAGAIN }
    return errno
  }

  /// Writes a text piece by piece, because the socket may still hold unacknowledged bytes.
  ///
  /// - Returns: The errno if the socket has no room for a minute, or refuses the text.
  func writeAll(_ text: String) -> Int32? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      var one = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
      guard unsafe poll(&one, 1, Int32(Self.patience) * 1_000) == 1 else { return ETIMEDOUT }
      let sent = unsafe rest.withUnsafeBytes {
        unsafe send(
          descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard sent > 0 else { return errno }
      rest = rest.dropFirst(sent)
    }
    return nil
  }

  /// An observation of a socket after some time.
  enum Reading: Hashable {
    case text(String)
    case end
    case error(Int32)
    case nothing
  }

  /// Returns the next data or end, which must arrive; the limit is only a guard.
  func read() throws -> Reading { try read(within: Int64(Self.patience) * 1_000) }

  /// Returns the next data or end that arrives within some time.
  ///
  /// Use this for data that must not arrive, or that may be missing, so that a slow machine cannot
  /// fail the test.
  func read(within milliseconds: Int64) throws -> Reading {
    guard try waitReadable([descriptor.number], atMost: milliseconds * 1_000) == [true] else {
      return .nothing
    }
    var room = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor.number, &room, room.count, Int32(MSG_DONTWAIT))
    if count < 0 { return .error(errno) }
    return count == 0 ? .end : .text(String(decoding: room[..<count], as: UTF8.self))
  }
}
