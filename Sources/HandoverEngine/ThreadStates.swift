import HandoverCore
import HandoverScenario

/// The state of the threads that run requests, in one thread pool for each endpoint and pool of the
/// script.
package struct ThreadStates {
  /// The identity of a thread: its 1-based number in its pool, and that pool.
  package struct Name: Equatable {
    package var number: Int
    /// The first host of the endpoint.
    package var host: Int
    package var pool: Int
  }

  package enum Phase {
    /// The thread was created and has not taken a request.
    case fresh
    case running
    /// The slot of the thread's request was released.
    case done
    case idle
    case gone
  }

  /// The number of threads for a host, in all its pools.
  struct Count {
    var alive = 0
    var idle = 0
    var made = 0
    var most = 0
  }

  /// The threads of each pool in the order of creation, pool by pool.
  private var pools: [[Phase]] = []
  /// All threads so far, in the order of creation.
  package private(set) var names: [Name] = []
  private var hosts: [Count] = []
  private var alive = 0
  private var most = 0

  init() {}

  init(pools: Int, hosts: Int) {
    self.pools = Array(repeating: [], count: pools * hosts)
    self.hosts = Array(repeating: Count(), count: hosts)
  }

  // MARK: Lookup

  /// Returns the phase of a thread, or `nil` if no thread with its number was created.
  package func phase(of thread: Name) -> Phase? {
    guard isKnown(thread) else { return nil }
    let known = pools[index(thread)]
    return known.indices.contains(thread.number - 1) ? known[thread.number - 1] : nil
  }

  /// Returns the number of threads in a thread's pool whose phase matches.
  func count(inPoolOf thread: Name, _ isCounted: (Phase) -> Bool) -> Int {
    pools[index(thread)].count(where: isCounted)
  }

  /// Whether no thread exists.
  var isEmpty: Bool { alive == 0 }

  func sum(_ selector: HostSelector, _ part: (Count) -> Int) -> Int {
    switch selector {
    case .one(let host): part(hosts[host])
    case .all: hosts.reduce(0) { $0 + part($1) }
    }
  }

  /// Returns the maximum number of simultaneous threads for a host, or for all hosts.
  func most(_ selector: HostSelector) -> Int {
    switch selector {
    case .one(let host): hosts[host].most
    case .all: most
    }
  }

  /// Returns whether the script has the host and the pool of a thread.
  private func isKnown(_ thread: Name) -> Bool {
    thread.host < hosts.count && index(thread) < pools.count
  }

  private func index(_ thread: Name) -> Int { thread.pool * hosts.count + thread.host }

  // MARK: Applying facts

  mutating func apply(_ change: ThreadChange, _ thread: Name) {
    switch change {
    case .made: make(thread)
    case .rests: move(thread, to: .idle)
    case .collected, .ended: move(thread, to: .gone)
    }
  }

  /// Records that a thread took a request.
  mutating func begin(_ thread: Name) { move(thread, to: .running) }

  /// Records that the slot of a thread's request was released.
  mutating func finish(_ thread: Name) {
    if phase(of: thread) == .running { move(thread, to: .done) }
  }

  private mutating func make(_ thread: Name) {
    guard isKnown(thread) else { return }
    names.append(thread)
    pools[index(thread)].append(.fresh)
    hosts[thread.host].made += 1
    hosts[thread.host].alive += 1
    hosts[thread.host].most = max(hosts[thread.host].most, hosts[thread.host].alive)
    alive += 1
    most = max(most, alive)
  }

  private mutating func move(_ thread: Name, to phase: Phase) {
    guard let before = self.phase(of: thread) else { return }
    pools[index(thread)][thread.number - 1] = phase
    if before == .idle { hosts[thread.host].idle -= 1 }
    if phase == .idle { hosts[thread.host].idle += 1 }
    guard before != .gone, phase == .gone else { return }
    hosts[thread.host].alive -= 1
    alive -= 1
  }
}

extension ThreadStates.Name {
  /// Creates the name of a thread from the fields of a record.
  package init(_ number: UInt32, host: UInt32, pool: UInt32) {
    self.init(number: Int(number), host: Int(host), pool: Int(pool))
  }
}
