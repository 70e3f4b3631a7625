import HandoverCore

/// The byte encoding of a client state, equal for all states that behave identically from then on.
///
/// The form records which timers are armed but not when they fire, because any armed timer may fire
/// next. It omits identifiers, generations and rows; calls and connections are listed in the order
/// in which the client iterates over them. In addition to the client's state, it contains the mean
/// delay that the previous failures allow.
struct CanonicalForm: Sendable {
  /// The instant of every canonical state, and the time until armed timers fire.
  ///
  /// The timers are so far ahead that no delay of a client comes near them.
  static let present = Instant(microseconds: 1 << 36)
  static let far = Interval(microseconds: 1 << 40)

  private let hasKeepalive: Bool
  private let hasMessages: Bool
  private let isDecorated: Bool
  private let hasTokens: Bool
  private let initialMean: Interval

  init(_ setup: ExplorationSetup) {
    hasKeepalive = setup.extras.contains(.keepalive)
    hasMessages = setup.extras.contains(.messages)
    hasTokens = setup.extras.contains(.tokens)
    isDecorated = setup.altered?.decoration != nil
    initialMean = setup.configuration.backoff.firstDelay
  }

  /// Appends the form of a state.
  ///
  /// - Parameters:
  ///   - seen: The state of the client.
  ///   - expected: The mean delay that the failures of each host allow.
  ///   - now: The instant at which `seen` was taken.
  ///   - bytes: Receives the form; the slack after it is cleared.
  func write(
    _ seen: borrowing ClientSurvey, _ expected: ExpectedDelays, at now: Instant,
    into bytes: inout FormBytes
  ) {
    // A host takes at most 15 bytes; every other row takes at most five.
    let others = seen.connections.count &+ seen.calls.count &+ seen.awaitingTokens.count
    bytes.append(atMost: 2 &+ seen.hosts.count &<< 4 &+ others &<< 3) { form in
      form.write(seen.category.rawValue)
      var expected = expected
      for index in 0..<seen.hosts.count {
        writeHost(index, of: seen, expected.removeFirst(), at: now, into: &form)
      }
      guard hasTokens else { return }
      form.write(UInt8(clamping: seen.awaitingTokens.count))
      for position in 0..<seen.awaitingTokens.count {
        let call = seen.awaitingTokens[position]
        form.write(UInt8(clamping: call.host) << 4 | call.traits.rawValue)
      }
    }
  }

  private func writeHost(
    _ index: Int, of seen: borrowing ClientSurvey, _ expected: Interval, at now: Instant,
    into form: inout FormWriter
  ) {
    form.write(seen.hosts[index].state.rawValue)
    if isDecorated { form.write(UInt8(clamping: seen.hosts[index].lateSends)) }
    guard seen.hosts[index].exists else { return }
    // The field holds delays of up to one hour. A longer mean violates an invariant long before.
    form.write(number: UInt32(clamping: seen.hosts[index].mean.microseconds))
    form.write(number: UInt32(clamping: expected.microseconds))
    var armed: UInt8 = seen.hosts[index].notBefore > now ? 1 : 0
    if seen.hosts[index].attemptDue != .never { armed |= 2 }
    if seen.hosts[index].unusedDue != .never { armed |= 4 }
    form.write(armed)
    let (connections, calls) = (seen.hosts[index].connections, seen.hosts[index].calls)
    form.write(UInt8(truncatingIfNeeded: connections.upperBound &- connections.lowerBound))
    if hasKeepalive {
      for position in connections { form.write(Self.keepalive(seen.connections[position])) }
    }
    form.write(UInt8(truncatingIfNeeded: calls.upperBound &- calls.lowerBound))
    for position in calls {
      let carrier = seen.calls[position].connection
      let number = carrier < 0 ? 0 : carrier &- connections.lowerBound &+ 1
      form.write(UInt8(truncatingIfNeeded: number &<< 4) | seen.calls[position].traits.rawValue)
      if hasMessages { form.write(number: seen.calls[position].queuedMessages) }
    }
  }

  private static func keepalive(_ connection: ClientSurvey.Connection) -> UInt8 {
    UInt8(clamping: connection.pingsWithoutData) | (connection.awaitsPong ? 16 : 0)
      | (connection.keepaliveDue != .never ? 32 : 0)
  }

  // MARK: Reading

