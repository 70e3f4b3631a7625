import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCTransitions
import HandoverCore

/// The channels and calls of a run.
///
/// The client uses the default settings of the library, with one permanent channel for each host.
/// One thread executes the commands, and calls are tasks.
struct Client {
  private typealias Channel = GRPCClient<HTTP2ClientTransport.Posix>

  private let lines: Lines
  /// Closes connections when the network changes, or `nil` if the network is not monitored.
  private let closer: TransitionCloser?
  private var keepalive: Command.Keepalive?
  private var hosts: [String: Command.Place] = [:]
  private var channels: [String: (channel: Channel, connections: Task<Void, Never>)] = [:]
  private var calls: [String: (call: Task<Void, Never>, messages: Messages)] = [:]

  /// The stream of messages that the user still sends on a call.
  private typealias Messages = AsyncStream<[UInt8]>.Continuation

  init(_ lines: Lines, keepalive: Command.Keepalive?, closer: TransitionCloser?) {
    self.lines = lines
    self.keepalive = keepalive
    self.closer = closer
  }

  // MARK: Commands

  /// Begins a run; the first call connects.
  mutating func open(_ hosts: [String: Command.Place], _ configuration: Command.Configuration?) {
    self.hosts = hosts
    keepalive = configuration?.keepalive ?? keepalive
  }

  /// Executes an action of the user.
  mutating func handle(_ event: Command.Event, at now: Int64) throws {
    if let call = event.call {
      try start(call, at: now)
    } else if let sent = event.send {
      calls[sent.call]?.messages.yield([UInt8](repeating: 0, count: sent.bytes))
    } else if let id = event.finish {
      calls[id]?.messages.finish()
    } else if let id = event.cancel {
      calls[id]?.call.cancel()
    } else if let host = event.disconnect {
      disconnect(host)
    } else {
      throw Refusal(description: "unknown action of the user")
    }
  }

  /// Closes the channel of a host, or all channels for `*`; later calls create new ones.
  mutating func disconnect(_ host: String) {
    for name in Array(channels.keys) where host == "*" || host == name {
      channels.removeValue(forKey: name)?.connections.cancel()
    }
  }

  // MARK: Channels

  /// Returns the permanent channel of a host.
  private mutating func channel(_ host: String, at place: Command.Place) throws -> Channel {
    if let known = channels[host] { return known.channel }
    var config = HTTP2ClientTransport.Posix.Config.defaults
    if let keepalive {
      config.connection.keepalive = HTTP2ClientTransport.Config.Keepalive(
        time: .microseconds(keepalive.time), timeout: .microseconds(keepalive.timeout),
        allowWithoutCalls: keepalive.withoutCalls)
    }
    if let closer {
      config.channelDebuggingCallbacks.onCreateTCPConnection = { closer.add($0) }
    }
    let channel = GRPCClient(
      transport: try HTTP2ClientTransport.Posix(
        target: .ipv4(address: place.address, port: place.port), transportSecurity: .plaintext,
        config: config))
    let connections = Task { [lines] in
      do {
        try await channel.runConnections()
      } catch {
        lines.log("\(host): \(error)")
      }
    }
    channels[host] = (channel, connections)
    return channel
  }

  // MARK: Calls

  /// Starts a call, whose task reports its end.
  private mutating func start(_ call: Command.StartedCall, at now: Int64) throws {
    guard let place = hosts[call.host] else {
      // The scenario names a host without a server.
      lines.tellEnd(of: call.id, StatusCode.unavailable.name, "there is no such host")
      return
    }
    let channel = try channel(call.host, at: place)
    let (requests, messages) = AsyncStream.makeStream(of: [UInt8].self)
    if call.kind.hasOneRequest {
      messages.yield([])
      messages.finish()
    }
    var options = CallOptions.defaults
    options.timeout = call.deadline.map { .microseconds($0 - now) }
    let task = Task { [lines, options] in
      let (status, message) = await Self.run(call, on: channel, requests, options, lines)
      messages.finish()
      lines.tellEnd(of: call.id, status.name, message)
    }
    calls[call.id] = (task, messages)
  }

  /// Runs a call, and returns its status and message.
  ///
  /// The method name tells the server the kind of the call. For the library, every call is
  /// bidirectional.
  private static func run(
    _ call: Command.StartedCall, on channel: Channel, _ requests: AsyncStream<[UInt8]>,
    _ options: CallOptions, _ lines: Lines
  ) async -> (StatusCode, String) {
    var metadata = Metadata()
    if let takes = call.takes { metadata.addString("\(takes)", forKey: "handover-takes") }
    do {
      try await channel.bidirectionalStreaming(
        request: StreamingClientRequest(metadata: metadata) { writer in
          for await message in requests { try await writer.write(message) }
        },
        descriptor: MethodDescriptor(
          fullyQualifiedService: "handover.Calls", method: call.kind.method),
        serializer: RawBytes(), deserializer: RawBytes(), options: options
      ) { response in
        for try await _ in response.messages where call.kind.isAnsweredByStream {
          lines.tellMessage(of: call.id)
        }
      }
      return (.ok, "")
    } catch let error as RPCError {
      return (StatusCode(rawValue: UInt8(error.code.rawValue)) ?? .unknown, error.message)
    } catch is CancellationError {
      return (.cancelled, "the task was cancelled")
    } catch {
      return (.unknown, "\(error)")
    }
  }
}

/// A command that cannot be executed, with the reason.
struct Refusal: Error, CustomStringConvertible {
  var description: String
}

/// A serializer for messages that are plain bytes.
private struct RawBytes: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes {
    Bytes(message)
  }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
    bytes.withUnsafeBytes { Array($0) }
  }
}
