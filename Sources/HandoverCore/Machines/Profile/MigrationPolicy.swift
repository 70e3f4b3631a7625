/// How a client with QUIC handles a network change of its device (RFC 9000, 9).
///
/// QUIC identifies connections by identifiers instead of addresses. A transport without this policy
/// is TCP, whose connections are bound to their addresses.
public struct MigrationPolicy: Hashable, Sendable {
  /// Whether the client's socket follows the device.
  ///
  /// If it does, connections migrate to the network that new connections would use. If not, the
  /// socket keeps the address with which it was opened.
  public let followsDevice: Bool
  /// Whether the client validates a path before it sends anything over it (RFC 9000, 9.2).
  ///
  /// If not, the socket changes without the knowledge of its connections, and their packets are
  /// invalid.
  public let validatesPaths: Bool
  /// Whether the client abandons a validation without an answer (RFC 9000, 8.2.4).
  ///
  /// If so, it immediately abandons the validation of a network that the device has left.
  public let abandonsValidation: Bool

  package init(
    followsDevice: Bool, validatesPaths: Bool = true, abandonsValidation: Bool = true
  ) {
    self.followsDevice = followsDevice
    self.validatesPaths = validatesPaths
    self.abandonsValidation = abandonsValidation
  }

  /// The socket moves, as with Cronet's connection migration on a network change.
  public static let follows = MigrationPolicy(followsDevice: true)
  /// The socket stays until the app opens another one, as with quinn.
  public static let stays = MigrationPolicy(followsDevice: false)
}
