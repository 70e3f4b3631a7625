import HandoverCore

/// The hosts and connections of a simulated network, with row lists for finding the connections
/// that an event affects.
struct Links {
  var hosts: ContiguousArray<Host> = []
  var connections: ContiguousArray<Connection> = []
  /// The rows of the connections that were made on each path.
  ///
  /// Some may have moved to another path.
  ///
  /// These lists, and those of the hosts, are only maintained once there are more than a few
  /// connections.
  private var pathRows: ContiguousArray<ContiguousArray<Int>> = []
  /// The number of connections in use whose pings receive no response.
  var unhealthy = 0
  /// Whether a lookup belongs to a path, as a socket does.
  private var lookupsHavePaths = false

  /// Begins a run of a script, and reuses the memory of the previous run.
  mutating func open(_ script: Script, _ traits: ConnectionTraits) {
    lookupsHavePaths = traits.lookupsHavePaths
    if hosts.count == script.hosts.count {
      for host in hosts.indices { hosts[host].begin(as: script.hosts[host]) }
    } else {
      hosts.empty()
      for host in script.hosts.indices { hosts.append(Host(script.hosts[host])) }
    }
    connections.empty()
    pathRows.empty()
    unhealthy = 0
  }

  /// Removes every connection.
  mutating func forgetConnections() {
    connections.empty()
    if pathRows.isEmpty { return }
    pathRows.empty()
    for host in hosts.indices { hosts[host].rows.empty() }
  }

  /// The number of connections up to which a linear scan is faster than maintaining lists.
  private static let fewConnections = 16

  private var areFew: Bool { connections.count <= Self.fewConnections }

  /// Creates the lists, because there are now more than a few connections.
  private mutating func beginLists() {
    for row in connections.indices {
      hosts[Int(connections[row].host)].rows.append(row)
      if let path = connections[row].path { note(row, on: path) }
    }
  }

  // MARK: A single connection

  /// Returns whether the connection has a row.
  func knows(_ connection: ConnectionID) -> Bool { Int(connection.index) < connections.count }

  func isCurrent(_ connection: ConnectionID) -> Bool {
    connections[Int(connection.index)].generation == connection.generation
  }

  /// Returns whether the client still has the connection.
  ///
  /// Events for a closed connection are dropped.
  func isReported(_ connection: ConnectionID) -> Bool {
    isCurrent(connection) && connections[Int(connection.index)].phase != .gone
  }

  /// Returns whether the connection is being made or is in use.
  func isAlive(_ connection: ConnectionID) -> Bool {
    isCurrent(connection) && connections[Int(connection.index)].phase.isAlive
  }

  /// Returns whether both sides may use the connection.
  @inline(__always)
  func isEstablished(_ connection: ConnectionID) -> Bool {
    isCurrent(connection) && connections[Int(connection.index)].phase == .established
      && connections[Int(connection.index)].unnoticedEnd == nil
  }

  func identifier(_ index: Int) -> ConnectionID {
    ConnectionID(
      index: UInt32(truncatingIfNeeded: index), generation: connections[index].generation)
  }

  /// Adds a new connection, whose name is being looked up, in the row of its identifier.
  mutating func put(_ id: ConnectionID, to host: UInt32, on path: PathIndex?) {
    let index = Int(id.index)
    if index < connections.count {
      change(index) { $0.begin(generation: id.generation, host: host, path: path) }
    } else {
      connections.append(Connection(generation: id.generation, host: host, path: path))
      if connections.count == Self.fewConnections + 1 { return beginLists() }
    }
    guard !areFew else { return }
    hosts[Int(host)].rows.append(index)
    if lookupsHavePaths, let path { note(index, on: path) }
  }

  /// Changes a row in a way that may affect whether pings receive a response.
  mutating func change(_ index: Int, _ change: (inout Connection) -> Void) {
    count(index, -1)
    change(&connections[index])
    count(index, 1)
  }

  @inline(__always)
  private mutating func count(_ index: Int, _ one: Int) {
    guard connections[index].phase == .established else { return }
    // Fields are read one by one, because that avoids copying the whole host and connection.
    let host = Int(connections[index].host)
    let isDisturbed =
      !connections[index].stall.isEmpty || connections[index].unnoticedEnd != nil
    hosts[host].established += one
    if isDisturbed { hosts[host].disturbed += one }
    if isDisturbed || hosts[host].server == .silent { unhealthy += one }
  }

  /// Changes the state of a host's server.
  ///
  /// - Returns: whether attempts at several addresses now end differently.
  mutating func setServer(
    _ fault: ServerFault, of host: Int, cause: UInt32, at now: Instant
  ) -> Bool {
    let before = hosts[host].unhealthy
    let changesRaces = hosts[host].serve(fault, from: now)
    unhealthy += hosts[host].unhealthy - before
    hosts[host].serverCause = cause
    return changesRaces
  }

  // MARK: Connections that an event affects