  /// Reads a form.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the form.
  ///   - start: The position of its first byte.
  ///   - hosts: How many hosts the form has.
  ///   - seen: Receives the client state at ``present``, with the identifiers that a client
  ///     restored from it has.
  ///   - expected: Receives the mean delay that the failures of each host allow.
  func read(
    _ bytes: borrowing FormBytes, from start: Int, hosts: Int, into seen: inout ClientSurvey,
    _ expected: inout ExpectedDelays
  ) {
    var reader = FormReader(at: start)
    seen.removeAll()
    seen.category = NetworkCategory(rawValue: reader.byte(bytes)) ?? .unknown
    for index in 0..<hosts { readHost(index, bytes, &reader, into: &seen, &expected[index]) }
    if hasTokens {
      for _ in 0..<reader.byte(bytes) {
        let traits = reader.byte(bytes)
        seen.append(
          awaiting: Self.call(
            seen.calls.count + seen.awaitingTokens.count, on: Int(traits >> 4), traits))
      }
    }
    seen.connectionsInUse = seen.connections.count
    seen.callsInUse = seen.calls.count + seen.awaitingTokens.count
  }

  private func readHost(
    _ index: Int, _ bytes: borrowing FormBytes, _ reader: inout FormReader,
    into seen: inout ClientSurvey, _ expected: inout Interval
  ) {
    var host = ClientSurvey.Host()
    host.state = ChannelState(rawValue: reader.byte(bytes)) ?? .shutdown
    if isDecorated { host.lateSends = Int(reader.byte(bytes)) }
    host.connections = seen.connections.count..<seen.connections.count
    host.calls = seen.calls.count..<seen.calls.count
    host.mean = initialMean
    expected = initialMean
    guard host.exists else {
      seen.hosts.append(host)
      return
    }
    host.mean = Interval(microseconds: Int64(reader.number(bytes)))
    expected = Interval(microseconds: Int64(reader.number(bytes)))
    let armed = reader.byte(bytes)
    let due = Self.present + Self.far
    host.notBefore = armed & 1 != 0 ? due : Self.present
    if armed & 2 != 0 { host.attemptDue = due }
    if armed & 4 != 0 { host.unusedDue = due }
    for position in 0..<Int(reader.byte(bytes)) {
      let id = ConnectionID(
        index: UInt32(truncatingIfNeeded: seen.connections.count), generation: 0)
      var one = ClientSurvey.Connection(id: id, host: index, phase: .draining)
      if position == 0, host.state == .connecting { one.phase = .connecting }
      if position == 0, host.state == .ready { one.phase = .established }
      if hasKeepalive {
        let byte = reader.byte(bytes)
        one.pingsWithoutData = Int(byte & 15)
        one.awaitsPong = byte & 16 != 0
        if byte & 32 != 0 { one.keepaliveDue = due }
      }
      seen.append(one)
    }
    host.connections = host.connections.lowerBound..<seen.connections.count
    for _ in 0..<reader.byte(bytes) {
      let traits = reader.byte(bytes)
      var call = Self.call(seen.calls.count, on: index, traits)
      call.connection = traits >> 4 == 0 ? -1 : host.connections.lowerBound + Int(traits >> 4) - 1
      if hasMessages {
        call.queuedMessages = reader.number(bytes)
        call.queuedBytes = call.queuedMessages
      }
      if call.connection < 0 { host.hasWaiting = true }
      seen.append(call)
    }
    host.calls = host.calls.lowerBound..<seen.calls.count
    seen.hosts.append(host)
  }

  private static func call(_ index: Int, on host: Int, _ traits: UInt8) -> ClientSurvey.Call {
    let id = CallID(index: UInt32(truncatingIfNeeded: index), generation: 0)
    var call = ClientSurvey.Call(id: id, host: host)
    call.traits = ClientSurvey.Call.Traits(rawValue: traits & 15)
    if call.traits.contains(.hasDeadline) { call.deadline = present + far }
    return call
  }
}

/// The mean delay that the failures of each host allow, for up to four hosts.
struct ExpectedDelays: Hashable, Sendable {
  private var delays: InlineArray<4, Interval>

  init(_ delay: Interval) {
    delays = InlineArray(repeating: delay)
  }

  subscript(host: Int) -> Interval {
    get { delays[host] }
    set { delays[host] = newValue }
  }

  /// Removes and returns the delay of the first host; the others move up by one.
  ///
  /// This function serves loops over all hosts, because a lookup by index would first store the
  /// whole array in memory.
  mutating func removeFirst() -> Interval {
    defer { (delays[0], delays[1], delays[2]) = (delays[1], delays[2], delays[3]) }
    return delays[0]
  }

  static func == (left: ExpectedDelays, right: ExpectedDelays) -> Bool {
    left.delays.indices.allSatisfy { left.delays[$0] == right.delays[$0] }
  }

  func hash(into hasher: inout Hasher) {
    for host in delays.indices { hasher.combine(delays[host]) }
  }
}
