import Testing

@testable import HandoverCore

@Suite("Statuses and their messages")
struct StatusTests {
  /// gRPC's codes in the order of their numbers.
  static let names = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
    "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
    "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
  ]

  @Test("The codes have gRPC's names and numbers")
  func haveNamesAndNumbers() {
    #expect(StatusCode.allCases.map(\.name) == Self.names)
    #expect(StatusCode.allCases.map { Int($0.rawValue) } == Array(0...16))
  }

  @Test("Every printed name is parsed again, and no other name is", arguments: StatusCode.allCases)
  func areReadAgain(code: StatusCode) {
    #expect(StatusCode(name: code.name) == code)
    #expect(StatusCode(name: code.name.lowercased()) == nil)
    #expect(code.description == code.name)
  }

  @Test("Every failure of a connection ends its calls UNAVAILABLE with a specific message")
  func endUnavailable() {
    let ends = ConnectionFailure.allCases.filter { !Self.unannotated.contains($0) }.map(\.callEnd)
    #expect(ends.allSatisfy { $0.code == .unavailable })
    #expect(Set(ConnectionFailure.allCases.map(\.callEnd.text)).count == ends.count + 3)
  }

  /// The stream errors that have no status (S7).
  static let unannotated: [ConnectionFailure] = [.streamAborted, .streamReset, .streamTimedOut]

  @Test(
    "A stream error without a status gives UNKNOWN, and its message contains domain and code (S6)")
  func endUnknown() {
    for failure in Self.unannotated {
      #expect(failure.callEnd.code == .unknown)
      #expect(failure.callEnd.text.text.hasPrefix("CFStream error: POSIX domain, code "))
    }
  }

  @Test(
    "Each end has the documented code and message",
    arguments: [
      (CallEnd.connectivityLost, StatusCode.unavailable, "Connectivity lost."),
      (.notCreated, .unavailable, "Failed to create call or channel."),
      (.disconnected, .unavailable, "Channel disconnected."),
      (.failedFast, .unavailable, "Channel is in TRANSIENT_FAILURE."),
      (.cancelled, .cancelled, "Canceled by app"),
      (.deadlineExceeded, .deadlineExceeded, "Deadline Exceeded"),
      (.clientClosed, .cancelled, "Client closed."),
      (ConnectionFailure.networkUnreachable.callEnd, .unavailable, "Network is unreachable"),
      (ConnectionFailure.nameResolutionFailed.callEnd, .unavailable, "Name resolution failed"),
      (ConnectionFailure.connectTimedOut.callEnd, .unavailable, "connect() timed out"),
      (ConnectionFailure.refused.callEnd, .unavailable, "Connection refused"),
      (ConnectionFailure.aborted.callEnd, .unavailable, "Software caused connection abort"),
      (ConnectionFailure.reset.callEnd, .unavailable, "Connection reset by peer"),
      (ConnectionFailure.timedOut.callEnd, .unavailable, "Connection timed out"),
      (ConnectionFailure.closed.callEnd, .unavailable, "Socket closed"),
      (ConnectionFailure.keepaliveTimeout.callEnd, .unavailable, "keepalive timeout"),
      (
        ConnectionFailure.streamReset.callEnd, .unknown,
        "CFStream error: POSIX domain, code 54, Connection reset by peer"
      ),
    ])
  func haveTheDocumentsWords(end: CallEnd, code: StatusCode, text: String) {
    #expect(end.code == code)
    #expect(end.text.text == text)
  }

  @Test("All messages are different")
  func differ() {
    #expect(Set(StatusText.allCases.map(\.text)).count == StatusText.allCases.count)
  }
}
