public import HandoverMachines

/// How an endpoint is used; what nobody can see of the platform's own queue.
public struct EndpointUsage: Hashable, Sendable {
  /// Slots there are.
  public var total: UInt32
  /// Slots that long requests may take.
  public var longLimit: UInt32
  /// Requests that hold a slot.
  public var running: UInt32
  /// Long requests that hold a slot.
  public var runningLong: UInt32
  /// Short and synchronous requests, and polls, that wait.
  public var waitingShort: UInt32
  /// Long requests that wait.
  public var waitingLong: UInt32
  /// Long requests that are frozen beyond the limit.
  public var frozen: UInt32
  /// Requests that run without a slot.
  public var exempt: UInt32

  /// The long requests that were admitted and have not ended (U20, U22).
  public var long: UInt32 { runningLong + waitingLong + frozen }
}

// What users ask a dispatcher; the walks along a line are for them, and no step takes one.
extension EndpointDispatcher {
  /// How many requests have not ended, on all endpoints.
  public var unfinishedCount: Int { requests.liveCount }

  /// How many requests have ended and are not forgotten (U84).
  package var keptCount: Int {
    var count = 0
    for index in 0..<requests.rows.count where requests.rows[index].phase == .ended { count += 1 }
    return count
  }

  /// How many requests the dispatcher has room for.
  var rowCount: Int { requests.rows.count }

  /// How an endpoint is used.
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

  /// The requests that hold the slots of an endpoint, in the order in which they took them.
  public func holders(of endpoint: EndpointID) -> [RequestID] {
    var holders: [RequestID] = []
    var request = requests.line(.holders, on: index(of: endpoint)).first
    while request != noRow {
      holders.append(requests.id(request))
      request = requests[request].next
    }
    return holders
  }

  /// Where a request stands; nil where it has ended.
  public func phase(of request: RequestID) -> RequestPhase? {
    requests.isLive(request) ? requests[request.index].phase : nil
  }

  /// The place of a waiting request in its line, counted from 1; nil where it does not wait.
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
