import HandoverCore
import Testing

@Suite("The states of a channel")
struct ChannelStateTests {
  /// The transitions that B8 allows, state by state.
  static let legal: [ChannelState: Set<ChannelState>] = [
    .idle: [.connecting, .shutdown],
    .connecting: [.ready, .transientFailure, .idle, .shutdown],
    .ready: [.transientFailure, .idle, .shutdown],
    .transientFailure: [.connecting, .shutdown],
    .shutdown: [],
  ]

  @Test(
    "Only the transitions of B8 are possible, and SHUTDOWN is final",
    arguments: ChannelState.allCases)
  func moveAsAllowed(from: ChannelState) throws {
    let targets = try #require(Self.legal[from])
    for to in ChannelState.allCases {
      #expect(from.canMove(to: to) == targets.contains(to), "\(from) to \(to)")
    }
  }

  @Test(
    "The names are those of gRPC, and each can be parsed",
    arguments: [
      (ChannelState.idle, "IDLE"), (.connecting, "CONNECTING"), (.ready, "READY"),
      (.transientFailure, "TRANSIENT_FAILURE"), (.shutdown, "SHUTDOWN"),
    ])
  func haveNames(state: ChannelState, name: String) {
    #expect(state.name == name)
    #expect(state.description == name)
    #expect(ChannelState(name: name) == state)
  }

  @Test("Other strings name no state", arguments: ["", "idle", "Ready", "SHUTDOWN "])
  func refuseOtherNames(name: String) {
    #expect(ChannelState(name: name) == nil)
  }
}
