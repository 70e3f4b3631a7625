/// The usage of an endpoint, which the OS does not expose for its own queue.
public struct EndpointUsage: Hashable, Sendable {
  /// The number of slots.
  public var total: UInt32
  /// The number of slots that long requests may take.
  public var longLimit: UInt32
  /// The number of requests that hold a slot.
  public var running: UInt32
  /// The number of long requests that hold a slot.
  public var runningLong: UInt32
  /// The number of waiting short requests, synchronous requests and polls.
  public var waitingShort: UInt32
  /// The number of waiting long requests.
  public var waitingLong: UInt32
  /// The number of long requests that are frozen beyond the limit.
  public var frozen: UInt32
  /// The number of requests that run without a slot.
  public var exempt: UInt32

  /// The number of long requests that were admitted and have not ended (U20, U22).
  public var long: UInt32 { runningLong + waitingLong + frozen }
}

// Queries for users of a dispatcher. Some walk along a line, so a step never calls them.
extension EndpointDispatcher {
  /// The number of requests on all endpoints that have not ended.
  public var unfinishedCount: Int { requests.liveCount }

  /// The number of ended requests that the dispatcher still stores (U84).
  package var keptCount: Int {
    var count = 0
    for index in 0..<requests.rows.count where requests.rows[index].phase == .ended { count += 1 }
    return count
  }

  /// The number of allocated request rows.
  var rowCount: Int { requests.rows.count }

  /// Returns the usage of an endpoint.
  public func usage(of endpoint: EndpointID) -> EndpointUsage {
    let index = index(of: endpoint)
    let row = endpoints[Int(index)]
    return EndpointUsage(
      total: row.total, longLimit: longLimit(of: index), running: heldCount(index),
      runningLong: row.heldByLong, waitingShort: requests.line(.short, on: index).count,
      waitingLong: requests.line(.long, on: index).count,
      frozen: frozenCount(index),
      exempt: requests.line(.exempt, on: index).count)
  }

  /// Returns the requests that hold the slots of an endpoint, in the order in which they took them.
  public func holders(of endpoint: EndpointID) -> [RequestID] {
    var holders: [RequestID] = []
    var request = requests.line(.holders, on: index(of: endpoint)).first
    while request != noRow {
      holders.append(requests.id(request))
      request = requests[request].next
    }
    return holders
  }

  /// Returns the phase of a request, or `nil` if the request has ended.
  public func phase(of request: RequestID) -> RequestPhase? {
    requests.isLive(request) ? requests[request.index].phase : nil
  }

  /// Returns the 1-based position of a request in its line, or `nil` if the request does not wait.
  public func position(of request: RequestID) -> UInt32? {
    guard requests.isLive(request), requests[request.index].phase == .waiting else { return nil }
    var position: UInt32 = 1
    var before = requests[request.index].previous
    while before != noRow {
      position += 1
      before = requests[before].previous
    }
    return position
  }
}
