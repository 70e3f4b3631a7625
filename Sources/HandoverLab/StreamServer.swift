import Glibc
import HandoverBackend
public import HandoverCore
public import HandoverLinux
import Synchronization

/// A small HTTP server of a lab's hosts, for programs that know nothing of Handover.
///
/// `GET /stream` is a line each 200 ms without end, `GET /` a short answer. It can be told to
/// misbehave as scenarios say. One thread serves everybody.
public final class StreamServer: Sendable {
  private let lab: DeviceLab
  private let wakening: Wakening
  private let state: Mutex<State>
  private let thread = Mutex<OSThread?>(nil)

  /// How far apart the lines of a stream are.
  public static let period = Interval.milliseconds(200)
  /// How many connections there can be at a time; the next one is closed at once.
  static let maximumConnectionCount = 32
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
    state = Mutex(State(hosts: script.hosts.map { Host(written: $0.written) }))
    for (host, declared) in script.hosts.enumerated() {
      if declared.server != .refuse { try listen(host) }
      try apply(host, declared.server)
    }
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

  /// Tells the server of a host what to do.
  ///
  /// - Returns: whether it can; over plain HTTP nothing can be announced.
  /// - Throws: ``LinuxError`` where nothing can listen.
  @discardableResult
  func apply(_ host: Int, _ word: ServerFault) throws(LinuxError) -> Bool {
    switch word {
    case .close: treat(host, .ended)
    case .reset: treat(host, .reset)
    case .silent:
      state.withLock { $0.hosts[host].isSilent = true }
      treat(host, .unread)
    case .refuse:
      state.withLock { state in
        state.hosts[host].listener?.stopListening()
        state.hosts[host].listener = nil
      }
    case .accept:
      if state.withLock({ $0.hosts[host].listener == nil }) { try listen(host) }
      state.withLock { $0.hosts[host].isSilent = false }
      treat(host, .served)
    case .goaway: return false
    }
    wakening.signal()
    return true
  }

  /// Treats the connections of a host that are open now.
  func treat(_ host: Int, _ treatment: Treatment) {
    state.withLock { state in
      for connection in state.connections where connection.host == host {
        connection.treat(treatment)
      }
      state.connections.removeAll { $0.isOver }
    }
    wakening.signal()
  }

  /// Ends every connection and the thread.
  public func close() {
    state.withLock { $0.isClosed = true }
    wakening.signal()
    thread.withLock { $0.take() }?.join()
    state.withLock { $0 = State(hosts: []) }
  }

  private func listen(_ host: Int) throws(LinuxError) {
    let address = lab.address(of: host)
    let listener = try lab.servers.run { () throws(LinuxError) in
      TCPSocket(try TCPSocket.listening(at: address.address, port: address.port))
    }
    state.withLock { $0.hosts[host].listener = listener }
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
    var listener: TCPSocket?
    var isSilent = false
  }

  private struct State {
    var hosts: [Host]
    var connections: [StreamConnection] = []
    var isClosed = false

    init(hosts: [Host]) {
      self.hosts = hosts
    }

    /// What may have something to be read.
    var descriptors: [Int32] {
      hosts.compactMap { $0.listener?.number }
        + connections.compactMap { $0.isRead ? $0.socket.number : nil }
    }

    /// How long nothing is to be done.
    func wait(at now: Int64) -> Int64? {
      connections.compactMap(\.nextLineAt).min().map { max(0, $0 - now) }
    }

    mutating func work(at now: Int64) {
      for (index, host) in hosts.enumerated() {
        while let socket = host.listener?.accept() {
          guard connections.count < StreamServer.maximumConnectionCount else { continue }
          let connection = StreamConnection(socket, host: index, written: host.written)
          if host.isSilent { connection.treat(.unread) }
          connections.append(connection)
        }
      }
      for connection in connections { connection.work(at: now) }
      connections.removeAll { $0.isOver }
    }
  }
}
