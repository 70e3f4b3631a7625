/// What a client does with connections that are known by identifiers, and not by addresses, when
/// its device has another network: QUIC (RFC 9000, 9).
///
/// A transport without one is TCP: its connections are what their addresses are.
public struct MigrationPolicy: Hashable, Sendable {
  /// Whether the client's socket follows the device: connections are moved to the network that new
  /// ones would take.
  ///
  /// Else it keeps the address that it was opened with.
  public let followsDevice: Bool
  /// Whether a path is challenged before anything is sent over it (RFC 9000, 9.2).
  ///
  /// Without, the socket is another one and its connections do not know: what it sends is invalid.
  public let validatesPaths: Bool
  /// Whether a validation without an answer is given up (RFC 9000, 8.2.4), and one of a network
  /// that the device has left at once.
  public let abandonsValidation: Bool

  package init(
    followsDevice: Bool, validatesPaths: Bool = true, abandonsValidation: Bool = true
  ) {
    self.followsDevice = followsDevice
    self.validatesPaths = validatesPaths
    self.abandonsValidation = abandonsValidation
  }

  /// The socket moves, as with Cronet's migration on a change of the network.
  public static let follows = MigrationPolicy(followsDevice: true)
  /// It stays until the application opens another one, as with quinn.
  public static let stays = MigrationPolicy(followsDevice: false)
}
