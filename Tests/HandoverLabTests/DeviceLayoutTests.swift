import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverLab

@Suite("The steps that move a device")
struct DeviceLayoutTests {
  private let wifi = AccessNetwork(number: 1, medium: .wifi)
  private let cellular = AccessNetwork(number: 2, medium: .cellular)
  private let other = AccessNetwork(number: 3, medium: .wifi)

  /// Returns the steps between two sets of flags, each on the default path of its category.
  private func steps(
    _ first: ReachabilityFlags, _ second: ReachabilityFlags, path: PathIndex? = nil,
    up: PathSet = []
  ) -> [LayoutStep] {
    var initial = InitialState()
    initial.flags = first
    var device = Device(initial)
    let networks: [AccessNetwork?] = [wifi, cellular, other]
    let before = DeviceLayout(device, networks: networks, after: DeviceLayout())
    _ = device.apply(second, path: path, up: up, down: [])
    let after = DeviceLayout(device, networks: networks, after: before)
    #expect(after.steps(from: after) == [])
    return after.steps(from: before)
  }

  @Test("When WiFi appears, the cellular radio stays on and receives nothing")
  func cellularToWifi() {
    #expect(
      steps([.reachable, .isWWAN], [.reachable]) == [
        .join(.wifi, [wifi]), .setUp(.wifi, true), .addAddress(wifi), .setDefault(wifi),
        .removeDefault(cellular), .join(.cellular, []),
      ])
  }

  @Test("WiFi goes down only after cellular is up")
  func wifiToCellular() {
    #expect(
      steps([.reachable], [.reachable, .isWWAN]) == [
        .join(.cellular, [cellular]), .setUp(.cellular, true), .addAddress(cellular),
        .setDefault(cellular), .removeDefault(wifi), .setUp(.wifi, false), .join(.wifi, []),
      ])
  }

  @Test("Another access point replaces the first one in one step")
  func roam() {
    #expect(
      steps([.reachable], [.reachable], path: PathIndex(2)) == [
        .join(.wifi, [wifi, other]), .addAddress(other), .setDefault(other),
        .join(.wifi, [other]),
      ])
  }

  @Test("If the new network lacks a family, the old default route of that family is removed")
  func familyLost() {
    var (both, one) = (wifi, other)
    (both.families, one.families) = (.both, .ipv4)
    var (before, after) = (DeviceLayout(), DeviceLayout())
    before.defaultNetwork = both
    after.defaultNetwork = one
    var rest = both
    rest.families = .ipv6
    #expect(after.steps(from: before) == [.setDefault(one), .removeDefault(rest)])
    #expect(before.steps(from: after) == [.setDefault(both)])
  }

  @Test("A path that stays alive gets a separate routing table before the default route moves")
  func keptAlive() {
    #expect(
      steps([.reachable, .isWWAN], [.reachable], up: PathSet(Script.cellularPath)) == [
        .join(.wifi, [wifi]), .setUp(.wifi, true), .addAddress(wifi), .keep(cellular),
        .setDefault(wifi), .removeDefault(cellular),
      ])
  }

  @Test("A network with ConnectionRequired is hidden before it becomes visible")
  func dormant() {
    let nowhere = AccessNetwork.nowhere(.cellular)
    #expect(
      steps([.reachable], [.reachable, .connectionRequired, .isWWAN]) == [
        .hideServers(true), .setDormant(.cellular, true), .setUp(.cellular, true),
        .addAddress(nowhere), .setDefault(nowhere), .removeDefault(wifi), .setUp(.wifi, false),
        .join(.wifi, []),
      ])
    #expect(
      steps([.reachable, .connectionRequired], [.reachable]) == [
        .join(.wifi, [wifi]), .addAddress(wifi), .setDefault(wifi),
        .removeAddress(.nowhere(.wifi)), .hideServers(false), .setDormant(.wifi, false),
      ])
  }

  @Test("A VPN that takes all traffic leaves the other network up, without frames and detours")
  func allTraffic() {
    var vpn = AccessNetwork(number: 4, medium: .vpn)
    vpn.takesAllTraffic = true
    vpn.unreachableHosts = [1]
    let networks: [AccessNetwork?] = [wifi, vpn]
    let home = Device(
      flags: [.reachable], path: PathIndex(0), keptAlive: PathSet(PathIndex(1)), app: .foreground)
    let away = Device(
      flags: [.reachable], path: PathIndex(1), keptAlive: PathSet(PathIndex(0)), app: .foreground)
    let before = DeviceLayout(home, networks: networks, after: DeviceLayout())
    let after = DeviceLayout(away, networks: networks, after: before)
    #expect(after.wifi.isUp)
    #expect(after.wifi.joined == [wifi])
    #expect(
      after.steps(from: before) == [
        .keep(wifi), .setDetour(.init(host: 1, network: nil)), .setDefault(vpn),
        .removeDefault(wifi), .release(vpn), .takeOver(vpn),
      ])
    #expect(before.steps(from: after).contains(.takeOver(nil)))
  }

  @Test("Without a network, addresses stay for the return")
  func noNetwork() {
    #expect(
      steps([.reachable], []) == [.removeDefault(wifi), .setUp(.wifi, false), .join(.wifi, [])])
  }
}
