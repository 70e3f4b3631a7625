import CTLS
import NIOCore

/// The keys and the certificate of an ``Authority``.
@safe final class AuthorityKeys: Sendable {
  // The library locks the reference counts of the parts; nothing else changes after `init`.
  nonisolated(unsafe) fileprivate let pointer: OpaquePointer

  /// Creates keys, and a certificate that is valid for 30 days.
  ///
  /// - Throws: ``TLSError`` if the library fails.
  init() throws {
    guard let pointer = unsafe handover_authority_create() else {
      throw TLSError(description: "cannot create a certificate authority")
    }
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe handover_authority_release(pointer) }

  /// The certificate in DER.
  var certificate: [UInt8] {
    let length = unsafe handover_authority_certificate(pointer, nil, 0)
    return unsafe [UInt8](unsafeUninitializedCapacity: length) { room, count in
      count = unsafe handover_authority_certificate(pointer, room.baseAddress, length)
    }
  }
}

/// The server side of a TLS connection, without a socket.
@safe final class TLSConnection {
  private let pointer: OpaquePointer
  // The connection uses the keys of its authority.
  private let keys: AuthorityKeys

  /// The version of HTTP that client and server agreed on.
  enum Version {
    case http1
    case http2
  }

  /// Creates a connection.
  ///
  /// - Parameters:
  ///   - authority: the issuer of the certificate.
  ///   - address: the bytes of the server's address, for clients that request no name.
  /// - Throws: ``TLSError`` if the library fails.
  init(_ authority: Authority, address: [UInt8]) throws {
    guard
      let pointer = unsafe handover_tls_create(authority.keys.pointer, address, address.count)
    else { throw TLSError(description: "cannot create a TLS connection") }
    unsafe self.pointer = unsafe pointer
    keys = authority.keys
  }

  deinit { unsafe handover_tls_release(pointer) }

  /// The version, or `nil` during the handshake.
  var version: Version? {
    switch unsafe handover_tls_http_version(pointer) {
    case 0: nil
    case 2: .http2
    default: .http1
    }
  }

  /// Adds received bytes.
  func receive(_ bytes: ByteBuffer) throws {
    let result = unsafe bytes.withUnsafeReadableBytes { bytes in
      unsafe handover_tls_receive(pointer, bytes.baseAddress, bytes.count)
    }
    guard result == 0 else { throw TLSError(description: "cannot receive") }
  }

  /// The result of decrypting received bytes.
  enum Decrypted {
    case bytes(ByteBuffer)
    /// More bytes must be received first.
    case nothing
    /// The client has ended its direction.
    case end
  }

  /// Decrypts received bytes, and continues the handshake.
  func read(_ allocator: ByteBufferAllocator) throws -> Decrypted {
    let count = Int(unsafe handover_tls_decrypt(pointer))
    switch count {
    case HANDOVER_TLS_FAILED: throw TLSError(description: "the connection violates TLS")
    case HANDOVER_TLS_ENDED: return .end
    case 0: return .nothing
    default:
      return .bytes(
        unsafe Self.buffer(allocator, count) { unsafe handover_tls_read(pointer, $0, $1) })
    }
  }

  /// Encrypts bytes.
  func write(_ bytes: ByteBuffer) throws {
    guard bytes.readableBytes > 0 else { return }
    let result = unsafe bytes.withUnsafeReadableBytes { bytes in
      unsafe handover_tls_write(pointer, bytes.baseAddress, Int32(bytes.count))
    }
    guard result == 0 else { throw TLSError(description: "cannot encrypt") }
  }

  /// Ends the server's direction.
  func end() { unsafe handover_tls_end(pointer) }

  /// Returns the bytes that must be sent.
  func output(_ allocator: ByteBufferAllocator) -> ByteBuffer {
    let count = Int(unsafe handover_tls_output_length(pointer))
    return unsafe Self.buffer(allocator, count) { unsafe handover_tls_take(pointer, $0, $1) }
  }

  /// Returns the keys of the connection since the last call, as lines of a key log.
  func takeKeys() -> [UInt8] {
    let count = unsafe handover_tls_keys_length(pointer)
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      unsafe handover_tls_take_keys(pointer, room.baseAddress)
      filled = count
    }
  }

  /// Returns a buffer that a closure fills.
  ///
  /// The buffer has the size of its content, because small buffers may wait in large numbers.
  private static func buffer(
    _ allocator: ByteBufferAllocator, _ count: Int,
    _ fill: (UnsafeMutableRawPointer?, Int32) -> Int32
  ) -> ByteBuffer {
    var bytes = allocator.buffer(capacity: count)
    unsafe bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
      Int(max(0, unsafe fill(room.baseAddress, Int32(count))))
    }
    return bytes
  }
}
