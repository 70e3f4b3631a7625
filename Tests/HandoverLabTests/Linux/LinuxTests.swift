import Glibc
import HandoverLinux
import Testing

@Suite("Addresses")
struct AddressTests {
  @Test(
    "An address is parsed and formatted in the usual notation",
    arguments: ["192.0.2.1", "0.0.0.0", "2001:db8::1", "::", "::ffff:192.0.2.1"])
  func texts(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == text)
    #expect(IPAddress(address.bytes) == address)
  }

  @Test(
    "Other strings are not addresses",
    arguments: ["", "192.0.2", "192.0.2.256", "api.example", ":::"])
  func others(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test("A prefix is never longer than the addresses of its family")
  func prefixes() {
    #expect(IPNetwork(IPAddress(192, 0, 2, 1), prefixLength: 99).description == "192.0.2.1/32")
    #expect(IPNetwork.allAddresses(of: .v6).description == "::/0")
  }
}

@Suite("Errors of the kernel and of libnl")
struct LinuxErrorTests {
  @Test("A permission error has a hint")
  func advice() {
    let error = LinuxError(call: "unshare(CLONE_NEWNET)", errno: 1)
    #expect(error.code == .notPermitted)
    #expect(
      error.description == "unshare(CLONE_NEWNET): 1 Operation not permitted; run it as root with "
        + "all capabilities, or allow user namespaces (`handover doctor` names what is missing)")
  }

  @Test(
    "An exceeded limit is named",
    arguments: [
      (EMFILE, "ulimit -n"), (ENFILE, "fs.file-max"), (EAGAIN, "ulimit -u"), (ENOMEM, "ulimit -v"),
      (ENOSPC, "user.max_net_namespaces"), (EUSERS, "user.max_user_namespaces"),
    ])
  func limits(_ number: Int32, _ limit: String) {
    let error = LinuxError(call: "call", errno: number)
    #expect(error.code == .exhausted)
    #expect(error.description.contains(limit), "\(error)")
    let concernsNamespaces = number == ENOSPC || number == EUSERS
    #expect(error.description.contains("namespaces") == concernsNamespaces, "\(error)")
  }

  @Test("A libnl error number is not an errno: 28 is a missing permission instead of a full disk")
  func numbers() {
    #expect(LinuxError(call: "change lo", netlink: -28).code == .notPermitted)
    #expect(LinuxError(call: "unshare(CLONE_NEWNET)", errno: 28).code == .exhausted)
    #expect(LinuxError(call: "nl_recvmsgs", netlink: -5).code == .eventsLost)
  }
}

@Suite("Namespaces, interfaces and routes", .enabled(if: namespacesAreMissing == nil))
struct NamespaceTests {
  let near: NetworkController
  let far: NetworkController

  /// Creates two namespaces that are connected by a pair of interfaces.
  init() throws {
    near = try NetworkController(in: NetworkNamespace(name: "near"))
    far = try NetworkController(in: NetworkNamespace(name: "far"))
    try near.addPair("wlan0", peer: "lan", in: far.namespace)
    try far.addAddress(IPNetwork(IPAddress(192, 168, 1, 1), prefixLength: 24), to: "lan")
    try far.setLink("lan", up: true)
  }

  private func joinNetwork() throws {
    try near.setLink("wlan0", up: true)
    try near.addAddress(IPNetwork(IPAddress(192, 168, 1, 2), prefixLength: 24), to: "wlan0")
    try near.addRoute(
      .init(to: .allAddresses(of: .v4), by: "wlan0", via: IPAddress(192, 168, 1, 1), metric: 600))
  }

  @Test("Work runs in its namespace, and no other thread enters it")
  func threads() throws {
    let home = NetworkNamespace.currentIdentity
    #expect(near.namespace.identity != home)
    #expect(try near.namespace.run { NetworkNamespace.currentIdentity } == near.namespace.identity)
    #expect(NetworkNamespace.currentIdentity == home)
  }

  @Test("An interface shows its settings")
  func links() throws {
    #expect(try near.link("wlan0")?.isUp == false)
    #expect(try near.link("wlan1") == nil)
    try near.setLink("wlan0", up: true)
    let link = try #require(try near.link("wlan0"))
    #expect(link.isUp && link.hasCarrier && link.kind == "veth")
    #expect(try near.link(index: link.index) == link)
    try near.setLink("wlan0", dormant: true)
    #expect(try near.link("wlan0")?.operationalState == .dormant)
    try near.setLink("wlan0", dormant: false)
    #expect(try near.link("wlan0")?.operationalState == .up)
    try far.setLink("lan", up: false)
    #expect(try near.link("wlan0")?.hasCarrier == false)
    try near.removeLink("wlan0")
    #expect(try far.link("lan") == nil)
  }

