import HandoverCore
import HandoverInterceptors

/// Sends the messages of one call through a chain of interceptors that only forward.
///
/// Each forwarded event counts as one operation.
///
/// - Parameters:
///   - links: The number of interceptors.
///   - messages: The number of messages that go up the chain.
/// - Returns: The cost of one hop.
func forwarding(links: Int, messages: Int) -> Measurement {
  var chains = CallChains()
  var effects: [ChainEffect] = []
  effects.reserveCapacity(1_024)
  var start = CallStart(RequestOptions(host: "api.example:443", path: "/bench.Service/Call"))
  start.options.interceptorFactories = (0..<links).map { Forwarding(name: "link \($0)") }
  guard let call = try? chains.open(start, into: &effects) else { fatalError("no call") }
  chains.request(.start(start), of: call, into: &effects)
  var attempt: UInt32 = 0
  run(&chains, &effects) { if case .transportMade(_, let number, _, _) = $0 { attempt = number } }
  return measure("forward \(links)") {
    var received: UInt64 = 0
    for _ in 0..<messages {
      chains.transport(.written, of: call, attempt: attempt, into: &effects)
      run(&chains, &effects) { if case .user = $0 { received += 1 } }
    }
    precondition(received == UInt64(messages), "every message reaches the user")
    return (UInt64(messages * max(1, links)), received)
  }
}

/// Runs all pending effects in the order in which they arrived, as the simulation does.
private func run(
  _ chains: inout CallChains, _ effects: inout [ChainEffect], _ see: (ChainEffect) -> Void
) {
  var index = 0
  while index < effects.count {
    if case .queueFilled(let queue) = effects[index] {
      if index == effects.count - 1 {
        chains.runThrough(queue, at: .zero, into: &effects)
      } else {
        chains.run(queue, at: .zero, into: &effects)
      }
    } else {
      see(effects[index])
    }
    index += 1
  }
  effects.removeAll(keepingCapacity: true)
}

private struct Forwarding: InterceptorFactory {
  var name: String

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? { ForwardingInterceptor() }
}
