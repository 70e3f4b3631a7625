import NIOCore

/// An address family in which a server listens.
///
/// Each family needs its own socket.
enum ListeningFamily: CaseIterable {
  case v4
  case v6

  /// The wildcard address of the family.
  var everyAddress: String { self == .v4 ? "0.0.0.0" : "::" }

  /// The option that restricts a socket to its family.
  var option: ChannelOptions.Types.SocketOption {
    self == .v4
      ? .socketOption(.so_reuseaddr)
      : ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
  }

  /// The value of the option.
  var value: ChannelOptions.Types.SocketOption.Value { 1 }
}
