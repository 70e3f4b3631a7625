import AsyncHTTPClientTransport
import HandoverHTTPTesting
import Testing

@Suite("The dispatcher over AsyncHTTPClient", .serialized)
struct ContractTests {
  @Test("what holds over every transport", arguments: TransportScenario.all)
  func holds(_ scenario: TransportScenario) async throws {
    try await scenario.run { AsyncHTTPClientTransport(connections: $0) }
  }
}
