import Glibc
import HandoverCore
import HandoverLinux

/// A nonblocking TCP socket.
final class TCPSocket: Sendable {
  private let descriptor: Descriptor

  init(_ number: Int32) {
    descriptor = Descriptor(owning: number)
  }

  var number: Int32 { descriptor.number }

  /// Creates a listening socket in the calling thread's namespace.
  static func listening(at endpoint: Endpoint) throws(LinuxError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let number = socket(endpoint.address.family.number, kind, 0)
    guard number >= 0 else {
      throw LinuxError(call: "socket(\(endpoint.address.family))", errno: errno)
    }
    SystemSocket.set(SO_REUSEADDR, to: 1 as Int32, of: number)
    guard SystemSocket.bind(number, to: endpoint.address, port: endpoint.port),
      Glibc.listen(number, 64) == 0
    else {
      let error = LinuxError(
        call: "listen(\(endpoint.address) port \(endpoint.port))", errno: errno)
      _ = close(number)
      throw error
    }
    return number
  }

  /// Returns the next accepted connection, or `nil` if none is waiting.
  func accept() -> TCPSocket? {
    acceptConnection(of: descriptor.number).map(TCPSocket.init)
  }

  /// The result of reading.
  enum Reading {
    case bytes(ArraySlice<UInt8>)
    case nothing
    case over
  }

  func read(into room: inout [UInt8]) -> Reading {
    let count = SystemSocket.receive(from: number, into: &room)
    if count > 0 { return .bytes(room[..<count]) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .over
  }

  /// Writes as much as the socket accepts.
  ///
  /// Returns `false` if the connection is gone.
  func write(_ text: String) -> Bool {
    let count = SystemSocket.send(text.utf8.span, to: number)
    return count >= 0 || errno == EAGAIN || errno == EINTR
  }

  /// Refuses further connections.
  ///
  /// Closing alone would not take effect while another thread polls the socket.
  func stopListening() { _ = shutdown(number, Int32(SHUT_RDWR)) }

  /// Ends the sending direction gracefully.
  func endSending() { _ = shutdown(number, Int32(SHUT_WR)) }

  /// Makes closing reset the connection.
  func resetOnClose() {
    SystemSocket.set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0), of: number)
  }
}

/// A connection of a ``StreamServer``.
///
/// Only one thread at a time may use it.
final class StreamConnection {
  let socket: TCPSocket
  /// The hosts whose endpoint accepted the connection.
  let hosts: [Int]
  private let written: String
  private var treatment = StreamServer.Treatment.served
  private var request: [UInt8] = []
  private var lineCount = 0
  /// The time at which the next line of the stream is due, or `nil` if there is no stream.
  private(set) var nextLineAt: Int64?
  /// Whether the connection is finished.
  private(set) var isOver = false

  init(_ socket: TCPSocket, hosts: [Int], written: String) {
    self.socket = socket
    self.hosts = hosts
    self.written = written
  }

  /// Whether received data is read.
  var isRead: Bool { treatment != .unread }

  func treat(_ treatment: StreamServer.Treatment) {
    switch treatment {
    case .served where self.treatment == .halfClosed: return
    case .served, .unread, .swallowed: break
    case .halfClosed: socket.endSending()
    case .ended: isOver = true
    case .reset:
      socket.resetOnClose()
      isOver = true
    }
    self.treatment = treatment
  }

  /// Reads received data, and writes the data that is due.
  func work(at now: Int64) {
    if isRead { readAll(at: now) }
    guard let due = nextLineAt, due <= now, !isOver else { return }
    nextLineAt = due + StreamServer.period.microseconds
    guard treatment == .served else { return }
    lineCount += 1
    if !socket.write("line \(lineCount) from \(written)\n") { isOver = true }
  }

  private func readAll(at now: Int64) {
    var room = [UInt8](repeating: 0, count: 4_096)
    for _ in 0..<StreamServer.maximumReadCount where !isOver {
      switch socket.read(into: &room) {
      case .nothing: return
      case .over: isOver = true
      case .bytes(let bytes):
        guard treatment == .served, nextLineAt == nil else { continue }
        request += bytes
        answerIfComplete(at: now)
      }
    }
  }

  private func answerIfComplete(at now: Int64) {
    guard request.count <= StreamServer.maximumRequestLength else {
      isOver = true
      return
    }
    let text = String(decoding: request, as: UTF8.self)
    guard text.contains("\r\n\r\n") else { return }
    let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count == 3, words[0] == "GET" else {
      answer("400 Bad Request", "only GET is served here\n")
      return
    }
    switch words[1] {
    case "/stream":
      nextLineAt = now
      isOver = !socket.write(Self.head("200 OK"))
    case "/": answer("200 OK", "this is \(written)\n")
    default: answer("404 Not Found", "there are / and /stream\n")
    }
  }

  private static func head(_ status: String) -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
  }

  private func answer(_ status: String, _ body: String) {
    _ = socket.write(Self.head(status) + body)
    isOver = true
  }
}
