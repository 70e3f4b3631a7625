import HandoverCore
import Testing

@Suite("The connectivity monitor")
struct ConnectivityMonitorTests {
  static let readings: [ReachabilityFlags] = [[], [.reachable, .isWWAN], [.reachable]]

  /// Returns the notifications of the monitor for a list of events.
  func changes(_ events: ConnectivityMonitor.Event...) -> [CategoryChange] {
    var monitor = ConnectivityMonitor()
    return events.compactMap { monitor.observe($0) }
  }

  @Test("The initial read is silent (M7)", arguments: readings)
  func readsSilently(flags: ReachabilityFlags) {
    var monitor = ConnectivityMonitor()
    #expect(monitor.category == .unknown)
    #expect(monitor.observe(.initialRead(flags)) == nil)
    #expect(monitor.category == NetworkCategory(flags))
  }

  @Test("After a failed initial read every first callback notifies (M8)", arguments: readings)
  func notifiesFromUnknown(flags: ReachabilityFlags) {
    #expect(
      changes(.initialRead(nil), .callback(flags)) == [
        CategoryChange(from: .unknown, to: NetworkCategory(flags))
      ])
  }

  @Test("A callback notifies exactly if the category differs (M9, M11)")
  func notifiesOfOtherCategories() {
    for first in Self.readings {
      for second in Self.readings {
        let (from, to) = (NetworkCategory(first), NetworkCategory(second))
        let expected = from == to ? [] : [CategoryChange(from: from, to: to)]
        #expect(changes(.initialRead(first), .callback(second)) == expected)
        #expect(changes(.initialRead(first), .resynchronized(second)) == expected)
      }
    }
  }

  @Test("Different flags of the same category are silent (M9)")
  func ignoresOtherFlags() {
    #expect(
      changes(
        .initialRead([.reachable]), .callback([.reachable, .isDirect]),
        .callback([.reachable, .transientConnection]), .callback([.reachable])) == [])
    #expect(
      changes(
        .initialRead([]), .callback([.isWWAN]),
        .callback([.reachable, .connectionRequired])) == [])
  }

  @Test("A network that returns is a change like any other (M11)")
  func notifiesOfRecovery() {
    #expect(
      changes(.initialRead([]), .callback([.reachable])) == [
        CategoryChange(from: .noNetwork, to: .wifi)
      ])
    #expect(
      changes(.initialRead([]), .callback([.reachable, .isWWAN])) == [
        CategoryChange(from: .noNetwork, to: .cellular)
      ])
  }

  @Test("WiFi to None to WiFi is two changes, and WiFi to WiFi is none (M12)")
  func countsRoundTrips() {
    #expect(
      changes(.initialRead([.reachable]), .callback([]), .callback([.reachable])) == [
        CategoryChange(from: .wifi, to: .noNetwork), CategoryChange(from: .noNetwork, to: .wifi),
      ])
    #expect(changes(.initialRead([.reachable]), .callback([.reachable])) == [])
  }

  @Test("The monitor as a state machine emits one notification and waits for nothing")
  func isAMachine() {
    var monitor = ConnectivityMonitor()
    var effects = EffectLog<ConnectivityMonitor.Effect>()
    monitor.step(.initialRead([.reachable]), at: .zero, into: &effects)
    monitor.step(.callback([]), at: .zero, into: &effects)
    #expect(effects.elements == [.notify(CategoryChange(from: .wifi, to: .noNetwork))])
    #expect(monitor.nextDeadline == nil)
  }

  @Test("An initial read that is not the first event is a programming error (M7)")
  func trapsOnALateRead() async {
    await #expect(processExitsWith: .failure) {
      var monitor = ConnectivityMonitor()
      _ = monitor.observe(.initialRead([.reachable]))
      _ = monitor.observe(.initialRead([.reachable]))
    }
    await #expect(processExitsWith: .failure) {
      var monitor = ConnectivityMonitor()
      _ = monitor.observe(.callback([.reachable]))
      _ = monitor.observe(.initialRead([.reachable]))
    }
  }
}
