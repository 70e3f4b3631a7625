import Glibc
import HandoverBackend
public import HandoverCore
public import HandoverLinux
import Synchronization

/// A small HTTP server of a lab's hosts, for programs that know nothing of Handover.
///
/// `GET /stream` is a line each 200 ms without end, `GET /` a short answer. It can be told to
/// misbehave as scenarios say. One thread serves everybody, at every address of every host; where
/// several hosts have one address and one port, they are one server.
public final class StreamServer: Sendable {
  private let lab: DeviceLab
  private let wakening: Wakening
  private let state: Mutex<State>
  private let thread = Mutex<OSThread?>(nil)

  /// How far apart the lines of a stream are.
  public static let period = Interval.milliseconds(200)
  /// How many connections there can be at a time; the next one is closed at once.
  static let maximumConnectionCount = 32
  /// How many times a connection is read before the others have their turn.
  static let maximumReadCount = 64
  /// How long a request may be.
  static let maximumRequestLength = 8_192

  /// Begins to serve every host of a script.
  ///
  /// - Parameters:
  ///   - script: the hosts, and what their servers do at first.
  ///   - lab: where they are.
  /// - Throws: ``LinuxError`` where nothing can listen.
  public init(_ script: Script, in lab: DeviceLab) throws(LinuxError) {
    self.lab = lab
    wakening = try Wakening()
    state = Mutex(
      State(
        hosts: script.hosts.map { Host(written: $0.written, refuses: $0.server == .refuse) },
        listeners: lab.endpoints.listeners.map { Listener(endpoint: $0.endpoint, hosts: $0.hosts) }
      ))
    try listen()
    for (host, declared) in script.hosts.enumerated() { try apply(host, declared.server) }
    let thread = try OSThread.start {
      OSThread.name("lab-server")
      self.serve()
    }
    self.thread.withLock { $0 = thread }
  }

  /// What becomes of the open connections of a host.
  enum Treatment {
    /// They are served as usual.
    case served
    /// Nothing is read and nothing answered; the kernel goes on acknowledging.
    case unread
    /// Everything is read and thrown away, and nothing answered.
    case swallowed
    /// They are ended in good order.
    case ended
    /// They are reset.
    case reset
    /// Nothing more is sent; they would still be read.
    case halfClosed
  }

  /// What came of a word to a server.
  enum Effect {
    /// So many connections were met.
    case met(Int)
    /// What comes later shows it.
    case later
    /// Over plain HTTP nothing can be announced.
    case impossible
  }

  /// Tells the server of a host what to do.
  ///
  /// - Throws: ``LinuxError`` where nothing can listen.
  @discardableResult
  func apply(_ host: Int, _ word: ServerFault) throws(LinuxError) -> Effect {
    switch word {
    case .close: return .met(treat(host, .ended))
    case .reset: return .met(treat(host, .reset))
    case .silent:
      state.withLock { $0.hosts[host].isSilent = true }
      treat(host, .unread)
    case .refuse:
      state.withLock { state in
        state.hosts[host].refuses = true
        for place in state.listeners.indices where state.listeners[place].hosts.contains(host) {
          state.listeners[place].socket?.stopListening()
          state.listeners[place].socket = nil
        }
      }
    case .accept:
      state.withLock { $0.hosts[host].refuses = false }
      try listen()
      state.withLock { $0.hosts[host].isSilent = false }
      treat(host, .served)
    case .goaway: return .impossible
    }
    wakening.signal()
    return .later
  }

  /// Treats the connections of a host that are open now.
  ///
  /// - Returns: how many there are.
  @discardableResult
  func treat(_ host: Int, _ treatment: Treatment) -> Int {
    let count = state.withLock { state in
      let connections = state.connections.filter { $0.hosts.contains(host) }
      for connection in connections { connection.treat(treatment) }
      state.connections.removeAll { $0.isOver }
      return connections.count
    }
    wakening.signal()
    return count
  }

  /// Ends every connection and the thread.
  public func close() {
    state.withLock { $0.isClosed = true }
    wakening.signal()
    thread.withLock { $0.take() }?.join()
    state.withLock { $0 = State(hosts: [], listeners: []) }
  }

  /// Listens wherever nobody refuses and nobody listens yet.
  private func listen() throws(LinuxError) {
    let missing = state.withLock { state in
      state.listeners.indices.filter { place in
        state.listeners[place].socket == nil
          && !state.listeners[place].hosts.contains { state.hosts[$0].refuses }
      }.map { (place: $0, endpoint: state.listeners[$0].endpoint) }
    }
    guard !missing.isEmpty else { return }
    let made = try lab.servers.run { () throws(LinuxError) in
      var made: [(place: Int, socket: TCPSocket)] = []
      for (place, endpoint) in missing {
        made.append((place, TCPSocket(try TCPSocket.listening(at: endpoint))))
      }
      return made
    }
    state.withLock { state in
      for (place, socket) in made { state.listeners[place].socket = socket }
    }
  }

  // MARK: The thread

  private func serve() {
    while true {
      let now = monotonicMicroseconds()
      let (descriptors, wait, isClosed) = state.withLock { state in
        state.work(at: now)
        return (state.descriptors, state.wait(at: now), state.isClosed)
      }
      if isClosed { return }
      // A failure to wait is a failure of the process; the next round tells nothing else.
      _ = try? waitReadable([wakening.descriptor] + descriptors, atMost: wait)
      wakening.clear()
    }
  }

  private struct Host {
    var written: String
    var refuses = false
    var isSilent = false
  }

  /// A place where connections are taken.
  private struct Listener {
    var endpoint: Endpoint
    /// The hosts that are called there.
    var hosts: [Int]
    var socket: TCPSocket?
  }

  private struct State {
    var hosts: [Host]
    var listeners: [Listener]
    var connections: [StreamConnection] = []
    var isClosed = false

    init(hosts: [Host], listeners: [Listener]) {
      self.hosts = hosts
      self.listeners = listeners
    }

    /// What may have something to be read.
    var descriptors: [Int32] {
      listeners.compactMap { $0.socket?.number }
        + connections.compactMap { $0.isRead ? $0.socket.number : nil }
    }

    /// How long nothing is to be done.
    func wait(at now: Int64) -> Int64? {
      connections.compactMap(\.nextLineAt).min().map { max(0, $0 - now) }
    }

    mutating func work(at now: Int64) {
      for listener in listeners {
        while let socket = listener.socket?.accept() {
          guard connections.count < StreamServer.maximumConnectionCount else { continue }
          let connection = StreamConnection(
            socket, hosts: listener.hosts, written: hosts[listener.hosts[0]].written)
          if listener.hosts.contains(where: { hosts[$0].isSilent }) { connection.treat(.unread) }
          connections.append(connection)
        }
      }
      for connection in connections { connection.work(at: now) }
      connections.removeAll { $0.isOver }
    }
  }
}