  @Test("The route to an address is what the kernel would use now")
  func routes() throws {
    let target = IPAddress(203, 0, 113, 1)
    #expect(try near.route(to: target) == nil)
    try joinNetwork()
    let route = try #require(try near.route(to: target))
    #expect(route.interface.name == "wlan0")
    #expect(route.gateway == IPAddress(192, 168, 1, 1))
    #expect(route.source == IPAddress(192, 168, 1, 2))
    // A throw route for an address hides the wider routes of its own table too.
    try near.addRoute(.init(to: IPNetwork(target), .continueWithNextTable))
    #expect(try near.route(to: target) == nil)
    try near.removeRoute(.init(to: IPNetwork(target), .continueWithNextTable))
    #expect(try near.route(to: target) != nil)
    let other = IPAddress(192, 168, 1, 3)
    try near.setRoute(.init(to: .allAddresses(of: .v4), by: "wlan0", via: other, metric: 600))
    #expect(try near.route(to: target)?.gateway == other)
    try near.removeRoute(.init(to: .allAddresses(of: .v4), by: "wlan0", via: other, metric: 600))
    #expect(try near.route(to: target) == nil)
  }

  @Test("Both families have routes")
  func version6() throws {
    let own = try #require(IPAddress("fd00::2"))
    let gateway = try #require(IPAddress("fd00::1"))
    let target = try #require(IPAddress("2001:db8::1"))
    try near.setLink("wlan0", up: true)
    try near.addAddress(IPNetwork(own, prefixLength: 64), to: "wlan0")
    try near.addRoute(.init(to: .allAddresses(of: .v6), by: "wlan0", via: gateway, metric: 600))
    #expect(try near.route(to: target)?.gateway == gateway)
  }

  @Test("Events report that something changed, and lost events are not an error")
  func events() throws {
    let events = try NetworkEvents(in: near.namespace)
    #expect(try events.drain().count == 0)
    try joinNetwork()
    #expect(try waitReadable([events.descriptor], atMost: 60_000_000) == [true])
    let drained = try events.drain()
    #expect(drained.count >= 2 && !drained.wereLost)
    for _ in 0..<4_000 {
      try near.setLink("wlan0", up: false)
      try near.setLink("wlan0", up: true)
    }
    #expect(try events.drain().wereLost)
    #expect(try !events.drain().wereLost)
  }

  @Test("A rule drops the packets of one port")
  func rules() throws {
    try joinNetwork()
    let target = IPAddress(203, 0, 113, 1)
    let rule = NetworkController.Rule(priority: 10, to: IPNetwork(target), .blackhole)
    try near.addRule(rule)
    #expect(try near.route(to: target) == nil)
    try near.removeRule(rule)
    #expect(try near.route(to: target) != nil)
    let narrow = NetworkController.Rule(
      priority: 10, to: IPNetwork(target), destinationPort: 443, .blackhole)
    try near.addRule(narrow)
    #expect(try near.route(to: target) != nil)
    try near.removeRule(narrow)
  }

  @Test("A setting belongs to its namespace")
  func settings() throws {
    try near.namespace.set("ipv4/conf/all/arp_announce", to: "2")
    do throws(LinuxError) {
      try near.namespace.set("ipv4/no_such_setting", to: "1")
      Issue.record("there is no such setting")
    } catch {
      #expect(error.code == .notFound)
    }
  }

  @Test("A child runs in the namespace, and its exit status is returned")
  func children() throws {
    let arguments = ["sh", "-c", "test -d /sys && ip -o link show wlan0 >/dev/null && exit 7"]
    let child = try ChildProcess.start(arguments, in: near.namespace)
    #expect(try child.wait() == .exited(7))
    let sleeper = try ChildProcess.start(["sleep", "600"], ownGroup: true)
    #expect(try sleeper.checkForEnd() == nil)
    sleeper.signal(9, toGroup: true)
    #expect(try sleeper.wait() == .signalled(9))
  }

  @Test("A packet socket sees the frames of an interface")
  func frames() throws {
    let socket = try PacketSocket("lan", in: far.namespace, .incoming, keepsSegments: false)
    try near.setLink("wlan0", up: true)
    // A device that contacts an address of its own network sends an ARP request first.
    try near.addAddress(IPNetwork(IPAddress(192, 168, 1, 2), prefixLength: 24), to: "wlan0")
    let child = try ChildProcess.start(
      ["bash", "-c", "echo > /dev/udp/192.168.1.9/9"], in: near.namespace)
    _ = try child.wait()
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    var isSeen = false
    for _ in 0..<50 where !isSeen {
      guard try waitReadable([socket.number], atMost: 60_000_000) == [true] else { break }
      while let frame = try socket.receive(into: &room) {
        // An ARP request: type 0x0806, sent to the broadcast address.
        isSeen = isSeen || frame.length >= 42 && room[12] == 0x08 && room[13] == 0x06
      }
    }
    #expect(isSeen)
  }
}
