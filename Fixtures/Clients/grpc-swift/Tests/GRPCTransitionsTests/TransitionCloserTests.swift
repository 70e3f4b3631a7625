import GRPCTransitions
import HandoverCore
import NIOCore
import NIOEmbedded
import Testing

@Suite("Connections are closed at category changes")
struct TransitionCloserTests {
  private static let none: ReachabilityFlags = []
  private static let wifi: ReachabilityFlags = [.reachable]
  private static let cellular: ReachabilityFlags = [.reachable, .isWWAN]
  private let closer = TransitionCloser()

  /// Creates a connection and adds it to the closer.
  private func connection() async throws -> NIOAsyncTestingChannel {
    let channel = NIOAsyncTestingChannel()
    try await channel.connect(to: SocketAddress(ipAddress: "203.0.113.1", port: 7001)).get()
    try await closer.add(channel).get()
    return channel
  }

  /// Runs all tasks that are queued on the event loop of a connection.
  private func settle(_ channel: NIOAsyncTestingChannel) async {
    await channel.testingEventLoop.run()
  }

  @Test("the first reading closes nothing")
  func firstReading() async throws {
    let channel = try await connection()
    #expect(closer.observe(.initialRead(Self.cellular)) == nil)
    await settle(channel)
    #expect(channel.isActive)
    #expect(closer.count == 1)
  }

  @Test(
    "a category change closes every connection",
    arguments: [
      (wifi, cellular), (cellular, wifi), (wifi, none), (cellular, none), (none, wifi),
      (none, cellular),
    ])
  func categoryChanges(before: ReachabilityFlags, after: ReachabilityFlags) async throws {
    closer.observe(.initialRead(before))
    let channels = [try await connection(), try await connection()]
    let change = CategoryChange(from: NetworkCategory(before), to: NetworkCategory(after))
    #expect(closer.observe(.callback(after)) == change)
    for channel in channels {
      await settle(channel)
      #expect(!channel.isActive)
    }
    #expect(closer.count == 0)
  }

  @Test("another network of the same category closes nothing")
  func sameCategory() async throws {
    closer.observe(.initialRead(Self.wifi))
    let channel = try await connection()
    #expect(closer.observe(.callback(Self.wifi)) == nil)
    #expect(closer.observe(.callback([.reachable, .isDirect])) == nil)
    await settle(channel)
    #expect(channel.isActive)
  }

  @Test("a missed change closes connections when the flags are read again")
  func resynchronized() async throws {
    closer.observe(.initialRead(Self.wifi))
    let channel = try await connection()
    #expect(closer.observe(.resynchronized(Self.cellular)) != nil)
    await settle(channel)
    #expect(!channel.isActive)
  }

  @Test("connections opened after a change stay open until the next change")
  func laterConnections() async throws {
    closer.observe(.initialRead(Self.wifi))
    let first = try await connection()
    closer.observe(.callback(Self.cellular))
    await settle(first)
    let second = try await connection()
    closer.observe(.callback(Self.cellular))
    await settle(second)
    #expect(second.isActive)
    closer.observe(.callback(Self.wifi))
    await settle(second)
    #expect(!second.isActive)
  }

  @Test("a connection that other code has closed is released")
  func pruned() async throws {
    closer.observe(.initialRead(Self.wifi))
    let channel = try await connection()
    let other = try await connection()
    try await channel.close().get()
    await settle(channel)
    #expect(closer.count == 1)
    #expect(other.isActive)
  }

  @Test("an attempt that failed before it was added is not retained")
  func closedBefore() async throws {
    let channel = NIOAsyncTestingChannel()
    try await channel.connect(to: SocketAddress(ipAddress: "203.0.113.1", port: 7001)).get()
    try await channel.close().get()
    try await closer.add(channel).get()
    await settle(channel)
    #expect(closer.count == 0)
  }
}
