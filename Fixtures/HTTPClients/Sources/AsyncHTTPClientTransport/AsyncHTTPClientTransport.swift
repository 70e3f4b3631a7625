import AsyncHTTPClient
import Foundation
import HandoverCore
import HandoverURLDispatcher
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// AsyncHTTPClient as a transport, over HTTP/1.1: one client for all requests that share the
/// connections to a host, and one for those that are exempt.
///
/// It does not ask who answers a server's challenge: such a response arrives as it is.
public final class AsyncHTTPClientTransport: HTTPTransport {
  private let limited: HTTPClient
  private let exempt: HTTPClient

  /// Makes clients of its own.
  ///
  /// - Parameter connections: how many connections there may be to one host; the dispatcher's
  ///   total. The client calls this limit soft, because it is exceeded for requests that insist on
  ///   an event loop, which these do not.
  public init(connections: Int) {
    limited = Self.client(connections: connections)
    // A client has a limit always.
    exempt = Self.client(connections: Int(Int32.max))
  }

  private static func client(connections: Int) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    // A request that cannot be sent fails at once, as over other transports; else it would be tried
    // until it times out.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.httpVersion = .http1Only
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Begins a request.
  ///
  /// - Throws: `HTTPClientError` where the request cannot be sent at all.
  public func begin(
    _ request: URLRequest, as kind: RequestKind, timeout: Duration?,
    onEvent: @escaping @Sendable (HTTPTransportEvent) -> Void
  ) throws -> any HTTPExchange {
    guard let url = request.url else { throw HTTPClientError.invalidURL }
    let ahead = HTTPClientRequest(request, to: url)
    let deadline = timeout.map { NIODeadline.now() + TimeAmount($0) } ?? .distantFuture
    let client = kind == .exempt ? exempt : limited
    let task = Task {
      do {
        let response = try await client.execute(ahead, deadline: deadline)
        guard let head = HTTPURLResponse(response, url) else { throw HTTPClientError.invalidURL }
        onEvent(.response(head))
        for try await piece in response.body { onEvent(.data(Data(piece.readableBytesView))) }
        onEvent(.finished)
      } catch {
        onEvent(.failed(code: Self.code(of: error), cause: error))
      }
    }
    return Exchange(task: task)
  }

  /// Lets the connections and the clients go.
  public func shutDown() {
    for client in [limited, exempt] { client.shutdown { _ in } }
  }

  private struct Exchange: HTTPExchange {
    let task: Task<Void, Never>

    func cancel() { task.cancel() }
  }

  /// Foundation's number for what went wrong.
  private static func code(of error: any Error) -> Int32 {
    Int32(urlErrorCode(of: error).rawValue)
  }

  private static func urlErrorCode(of error: any Error) -> URLError.Code {
    let timeouts: [HTTPClientError] = [
      .deadlineExceeded, .getConnectionFromPoolTimeout, .readTimeout, .connectTimeout,
    ]
    switch error {
    case let error as HTTPClientError where timeouts.contains(error): return .timedOut
    case let error as HTTPClientError where error == .remoteConnectionClosed:
      return .networkConnectionLost
    case let error as HTTPParserError where error == .invalidEOFState:
      return .networkConnectionLost
    case let error as HTTPClientError where error == .cancelled: return .cancelled
    case is CancellationError: return .cancelled
    case is NIOConnectionError: return .cannotConnectToHost
    default: return .unknown
    }
  }
}

extension HTTPClientRequest {
  fileprivate init(_ request: URLRequest, to url: URL) {
    self.init(url: url.absoluteString)
    method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
    for (name, value) in request.allHTTPHeaderFields ?? [:] {
      headers.add(name: name, value: value)
    }
    if let data = request.httpBody { body = .bytes(ByteBuffer(bytes: data)) }
  }
}

extension HTTPURLResponse {
  fileprivate convenience init?(_ response: HTTPClientResponse, _ url: URL) {
    self.init(
      url: response.url ?? url, statusCode: Int(response.status.code),
      httpVersion: response.version.description,
      headerFields: Dictionary(
        response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" }))
  }
}
