import Foundation
import HandoverBackend
import HandoverCore
import Synchronization

/// A network on the loopback interface.
///
/// The device never leaves it, and the test sets its flags.
final class LoopbackNetwork: LiveNetwork {
  /// Every network of this process has different addresses.
  private static let counter = Atomic<Int>(0)
  private let prefix: String
  private let state: Mutex<State>
  private let hosts: [LivePlan.Host]
  /// How long the device takes to change its network, as on a busy machine.
  private let slowness: DispatchTimeInterval

  private struct State {
    var flags: ReachabilityFlags
    var handler: (@Sendable (ReachabilityFlags, Int64) -> Void)?
    var aborted: [UInt16] = []
    var isClosed = false
  }

  /// Creates a network with new addresses, or with a prefix that may not be local.
  init(_ plan: LivePlan, prefix: String? = nil, slowness: DispatchTimeInterval = .never) {
    self.slowness = slowness
    self.prefix = prefix ?? Self.freshPrefix()
    hosts = plan.hosts
    state = Mutex(State(flags: plan.device.flags))
  }

  /// Returns an address that is unique in this process.
  static func freshAddress() -> String { freshPrefix() + ".1" }

  private static func freshPrefix() -> String {
    let number = counter.add(1, ordering: .relaxed).newValue
    let process = Int(ProcessInfo.processInfo.processIdentifier)
    return "127.\(1 + (process + number) % 200).\(process % 250)"
  }

  var aborted: [UInt16] { state.withLock(\.aborted) }
  var isClosed: Bool { state.withLock(\.isClosed) }

  func onDevice<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value { body() }

  func onServers<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value { body() }

  func address(of host: Int) -> LiveAddress { LiveAddress("\(prefix).\(host + 1)", port: 50_051) }

  func ownAddresses(of host: Int) -> [LiveAddress] {
    hosts[host].addresses.indices.map {
      LiveAddress("\(prefix).\(100 + 16 * host + $0)", port: hosts[host].port)
    }
  }

  func apply(_ device: Device) throws(BackendError) {
    if slowness != .never { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + slowness) }
    let handler = state.withLock { state in
      let changes = state.flags != device.flags
      state.flags = device.flags
      return changes ? state.handler : nil
    }
    handler?(device.flags, 0)
  }

  func flows(to hosts: HostSelector) throws(BackendError) -> [LiveFlow] { [] }

  func abort(_ flows: [LiveFlow]) throws(BackendError) {
    state.withLock { $0.aborted += flows.map(\.localPort) }
  }

  func drop(_ flows: [LiveFlow]) throws(BackendError) {}

  func dropNewConnections(to host: Int, except flows: [LiveFlow]) throws(BackendError) {}

  func stopDropping(host: Int) throws(BackendError) {}

  func traffic() throws(BackendError) -> LiveTraffic { LiveTraffic() }

  func readFlags() throws(BackendError) -> ReachabilityFlags { state.withLock(\.flags) }

  func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, Int64) -> Void
  ) throws(BackendError) {
    state.withLock { $0.handler = handler }
  }

  func stopWatching() { state.withLock { $0.handler = nil } }

  func close() -> [String] {
    state.withLock { $0.isClosed = true }
    return []
  }
}

/// Creates such networks, and keeps them for inspection.
final class LoopbackNetworks: LiveNetworkFactory {
  private let networks = Mutex<[LoopbackNetwork]>([])
  private let firstPrefix: String?
  private let slowness: DispatchTimeInterval

  /// Creates a maker whose first network may have a given prefix.
  init(beginningWith firstPrefix: String? = nil, slowness: DispatchTimeInterval = .never) {
    self.firstPrefix = firstPrefix
    self.slowness = slowness
  }

  var made: [LoopbackNetwork] { networks.withLock { $0 } }

  func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork {
    networks.withLock { networks in
      let network = LoopbackNetwork(
        plan, prefix: networks.isEmpty ? firstPrefix : nil, slowness: slowness)
      networks.append(network)
      return network
    }
  }
}
