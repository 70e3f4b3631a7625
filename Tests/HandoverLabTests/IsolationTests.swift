import Glibc
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux
import Testing

/// Reads a file under /proc, whose size is unknown.
func contents(of path: String) -> String {
  let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { return "" }
  let file = Descriptor(owning: number)
  return readAll(file.number)
}

/// Reads until the end of a file or pipe.
///
/// The end must come, so the limit of ten minutes is only a guard.
func readAll(_ number: Int32) -> String {
  let deadline = monotonicMicroseconds() + 600_000_000
  var text: [UInt8] = []
  var room = [UInt8](repeating: 0, count: 65_536)
  while monotonicMicroseconds() < deadline {
    let isReady = try? waitReadable([number], atMost: deadline - monotonicMicroseconds())
    guard isReady == [true] else { break }
    let count = unsafe read(number, &room, room.count)
    guard count > 0 else { break }
    text += room[..<count]
  }
  return String(decoding: text, as: UTF8.self)
}

/// Returns the names in a directory.
private func names(in path: String) -> [String] {
  guard let directory = unsafe opendir(path) else { return [] }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while let entry = unsafe readdir(directory) {
    unsafe withUnsafePointer(to: entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
        unsafe names.append(String(cString: $0))
      }
    }
  }
  return names
}

/// Returns the network state of this process that a lab could change by mistake.
private func networkOfProcess() -> [String] {
  let interfaces = contents(of: "/proc/net/dev").split(separator: "\n").map {
    String($0.prefix { $0 != ":" })
  }
  return interfaces + [contents(of: "/proc/net/route"), contents(of: "/proc/net/if_inet6")]
}

@Suite("The isolation of a lab", .enabled(if: namespacesAreMissing == nil))
struct IsolationTests {
  @Test("The network of the process does not change, and closed labs leave nothing behind")
  func nothingChanges() async {
    await #expect(processExitsWith: .success) {
      let network = networkOfProcess()
      // Resources that the first lab creates once for the process do not count.
      _ = try LabFixture().lab.close()
      let (files, threads) = (names(in: "/proc/self/fd"), names(in: "/proc/self/task"))
      for _ in 0..<10 {
        let fixture = try LabFixture()
        let pair = try fixture.connect()
        #expect(pair.device.write("ping") == nil)
        try fixture.flags([.reachable, .isWWAN])
      }
      #expect(names(in: "/proc/self/fd").count == files.count)
      // The kernel lists a thread for a while after it was joined.
      try expectSometime("the end of the threads") {
        names(in: "/proc/self/task").count <= threads.count
      }
      #expect(networkOfProcess() == network)
    }
  }

  @Test("A process in its own namespaces reaches nothing by mistake")
  func wrongThread() throws {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutableBytes(of: &ends) {
      unsafe pipe($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Int32.self))
    }
    try #require(result == 0)
    let output = Descriptor(owning: ends.0)
    let input = Descriptor(owning: ends.1)
    var environment = Environment.current + ["\(NamespaceEntry.networkVariable)=1"]
    if geteuid() != 0 { environment.append("\(NamespaceEntry.userVariable)=1") }
    let child = try ChildProcess.start(
      [
        "/proc/self/exe", "--testing-library", "swift-testing", "--filter",
        "HandoverLabTests.ProcessAsDeviceTests",
      ], environment: environment, output: input.number, error: input.number, ownGroup: true)
    _ = consume input
    let text = readAll(output.number)
    #expect(try child.wait() == .exited(0), "\(text)")
    #expect(text.contains("Test run with 2 tests"), "\(text)")
  }
}

/// Whether this process has entered its own namespaces.
private var hasEntered: Bool {
  if case .entered = NamespaceEntry.current { true } else { false }
}

@Suite("A process that is the device", .serialized, .enabled(if: hasEntered))
struct ProcessAsDeviceTests {
  private static func connectError(_ address: LiveAddress) -> Int32? {
    do throws(LinuxError) {
      _ = try LiveSocket.connected(to: address)
      return nil
    } catch {
      return error.number
    }
  }

  @Test("Without a lab, no thread can reach anything", .timeLimit(.minutes(30)))
  func nothing() async {
    for address in ["192.0.2.1", "203.0.113.1", "8.8.8.8"] {
      #expect(Self.connectError(LiveAddress(address, port: 443)) == ENETUNREACH)
      let other = await Task.detached {
        Self.connectError(LiveAddress(address, port: 443))
      }.value
      #expect(other == ENETUNREACH)
    }
  }

