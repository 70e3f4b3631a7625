import HandoverTesting
import Synchronization
import Testing

/// The state of a connection that follows the network; in an app, this is your own code.
///
/// The connection is replaced whenever another interface takes over, and when the network returns.
final class FollowingConnection: Sendable {
  private struct State {
    var interface: NetworkPath.InterfaceType?
    var connections = 0
  }

  private let state = Mutex(State())

  var isConnected: Bool { state.withLock { $0.interface != nil } }
  var connections: Int { state.withLock { $0.connections } }

  init(monitor: ScriptedPathMonitor) {
    monitor.pathUpdateHandler = { [self] path in
      state.withLock {
        let interface = path.status == .satisfied ? path.interface : nil
        guard interface != $0.interface else { return }
        $0.interface = interface
        if interface != nil { $0.connections += 1 }
      }
    }
    monitor.start()
  }
}

@Suite("Our connection follows the network")
struct ObserverTests {
  @Test("after each move, the connection uses the network of the device", .networkMoves)
  func follows() throws {
    let network = try #require(ScriptedNetwork.current)
    let connection = FollowingConnection(monitor: network.makeMonitor())
    #expect(connection.isConnected)
    network.play()
    #expect(connection.isConnected == (network.path.status == .satisfied))
  }

  @Test("an app that sleeps through an outage keeps its connection")
  func sleeps() {
    let network = ScriptedNetwork(.asleepWithoutChange)
    let connection = FollowingConnection(monitor: network.makeMonitor())
    network.play()
    #expect(connection.connections == 1)
  }
}
