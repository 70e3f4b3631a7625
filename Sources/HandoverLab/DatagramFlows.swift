/// The UDP flows of a network and the faults that apply to them, as transport faults apply to TCP
/// connections.
///
/// A flow exists from the device's first datagram on. Name lookups are exempt, because they have
/// their own faults.
struct DatagramFlows: Hashable {
  /// The fault that applies to a flow.
  enum Treatment: Hashable {
    /// The flow's datagrams are dropped in both directions.
    ///
    /// No middlebox can acknowledge a datagram.
    case silenced
    /// The device is notified that the port is unreachable (ICMP port unreachable).
    case refused
  }

  /// Whether frames must be inspected at all.
  private(set) var watches = false
  /// The faults of future flows, by destination address.
  ///
  /// The key `nil` covers every other address.
  private var newFlows: [[UInt8]?: Treatment] = [:]
  /// The existing flows with their faults.
  ///
  /// The value `nil` means that a flow has no fault.
  private var flows: [FlowKey: Treatment?] = [:]

  /// The maximum number of known flows.
  ///
  /// Later flows are forwarded, and no fault applies to them.
  private static let maximumCount = 4_096
  private static let namePort: UInt16 = 53

  /// Creates a state without flows.
  init() {}

  /// Starts to track flows, so that faults can apply to them.
  mutating func watch() { watches = true }

  /// Applies a fault to every existing flow, or to those to an address.
  ///
  /// - Returns: the number of flows that did not have the fault before.
  mutating func treat(_ treatment: Treatment, to address: [UInt8]? = nil) -> Int {
    var count = 0
    for (key, former) in flows where former != treatment && key.goes(to: address) {
      flows[key] = .some(treatment)
      count += 1
    }
    return count
  }

  /// Applies a fault to future flows.
  mutating func treatNewFlows(_ treatment: Treatment, to address: [UInt8]? = nil) {
    watches = true
    newFlows[address] = treatment
  }

  /// Removes the faults of existing and future flows.
  mutating func resume(to address: [UInt8]? = nil) {
    for key in flows.keys where key.goes(to: address) { flows[key] = .some(nil) }
    if address == nil { newFlows = [:] } else { newFlows[address] = nil }
  }

  /// Processes a frame of a flow.
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
    flows[key] = .some(newFlows[Array(key.far)] ?? newFlows[nil])
  }
}

extension FlowKey {
  fileprivate func goes(to address: [UInt8]?) -> Bool {
    address.map { far.elementsEqual($0) } ?? true
  }
}