  /// A sequence of rows in order.
  ///
  /// A few rows are stored as bits, which needs no allocation.
  struct RowList: Sequence, IteratorProtocol {
    fileprivate var few: UInt32 = 0
    fileprivate var many: ContiguousArray<Int> = []
    private var position = 0

    mutating func next() -> Int? {
      if few != 0 {
        let row = few.trailingZeroBitCount
        few &= few &- 1
        return row
      }
      guard position < many.count else { return nil }
      position += 1
      return many[position - 1]
    }

    fileprivate init(where isMeant: (Int) -> Bool, among count: Int) {
      for row in 0..<count where isMeant(row) { few |= 1 &<< UInt32(truncatingIfNeeded: row) }
    }

    fileprivate init(_ rows: ContiguousArray<Int>) { many = rows }

    fileprivate var count: Int { few.nonzeroBitCount + many.count }
  }

  /// Returns the rows of the connections to a host that are being made or are in use, in order.
  mutating func liveRows(to host: Int, _ context: inout Context) -> RowList {
    let rows = liveRows(to: host)
    context.looks += rows.count
    return rows
  }

  private mutating func liveRows(to host: Int) -> RowList {
    if areFew { return RowList(where: { isLive($0, to: host) }, among: connections.count) }
    // Usually nothing has changed since the last fault, so that no list is allocated.
    if !rowsAreLive(to: host) {
      let known = hosts[host].rows
      hosts[host].rows = Self.inOrder(known.filter { isLive($0, to: host) })
    }
    return RowList(hosts[host].rows)
  }

  private func isLive(_ row: Int, to host: Int) -> Bool {
    Int(connections[row].host) == host && connections[row].phase.isAlive
  }

  /// Returns whether all rows of a host's list still belong to the host, in order.
  private func rowsAreLive(to host: Int) -> Bool {
    var last = -1
    for index in hosts[host].rows.indices {
      let row = hosts[host].rows[index]
      guard row > last, isLive(row, to: host) else { return false }
      last = row
    }
    return true
  }

  /// Records that a connection now has a socket on a path.
  mutating func noteRow(_ index: Int, on path: PathIndex) {
    if !areFew { note(index, on: path) }
  }

  private mutating func note(_ index: Int, on path: PathIndex) {
    // If a client in another process uses the network, paths become known only as the device uses
    // them.
    while pathRows.count <= Int(path.index) { pathRows.append([]) }
    pathRows[Int(path.index)].append(index)
  }

  /// Returns the paths that carry connections and satisfy a predicate.
  func paths(where isAffected: (PathIndex) -> Bool) -> PathSet {
    var paths = PathSet()
    if areFew {
      for row in connections.indices {
        if let path = connections[row].path { paths.insert(PathSet(path)) }
      }
    } else {
      for index in pathRows.indices where !pathRows[index].isEmpty {
        paths.insert(PathSet(PathIndex(UInt8(truncatingIfNeeded: index))))
      }
    }
    var rest = paths.rawValue
    while rest != 0 {
      let path = PathIndex(UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))
      rest &= rest - 1
      if !isAffected(path) { paths.remove(PathSet(path)) }
    }
    return paths
  }

  /// Returns the rows of the connections on any of the paths, in order.
  mutating func liveRows(on paths: PathSet, _ context: inout Context) -> RowList {
    let rows = liveRows(on: paths)
    context.looks += rows.count
    return rows
  }

  private mutating func liveRows(on paths: PathSet) -> RowList {
    guard !paths.isEmpty else { return RowList([]) }
    if areFew { return RowList(where: { isLive($0, on: paths) }, among: connections.count) }
    var rows: ContiguousArray<Int> = []
    for index in pathRows.indices where paths.contains(PathIndex(UInt8(index))) {
      let path = PathSet(PathIndex(UInt8(index)))
      let known = pathRows[index]
      pathRows[index] = []
      var live: ContiguousArray<Int> = []
      live.reserveCapacity(known.count)
      for row in known where isLive(row, on: path) { live.append(row) }
      pathRows[index] = Self.inOrder(live)
      rows += pathRows[index]
    }
    return RowList(paths.rawValue.nonzeroBitCount > 1 ? Self.inOrder(rows) : rows)
  }

  private func isLive(_ row: Int, on paths: PathSet) -> Bool {
    let phase = connections[row].phase
    guard phase.hasSocket || lookupsHavePaths && phase == .resolving,
      let path = connections[row].path
    else { return false }
    return paths.contains(path)
  }

  /// Returns the rows in order without duplicates.
  ///
  /// A row that was used twice for the same path or host is listed twice.
  private static func inOrder(_ rows: some Collection<Int>) -> ContiguousArray<Int> {
    let sorted = rows.sorted()
    var once: ContiguousArray<Int> = []
    once.reserveCapacity(sorted.count)
    for row in sorted where once.last != row { once.append(row) }
    return once
  }
}