  @Test("With a lab, sockets of any thread belong to the device, and it can be created again")
  func home() async throws {
    for _ in 0..<2 {
      let fixture = try LabFixture(home: .process)
      let listener = try fixture.listen()
      let address = fixture.lab.address(of: 0)
      let error = await Task.detached { Self.connectError(address) }.value
      #expect(error == nil)
      _ = try listener.accept()
      _ = fixture.lab.close()
    }
  }
}

@Suite("A lab in a process that is not a device", .enabled(if: !hasEntered))
struct NoHomeTests {
  @Test("The process's own network is never used as a device")
  func refused() throws {
    let plan = try LabFixture.plan(beginning: [.reachable], hostCount: 1)
    do throws(LinuxError) {
      _ = try DeviceLab(plan, home: .process)
      Issue.record("the host's network is no device")
    } catch {
      #expect(error.code == .notPermitted)
    }
  }
}

@Suite("Packets of a lab", .enabled(if: namespacesAreMissing == nil))
struct NoWayOutTests {
  /// One address of every kind that a program or a scenario could name.
  static let addresses = [
    "8.8.8.8", "203.0.113.1", "192.0.2.1", "198.51.100.1", "10.0.0.1", "172.16.0.1", "192.168.1.1",
    "192.168.1.255", "169.254.169.254", "100.64.0.1", "127.0.0.1", "127.255.255.254", "224.0.0.1",
    "239.255.255.250", "255.255.255.255", "240.0.0.1", "0.0.0.0", "2001:db8::1", "2606:4700::1111",
    "::1", "::", "fe80::1", "fc00::1", "ff02::1", "ff0e::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
    "64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b::ffff:ffff", "64:ff9b::e000:1", "198.18.0.53",
    "3fff:fff:1::1",
  ]

  /// Sends a datagram to port 9 of an address.
  static func send(_ text: String, to address: String) {
    let isIPv6 = address.contains(":")
    let number = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard number >= 0 else { return }
    let sender = Descriptor(owning: number)
    var one: Int32 = 1
    _ = unsafe setsockopt(sender.number, SOL_SOCKET, SO_BROADCAST, &one, 4)
    guard !isIPv6 else {
      var position = sockaddr_in6()
      position.sin6_family = sa_family_t(AF_INET6)
      position.sin6_port = UInt16(9).bigEndian
      _ = unsafe inet_pton(AF_INET6, address, &position.sin6_addr)
      return send(text, sender.number, position)
    }
    var position = sockaddr_in()
    position.sin_family = sa_family_t(AF_INET)
    position.sin_port = UInt16(9).bigEndian
    _ = unsafe inet_pton(AF_INET, address, &position.sin_addr)
    send(text, sender.number, position)
  }

  private static func send<Address>(_ text: String, _ number: Int32, _ position: Address) {
    unsafe withUnsafePointer(to: position) { position in
      unsafe position.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe sendto(
          number, text, text.utf8.count, 0, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  @Test("Packets never leave the lab, whatever their address and whatever its networks do")
  func nowhere() throws {
    let mark = "mark-\(UInt64.random(in: .min ... .max))"
    let outside = try PacketSocket(
      in: NetworkNamespace.current(name: "outside"), .both, keepsSegments: false)
    let fixture = try LabFixture(family: .v6)
    let acts: [(DeviceLab) throws -> Void] = [
      { _ in }, { $0.translate(.rebindAddress, unknown: .reset, on: LabFixture.wifi) },
      { $0.translate(.rebindPort, unknown: .drop, on: LabFixture.wifi) },
      { try $0.perform(.obstruct(LabFixture.wifi, .answersLost)) },
      { try $0.perform(.obstruct(LabFixture.wifi, .portal)) },
    ]
    for act in acts {
      try act(fixture.lab)
      try fixture.lab.device.run { for address in Self.addresses { Self.send(mark, to: address) } }
      try fixture.lab.servers.run { for address in Self.addresses { Self.send(mark, to: address) } }
    }
    let translating = try AddressFixture()
    try translating.go(to: AddressFixture.lte)
    try translating.lab.device.run {
      for address in Self.addresses { Self.send(mark, to: address) }
    }
    let bytes = Array(mark.utf8)
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    // Other processes may send packets outside, so the number of inspected packets is limited.
    for _ in 0..<20_000 {
      guard let frame = try outside.receive(into: &room) else { break }
      let isOurs = room[..<frame.length].indices.contains {
        room[$0] == bytes[0] && room[$0..<frame.length].starts(with: bytes)
      }
      #expect(!isOurs)
    }
  }
}
