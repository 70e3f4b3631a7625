import Glibc
import HandoverCore

// The only file here that calls C. Every address in it is 127.0.0.1.

/// A system call failed in a way that no test expects.
struct SocketError: Error, Hashable {
  var call: String
  var number: Int32
}

/// A nonblocking TCP socket on the loopback interface.
final class LoopbackSocket {
  /// The result of a read.
  enum Reading: Hashable {
    case bytes(Int)
    case nothing
    case end
    case failed(Int32)
  }

  private(set) var descriptor: Int32

  private init(_ descriptor: Int32) throws(SocketError) {
    self.descriptor = descriptor
    try check(fcntl(descriptor, F_SETFL, O_NONBLOCK), "fcntl")
  }

  deinit { close() }

  /// Returns a socket that listens on a free port.
  static func listening() throws(SocketError) -> LoopbackSocket {
    let listener = try unconnected()
    var address = loopback(port: 0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener.descriptor, $0, size)
      }
    }
    try listener.check(bound, "bind")
    try listener.check(listen(listener.descriptor, 16), "listen")
    return listener
  }

  /// Returns a socket that starts to connect to a port.
  ///
  /// The result is available when the socket is writable.
  static func connecting(to port: UInt16) throws(SocketError) -> LoopbackSocket {
    let socket = try unconnected()
    var address = loopback(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket.descriptor, $0, size)
      }
    }
    // `connectError` reports an immediate failure too.
    if result != 0, errno != EINPROGRESS, errno != ECONNREFUSED {
      throw SocketError(call: "connect", number: errno)
    }
    return socket
  }

  /// Returns the port on which the socket listens.
  func port() throws(SocketError) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    try check(result, "getsockname")
    return UInt16(bigEndian: address.sin_port)
  }

  /// Returns the next accepted connection, or `nil` if none is pending.
  func accepted() throws(SocketError) -> LoopbackSocket? {
    let connection = accept(descriptor, nil, nil)
    guard connection < 0 else { return try LoopbackSocket(connection) }
    guard errno == EAGAIN else { throw SocketError(call: "accept", number: errno) }
    return nil
  }

  /// Returns the error of the connection attempt, or zero if it succeeded.
  func connectError() throws(SocketError) -> Int32 {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    try check(unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size), "getsockopt")
    return error
  }

  /// Reads the available bytes.
  func receive() -> Reading {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count < 0 else { return count == 0 ? .end : .bytes(count) }
    return errno == EAGAIN ? .nothing : .failed(errno)
  }

  /// Writes a number of bytes; few enough for any send buffer.
  func send(_ count: Int) throws(SocketError) {
    let bytes = [UInt8](repeating: 0x2E, count: count)
    let sent = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    guard sent == count else { throw SocketError(call: "send", number: errno) }
  }

  /// Ends the connection immediately with a reset.
  func reset() throws(SocketError) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    try check(unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size), "setsockopt")
    close()
  }

  /// Closes the socket once.
  func close() {
    guard descriptor >= 0 else { return }
    _ = Glibc.close(descriptor)
    descriptor = -1
  }

  private static func unconnected() throws(SocketError) -> LoopbackSocket {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket", number: errno) }
    return try LoopbackSocket(descriptor)
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private func check(_ result: Int32, _ call: String) throws(SocketError) {
    guard result >= 0 else { throw SocketError(call: call, number: errno) }
  }
}

/// The system's monotonic clock and its wait for sockets.
enum System {
  /// Returns the microseconds of CLOCK_MONOTONIC.
  static func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Waits until one of the sockets can be read or, if requested, written.
  ///
  /// - Returns: For each socket whether it is ready.
  static func wait(
    for sockets: [(socket: LoopbackSocket, toWrite: Bool)], atMost limit: Interval
  ) throws(SocketError) -> [Bool] {
    var entries = sockets.map {
      pollfd(
        fd: $0.socket.descriptor, events: Int16($0.toWrite ? POLLOUT : POLLIN), revents: 0)
    }
    // Rounded up, so that a deadline is never checked too early.
    let milliseconds = Int32(clamping: (limit.microseconds + 999) / 1_000)
    let result = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    guard result >= 0 || errno == EINTR else { throw SocketError(call: "poll", number: errno) }
    return entries.map { $0.revents != 0 }
  }
}

/// The cause of a failed connection, from the system's error numbers.
extension ConnectionFailure {
  init(_ number: Int32) {
    switch number {
    case ECONNRESET: self = .reset
    case ECONNREFUSED: self = .refused
    case ETIMEDOUT: self = .timedOut
    case ENETUNREACH: self = .networkUnreachable
    default: self = .aborted
    }
  }
}
