import Foundation
import HandoverCore
import HandoverURLDispatcher
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Wraps another transport, and counts the requests that it has received and not ended.
final class CountingTransport: HTTPTransport {
  private struct State {
    var count = 0
    var most = 0
  }

  private let transport: any HTTPTransport
  private let state = Mutex(State())

  init(_ transport: any HTTPTransport) {
    self.transport = transport
  }

  /// The maximum number of simultaneous requests.
  var most: Int { state.withLock { $0.most } }

  func begin(
    _ request: URLRequest, as kind: RequestKind, timeout: Duration?,
    onEvent: @escaping @Sendable (HTTPTransportEvent) -> Void
  ) throws -> any HTTPExchange {
    state.withLock { state in
      state.count += 1
      state.most = max(state.most, state.count)
    }
    do {
      return try transport.begin(request, as: kind, timeout: timeout) { event in
        switch event {
        case .finished, .failed: self.letGo()
        case .response, .data, .challenge: break
        }
        onEvent(event)
      }
    } catch {
      letGo()
      throw error
    }
  }

  func shutDown() { transport.shutDown() }

  private func letGo() { state.withLock { $0.count -= 1 } }
}
