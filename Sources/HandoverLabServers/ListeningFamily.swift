import NIOCore

/// A family of addresses that a server listens in; in each it has a socket of its own.
enum ListeningFamily: CaseIterable {
  case v4
  case v6

  /// Every address of the family.
  var everyAddress: String { self == .v4 ? "0.0.0.0" : "::" }

  /// What keeps a socket to its family.
  var option: ChannelOptions.Types.SocketOption {
    self == .v4
      ? .socketOption(.so_reuseaddr)
      : ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
  }

  /// The value of the option.
  var value: ChannelOptions.Types.SocketOption.Value { 1 }
}
