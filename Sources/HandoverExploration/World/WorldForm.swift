import HandoverCore
import HandoverSimulation

/// The state of a world in an exploration: its survey, and what the survey does not contain.
struct WorldState: ~Copyable {
  var survey = WorldSurvey()
  /// The calls that lost some of their data, one bit per position; only the user ends them.
  var lostCalls: UInt8 = 0
  /// The mean delay that the failures of each host allow.
  var expected = ExpectedDelays(.zero)
}

/// The byte encoding of a world, equal for all worlds that behave identically from then on.
///
/// See ``CanonicalForm`` for the client's part.
struct WorldForm: Sendable {
  private let client: CanonicalForm
  private let hosts: Int
  private let hasDoubles: Bool

  init(_ setup: WorldSetup) {
    client = CanonicalForm(setup.client)
    hosts = setup.client.hosts
    hasDoubles =
      setup.events.contains(.monitor) && setup.client.profile.policy.monitorsReachability
  }

  /// Appends the form of a world.
  func write(_ state: borrowing WorldState, into bytes: inout FormBytes) {
    bytes.reserve(
      7 + state.survey.callbacks.count &+ state.survey.connections.count &* 2
        &+ state.survey.calls.count &+ state.survey.facts.count &* 2)
    writeDevice(state, into: &bytes)
    bytes.write(UInt8(clamping: state.survey.callbacks.count))
    for position in 0..<state.survey.callbacks.count {
      bytes.write(state.survey.callbacks[position])
    }
    bytes.write(UInt8(clamping: state.survey.connections.count))
    for position in 0..<state.survey.connections.count {
      Self.write(state.survey.connections[position], into: &bytes)
    }
    bytes.write(UInt8(clamping: state.survey.calls.count))
    bytes.write(state.lostCalls)
    for position in 0..<state.survey.calls.count {
      bytes.write(Self.byte(of: state.survey.calls[position]))
    }
    bytes.write(UInt8(clamping: state.survey.facts.count))
    for position in 0..<state.survey.facts.count {
      let fact = state.survey.facts[position]
      bytes.write(fact.queue.rawValue | fact.kind.rawValue << 2 | fact.owner << 5)
      bytes.write(fact.subject | fact.detail << 4)
    }
    client.write(state.survey.client, state.expected, at: CanonicalForm.present, into: &bytes)
  }

  private func writeDevice(
    _ state: borrowing WorldState, into bytes: inout FormBytes
  ) {
    let app: UInt8 =
      switch state.survey.device.app {
      case .foreground: 0
      case .background: 1
      case .backgroundRunning: 2
      }
    bytes.write(
      state.survey.device.category.rawValue | app << 2
        | Self.number(of: state.survey.device.path) << 4 | (state.survey.holdsCallback ? 64 : 0))
    var rest = UInt8(truncatingIfNeeded: state.survey.device.keptAlive.rawValue) & 7
    for host in 0..<hosts where state.survey.silent[host] { rest |= 8 << UInt8(host) }
    if hasDoubles, state.survey.canDouble { rest |= 64 }
    bytes.write(rest)
  }

  private static func number(of path: PathIndex?) -> UInt8 { path?.index ?? 3 }

  private static func write(
    _ one: WorldSurvey.Connection, into bytes: inout FormBytes
  ) {
    let stall = UInt8(truncatingIfNeeded: one.stall.rawValue)
    assert(
      one.stall.isSubset(of: [.pathLeft, .held, .discarded]),
      "the form requires a world without networks")
    bytes.write(
      one.phase.rawValue | stall << 3 | (one.isUnacknowledged ? 64 : 0)
        | (one.handshakeIsDue ? 128 : 0))
    bytes.write(
      (one.handshakeIsScheduled ? 1 : 0) | number(of: one.path) << 1 | one.ping.rawValue << 3)
  }

  private static func byte(of one: WorldSurvey.Call) -> UInt8 {
    one.request.rawValue | one.finish.rawValue << 2 | (one.isOpen ? 16 : 0)
      | (one.answerIsScheduled ? 32 : 0) | (one.answerIsDue ? 64 : 0)
      | (one.tokenIsScheduled ? 128 : 0)
  }

  // MARK: Reading

  /// Reads a form.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the form.
  ///   - start: The position of its first byte.
  ///   - state: Receives the world, with the identifiers that a world restored from it has.
  func read(
    _ bytes: borrowing FormBytes, from start: Int, into state: inout WorldState
  ) {
    var reader = FormReader(at: start)
    state.survey.removeAll()
    readDevice(reader.byte(bytes), reader.byte(bytes), into: &state)
    for _ in 0..<reader.byte(bytes) { state.survey.callbacks.append(reader.byte(bytes)) }
    for _ in 0..<reader.byte(bytes) {
      state.survey.connections.append(
        Self.connection(reader.byte(bytes), reader.byte(bytes)))
    }
    let calls = reader.byte(bytes)
    state.lostCalls = reader.byte(bytes)
    for _ in 0..<calls { state.survey.calls.append(Self.call(reader.byte(bytes))) }
    for _ in 0..<reader.byte(bytes) {
      let (first, second) = (reader.byte(bytes), reader.byte(bytes))
      state.survey.facts.append(
        WorldSurvey.Fact(
          queue: WorldSurvey.Queue(rawValue: first & 3) ?? .arriving,
          kind: WorldSurvey.Fact.Kind(rawValue: first >> 2 & 7) ?? .ended, owner: first >> 5,
          subject: second & 15, detail: second >> 4))
    }
    client.read(
      bytes, from: reader.position, hosts: hosts, into: &state.survey.client, &state.expected)
  }

  private func readDevice(_ first: UInt8, _ rest: UInt8, into state: inout WorldState) {
    let app: AppState =
      switch first >> 2 & 3 {
      case 0: .foreground
      case 1: .background
      default: .backgroundRunning
      }
    state.survey.device = Device(
      flags: ClientAction.flags(Int(first & 3)), path: Self.path(first >> 4 & 3),
      keptAlive: PathSet(rawValue: UInt64(rest & 7)), app: app)
    state.survey.holdsCallback = first & 64 != 0
    for host in 0..<hosts { state.survey.silent.append(rest & (8 << UInt8(host)) != 0) }
    state.survey.canDouble = rest & 64 != 0
  }

  private static func path(_ number: UInt8) -> PathIndex? {
    number == 3 ? nil : PathIndex(number)
  }

  private static func connection(_ first: UInt8, _ second: UInt8) -> WorldSurvey.Connection {
    var one = WorldSurvey.Connection()
    one.phase = LinkPhase(rawValue: first & 7) ?? .dead
    one.stall = StallCauses(rawValue: UInt16(first >> 3 & 7))
    one.isUnacknowledged = first & 64 != 0
    one.handshakeIsDue = first & 128 != 0
    one.handshakeIsScheduled = second & 1 != 0
    one.path = path(second >> 1 & 3)
    one.ping = WorldSurvey.Carriage(rawValue: second >> 3 & 3) ?? .none
    return one
  }

  private static func call(_ byte: UInt8) -> WorldSurvey.Call {
    var one = WorldSurvey.Call()
    one.request = WorldSurvey.Carriage(rawValue: byte & 3) ?? .none
    one.finish = WorldSurvey.Carriage(rawValue: byte >> 2 & 3) ?? .none
    one.isOpen = byte & 16 != 0
    one.answerIsScheduled = byte & 32 != 0
    one.answerIsDue = byte & 64 != 0
    one.tokenIsScheduled = byte & 128 != 0
    return one
  }
}
