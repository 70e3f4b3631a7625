import Glibc
import HandoverBackend
public import HandoverCore
public import HandoverLinux
import Synchronization

/// A small HTTP server for a lab's hosts, for programs that are unaware of Handover.
///
/// `GET /stream` returns an endless stream with a line every 200 ms, and `GET /` a short response.
/// The server can misbehave as scenarios specify. One thread serves all connections, at every
/// address of every host. Hosts with the same address and port share one server.
public final class StreamServer: Sendable {
  private let lab: DeviceLab
  private let wakeup: WakeupPipe
  private let state: Mutex<State>
  private let thread = Mutex<OSThread?>(nil)

  /// The interval between the lines of a stream.
  public static let period = Interval.milliseconds(200)
  /// The maximum number of concurrent connections.
  ///
  /// Further connections are closed immediately.
  static let maximumConnectionCount = 32
  /// The number of consecutive reads from one connection before others are served.
  static let maximumReadCount = 64
  /// The maximum length of a request.
  static let maximumRequestLength = 8_192

  /// Starts to serve every host of a script.
  ///
  /// - Parameters:
  ///   - script: the hosts, and the initial states of their servers.
  ///   - lab: the lab that contains the hosts.
  /// - Throws: ``LinuxError`` if the server cannot listen.
  public init(_ script: Script, in lab: DeviceLab) throws(LinuxError) {
    self.lab = lab
    wakeup = try WakeupPipe()
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

  /// The treatment of the open connections of a host.
  enum Treatment {
    /// The connections are served normally.
    case served
    /// The server neither reads nor responds.
    ///
    /// The kernel continues to acknowledge.
    case unread
    /// The server reads and discards everything, and does not respond.
    case swallowed
    /// The connections are closed gracefully.
    case ended
    /// The connections are reset.
    case reset
    /// The server ends its sending direction and continues to read.
    case halfClosed
  }

  /// The effect of a server fault.
  enum Effect {
    /// The fault affected this number of connections.
    case met(Int)
    /// The fault affects only later connections or data.
    case later
    /// The fault is impossible over plain HTTP, which has no announcement of a shutdown.
    case impossible
  }

  /// Applies a fault to the server of a host.
  ///
  /// - Throws: ``LinuxError`` if the server cannot listen.
  @discardableResult
  func apply(_ host: Int, _ fault: ServerFault) throws(LinuxError) -> Effect {
    switch fault {
    case .close: return .met(treat(host, .ended))
    case .reset: return .met(treat(host, .reset))
    case .silent:
      state.withLock { state in
        state.hosts[host].isSilent = true
        state.hosts[host].refuses = false
      }
      treat(host, .unread)
      try listen()
    case .refuse:
      let wasSilent = state.withLock { state in
        defer { state.hosts[host].isSilent = false }
        state.hosts[host].refuses = true
        for position in state.listeners.indices where state.listeners[position].hosts.contains(host)
        {
          state.listeners[position].socket?.stopListening()
          state.listeners[position].socket = nil
        }
        return state.hosts[host].isSilent
      }
      if wasSilent { treat(host, .served) }
    case .accept:
      state.withLock { $0.hosts[host].refuses = false }
      try listen()
      state.withLock { $0.hosts[host].isSilent = false }
      treat(host, .served)
    case .goaway: return .impossible
    }
    wakeup.signal()
    return .later
  }

  /// Changes the treatment of the open connections of a host.
  ///
  /// - Returns: the number of connections.
  @discardableResult
  func treat(_ host: Int, _ treatment: Treatment) -> Int {
    let count = state.withLock { state in
      let connections = state.connections.filter { $0.hosts.contains(host) }
      for connection in connections { connection.treat(treatment) }
      state.connections.removeAll { $0.isOver }
      return connections.count
    }
    wakeup.signal()
    return count
  }

  /// Closes every connection and stops the thread.
  public func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
    state.withLock { $0 = State(hosts: [], listeners: []) }
  }

  /// Listens at every endpoint that has no listener and whose hosts do not refuse connections.
  private func listen() throws(LinuxError) {
    let missing = state.withLock { state in
      state.listeners.indices.filter { position in
        state.listeners[position].socket == nil
          && !state.listeners[position].hosts.contains { state.hosts[$0].refuses }
      }.map { (position: $0, endpoint: state.listeners[$0].endpoint) }
    }
    guard !missing.isEmpty else { return }
    let made = try lab.servers.run { () throws(LinuxError) in
      var made: [(position: Int, socket: TCPSocket)] = []
      for (position, endpoint) in missing {
        made.append((position, TCPSocket(try TCPSocket.listening(at: endpoint))))
      }
      return made
    }
    state.withLock { state in
      for (position, socket) in made { state.listeners[position].socket = socket }
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
      // A failed wait is a problem of the whole process, so the next round would fail too.
      _ = try? waitReadable([wakeup.descriptor] + descriptors, atMost: wait)
      wakeup.clear()
    }
  }

  private struct Host {
    var written: String
    var refuses = false
    var isSilent = false
  }

  /// An endpoint that accepts connections.
  private struct Listener {
    var endpoint: Endpoint
    /// The hosts with this endpoint.
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

    /// The descriptors that may become readable.
    var descriptors: [Int32] {
      listeners.compactMap { $0.socket?.number }
        + connections.compactMap { $0.isRead ? $0.socket.number : nil }
    }

    /// Returns the time in microseconds until the next line is due, or `nil` if there is no stream.
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
