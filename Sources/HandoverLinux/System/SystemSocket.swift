import CLinux
import Glibc

/// Calls of the system about sockets; failures have their reason in `errno`.
package enum SystemSocket {
  /// Receives once into a buffer, at most as many bytes as it has.
  ///
  /// - Returns: The number of bytes, 0 if the peer has ended its direction, or -1.
  package static func receive(from socket: Int32, into room: inout [UInt8]) -> Int {
    unsafe recv(socket, &room, room.count, 0)
  }

  /// Sends once, and returns the number of sent bytes, or -1.
  ///
  /// If the peer has closed the connection, the call fails instead of raising SIGPIPE.
  package static func send(_ bytes: Span<UInt8>, to socket: Int32) -> Int {
    unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Sets an option of the level `SOL_SOCKET`.
  ///
  /// - Parameters:
  ///   - option: The option (`SO_…`).
  ///   - value: The value, of the C type that the option has.
  ///   - socket: The socket.
  /// - Returns: Whether it succeeded.
  @discardableResult
  package static func set(
    _ option: Int32, to value: some BitwiseCopyable, of socket: Int32
  ) -> Bool {
    unsafe withUnsafeBytes(of: value) {
      unsafe setsockopt(socket, SOL_SOCKET, option, $0.baseAddress, socklen_t($0.count)) == 0
    }
  }

  /// Binds a socket to a local address and port, and returns whether it succeeded.
  package static func bind(_ socket: Int32, to address: IPAddress, port: UInt16) -> Bool {
    switch address.family {
    case .v4:
      var socketAddress = sockaddr_in()
      socketAddress.sin_family = sa_family_t(AF_INET)
      socketAddress.sin_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &socketAddress.sin_addr) {
        unsafe $0.copyBytes(from: address.bytes)
      }
      return bind(socket, socketAddress)
    case .v6:
      var socketAddress = sockaddr_in6()
      socketAddress.sin6_family = sa_family_t(AF_INET6)
      socketAddress.sin6_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &socketAddress.sin6_addr) {
        unsafe $0.copyBytes(from: address.bytes)
      }
      return bind(socket, socketAddress)
    }
  }

  private static func bind<Address>(_ socket: Int32, _ socketAddress: Address) -> Bool {
    unsafe withUnsafeBytes(of: socketAddress) {
      let address = unsafe $0.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return unsafe Glibc.bind(socket, address, socklen_t($0.count)) == 0
    }
  }

  /// Returns the index of an interface in the namespace of the calling thread, or 0.
  static func interfaceIndex(_ name: String) -> UInt32 { unsafe if_nametoindex(name) }

  /// Receives a frame from a packet socket, and truncates it to the length of the buffer.
  ///
  /// - Returns: The length of the frame or `-errno`, and the interface that received or sent it.
  static func receiveFrame(
    from socket: Int32, into room: inout [UInt8]
  ) -> (length: Int, interface: UInt32) {
    var interface: UInt32 = 0
    let length = unsafe handover_receive_frame(socket, &room, room.count, &interface)
    return (Int(length), interface)
  }

  /// Sends a frame from a packet socket through an interface, and returns its length or `-errno`.
  static func sendFrame(_ frame: Span<UInt8>, to socket: Int32, through interface: UInt32) -> Int {
    unsafe frame.withUnsafeBytes {
      Int(unsafe handover_send_frame(socket, $0.baseAddress, $0.count, interface))
    }
  }

  /// Reads the options of sockets that processes of a network namespace have open.
  ///
  /// - Parameters:
  ///   - options: One element for each socket, with its inode number; the options are set.
  ///   - namespace: The descriptor of the namespace.
  /// - Returns: 0 or `-errno`.
  static func findOptions(_ options: inout [handover_socket_options], in namespace: Int32) -> Int32
  {
    unsafe handover_find_socket_options(namespace, &options, Int32(options.count))
  }
}
