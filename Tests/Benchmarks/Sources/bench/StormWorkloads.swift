import CMalloc
import Glibc
import HandoverCore

/// Transition storm through the real client: all channels with all their calls are lost in one
/// instant, again and again; each channel is made anew by its next calls.
func transitionStorm(channels: Int, transitions: Int) -> Measurement {
  var storm = Storm(channels: channels, callsEach: 10)
  storm.startAll()
  return measure("client w3 \(channels)") {
    for _ in 0..<transitions { storm.transition() }
    return (storm.ended, storm.order.value)
  }
}

/// A client under a storm, with the smallest driver there can be.
struct Storm: ~Copyable {
  var core = ClientCore(
    PoolConfiguration(
      policy: ClientPolicy(monitorsReachability: true, unusedChannelLifetime: .seconds(30))))
  var effects = EffectLog<ClientEffect>(reserving: 1 << 16)
  var endpoints: [EndpointID] = []
  var attempts: ContiguousArray<ConnectionID> = []
  var order = OrderSum()
  var ended: UInt64 = 0
  var now = Instant.zero
  var onCellular = false
  let callsEach: Int

  init(channels: Int, callsEach: Int) {
    self.callsEach = callsEach
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
    for index in 0..<effects.count {
      switch effects[index] {
      case .endCall(let call, _):
        ended += 1
        order.add(UInt64(call.index) &+ UInt64(now.microseconds))
      case .openConnection(let connection, _):
        attempts.append(connection)
      default:
        break
      }
    }
  }

  mutating func startAll() {
    for endpoint in endpoints {
      for _ in 0..<callsEach {
        step(.pool(.callStarted(core.nextCallID, endpoint, CallSettings())))
      }
    }
    now = now + .milliseconds(1)
    for connection in attempts { step(.pool(.connected(connection))) }
    attempts.removeAll(keepingCapacity: true)
  }

  mutating func transition() {
    now = now + .seconds(1)
    onCellular.toggle()
    step(.reachability(.callback(onCellular ? [.reachable, .isWWAN] : [.reachable])))
    startAll()
  }
}

/// A million unfinished calls on a hundred thousand channels: how much memory each takes.
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

/// How many bytes of the heap are in use.
func bytesInUse() -> Int { Int(mallinfo2().uordblks) }

/// The resident memory of this process.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var buffer = [CChar](repeating: 0, count: 256)
  guard fgets(&buffer, 256, file) != nil else { return 0 }
  let fields = String(cString: buffer).split(separator: " ")
  return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4_096
}
