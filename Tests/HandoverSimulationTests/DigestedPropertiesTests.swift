import HandoverCore
import Testing

@testable import HandoverSimulation

/// The digest of requests lists its properties explicitly, so a new property must be considered.
@Suite("The properties in the digest of requests")
struct DigestedPropertiesTests {
  /// The properties in the digest.
  ///
  /// Those after the bar are omitted, because others or the script determine them, or because only
  /// their order matters.
  private static let known = [
    "Connection": "carries endpoint isDraining isExempt isOpen line next pool previous |",
    "ConnectionLimits": "long total |",
    "DispatcherConfiguration": "limits | chargesWaiting defects policy",
    "DispatcherEndpoint": "hasBudget heldByLong latestWait total |",
    "Endpoint": "connectionCount connections frozen streams |",
    "EndpointDispatcher":
      "configuration deadlines endpoints isClosed requests sleepers | armed arrivals keys sharing",
    "CarriedRequest": "body endpoint id isExempt pool timeout |",
    "HTTPRequestTable": "connections endpoints lines rows | arrivals",
    "Line": "first last |",
    "Platform": "carrier takenBack |",
    "PooledConnection": "endpoint idleSince isDraining isLost isProven phase pool request |",
    "Pool": "alarm awake machine numbers | host pool",
    "Request": "began id isHeld isPolling isWithPlatform |",
    "RequestHost": "dispatchers held platform table threads "
      + "| collectionDeadline deadline failed pending",
    "RequestLine": "count first last |",
    "RequestRow": "arrival deadline endpoint isHeld kind line load next phase pollInterval "
      + "previous started timeout timer | generation",
    // The properties of a dispatcher, and the properties of the script.
    "EndpointRequestTable": "lines nextID rows | liveCount",
    "SimulatedRequestTable": "positions rows | endpointHosts endpoints keys",
    "Row": "arrival connection line next previous request |",
    "ThreadHost": "positions pools stirred | count facts settings",
    "ThreadPoolMachine":
      "collectionDue idle phase queue startedCount threads | startingCount limits numbers",
    "Load": "connection hasResponse request | arrival",
    "HTTPConnectionPool":
      "connections idle isClosed loads timeouts | arrivals configuration sharing",
    "RequestCarrier": "loader pool |",
    "URLLoader": "idle isClosed table timeouts | keepAlive limit sharing",
  ]

  /// Adds the stored properties of a value, and of the values stored in it, by their types.
  private static func add(_ value: Any, to found: inout [String: Set<String>]) {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .struct {
      let type = String(String(describing: type(of: value)).prefix { $0 != "<" })
      found[type, default: []].formUnion(mirror.children.compactMap(\.label))
    }
    for child in mirror.children { add(child.value, to: &found) }
  }

  @Test("Every property is on the list")
  func all() {
    var found: [String: Set<String>] = [:]
    for profile in [Profile.urlDispatcher, .okHTTPPool] {
      var world = World()
      world.open(WorldDigestTests.threads, profile: profile)
      world.play(0)
      Self.add(world.client.requests as Any, to: &found)
    }
    for (type, names) in Self.known.sorted(by: <) {
      let words = Set(names.split(separator: " ").map(String.init)).subtracting(["|"])
      #expect(found[type] == words, "\(type)")
    }
  }
}
