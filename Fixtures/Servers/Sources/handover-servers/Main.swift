import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// The servers of all ports.
enum Servers {
  private static let securePorts = [443, 8443]
  private static let plainPorts = [50_051]

  /// Serves until the process ends, and skips ports that other programs use.
  static func run(_ authority: Authority, _ log: PayloadLog?) throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var channels: [any Channel] = []
    for port in securePorts {
      channels += try listen(port, group) { secure($0, authority, log) }
    }
    for port in plainPorts { channels += try listen(port, group, streams) }
    // The parent process waits for this line.
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    for channel in channels { try channel.closeFuture.wait() }
  }

  /// Listens on IPv4 and IPv6, and skips a family in which the port is in use.
  private static func listen(
    _ port: Int, _ group: MultiThreadedEventLoopGroup,
    _ initialise: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) throws -> [any Channel] {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer(initialise)
    let alone = ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(
        ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only), value: 1
      )
      .childChannelInitializer(initialise)
    return try [(bootstrap, "0.0.0.0"), (alone, "::")].compactMap { bootstrap, host in
      do {
        // No resolver is used, because it omits families in which the namespace has no address.
        return try bootstrap.bind(to: SocketAddress(ipAddress: host, port: port)).wait()
      } catch let error as IOError where absences.contains(error.errnoCode) {
        return nil
      }
    }
  }

  /// The errors for a port in use, or for a missing address family.
  private static let absences = [EADDRINUSE, EAFNOSUPPORT, EADDRNOTAVAIL]

  /// Sets up TLS for the requested server name, or for the address if there is no name.
  private static func secure(
    _ channel: any Channel, _ authority: Authority, _ log: PayloadLog?
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let counter = SentCounter()
      log?.write("open \(PayloadLog.name(channel))")
      try channel.pipeline.syncOperations.addHandler(counter)
      let logger = log.map { PayloadLogger($0, counter) }
      let bound = NIOLoopBound(logger, eventLoop: channel.eventLoop)
      let names = ByteToMessageHandler(
        SNIHandler { result in
          channel.eventLoop.makeCompletedFuture {
            let context = try authority.context(for: server(result, channel))
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
            try pipeline.addHandler(
              ApplicationProtocolNegotiationHandler { result, channel in
                if let logger = bound.value {
                  try? channel.pipeline.syncOperations.addHandler(logger)
                }
                switch result {
                case .negotiated("h2"): return streams(channel)
                default: return relay(channel)
                }
              })
          }
        })
      try channel.pipeline.syncOperations.addHandler(names)
    }
  }

  private static func server(_ result: SNIResult, _ channel: any Channel) -> Authority.Server {
    if case .hostname(let name) = result { return .name(name) }
    switch channel.localAddress {
    case .v4(let address):
      return .address(withUnsafeBytes(of: address.address.sin_addr, Array.init))
    case .v6(let address):
      return .address(withUnsafeBytes(of: address.address.sin6_addr, Array.init))
    default: return .name("localhost")
    }
  }

  @Sendable private static func streams(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.configureHTTP2Pipeline(mode: .server) { stream in
      stream.eventLoop.makeCompletedFuture {
        try stream.pipeline.syncOperations.addHandlers([BackPressureHandler(), StreamHandler()])
      }
    }.map { _ in }
  }

  private static func relay(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(Relay())
    }
  }
}

@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard (2...3).contains(arguments.count), let command = arguments.first else { return usage() }
    let place = URL(fileURLWithPath: arguments[arguments.startIndex + 1])
    switch command {
    case "authority": try Authority.make(in: place)
    case "serve":
      let log = arguments.count == 3 ? try arguments.last.map(PayloadLog.init) : nil
      try Servers.run(Authority(in: place), log)
    default: usage()
    }
  }

  private static func usage() {
    FileHandle.standardError.write(
      Data(
        """
        usage: handover-servers authority FOLDER   make a certificate authority
               handover-servers serve FOLDER [LOG] serve TLS, HTTP/2 and gRPC with it, and
                                                   tell in a log what carried payload
        `handover try` does both.

        """.utf8))
    exit(2)
  }
}
