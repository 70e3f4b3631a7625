import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux
import Synchronization
import Testing

@Suite("A lab as the network of a backend", .enabled(if: namespacesAreMissing == nil))
struct LabNetworkTests {
  /// Flags that the test supplies.
  private final class GivenFlags: LabFlags {
    let isStopped = Mutex(false)

    func readFlags() throws(BackendError) -> ReachabilityFlags { [.reachable] }
    func watchFlags(
      _ handler: @escaping @Sendable (ReachabilityFlags, _ seenAt: Int64) -> Void
    ) throws(BackendError) {
      handler([.reachable, .isWWAN], 7)
    }
    func stop() { isStopped.withLock { $0 = true } }
  }

  @Test("The lab implements the port, with flags from an external source")
  func port() throws {
    let plan = try LabFixture.plan(beginning: [.reachable], hostCount: 1)
    let flags = GivenFlags()
    var home: UInt64 = 0
    let network = try LabNetwork(plan, home: .ownNamespace) { namespace in
      home = namespace.identity
      return flags
    }
    #expect(try network.onDevice { NetworkNamespace.currentIdentity } == home)
    #expect(try network.onServers { NetworkNamespace.currentIdentity } != home)
    #expect(network.address(of: 0) == LiveAddress("203.0.113.1", port: 50_051))
    #expect(try network.readFlags() == [.reachable])
    let seen = Mutex<[Int64]>([])
    try network.watchFlags { _, at in seen.withLock { $0.append(at) } }
    #expect(seen.withLock { $0 } == [7])
    try network.apply(plan.device)
    #expect(try network.flows(to: .all) == [])
    let flow = LiveFlow(localPort: 1, host: 0, path: LabFixture.wifi)
    try network.abort([flow])
    try network.drop([flow])
    try network.dropNewConnections(to: 0, except: [flow])
    try network.stopDropping(host: 0)
    #expect(network.close() == [])
    #expect(flags.isStopped.withLock { $0 })
    #expect(network.close() == [])
  }

  @Test("A refusal names the system call and a hint")
  func refusal() throws {
    let plan = try LabFixture.plan(beginning: [.reachable], hostCount: 300)
    #expect(
      throws: BackendError(
        .unsupported,
        "lab with 300 hosts: 28 No space left on device; "
          + "increase user.max_net_namespaces and user.max_user_namespaces, "
          + "or stop other labs"
      )
    ) {
      _ = try LabNetwork(plan, home: .ownNamespace) { _ in GivenFlags() }
    }
  }
}
