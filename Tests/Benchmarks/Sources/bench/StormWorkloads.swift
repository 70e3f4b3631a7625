import CMalloc
import Glibc
import HandoverCore

/// Runs a transition storm through the real client.
///
/// All channels with all their calls are lost in one instant, repeatedly. The next calls create
/// each channel again.
///
/// - Parameters:
///   - channels: The number of channels, each with ten calls.
///   - transitions: The number of losses.
///   - startsTogether: Whether the calls of a channel start together, as in the C++ tables, instead
///     of one by one.
/// - Returns: The time that it took, the number of calls that ended, and a checksum of their order.
func transitionStorm(channels: Int, transitions: Int, startsTogether: Bool) -> Measurement {
  var storm = Storm(channels: channels, callsEach: 10, startsTogether: startsTogether)
  storm.startAll()
  return measure("client w3 \(channels)") {
    for _ in 0..<transitions { storm.transition() }
    return (storm.seen.ended, storm.seen.order.value)
  }
}

/// A client in a transition storm, with a minimal driver.
struct Storm: ~Copyable {
  var core = ClientCore(
    PoolConfiguration(
      policy: ClientPolicy(monitorsReachability: true, unusedChannelLifetime: .seconds(30))))
  var effects = EffectLog<ClientEffect>(reserving: 1 << 16)
  var endpoints: [EndpointID] = []
  var seen = Seen()
  var now = Instant.zero
  var onCellular = false
  let callsEach: Int
  let startsTogether: Bool

  /// The effects that the storm has observed.
  struct Seen: ~Copyable {
    var attempts = EffectLog<ConnectionID>()
    var order = OrderSum()
    var ended: UInt64 = 0
  }

  init(channels: Int, callsEach: Int, startsTogether: Bool = true) {
    self.callsEach = callsEach
    self.startsTogether = startsTogether
    for index in 0..<channels {
      endpoints.append(
        core.register(ChannelKey(host: HostName("host\(index).example"), options: ChannelOptions()))
      )
    }
    step(.reachability(.initialRead([.reachable])))
  }

  @inline(__always)
  mutating func step(_ event: ClientCore.Event) {
    effects.removeAll()
    core.step(event, at: now, into: &effects)
    Self.carryOut(effects, at: now, &seen)
  }

  /// Records connection attempts and ended calls from all effects; sends nothing.
  @inline(__always)
  private static func carryOut(
    _ effects: borrowing EffectLog<ClientEffect>, at now: Instant, _ seen: inout Seen
  ) {
    effects.forEach { effect in
      switch effect {
      case .endCall(let call, _):
        seen.ended &+= 1
        seen.order.add(UInt64(call.index) &+ UInt64(bitPattern: now.microseconds))
      case .openConnection(let connection, _):
        seen.attempts.append(connection)
      default:
        break
      }
    }
  }

  mutating func startAll() {
    for endpoint in endpoints {
      guard startsTogether else {
        for _ in 0..<callsEach {
          step(.pool(.callStarted(core.nextCallID, endpoint, CallSettings())))
        }
        continue
      }
      effects.removeAll()
      core.startCalls(callsEach, on: endpoint, CallSettings(), at: now, into: &effects)
      Self.carryOut(effects, at: now, &seen)
    }
    now = now + .milliseconds(1)
    for index in 0..<seen.attempts.count { step(.pool(.connected(seen.attempts[index]))) }
    seen.attempts.removeAll()
  }

  mutating func transition() {
    now = now + .seconds(1)
    onCellular.toggle()
    step(.reachability(.callback(onCellular ? [.reachable, .isWWAN] : [.reachable])))
    startAll()
  }
}

/// Reports the memory of each of a million unfinished calls on a hundred thousand channels.
func unfinishedCalls(channels: Int, callsEach: Int) -> String {
  let before = residentBytes()
  var storm = Storm(channels: channels, callsEach: callsEach)
  let empty = residentBytes()
  storm.startAll()
  let after = residentBytes()
  let calls = channels * callsEach
  return "client memory \(calls) calls: \((after - empty) / calls) bytes a call, "
    + "\((after - before) / calls) with the channels' keys"
}

/// Returns the number of heap bytes in use.
func bytesInUse() -> Int { Int(mallinfo2().uordblks) }

/// Returns the resident memory of this process in bytes.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var buffer = [CChar](repeating: 0, count: 256)
  guard fgets(&buffer, 256, file) != nil else { return 0 }
  let fields = String(cString: buffer).split(separator: " ")
  return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4_096
}
