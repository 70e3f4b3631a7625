import Synchronization
public import Testing

/// Runs a test once for each network move, with the networks in ``ScriptedNetwork/current``.
///
/// If an issue is recorded, its comments contain the move and its timeline, and the timeline is
/// attached to the test.
public struct NetworkMovesTrait: TestTrait, SuiteTrait, TestScoping {
  /// The moves, in the order of their execution.
  public let moves: [NetworkMove]

  /// Whether the tests of a suite have the trait.
  public var isRecursive: Bool { true }

  /// Runs a test case once for each move.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    for move in moves {
      let network = ScriptedNetwork(move)
      let hasIssue = Mutex(false)
      let explaining = IssueHandlingTrait.compactMapIssues { issue in
        hasIssue.withLock { $0 = true }
        var issue = issue
        issue.comments.append(Comment(rawValue: "\(move.name):\n\(network.timeline)"))
        return issue
      }
      try await explaining.provideScope(for: test, testCase: testCase) {
        do {
          try await ScriptedNetwork.$current.withValue(network) { try await function() }
        } catch is ExpectationFailedError {
          // `#require` has recorded an issue, and the other moves are still worth a run.
        } catch  where !Task.isCancelled {
          Issue.record(error)
        }
      }
      if hasIssue.withLock({ $0 }) {
        Attachment.record(network.timeline, named: "\(move.name).txt")
      }
    }
  }
}

extension Trait where Self == NetworkMovesTrait {
  /// Runs the test once for each standard network move.
  ///
  ///     @Test(.networkMoves)
  ///     func reconnects() throws {
  ///       let network = try #require(ScriptedNetwork.current)
  ///       let client = Client(monitor: network.makeMonitor())
  ///       network.play()
  ///       #expect(client.isConnected == (network.path.status == .satisfied))
  ///     }
  public static var networkMoves: Self { Self(moves: NetworkMove.all) }

  /// Runs the test once for each of some network moves.
  public static func networkMoves(_ moves: NetworkMove...) -> Self { Self(moves: moves) }
}
