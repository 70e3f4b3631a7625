import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// What answers on which port.
enum Servers {
  private static let securePorts = [443, 8443]
  private static let plainPorts = [50_051]

  /// Serves until the process ends; a port that somebody else has is left to him.
  static func run(_ authority: Authority) throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var channels: [any Channel] = []
    for port in securePorts {
      if let channel = try listen(port, group, { secure($0, authority) }) {
        channels.append(channel)
      }
    }
    for port in plainPorts {
      if let channel = try listen(port, group, streams) { channels.append(channel) }
    }
    // Whoever started us waits for this line.
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    for channel in channels { try channel.closeFuture.wait() }
  }

  private static func listen(
    _ port: Int, _ group: MultiThreadedEventLoopGroup,
    _ initialise: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) throws -> (any Channel)? {
    do {
      return try ServerBootstrap(group: group)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer(initialise)
        .bind(host: "0.0.0.0", port: port).wait()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      return nil
    }
  }

  /// TLS for the name that is asked for, or for the address where none is.
  private static func secure(
    _ channel: any Channel, _ authority: Authority
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let names = ByteToMessageHandler(
        SNIHandler { result in
          channel.eventLoop.makeCompletedFuture {
            let context = try authority.context(for: server(result, channel))
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
            try pipeline.addHandler(
              ApplicationProtocolNegotiationHandler { result, channel in
                switch result {
                case .negotiated("h2"): streams(channel)
                default: relay(channel)
                }
              })
          }
        })
      try channel.pipeline.syncOperations.addHandler(names)
    }
  }

  private static func server(_ result: SNIResult, _ channel: any Channel) -> Authority.Server {
    if case .hostname(let name) = result { return .name(name) }
    guard case .v4(let address) = channel.localAddress else { return .name("localhost") }
    return .address(withUnsafeBytes(of: address.address.sin_addr, Array.init))
  }

  @Sendable private static func streams(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.configureHTTP2Pipeline(mode: .server) { stream in
      stream.eventLoop.makeCompletedFuture {
        try stream.pipeline.syncOperations.addHandler(StreamHandler())
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
    guard arguments.count == 2, let command = arguments.first, let folder = arguments.last else {
      return usage()
    }
    let place = URL(fileURLWithPath: folder)
    switch command {
    case "authority": try Authority.make(in: place)
    case "serve": try Servers.run(Authority(in: place))
    default: usage()
    }
  }

  private static func usage() {
    FileHandle.standardError.write(
      Data(
        """
        usage: handover-servers authority FOLDER   make a certificate authority
               handover-servers serve FOLDER       serve TLS, HTTP/2 and gRPC with it
        `handover try` does both.

        """.utf8))
    exit(2)
  }
}
