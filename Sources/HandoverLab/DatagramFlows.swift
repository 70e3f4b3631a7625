/// The flows of UDP that go through a network, and what is done to them: faults of transports reach
/// them as they reach connections of TCP.
///
/// A flow is there from the first datagram of the device. Look-ups of names are left alone: they
/// have faults of their own.
struct DatagramFlows: Hashable {
  /// What is done to a flow.
  enum Treatment: Hashable {
    /// Its datagrams vanish, in both directions: nobody on the way can acknowledge one.
    case silenced
    /// Whoever sends is told that nobody listens there (ICMP port unreachable).
    case refused
  }

  /// Whether it has to see frames at all.
  private(set) var watches = false
  /// What becomes of flows that begin from now on, by the address that they go to; nil stands for
  /// every other.
  private var newOnes: [[UInt8]?: Treatment] = [:]
  /// The flows that are there, and what is done to each; nil is nothing.
  private var flows: [FlowKey: Treatment?] = [:]

  /// How many flows are known; later ones are carried and cannot be met.
  private static let maximumCount = 4_096
  private static let namePort: UInt16 = 53

  /// No flow is there.
  init() {}

  /// Looks at flows from now on, to be able to act on them.
  mutating func watch() { watches = true }

  /// Does something to every flow that is there, or to those to an address.
  ///
  /// - Returns: how many it was not done to before.
  mutating func treat(_ treatment: Treatment, to address: [UInt8]? = nil) -> Int {
    var count = 0
    for (key, former) in flows where former != treatment && key.goes(to: address) {
      flows[key] = .some(treatment)
      count += 1
    }
    return count
  }

  /// Does something to flows that begin from now on.
  mutating func treatNewOnes(_ treatment: Treatment, to address: [UInt8]? = nil) {
    watches = true
    newOnes[address] = treatment
  }

  /// Lets flows go on, and new ones begin.
  mutating func resume(to address: [UInt8]? = nil) {
    for key in flows.keys where key.goes(to: address) { flows[key] = .some(nil) }
    if address == nil { newOnes = [:] } else { newOnes[address] = nil }
  }

  /// Takes a frame of a flow.
  mutating func take(
    _ frame: ArraySlice<UInt8>, _ layout: FrameLayout, fromDevice: Bool
  ) -> Middlebox.Outcome {
    guard let key = FlowKey(frame, layout, fromDevice: fromDevice),
      frame.word(at: layout.content + (fromDevice ? 2 : 0)) != Self.namePort
    else { return Middlebox.Outcome() }
    if fromDevice { note(key) }
    switch flows[key] ?? nil {
    case nil: return Middlebox.Outcome()
    case .silenced: return .stopped
    case .refused:
      guard fromDevice else { return .stopped }
      return Middlebox.Outcome(
        passes: false, answers: [FrameAnswers.unreachable(answering: frame)].compactMap(\.self))
    }
  }

  private mutating func note(_ key: FlowKey) {
    guard flows[key] == nil, flows.count < Self.maximumCount else { return }
    flows[key] = .some(newOnes[Array(key.far)] ?? newOnes[nil])
  }
}

extension FlowKey {
  fileprivate func goes(to address: [UInt8]?) -> Bool {
    address.map { far.elementsEqual($0) } ?? true
  }
}
