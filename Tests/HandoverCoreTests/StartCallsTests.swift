import Testing

@testable import HandoverCore

/// Compares calls that are started together with calls that are started one by one.
@Suite("Calls started together")
struct StartCallsTests {
  /// A client, and its effects since the last comparison.
  private struct Client {
    var core: ClientCore
    var now = Instant.zero
    var orders: [ClientEffect] = []

    init(_ configuration: PoolConfiguration) {
      core = ClientCore(configuration)
      for host in ["a.example", "b.example", nil] {
        _ = core.register(
          ChannelKey(host: host.flatMap { HostName($0) }, options: ChannelOptions()))
      }
      handle(.reachability(.initialRead([.reachable])))
    }

    mutating func handle(_ event: ClientCore.Event) {
      var effects = EffectLog<ClientEffect>()
      core.step(event, at: now, into: &effects)
      orders += effects.elements
    }

    mutating func start(_ count: Int, on endpoint: EndpointID, _ settings: CallSettings) {
      var effects = EffectLog<ClientEffect>(reserving: 0)
      core.startCalls(count, on: endpoint, settings, at: now, into: &effects)
      orders += effects.elements
    }
  }

  @Test(
    "Calls started together cause the same effects and leave the same client",
    arguments: 1...200 as ClosedRange<UInt64>)
  func areTheSame(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func draw(_ bound: UInt64) -> UInt64 { random.next(upToAndIncluding: bound) }
    let configuration = PoolConfiguration(policy: Profile.socketsMonitor.policy, seed: seed)
    var (single, together) = (Client(configuration), Client(configuration))
    for _ in 0..<40 {
      let later = Interval.milliseconds(Int64(draw(3) * draw(900)))
      single.now = single.now + later
      together.now = single.now
      if draw(1) == 0 {
        let settings = CallSettings(
          deadline: draw(3) == 0 ? single.now + .seconds(Int64(draw(9))) : .never,
          failsFast: draw(1) == 0, awaitsToken: draw(5) == 0, requestIsComplete: draw(1) == 0)
        let (count, endpoint) = (Int(draw(12)), EndpointID(index: UInt32(draw(2))))
        for _ in 0..<count {
          single.handle(.pool(.callStarted(single.core.nextCallID, endpoint, settings)))
        }
        together.start(count, on: endpoint, settings)
      } else {
        let event = event(of: single, draw)
        single.handle(event)
        together.handle(event)
      }
      #expect(single.orders == together.orders, "seed \(seed)")
      #expect(single.core == together.core, "seed \(seed)")
      single.orders = []
      together.orders = []
    }
  }

  /// Returns a random event, which may concern unknown objects.
  private func event(of client: Client, _ draw: (UInt64) -> UInt64) -> ClientCore.Event {
    let connection = ConnectionID(index: UInt32(draw(2)), generation: UInt32(draw(4)))
    let call = CallID(index: UInt32(draw(20)), generation: UInt32(draw(3)))
    return switch draw(7) {
    case 0: .reachability(.callback(draw(1) == 0 ? [.reachable] : [.reachable, .isWWAN]))
    case 1, 2: .pool(.connected(connection))
    case 3: .pool(.connectFailed(connection, .refused))
    case 4: .pool(.callCancelled(call))
    case 5: .pool(.tokenArrived(call))
    case 6: .pool(.messageQueued(call, bytes: 7))
    default: .pool(.timeElapsed)
    }
  }

  @Test("An earlier copy keeps its state")
  func leaveCopiesAlone() {
    var client = Client(PoolConfiguration(policy: Profile.socketsMonitor.policy))
    client.start(3, on: EndpointID(index: 0), CallSettings())
    let (copy, kept) = (client.core, client.core.nextCallID)
    client.start(3, on: EndpointID(index: 0), CallSettings())
    #expect(copy.nextCallID == kept)
    #expect(copy != client.core)
  }
}
